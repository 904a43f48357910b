// SPDX-License-Identifier: GPL-2.0-only
//
// flame_box.js - the box in a flame graph into which one types what to search for
//
// What is typed is searched at once; Enter closes the box and keeps the search,
// Escape clears it.
"use strict";

// search(text) returns false if the text cannot be searched for.
function flameBox(search, toggleCase) {
	const many = 5000;	// frames that are not searched at every key
	let around = null, input, font, delay, pending = 0;

	function start(fontSize, nrFrames) {
		font = fontSize;
		delay = nrFrames > many ? 150 : 0;
	}

	const isOpen = () => around !== null && !around.classList.contains("hide");
	const has = target => around !== null && target === input;

	function make() {
		around = document.createElementNS("http://www.w3.org/2000/svg", "foreignObject");
		around.classList.add("hide");
		input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
		input.setAttribute("id", "term");
		input.setAttribute("placeholder", "regular expression, e.g. ^ext4_");
		input.setAttribute("aria-label", "Search frames by a regular expression");
		input.setAttribute("spellcheck", "false");
		input.setAttribute("autocomplete", "off");
		input.style.cssText = "box-sizing: border-box; width: 100%; height: 100%; margin: 0; " +
			"color: #000; background: #fff; border: 2px solid #666; font-size: " + font + "px";
		input.addEventListener("input", typed);
		around.appendChild(input);
		document.documentElement.appendChild(around);
	}

	// Left of "Search", which opens it.
	function place() {
		if (!around)
			return;
		const right = Number(document.getElementById("search").getAttribute("x")) - font;
		const values = { x: Math.max(right - 250, 0), y: font * 0.7,
				 width: Math.min(250, right), height: font * 2 };

		for (const key in values)
			around.setAttribute(key, values[key]);
	}

	function open(text) {
		if (!around)
			make();
		place();
		if (!isOpen())
			input.value = text;
		around.classList.remove("hide");
		input.focus();
		input.select();
	}

	function typed() {
		clearTimeout(pending);
		pending = setTimeout(searchTyped, delay);
	}

	function searchTyped() {
		clearTimeout(pending);
		const good = search(input.value);
		input.setAttribute("aria-invalid", !good);
		input.style.borderColor = good ? "#666" : "#c00";
	}

	function close() {
		if (!isOpen())
			return;
		clearTimeout(pending);
		input.blur();
		around.classList.add("hide");
	}

	// Returns false for a key that the box is to have.
	function onKey(key, control) {
		if (key === "Escape")
			input.value = "";
		if (key === "Escape" || key === "Enter") {
			searchTyped();
			close();
		} else if (key === "F3" || control && key === "f") {
			input.select();
		} else if (control && key === "i") {
			toggleCase();
		} else {
			return false;
		}
		return true;
	}

	return { start: start, isOpen: isOpen, has: has, place: place, open: open, close: close,
		 onKey: onKey, text: () => input.value };
}
