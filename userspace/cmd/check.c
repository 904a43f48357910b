// SPDX-License-Identifier: GPL-2.0-only
/*
 * check.c - kprof check: what this machine supports, what is missing, and how to fix it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cmd/verbs.h"
#include "lib/buf.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "record/kmod.h"

static const char *root = "";
static const char *kmod_file;

static const struct opt opts[] = {
	{ .name = "module", .type = OPT_STRING, .value = &kmod_file, .arg = "FILE",
	  .help = "the kprof.ko to look at" },
	{ .name = "root", .type = OPT_STRING, .value = &root, .arg = "DIR",
	  .help = "look for the system's files below DIR" },
	{ 0 }
};

enum state { OK, MISSING, WARN };

struct machine {
	struct utsname uts;
	struct buf config;	/* of the kernel; empty if it is not found */
	int missing;
};

static void say(struct machine *m, enum state how, const char *what, const char *remedy)
{
	static const char *const words[] = { "ok", "missing", "warn" };

	printf("%-8s %s", words[how], what);
	if (how != OK && remedy)
		printf(" - %s", remedy);
	putchar('\n');
	m->missing += how == MISSING;
}

/* Read a system file, compressed or not. Returns false if it cannot be read. */
static bool read_file(const char *path, struct buf *text)
{
	struct buf full = { 0 };
	char error[256];
	bool good;

	buf_printf(&full, "%s%s", root, path);
	good = !input_load_regular(full.data, text, error) && text->len;
	buf_free(&full);
	return good;
}

static bool file_has(const char *path, const char *needle)
{
	struct buf text = { 0 };
	bool has = read_file(path, &text) && strstr(text.data, needle);

	buf_free(&text);
	return has;
}

static bool exists(const char *path)
{
	struct buf full = { 0 };
	bool there;

	buf_printf(&full, "%s%s", root, path);
	there = !access(full.data, F_OK);
	buf_free(&full);
	return there;
}

static void read_config(struct machine *m)
{
	static const struct {
		const char *before, *after;	/* path before and after the release */
	} places[] = {
		{ "/boot/config-", "" },
		{ "/lib/modules/", "/config" },
		{ "/lib/modules/", "/build/.config" },
	};
	char path[256];
	size_t i;

	read_file("/proc/config.gz", &m->config);
	for (i = 0; i < sizeof(places) / sizeof(*places) && !m->config.len; i++) {
		snprintf(path, sizeof(path), "%s%s%s", places[i].before, m->uts.release,
			 places[i].after);
		read_file(path, &m->config);
	}
}

/* Is an option of the kernel's configuration set to y? */
static bool config_has(const struct machine *m, const char *option)
{
	char line[64];

	snprintf(line, sizeof(line), "\nCONFIG_%s=y\n", option);
	return strstr(m->config.data, line);
}

/* What leads to the trampoline; see hook_*.c of the module. */
static void check_trampoline(struct machine *m)
{
	bool callback = !strcmp(m->uts.machine, "aarch64") &&
			(config_has(m, "DYNAMIC_FTRACE_WITH_ARGS") ||
			 config_has(m, "DYNAMIC_FTRACE_WITH_REGS"));

	if (callback && !config_has(m, "DYNAMIC_FTRACE_WITH_DIRECT_CALLS"))
		say(m, OK, "calls: trampoline, through a callback of ftrace", NULL);
	else
		say(m, config_has(m, "DYNAMIC_FTRACE_WITH_DIRECT_CALLS") ? OK : WARN,
		    "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS",
		    "calls are watched by kretprobes instead of a trampoline, which cost more");
}

static void check_config(struct machine *m)
{
	static const struct {
		const char *option;
		enum state without;
		const char *remedy;
	} wanted[] = {
		{ "MODULES", MISSING, "the kernel must be built with it" },
		{ "KALLSYMS", MISSING, "the kernel must be built with it" },
		{ "DEBUG_FS", MISSING, "the kernel must be built with it" },
		{ "KPROBES", MISSING, "the kernel must be built with it" },
		{ "KRETPROBES", MISSING, "the kernel must be built with it" },
		{ "PERF_EVENTS", MISSING, "the kernel must be built with it" },
		{ "TRACEPOINTS", MISSING, "the kernel must be built with it" },
		{ "HIGH_RES_TIMERS", WARN, "samples cannot be closer together than a tick" },
	};
	char what[64];
	size_t i;

	if (!m->config.len) {
		say(m, WARN, "kernel configuration",
		    "not found in /boot, /proc/config.gz or /lib/modules: not checked");
		return;
	}
	for (i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		snprintf(what, sizeof(what), "CONFIG_%s", wanted[i].option);
		say(m, config_has(m, wanted[i].option) ? OK : wanted[i].without, what,
		    wanted[i].remedy);
	}
	check_trampoline(m);
	if (config_has(m, "UNWINDER_ORC"))
		say(m, OK, "stacks: ORC unwinder", NULL);
	else if (config_has(m, "UNWINDER_FRAME_POINTER") || config_has(m, "FRAME_POINTER"))
		say(m, OK, "stacks: frame pointers", NULL);
	else
		say(m, WARN, "stacks: unwinder",
		    "neither ORC nor frame pointers: stacks will be guessed");
}

/* Features are checked one by one below, so only the architecture matters, not the version. */
static void check_kernel(struct machine *m)
{
	char what[sizeof(m->uts.release) + sizeof(m->uts.machine) + 16];
	bool known = !strcmp(m->uts.machine, "x86_64") || !strcmp(m->uts.machine, "aarch64");

	snprintf(what, sizeof(what), "kernel %s, %s", m->uts.release, m->uts.machine);
	say(m, known ? OK : MISSING, what, "the module runs on x86_64 and aarch64");
}

static void check_root(struct machine *m)
{
	say(m, geteuid() ? MISSING : OK, "root",
	    "loading a module and reading debugfs take root: use sudo");
}

static void check_debugfs(struct machine *m)
{
	say(m, file_has("/proc/mounts", " /sys/kernel/debug debugfs ") ? OK : MISSING,
	    "debugfs is mounted", "mount -t debugfs none /sys/kernel/debug");
}

static void check_lockdown(struct machine *m)
{
	const char *path = "/sys/kernel/security/lockdown";

	if (exists(path) && !file_has(path, "[none]"))
		say(m, MISSING, "no lockdown",
		    "boot with lockdown=none; where secure boot forces it, sign the module "
		    "and expect debugfs to be closed");
	else
		say(m, OK, "no lockdown", NULL);
}

static void check_signatures(struct machine *m)
{
	bool forced = file_has("/sys/module/module/parameters/sig_enforce", "Y");

	say(m, forced ? MISSING : OK, "unsigned modules may be loaded",
	    "sign kprof.ko with a key this kernel trusts, or boot without module.sig_enforce");
}

static void check_kprobes(struct machine *m)
{
	const char *path = "/sys/kernel/debug/kprobes/enabled";

	if (exists(path))
		say(m, file_has(path, "1") ? OK : MISSING, "kprobes are on",
		    "echo 1 > /sys/kernel/debug/kprobes/enabled");
}

/* Is there a symbol whose address is not zero? */
static bool addresses_shown(const char *kallsyms)
{
	const char *line = kallsyms;

	while (*line) {
		if (line[strspn(line, "0")] != ' ')
			return true;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return false;
}

static void check_kallsyms(struct machine *m)
{
	struct buf text = { 0 };
	bool shown = read_file("/proc/kallsyms", &text) && addresses_shown(text.data);

	buf_free(&text);
	say(m, shown ? OK : MISSING, "kernel addresses are visible",
	    "sysctl kernel.kptr_restrict=1, and root");
}

static void check_timers(struct machine *m)
{
	struct timespec resolution;
	bool fine = !clock_getres(CLOCK_MONOTONIC, &resolution) && !resolution.tv_sec &&
		    resolution.tv_nsec == 1;

	say(m, fine ? OK : WARN, "high-resolution timers",
	    "they are off: samples cannot be closer together than a tick; boot without "
	    "highres=off");
}

static void check_tracefs(struct machine *m)
{
	bool there = exists("/sys/kernel/tracing/events") ||
		     exists("/sys/kernel/debug/tracing/events");

	say(m, there ? OK : WARN, "trace events", "mount -t tracefs none /sys/kernel/tracing");
}

static void check_headers(struct machine *m)
{
	char path[sizeof(m->uts.release) + 32], remedy[sizeof(m->uts.release) + 64];

	snprintf(path, sizeof(path), "/lib/modules/%s/build/Makefile", m->uts.release);
	snprintf(remedy, sizeof(remedy), "only to build the module: apt install linux-headers-%s",
		 m->uts.release);
	say(m, exists(path) ? OK : WARN, "kernel headers", remedy);
}

/* The kernel release that a module file was built for. */
static bool vermagic(const char *path, char *release, size_t size)
{
	static const char mark[] = "vermagic=";
	struct buf image = { 0 };
	const char *at = NULL;

	if (!buf_read_file(&image, path) && image.len)
		at = memmem(image.data, image.len, mark, sizeof(mark) - 1);
	if (at) {
		at += sizeof(mark) - 1;
		snprintf(release, size, "%.*s", (int)strcspn(at, " "), at);
	}
	buf_free(&image);
	return at;
}

static void check_module(struct machine *m)
{
	struct buf tried = { 0 }, what = { 0 }, remedy = { 0 };
	char *path = kmod_find(kmod_file, &tried), release[128];
	enum state state = MISSING;

	if (!path) {
		buf_printf(&what, "the module kprof.ko");
		buf_printf(&remedy, "not in %s: run make, or make install", tried.data);
		state = kmod_is_loaded() ? WARN : MISSING;
	} else if (!vermagic(path, release, sizeof(release))) {
		buf_printf(&what, "the module %s", path);
		buf_printf(&remedy, "it is no kernel module");
	} else {
		buf_printf(&what, "the module %s, for %s", path, release);
		buf_printf(&remedy, "it does not fit this kernel: make KDIR=/lib/modules/%s/build",
			   m->uts.release);
		state = strcmp(release, m->uts.release) ? MISSING : OK;
	}
	say(m, state, what.data, remedy.data);
	free(path);
	buf_free(&tried);
	buf_free(&what);
	buf_free(&remedy);
}

static int run(int argc, char **argv)
{
	static void (*const checks[])(struct machine *) = {
		check_root, check_kernel, check_config, check_debugfs, check_lockdown,
		check_signatures, check_kprobes, check_kallsyms, check_timers, check_tracefs,
		check_headers, check_module,
	};
	struct machine m = { 0 };
	size_t i;

	if (argc)
		return msg_usage("no operand is taken, not '%s'", argv[0]);
	uname(&m.uts);
	read_config(&m);
	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		checks[i](&m);
	buf_free(&m.config);
	return m.missing ? EXIT_ERROR : EXIT_OK;
}

const struct verb verb_check = {
	.name = "check",
	.args = "",
	.summary = "Say what this machine offers, what is missing, and the remedy",
	.details =
		"A line for each point: ok, missing (kprof will not work) or warn (it will, with\n"
		"limits), what it is, and what to do. Exit status 1: something is missing.\n",
	.opts = opts,
	.run = run,
};
