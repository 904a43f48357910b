// SPDX-License-Identifier: GPL-2.0-only
//
// flame_names.js - how much of a name a frame in a flame graph has room for
//
// Characters are measured, in the font that there turned out to be.
"use strict";

function flameNames() {
	const widths = new Map();
	let ruler;

	function widthOf(c) {
		if (!widths.has(c)) {
			ruler.textContent = "n" + c + "n";
			const width = ruler.getComputedTextLength();
			ruler.textContent = "nn";
			widths.set(c, width - ruler.getComputedTextLength());
		}
		return widths.get(c);
	}

	// All at once, before anything else moves: each is a layout of what has changed.
	function measure() {
		ruler = document.createElementNS("http://www.w3.org/2000/svg", "text");
		ruler.setAttribute("visibility", "hidden");
		ruler.setAttribute("aria-hidden", "true");
		document.documentElement.appendChild(ruler);
		for (let c = 32; c < 127; c++)
			widthOf(String.fromCharCode(c));
	}

	// The name, or its beginning and two dots, or nothing.
	function shorten(name, room) {
		const dots = 2 * widthOf(".");
		let used = 0, end = 0, cut = 0;

		for (const c of name) {
			used += widthOf(c);
			if (used > room)
				return cut ? name.slice(0, cut) + ".." : "";
			end += c.length;
			if (used + dots <= room)
				cut = end;
		}
		return name;
	}

	return { measure: measure, shorten: shorten };
}
