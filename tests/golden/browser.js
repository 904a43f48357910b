// SPDX-License-Identifier: GPL-2.0-only
//
// browser.js - a reader's session with a flame graph; golden/browser puts it into one
//
// What does not hold is written into the document, then "all steps done".
"use strict";

window.addEventListener("load", async () => {
	const said = [];
	const byId = id => document.getElementById(id);
	const frame = name => Array.from(document.querySelectorAll("#frames > *")).find(
		el => el.querySelector("title").textContent.startsWith(name + " ("));
	const width = name => Number(frame(name).querySelector("rect").getAttribute("width"));
	const hidden = el => el.classList.contains("hide");
	const click = el => el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
	const press = (key, more) => (document.activeElement || document.documentElement).dispatchEvent(
		new KeyboardEvent("keydown", Object.assign({ key: key, bubbles: true }, more)));
	const type = async text => {
		byId("term").value = text;
		byId("term").dispatchEvent(new Event("input", { bubbles: true }));
		await new Promise(done => setTimeout(done, 10));
	};
	const open = () => byId("term") && byId("term").getBoundingClientRect().width > 0;
	const check = (what, good) => good || said.push("does not hold: " + what);
	const near = (a, b) => Math.abs(a - b) < 0.01;

	// As it is seen: what shines through an element, or around it, changes its colour.
	const light = color => color.match(/\d+/g).map(Number).map(c => c / 255).map(
		c => c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4)).reduce(
		(sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0.05);
	const contrast = (a, b) => Math.max(light(a), light(b)) / Math.min(light(a), light(b));
	const opaque = el => !el.style || getComputedStyle(el).opacity === "1" &&
		getComputedStyle(el).fillOpacity === "1" && opaque(el.parentNode);
	const readable = (text, behind) => opaque(text) && opaque(behind) && contrast(
		getComputedStyle(text).fill, getComputedStyle(behind).fill) >= 4.5;
	const namesReadable = () => Array.from(document.querySelectorAll("#frames text")).every(
		text => readable(text, text.parentNode.querySelector("rect")));
	const aroundReadable = () => ["title", "details", "search", "ignorecase", "matched"].every(
		id => opaque(byId(id)) && ["bg1", "bg2"].every(bg => contrast(
			getComputedStyle(byId(id)).fill,
			getComputedStyle(byId(bg)).stopColor) >= 4.5));

	// A local file keeps its address: see what it would become.
	let address = "", steps = 0;
	history.replaceState = (state, title, url) => {
		address = url;
	};
	history.pushState = (state, title, url) => {
		address = url;
		steps++;
	};

	try {
		check("zoom is off at first", hidden(byId("unzoom")));
		check("the scheme is " + scheme, scheme === "dark" ===
			matchMedia("(prefers-color-scheme: dark)").matches);
		check("names can be read", namesReadable());
		check("so can what is around them", aroundReadable());
		frame("dup_mm").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
		check("details on hover", byId("details").textContent ===
			"Function: dup_mm (4,588 samples, 0.21%)");
		frame("dup_mm").dispatchEvent(new MouseEvent("mouseout", { bubbles: true }));
		check("no details without", byId("details").textContent === " ");

		click(frame("dup_mm").querySelector("rect"));
		check("the frame fills the width", near(width("dup_mm"), 1180));
		check("so do its callers", near(width("kernel_clone"), 1180) &&
			frame("kernel_clone").classList.contains("parent"));
		check("whose names can be read", namesReadable());
		check("its callees in proportion", near(width("copy_page_range"), 1180 * 4211 / 4588));
		check("a name where there was no room",
			frame("allocate_slab").querySelector("text").textContent === "allocate_slab");
		check("what is elsewhere is hidden", hidden(frame("default_idle")));
		check("reset is offered", !hidden(byId("unzoom")));
		check("zoom is in the address", /\?x=31.7&y=85.0$/.test(address));
		check("and a step of the history", steps === 1);

		check("there is no box yet", !open());
		press("f", { ctrlKey: true });
		check("a key opens a box that has the keys", open() &&
			document.activeElement === byId("term"));
		await type("slab");
		check("matched part of what is shown while one types",
			byId("matched").textContent === "2 frames, 8.2 %");
		await type("slab|dup");
		check("and while one types on", byId("matched").textContent === "3 frames, 100 %");
		await type("allocate_slab");
		check("and of one", byId("matched").textContent === "1 frame, 8.2 %");
		await type("slab(");
		check("a bad expression is said so", !document.querySelector(".match") &&
			byId("matched").textContent === "Not a regular expression" &&
			byId("term").getAttribute("aria-invalid") === "true");
		press("ArrowUp");
		check("the box has its arrows", !document.querySelector(".at"));
		await type("slab");
		check("a better one is not", byId("term").getAttribute("aria-invalid") === "false");
		press("Enter");
		check("Enter keeps the search", !open() && document.querySelector(".match") &&
			document.activeElement !== byId("term"));
		check("search is in the address", /\?x=31.7&y=85.0&s=slab$/.test(address));
		check("and no step", steps === 1);
		check("matches are coloured", frame("allocate_slab").classList.contains("match"));
		check("and can be read", namesReadable());
		click(byId("unzoom"));
		check("all is back", near(width("dup_mm"), 1180 * 4588 / 2181140));
		check("zoom has left the address", /\?s=slab$/.test(address));
		check("nothing is hidden", !document.querySelector("#frames > .hide"));
		check("matched part of all", byId("matched").textContent === "2 frames, 0.0 %");

		click(byId("search"));
		check("search is reset", !document.querySelector(".match") &&
			byId("search").textContent === "Search" && byId("matched").textContent === " ");
		check("the address is as before", !address.includes("?"));
		click(byId("search"));
		check("a click opens the box", open() && byId("term").value === "");
		await type("^DEFAULT");
		check("case counts", !document.querySelector(".match"));
		press("i", { ctrlKey: true });
		check("case can be ignored", frame("default_idle").classList.contains("match"));
		check("which is in the address", /\?s=%5EDEFAULT&ic=1$/.test(address));
		press("Enter");
		press("F3");
		check("a key brings the box back, and what was in it", open() &&
			byId("term").value === "^DEFAULT");
		press("Escape");
		check("Escape clears the search", !open() && !document.querySelector(".match") &&
			byId("matched").textContent === " " && /\?ic=1$/.test(address));
		click(byId("ignorecase"));
		check("case counts again", !address.includes("?"));
		press("/");
		check("another key opens it, too", open());
		press("Escape");

		press("ArrowUp");
		press("ArrowUp");
		check("keys walk to the widest callee", frame("bash").classList.contains("at"));
		press("ArrowRight");
		check("and to the neighbour", frame("java").classList.contains("at"));
		press("ArrowDown");
		check("and back to the root", frame("all").classList.contains("at"));
		press("ArrowUp");
		press("Enter");
		check("Enter zooms", near(width("bash"), 1180));
		press("Escape");
		check("Escape shows all", !document.querySelector("#frames > .hide"));
	} catch (e) {
		said.push("exception: " + e.stack);
	}
	const result = document.createElementNS("http://www.w3.org/2000/svg", "desc");
	result.textContent = "\n" + said.join("\n") + "\nall steps done\n";
	document.documentElement.appendChild(result);
});
