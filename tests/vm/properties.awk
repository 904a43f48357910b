# SPDX-License-Identifier: GPL-2.0-only
#
# properties.awk - what is true of every table that kprof prints, whatever was measured
#
#   awk -f properties.awk FILE...
#
# Reads tables as text, CSV and JSON. Prints "FILE:LINE: what is wrong", and at the end
# "checked KIND ROWS" for each kind of row that it knows. Numbers are rounded as printed.

function wrong(what) { print FILENAME ":" FNR ": " what }

function is_number(text) { return text ~ /^-?[0-9]+(\.[0-9]+)?$/ }

# Half of the last digit that is printed. The awk of a small machine has no powers.
function half_digit(text,    digits, half) {
	digits = index(text, ".") ? length(text) - index(text, ".") : 0
	for (half = 0.5; digits > 0; digits--)
		half /= 10
	return half
}

# has(NAME): the value of a column of this row is known; value[NAME] is its text
function has(name) { return name in value && is_number(value[name]) }

function in_order(a, b,    slack) {
	if (!has(a) || !has(b))
		return
	slack = half_digit(value[a]) + half_digit(value[b])
	if (value[a] + 0 > value[b] + slack * (slack < 0.5))
		wrong(a " " value[a] " is more than " b " " value[b])
}

# min <= p50 <= p90 <= p99 <= max, and the average between min and max; total = calls x average.
function check_latencies(    made) {
	rows["latencies"]++
	in_order("min", "p50"); in_order("p50", "p90"); in_order("p90", "p99")
	in_order("p99", "max"); in_order("min", "avg"); in_order("avg", "max")
	in_order("min", "max"); in_order("self", "total")
	if (!has("avg") || !has("calls") || !has("total") || value["calls"] <= 0)
		return
	# An average without decimals is cut off.
	made = value["total"] - value["avg"] * value["calls"]
	if (made < 0)
		made = -made
	if (made > 2 * half_digit(value["avg"]) * value["calls"] + half_digit(value["total"]))
		wrong("total " value["total"] " is not " value["calls"] " calls of " value["avg"])
}

# Of a task: the states add up to the time that it was there.
function check_states(    sum, i, state, nr) {
	rows["states"]++
	nr = split("running runnable io wait sleep stopped throttled unknown", state, " ")
	for (i = 1; i <= nr; i++)
		if (has(state[i]))
			sum += value[state[i]]
	if (sum - value["elapsed"] > 5e-6 || value["elapsed"] - sum > 5e-6)
		wrong("states add up to " sum ", and the task was there for " value["elapsed"])
}

function check_waits(    made) {
	rows["waits"]++
	in_order("avg_ms", "max_ms")
	if (!has("waits") || !has("avg_ms"))
		return
	made = value["seconds"] - value["waits"] * value["avg_ms"] / 1000
	if (made < 0)
		made = -made
	if (made > 1e-6 * (1 + value["waits"]))
		wrong("seconds " value["seconds"] " are not " value["waits"] " waits of " value["avg_ms"] " ms")
}

# Shares of one table: what functions have themselves adds up to no more than there was.
function check_share(table, self, children) {
	rows["shares"]++
	sum_self[table] += self
	nr_self[table]++
	if (sum_self[table] > 100 + 0.005 * nr_self[table])
		wrong("shares add up to " sum_self[table] " %")
	if (self < 0 || self > 100.005)
		wrong("a share of " self " %")
	if (children != "" && children + 0.011 < self)
		wrong("with its callees it has " children " %, by itself " self " %")
	if (children != "" && children > 100.005)
		wrong("a share of " children " %")
}

function check_sum(name, of) {
	if (of == "" || !has(name))
		return
	sum[name] += value[name]
	if (sum[name] > of)
		wrong("rows add up to " sum[name] " " name " of " of)
}

function split_csv(line, field,    nr, at, text) {
	nr = 0
	while (line != "") {
		if (substr(line, 1, 1) == "\"") {
			text = ""
			line = substr(line, 2)
			while ((at = index(line, "\"")) && substr(line, at + 1, 1) == "\"") {
				text = text substr(line, 1, at)
				line = substr(line, at + 2)
			}
			text = text substr(line, 1, at - 1)
			line = substr(line, at + 2)
		} else {
			at = index(line, ",")
			text = at ? substr(line, 1, at - 1) : line
			line = at ? substr(line, at + 1) : ""
		}
		field[++nr] = text
	}
	return nr
}

# A unit is no part of a column's meaning here.
function plain(name) { sub(/^net_/, "", name); sub(/_(ns|us|ms)$/, "", name); return name }

FNR == 1 {
	kind = format = total = ""
	delete sum_self; delete nr_self; delete sum
	if ($0 ~ /^[a-z_]+(,[a-z0-9_.]+)+$/) {
		format = "csv"
		nr_columns = split_csv($0, column)
		next
	}
}

format == "csv" {
	nr = split_csv($0, field)
	delete value
	for (i = 1; i <= nr && i <= nr_columns; i++) {
		value[column[i]] = field[i]
		value[plain(column[i])] = field[i]
	}
	if ("p50" in value && "min" in value)
		check_latencies()
	else if ("self_percent" in value)
		check_share(value["source"], value["self_percent"] + 0,
			    value["children_percent"] == "" ? "" : value["children_percent"] + 0)
	next
}

# JSON has a row in a line.
/"p50_ns": / && /"min_ns": / {
	delete value
	text = $0
	while (match(text, /"[a-z0-9_]+": -?[0-9.]+/)) {
		pair = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		split(pair, part, /": /)
		value[plain(substr(part[1], 2))] = part[2]
	}
	check_latencies()
	next
}

# 140000000 ns of timer in 13 samples; or without samples
/^# [0-9]+ [a-z-]+ of / {
	total = $2
	total_name = $3
	delete sum
}

# A heading: columns of one word each, and one whose text may have blanks at the end.
/^# / {
	kind = ""
	nr_columns = split(substr($0, 2), column, " ")
	names = " "
	for (i = 1; i <= nr_columns; i++)
		names = names column[i] " "
	if (names ~ / avg min p50 p90 p99 max /)
		kind = "latencies"
	else if (names ~ /^ elapsed running /)
		kind = "states"
	else if (names ~ /^ % seconds .*waits avg_ms max_ms /)
		kind = "waits"
	else if (names ~ /^ self (children )?[a-z-]+ /) {
		kind = "shares"
		delete sum_self; delete nr_self
	}
	next
}

/^$/ { kind = ""; next }

kind != "" {
	delete value
	for (i = 1; i <= nr_columns && i <= NF; i++)
		value[column[i]] = $i
	if (kind == "latencies" && is_number($1))
		check_latencies()
	else if (kind == "states" && is_number($1))
		check_states()
	else if (kind == "waits" && is_number($1))
		check_waits()
	else if (kind == "shares" && $1 ~ /^[0-9.]+%$/ && /^ ? ? ?[0-9]+\.[0-9][0-9]%/) {
		check_share("", $1 + 0, column[2] == "children" ? $2 + 0 : "")
		check_sum(total_name, total)
	}
}

END {
	for (name in rows)
		print "checked " name " " rows[name]
}
