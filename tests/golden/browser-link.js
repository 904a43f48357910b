// SPDX-License-Identifier: GPL-2.0-only
//
// browser-link.js - a flame graph with links, opened by an address that has zoom and search
//
// What does not hold is written into the document, then "all steps done".
"use strict";

window.addEventListener("load", () => {
	const said = [];
	const frame = name => Array.from(document.querySelectorAll("#frames > *")).find(
		el => el.querySelector("title").textContent.startsWith(name));
	const width = el => Number(el.querySelector("rect").getAttribute("width"));
	const hidden = el => el.classList.contains("hide");
	const check = (what, good) => good || said.push("does not hold: " + what);
	let followed;
	const click = (el, more) => el.dispatchEvent(new MouseEvent("click",
		Object.assign({ bubbles: true, cancelable: true }, more)));

	// After the script of the graph, and before the browser, whom nothing is to lead away.
	window.addEventListener("click", e => {
		followed = !e.defaultPrevented;
		e.preventDefault();
	});

	try {
		const mm = frame("copies");
		const link = frame("main (");

		check("the zoom of the address is shown", Math.abs(width(mm) - 1180) < 0.01);
		check("what is elsewhere is hidden", hidden(frame("default_idle (")));
		check("reset is offered", !hidden(document.getElementById("unzoom")));
		check("so is the search", frame("allocate_slab (").classList.contains("match"));
		check("and that case is ignored", document.getElementById("ignorecase").classList
			.contains("show"));
		check("and reset of the search", document.getElementById("search").textContent === "Reset Search");
		check("attributes are there", mm.classList.contains("hot") &&
			frame("bash (").id === "the-shell");
		check("a frame is a link", link.nodeName === "a" && link.getAttribute("target") ===
			"_blank" && link.getAttribute("href") === "https://example.org/?a=1&b=2");
		click(document.getElementById("unzoom"));
		check("all is shown", !document.querySelector("#frames > .hide"));
		const before = width(link);
		click(link.querySelector("rect"));
		check("a link is followed and does not zoom", followed && width(link) === before);
		click(link.querySelector("rect"), { ctrlKey: true });
		check("with the control key it zooms", !followed && Math.abs(width(link) - 1180) < 0.01);
		click(mm.querySelector("rect"));
		check("others zoom", Math.abs(width(mm) - 1180) < 0.01);
	} catch (e) {
		said.push("exception: " + e.stack);
	}
	const result = document.createElementNS("http://www.w3.org/2000/svg", "desc");
	result.textContent = "\n" + said.join("\n") + "\nall steps done\n";
	document.documentElement.appendChild(result);
});
