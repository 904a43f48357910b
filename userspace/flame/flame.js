// SPDX-License-Identifier: GPL-2.0-only
//
// flame.js - what happens inside a flame graph: zoom, search, details, keys
//
// Runs in the SVG, in any browser of the last ten years, without a network.
// The state, zoom (x, y) and search (s), is kept in the address, so that a
// link shows what its sender saw.
"use strict";

(function () {
	const byId = id => document.getElementById(id);
	const indent = 3;
	let conf, frames, zoomed, current = null;
	let term = "", ignoreCase = false;

	function start() {
		const box = byId("frames");
		if (!box)
			return;
		const pad = Number(box.dataset.pad);
		conf = {
			pad: pad,
			width: document.documentElement.viewBox.baseVal.width - 2 * pad,
			charWidth: Number(box.dataset.char),
			inverted: box.dataset.inverted === "1",
			nametype: box.dataset.nametype,
		};
		frames = Array.from(box.children, readFrame);
		findSubtrees();
		zoomed = frames[0];
		listen(box);
		restore();
	}

	function readFrame(el, index) {
		const rect = el.querySelector("rect");
		const title = el.querySelector("title").textContent;
		return {
			el: el, rect: rect, title: title, index: index, last: index,
			name: title.replace(/ \([^(]*\)$/, ""),
			x: Number(el.dataset.x), w: Number(el.dataset.w),
			px: rect.getAttribute("x"), y: rect.getAttribute("y"),
			height: Number(rect.getAttribute("height")),
			fill: rect.getAttribute("fill"), match: false,
		};
	}

	// Half way to white: names stay readable, which they do not where a frame shines through.
	function faded(fill) {
		const channels = /^rgb\((\d+),(\d+),(\d+)\)$/.exec(fill);

		return channels ? "rgb(" + channels.slice(1).map(
			c => Math.round((Number(c) + 255) / 2)).join() + ")" : fill;
	}

	// Frames stand in the order of a walk: a frame, then all that is above it. Their
	// numbers would not do: sums of fractions and of large numbers are rounded.
	function findSubtrees() {
		const open = [];

		for (const f of frames) {
			while (open.length && level(open[open.length - 1]) >= level(f))
				open.pop().last = f.index - 1;
			open.push(f);
		}
		for (const f of open)
			f.last = frames.length - 1;
	}

	// How far above the root, in pixels, whichever way the graph grows.
	const level = f => conf.inverted ? Number(f.y) : -Number(f.y);
	const isDescendant = (f, g) => f.index > g.index && f.index <= g.last;
	const isAncestor = (f, g) => isDescendant(g, f);
	const isShown = f => !f.el.classList.contains("hide");

	// --- the address ---

	function params() {
		return new URLSearchParams(window.location.search);
	}

	function setParams(values) {
		const p = params();
		for (const key in values) {
			if (values[key] === null)
				p.delete(key);
			else
				p.set(key, values[key]);
		}
		const query = p.toString();
		try {
			history.replaceState(null, "", window.location.pathname +
					     (query ? "?" + query : ""));
		} catch (e) {
			// Some browsers keep the addresses of local files as they are.
		}
	}

	function restore() {
		const p = params();
		const f = frames.find(g => g.px === p.get("x") && g.y === p.get("y"));
		if (f)
			zoom(f);
		if (p.get("s"))
			search(p.get("s"));
	}

	// --- zoom ---

	function label(f, x, width) {
		const room = Math.floor(width / conf.charWidth);
		const chars = Array.from(f.name);
		let text = f.el.querySelector("text");
		let shown = "";

		if (room >= 3)
			shown = chars.length > room ? chars.slice(0, room - 2).join("") + ".."
						    : chars.join("");
		if (!text) {
			if (!shown)
				return;
			text = document.createElementNS("http://www.w3.org/2000/svg", "text");
			text.setAttribute("y", Number(f.y) + f.height / 2 + 3);
			f.el.appendChild(text);
		}
		text.textContent = shown;
		text.setAttribute("x", x + indent);
	}

	function place(f, x, width) {
		f.rect.setAttribute("x", x);
		f.rect.setAttribute("width", width);
		label(f, x, width);
	}

	function zoom(target) {
		const ratio = conf.width / target.w;

		zoomed = target;
		for (const f of frames) {
			const parent = isAncestor(f, target);
			const shown = parent || f === target || isDescendant(f, target);

			f.el.classList.toggle("parent", parent);
			f.el.classList.toggle("hide", !shown);
			f.rect.setAttribute("fill", parent ? faded(f.fill) : f.fill);
			if (parent)
				place(f, conf.pad, conf.width);
			else if (shown)
				place(f, conf.pad + (f.x - target.x) * ratio, f.w * ratio);
		}
		byId("unzoom").classList.toggle("hide", target === frames[0]);
		showMatched();
	}

	function zoomTo(target) {
		const all = target === frames[0];

		zoom(target);
		setParams({ x: all ? null : target.px, y: all ? null : target.y });
	}

	// --- search ---

	function compile(text) {
		try {
			return new RegExp(text, ignoreCase ? "i" : "");
		} catch (e) {
			details("Not a regular expression: " + text);
			return null;
		}
	}

	function search(text) {
		const re = text ? compile(text) : null;

		term = re ? text : "";
		for (const f of frames) {
			f.match = re !== null && re.test(f.name);
			f.el.classList.toggle("match", f.match);
		}
		byId("search").textContent = term ? "Reset Search" : "Search";
		setParams({ s: term || null });
		showMatched();
	}

	// The part of what is shown that lies under a match; matches in matches count once.
	function showMatched() {
		let sum = 0, last = -1;

		for (const f of frames) {
			if (!f.match || f.index <= last || !isShown(f))
				continue;
			// Below what is zoomed, a match has all of it.
			sum += isAncestor(f, zoomed) ? zoomed.w : f.w;
			last = f.last;
		}
		const percent = 100 * sum / zoomed.w;
		byId("matched").textContent = term ?
			"Matched: " + (percent > 99.99 ? "100" : percent.toFixed(1)) + "%" : " ";
	}

	function askForSearch() {
		if (term) {
			search("");
			return;
		}
		const text = window.prompt("Search frames by a regular expression, e.g. ^ext4_" +
					   (ignoreCase ? " (case is ignored)" : "") +
					   "\nCtrl-I toggles case.", "");
		if (text)
			search(text);
	}

	function toggleCase() {
		ignoreCase = !ignoreCase;
		byId("ignorecase").classList.toggle("show", ignoreCase);
		if (term)
			search(term);
	}

	// --- details and keys ---

	const kinds = { k: "kernel", i: "inlined", j: "compiled at run time", w: "waker" };

	function details(text) {
		byId("details").textContent = text || " ";
	}

	function describe(f) {
		const kind = f && kinds[f.el.dataset.kind];
		details(f ? conf.nametype + " " + f.title + (kind ? " [" + kind + "]" : "") : "");
	}

	function setCurrent(f) {
		if (current)
			current.el.classList.remove("at");
		current = f;
		if (f)
			f.el.classList.add("at");
		describe(f);
	}

	function widest(list) {
		return list.reduce((best, f) => !best || f.w > best.w ? f : best, null);
	}

	// Towards leaf or root, or to a neighbour on the same level.
	function move(key) {
		const from = current || zoomed;
		const shown = frames.filter(isShown);
		const up = conf.inverted ? "ArrowDown" : "ArrowUp";
		const next = (list, f) => list.filter(g => level(g) === level(f));
		let list;

		if (!current) {
			setCurrent(zoomed);
			return;
		}
		if (key === "ArrowLeft" || key === "ArrowRight") {
			list = next(shown, from).filter(f => key === "ArrowLeft" ?
							     f.index < from.index : f.index > from.index);
			list = list[key === "ArrowLeft" ? list.length - 1 : 0];
		} else if (key === up) {
			list = shown.filter(f => isDescendant(f, from));
			list = list.length ? widest(next(list, list.reduce(
				(low, f) => level(f) < level(low) ? f : low))) : null;
		} else {
			list = shown.filter(f => isAncestor(f, from));
			list = list.length ? list.reduce(
				(high, f) => level(f) > level(high) ? f : high) : null;
		}
		if (list)
			setCurrent(list);
	}

	function press(id) {
		if (id === "unzoom")
			zoomTo(frames[0]);
		else if (id === "search")
			askForSearch();
		else if (id === "ignorecase")
			toggleCase();
		else
			return false;
		return true;
	}

	function onKey(e) {
		const key = e.key;
		const control = e.ctrlKey || e.metaKey;

		if (key === "F3" || key === "/" && !control || control && key === "f")
			askForSearch();
		else if (control && key === "i")
			toggleCase();
		else if (control || e.altKey)
			return;
		else if (key.startsWith("Arrow"))
			move(key);
		else if (key === "Escape")
			zoomTo(frames[0]);
		else if (key !== "Enter" && key !== " " || !press(e.target.id) && !current)
			return;
		else if (!e.target.id && current)
			zoomTo(current);
		e.preventDefault();
	}

	function listen(box) {
		const frameOf = node => {
			const el = node.closest && node.closest("#frames > *");
			return el ? frames[Array.prototype.indexOf.call(box.children, el)] : null;
		};

		window.addEventListener("click", e => {
			const f = frameOf(e.target);
			// A frame with a link follows it; with the control key, it zooms.
			if (f && f.el.nodeName === "a") {
				if (!e.ctrlKey)
					return;
				e.preventDefault();
			}
			if (f)
				zoomTo(f);
			else
				press(e.target.id);
		});
		box.addEventListener("mouseover", e => describe(frameOf(e.target)));
		box.addEventListener("mouseout", () => describe(current));
		window.addEventListener("keydown", onKey);
	}

	window.addEventListener("load", start);
})();
