// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject_print.c - the account of injections, as text and JSON
 */
#include <inttypes.h>
#include <string.h>

#include "inject/inject.h"
#include "lib/columns.h"
#include "lib/json.h"
#include "symbols/kernel_names.h"

void inject_name(struct buf *to, const struct inject_slot *slot)
{
	buf_printf(to, "%s%s", slot->abi == INJECT_32 ? "32:" : "",
		   kernel_syscall(slot->nr, slot->abi == INJECT_32));
}

static void add_signal(struct buf *to, int signal)
{
	const char *name = sigabbrev_np(signal);

	if (name)
		buf_printf(to, "signal=%s", name);
	else
		buf_printf(to, "signal=%d", signal);
}

static void add_delay(struct buf *to, const char *name, uint64_t ns)
{
	if (!ns)
		return;
	buf_printf(to, "%s%s=", to->len ? ", " : "", name);
	if (ns % 1000)
		buf_printf(to, "%" PRIu64 "ns", ns);
	else
		buf_printf(to, "%" PRIu64 "us", ns / 1000);
}

void inject_effect(struct buf *to, const struct inject_rule *rule)
{
	const char *error = NULL;

	if (rule->skips && rule->value < 0 && rule->value > -4096) {
		error = kernel_error(-rule->value);
		if (error)
			buf_printf(to, "error=%s", error);
		else
			buf_printf(to, "error=%" PRId64, -rule->value);
	} else if (rule->skips) {
		buf_printf(to, "retval=%" PRId64, rule->value);
	}
	if (rule->signal) {
		buf_printf(to, "%s", rule->skips ? ", " : "");
		add_signal(to, rule->signal);
	}
	add_delay(to, "delay_enter", rule->delay_enter_ns);
	add_delay(to, "delay_exit", rule->delay_exit_ns);
	if (!to->len)
		buf_printf(to, "delay=0");
}

/* Of a large set, or of a second ABI, only what was called is of interest. */
static bool is_shown(const struct inject_plan *plan, const struct inject_slot *slot)
{
	size_t i, others = 0;

	if (slot->calls)
		return true;
	if (slot->abi != INJECT_NATIVE)
		return false;
	for (i = 0; i < plan->nr_slots; i++)
		others += plan->slot[i].rule == slot->rule;
	return others <= 16;
}

void inject_print_text(const struct inject_plan *plan, FILE *out)
{
	static const char *const names[] = {
		"calls", "injected", "lost", "threads", "syscall", "effect", "expression",
	};
	struct columns c = { 0 };
	size_t i;

	columns_begin(&c, names, 7, 3);
	for (i = 0; i < plan->nr_slots; i++) {
		const struct inject_slot *slot = &plan->slot[i];
		const struct inject_rule *rule = &plan->rule[slot->rule];
		struct buf name = { 0 }, effect = { 0 };

		if (!is_shown(plan, slot))
			continue;
		inject_name(&name, slot);
		inject_effect(&effect, rule);
		columns_add(&c, "%" PRIu64, slot->calls);
		columns_add(&c, "%" PRIu64, slot->injected);
		columns_add(&c, "%" PRIu64, slot->lost);
		columns_add(&c, "%" PRIu64, slot->threads);
		columns_add(&c, "%s", name.data);
		columns_add(&c, "%s", effect.data);
		columns_add(&c, "%s", rule->text);
		buf_free(&name);
		buf_free(&effect);
	}
	columns_print(&c, out);
}

void inject_print_json(const struct inject_plan *plan, FILE *out)
{
	struct json j = json_begin(out);
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_array(&j, "syscalls", JSON_LINES);
	for (i = 0; i < plan->nr_slots; i++) {
		const struct inject_slot *slot = &plan->slot[i];
		struct buf name = { 0 };

		if (!is_shown(plan, slot))
			continue;
		inject_name(&name, slot);
		json_object(&j, NULL, JSON_LINE);
		json_text(&j, "syscall", name.data);
		json_text(&j, "expression", plan->rule[slot->rule].text);
		json_u64(&j, "calls", slot->calls);
		json_u64(&j, "injected", slot->injected);
		json_u64(&j, "lost", slot->lost);
		json_u64(&j, "threads", slot->threads);
		json_close(&j);
		buf_free(&name);
	}
	json_end(&j);
}
