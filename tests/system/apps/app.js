// SPDX-License-Identifier: GPL-2.0-only
/* half() takes half of the time, quarter() and other() a quarter each; argument: seconds */
'use strict';
function quarter(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function half(n) { let s = 0; for (let i = 0; i < 2 * n; i++) s = (s * 31 + i) | 0; return s; }
function other(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function run(n) { return quarter(n) + half(n) + other(n); }
let sum = 0;
const end = Date.now() + 1000 * (process.argv[2] || 5);
while (Date.now() < end) sum += run(20000);
