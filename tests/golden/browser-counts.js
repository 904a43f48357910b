// SPDX-License-Identifier: GPL-2.0-only
//
// browser-counts.js - a session with counts whose sums a browser has to round
//
// What does not hold is written into the document, then "all steps done".
"use strict";

window.addEventListener("load", async () => {
	const said = [];
	const frames = Array.from(document.querySelectorAll("#frames > *"));
	const name = el => el.querySelector("title").textContent.replace(/ \(.*/, "");
	const shown = () => frames.filter(el => !el.classList.contains("hide")).map(name).join(" ");
	const click = el => el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
	const press = key => document.documentElement.dispatchEvent(
		new KeyboardEvent("keydown", { key: key, bubbles: true }));
	const check = (what, good) => good || said.push("does not hold: " + what + ": " + shown());

	try {
		const at = n => frames.filter(el => name(el) === n)[0];

		click(at("fractions"));
		check("all that fractions calls is there", shown() === "all fractions a b c d e");
		press("ArrowUp");
		press("ArrowUp");
		check("keys find the widest", at("d").classList.contains("at"));
		press("ArrowLeft");
		check("and its neighbour", at("c").classList.contains("at"));
		click(document.getElementById("unzoom"));
		click(at("huge"));
		check("all that huge calls is there", shown() === "all huge a b x y c");
		press("/");
		document.getElementById("term").value = "^(b|x|c)$";
		document.getElementById("term").dispatchEvent(new Event("input"));
		await new Promise(done => setTimeout(done, 10));
		check("matches count once", document.getElementById("matched").textContent ===
			"3 frames, 84.2 %");
	} catch (e) {
		said.push("exception: " + e.stack);
	}
	const result = document.createElementNS("http://www.w3.org/2000/svg", "desc");
	result.textContent = "\n" + said.join("\n") + "\nall steps done\n";
	document.documentElement.appendChild(result);
});
