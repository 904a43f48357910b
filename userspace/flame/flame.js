// SPDX-License-Identifier: GPL-2.0-only
//
// flame.js - what happens inside a flame graph: zoom, search, details, keys
//
// Runs in the SVG, in any browser of the last ten years, without a network.
// The view, zoom (x, y), search (s) and whether case is ignored (ic), is kept
// in the address, so that a link shows what its sender saw; each zoom is a
// step of the history, so that Back leads out again.
"use strict";

(function () {
	const byId = id => document.getElementById(id);
	const names = flameNames();
	const box = flameBox(search, toggleCase);
	const indent = 3;
	const narrowest = 480;	// of a picture that has the window's width
	let conf, frames, zoomed, current = null;
	let term = "", bad = false, ignoreCase = false;

	function start() {
		const group = byId("frames");
		if (!group)
			return;
		const pad = Number(group.dataset.pad);
		conf = {
			pad: pad,
			width: document.documentElement.viewBox.baseVal.width - 2 * pad,
			fluid: group.dataset.fluid === "1",
			inverted: group.dataset.inverted === "1",
			nametype: group.dataset.nametype,
		};
		frames = Array.from(group.children, readFrame);
		findSubtrees();
		box.start(Number(group.dataset.font), frames.length);
		names.measure();
		listen(group);
		fitWindow();
		restore();
	}

	function readFrame(el, index) {
		const rect = el.querySelector("rect");
		const title = el.querySelector("title").textContent;
		return {
			el: el, rect: rect, text: el.querySelector("text"), room: 0, title: title, index: index, last: index,
			name: title.replace(/ \([^(]*\)$/, ""),
			x: Number(el.dataset.x), w: Number(el.dataset.w),
			px: rect.getAttribute("x"), y: rect.getAttribute("y"),
			height: Number(rect.getAttribute("height")),
			fill: rect.getAttribute("fill"), parent: false, match: false,
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

	// --- the address and the history ---

	function view() {
		const all = zoomed === frames[0];

		return { x: all ? null : zoomed.px, y: all ? null : zoomed.y,
			 s: term || null, ic: ignoreCase ? "1" : null };
	}

	// pushState: a step that Back undoes; replaceState: none.
	function remember(how) {
		const p = new URLSearchParams(window.location.search);
		const values = view();

		for (const key in values) {
			if (values[key] === null)
				p.delete(key);
			else
				p.set(key, values[key]);
		}
		const query = p.toString();
		try {
			history[how](values, "", window.location.pathname +
				     (query ? "?" + query : "") + window.location.hash);
		} catch (e) {
			rememberOnly(how, values);
		}
	}

	// Some browsers keep the addresses of local files as they are, but not their history.
	function rememberOnly(how, values) {
		try {
			history[how](values, "");
		} catch (e) {
			// Then there is nothing to go back to.
		}
	}

	function remembered(state) {
		const p = new URLSearchParams(window.location.search);

		return state || { x: p.get("x"), y: p.get("y"), s: p.get("s"), ic: p.get("ic") };
	}

	const frameAt = v => frames.find(f => f.px === v.x && f.y === v.y) || frames[0];

	function restore() {
		const v = remembered(history.state);

		zoom(frameAt(v));
		setCase(v.ic === "1");
		search(v.s || "");
	}

	// Back undoes a zoom, and leaves the search, which is no step, as it is.
	function goBack(e) {
		zoom(frameAt(remembered(e.state)));
		remember("replaceState");
	}

	// --- names ---

	function label(f, x, width) {
		f.room = Math.max(width - 2 * indent, 0);
		const shown = names.shorten(f.name, f.room);

		if (!f.text) {
			if (!shown)
				return;
			f.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
			f.text.setAttribute("y", Number(f.y) + f.height / 2 + 3);
			f.el.appendChild(f.text);
		}
		if (f.text.textContent !== shown)
			f.text.textContent = shown;
		f.text.setAttribute("x", x + indent);
	}

	// Some letters are wider beside others than alone: a last look at what was written.
	function checkLabels() {
		let long = frames.filter(f => f.text && f.text.textContent && isShown(f));

		for (let round = 1; long.length && round <= 3; round++) {
			const lengths = long.map(f => f.text.getComputedTextLength());

			long = long.filter((f, i) => {
				f.over = lengths[i] / f.room;
				return f.over > 1;
			});
			for (const f of long)
				f.text.textContent = round < 3 ? names.shorten(f.name, f.room / f.over / round) : "";
		}
	}

	// --- zoom ---

	// The picture is as wide as the window, unless it was told how wide to be.
	function fitWindow() {
		const root = document.documentElement;
		const width = Math.max(root.clientWidth || window.innerWidth, narrowest);
		const by = width - 2 * conf.pad - conf.width;

		if (!conf.fluid || !by)
			return false;
		conf.width += by;
		root.setAttribute("viewBox", "0 0 " + width + " " + root.viewBox.baseVal.height);
		root.setAttribute("width", width);
		for (const id of ["title", "subtitle"])
			if (byId(id))
				byId(id).setAttribute("x", width / 2);
		for (const id of ["search", "ignorecase", "matched"])
			byId(id).setAttribute("x", Number(byId(id).getAttribute("x")) + by);
		box.place();
		return true;
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
			if (f.parent !== parent)
				f.rect.setAttribute("fill", parent ? faded(f.fill) : f.fill);
			f.parent = parent;
			if (parent)
				place(f, conf.pad, conf.width);
			else if (shown)
				place(f, conf.pad + (f.x - target.x) * ratio, f.w * ratio);
		}
		checkLabels();
		byId("unzoom").classList.toggle("hide", target === frames[0]);
		showMatched();
	}

	function zoomTo(target) {
		if (target === zoomed)
			return;
		zoom(target);
		remember("pushState");
	}

	// --- search ---

	function compile(text) {
		bad = false;
		try {
			return text ? new RegExp(text, ignoreCase ? "i" : "") : null;
		} catch (e) {
			bad = true;
			return null;
		}
	}

	function search(text) {
		const re = compile(text);

		term = re ? text : "";
		for (const f of frames) {
			f.match = re !== null && re.test(f.name);
			f.el.classList.toggle("match", f.match);
		}
		byId("search").textContent = term ? "Reset Search" : "Search";
		remember("replaceState");
		showMatched();
		return !bad;
	}

	// The part of what is shown that lies under a match; matches in matches count once.
	function showMatched() {
		let nr = 0, sum = 0, last = -1;

		for (const f of frames) {
			if (!f.match || !isShown(f))
				continue;
			nr++;
			if (f.index <= last)
				continue;
			// Below what is zoomed, a match has all of it.
			sum += isAncestor(f, zoomed) ? zoomed.w : f.w;
			last = f.last;
		}
		const percent = 100 * sum / zoomed.w;
		byId("matched").textContent = bad ? "Not a regular expression" : !term ? " " :
			nr.toLocaleString("en") + (nr === 1 ? " frame, " : " frames, ") +
			(percent > 99.99 ? "100" : percent.toFixed(1)) + " %";
	}

	function setCase(ignore) {
		ignoreCase = ignore;
		byId("ignorecase").classList.toggle("show", ignore);
	}

	function toggleCase() {
		setCase(!ignoreCase);
		search(box.isOpen() ? box.text() : term);
	}

	function pressSearch() {
		if (term) {
			box.close();
			search("");
		} else {
			box.open(term);
		}
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
			pressSearch();
		else if (id === "ignorecase")
			toggleCase();
		else
			return false;
		return true;
	}

	function onKey(e) {
		const key = e.key;
		const control = e.ctrlKey || e.metaKey;

		if (box.has(e.target)) {
			if (!e.isComposing && box.onKey(key, control))
				e.preventDefault();
			return;
		}
		if (key === "F3" || key === "/" && !control || control && key === "f")
			box.open(term);
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

	function listen(group) {
		const frameOf = node => {
			const el = node.closest && node.closest("#frames > *");
			return el ? frames[Array.prototype.indexOf.call(group.children, el)] : null;
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
		group.addEventListener("mouseover", e => describe(frameOf(e.target)));
		group.addEventListener("mouseout", () => describe(current));
		window.addEventListener("keydown", onKey);
		window.addEventListener("popstate", goBack);
		window.addEventListener("resize", () => {
			if (fitWindow())
				zoom(zoomed);
		});
	}

	window.addEventListener("load", start);
})();
