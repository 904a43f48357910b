// SPDX-License-Identifier: GPL-2.0-only
//
// browser-names.js - names stay inside their frames, in whichever font
//
// What does not hold is written into the document, then "all steps done".
"use strict";

window.addEventListener("load", () => {
	const said = [];
	const frames = Array.from(document.querySelectorAll("#frames > *"));
	const number = (el, key) => Number(el.getAttribute(key));
	const click = el => el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
	const check = (what, good) => good || said.push("does not hold: " + what);
	const shown = () => frames.map(el => el.querySelector("text")).filter(
		text => text && text.textContent && text.getBBox().width);

	function inside(text) {
		const rect = text.parentNode.querySelector("rect");
		const end = number(text, "x") + text.getComputedTextLength();
		return end <= number(rect, "x") + number(rect, "width");
	}

	// A name that is cut leaves no room for much more.
	function full(text) {
		const room = number(text.parentNode.querySelector("rect"), "width");
		return !text.textContent.endsWith("..") || text.getComputedTextLength() > room - 50;
	}

	function checkAll(when) {
		const texts = shown();
		const out = texts.find(text => !inside(text)), short = texts.find(text => !full(text));

		check("there are names " + when, texts.length >= 2);
		check("they stay inside " + when + (out ? ": " + out.textContent : ""), !out);
		check("they use the room " + when + (short ? ": " + short.textContent : ""), !short);
	}

	try {
		checkAll("at first");
		click(frames[1]);
		checkAll("zoomed");
		click(frames[frames.length - 1]);
		checkAll("at the leaf");
	} catch (e) {
		said.push("exception: " + e.stack);
	}
	const result = document.createElementNS("http://www.w3.org/2000/svg", "desc");
	result.textContent = "\n" + said.join("\n") + "\nall steps done\n";
	document.documentElement.appendChild(result);
});
