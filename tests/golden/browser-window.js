// SPDX-License-Identifier: GPL-2.0-only
//
// browser-window.js - a flame graph as wide as the window, and Back of the browser
//
// What does not hold is written into the document, then "all steps done".
"use strict";

window.addEventListener("load", async () => {
	const said = [];
	const root = document.documentElement;
	const byId = id => document.getElementById(id);
	const at = (id, key) => Number(byId(id).getAttribute(key));
	const frame = name => Array.from(document.querySelectorAll("#frames > *")).find(
		el => el.querySelector("title").textContent.startsWith(name + " ("));
	const width = name => Number(frame(name).querySelector("rect").getAttribute("width"));
	const click = el => el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
	const check = (what, good) => good || said.push("does not hold: " + what);
	const near = (a, b) => Math.abs(a - b) < 0.01;
	const wide = (name, w) => near(width(name), w - 20);
	const fits = w => root.getAttribute("width") === String(w) &&
		root.viewBox.baseVal.width === w && at("title", "x") === w / 2 &&
		at("search", "x") === w - 110 && at("matched", "x") === w - 10 &&
		near(document.querySelector("svg > rect").getBBox().width, w);

	// The steps of a local file's history are kept, though not in its address.
	const back = () => new Promise(done => {
		setTimeout(done, 2000);
		window.addEventListener("popstate", () => setTimeout(done, 10), { once: true });
		history.back();
	});

	try {
		const w = root.clientWidth;

		check("the window is not as wide as the picture was", w > 480 && w < 1200);
		check("the picture is as wide as the window", fits(w) && wide("all", w));
		check("frames in proportion", near(width("default_idle") / width("all"),
			Number(frame("default_idle").dataset.w) / 2181140));
		click(frame("dup_mm"));
		check("what is zoomed, too", wide("dup_mm", w));
		Object.defineProperty(root, "clientWidth", { value: 1500 });
		window.dispatchEvent(new Event("resize"));
		check("it follows the window", fits(1500) && wide("all", 1500));
		check("and stays zoomed", wide("dup_mm", 1500));

		click(frame("copy_page_range"));
		check("further in", wide("copy_page_range", 1500));
		await back();
		check("Back leads one step out", wide("dup_mm", 1500) && !wide("copy_page_range", 1500));
		await back();
		check("and out", !wide("dup_mm", 1500) && !document.querySelector("#frames > .hide") &&
			byId("unzoom").classList.contains("hide"));

		history.pushState = () => {
			throw new DOMException("not here", "SecurityError");
		};
		history.replaceState = history.pushState;
		click(frame("dup_mm"));
		check("without a history one can zoom", wide("dup_mm", 1500));
	} catch (e) {
		said.push("exception: " + e.stack);
	}
	const result = document.createElementNS("http://www.w3.org/2000/svg", "desc");
	result.textContent = "\n" + said.join("\n") + "\nall steps done\n";
	document.documentElement.appendChild(result);
});
