// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_print.c - counts of events as text, CSV and JSON: metrics, errors, and what was not counted
 */
#include <stdlib.h>
#include <string.h>

#include "stat/stat.h"
#include "unit.h"

#define EVENTS	"task-clock,cycles,instructions,instructions:u,branch-misses,branches," \
		"page-faults,cache-misses"
#define NR	8
#define NS	1000000000.0

struct run {
	struct stat_events events;
	struct stat_result result[2 * NR];
	struct stat_results r;
};

static void begin(struct run *run, size_t rows)
{
	*run = (struct run){ .events = { .nr = 0 } };
	CHECK_INT(stat_events_parse(&run->events, EVENTS), 0);
	CHECK_INT(run->events.nr, NR);
	run->r = (struct stat_results){
		.events = &run->events, .result = run->result, .nr_rows = rows, .what = "'a'",
	};
}

/* So much in a second, and counted for a part of it. */
static void add(struct run *run, size_t i, double value, double share)
{
	stat_result_add(&run->result[i], &(struct stat_value){
		.supported = true, .value = value, .enabled = NS, .running = share * NS,
	});
}

/*
 * A half of a CPU for two seconds; two and three instructions for each four cycles, of 4 GHz;
 * of 100 branches one is mispredicted; 3,000 page faults in a second of the CPU.
 */
static void add_one(struct run *run, double times)
{
	add(run, 0, NS, 1);
	add(run, 1, 4 * NS, 1);
	add(run, 2, times * 2 * NS, 1);
	add(run, 3, NS, 0.25);
	add(run, 4, 1e6 + 0.5, 1);
	add(run, 5, 1e8, 1);
	add(run, 6, 3000, 1);
	stat_result_add(&run->result[7], &(struct stat_value){ .supported = false });
	stat_mean_add(&run->r.elapsed, 2);
	stat_mean_add(&run->r.user, 0.5);
	stat_mean_add(&run->r.system, 0.25);
}

/* Without the spaces at the ends of lines. */
static void trim(char *text)
{
	char *from, *to = text;

	for (from = text; *from; from++) {
		while (*from == '\n' && to > text && to[-1] == ' ')
			to--;
		*to++ = *from;
	}
	*to = '\0';
}

static char *print(struct run *run, enum stat_format format, int times)
{
	struct stat_printer p = { .format = format };
	char *text = NULL;
	size_t len;

	p.out = open_memstream(&text, &len);
	while (times--)
		stat_print(&p, &run->r);
	stat_print_end(&p);
	fclose(p.out);
	stat_events_free(&run->events);
	trim(text);
	return text;
}

static void test_once(void)
{
	struct run run;
	char *text;

	begin(&run, 1);
	run.r.has_command = true;
	add_one(&run, 1);
	text = print(&run, STAT_TEXT, 1);
	CHECK_STR(text,
		  "\n"
		  " Performance counter stats for 'a':\n"
		  "\n"
		  "           1000.00 msec task-clock                #    0.500 CPUs utilized\n"
		  "        4000000000      cycles                    #    4.000 GHz\n"
		  "        2000000000      instructions              #    0.500 insn per cycle\n"
		  "        1000000000      instructions:u            #    1.000 G/sec                (25.00%)\n"
		  "           1000000      branch-misses             #    1.000 % of all branches\n"
		  "         100000000      branches                  #  100.000 M/sec\n"
		  "              3000      page-faults               #    3.000 K/sec\n"
		  "   <not supported>      cache-misses\n"
		  "\n"
		  "       2.000000000 seconds time elapsed\n"
		  "\n"
		  "       0.500000000 seconds user\n"
		  "       0.250000000 seconds sys\n"
		  "\n");
	free(text);
}

static const char *const several[] = {
	[STAT_TEXT] =
		"\n"
		" Performance counter stats for 'a' (2 runs):\n"
		"\n"
		"           1000.00 msec task-clock                #    0.500 CPUs utilized        ( +-  0.00% )\n"
		"        4000000000      cycles                    #    4.000 GHz                  ( +-  0.00% )\n"
		"        2500000000      instructions              #    0.625 insn per cycle       ( +- 20.00% )\n"
		"        1000000000      instructions:u            #    1.000 G/sec                ( +-  0.00% )  (25.00%)\n"
		"           1000000      branch-misses             #    1.000 % of all branches    ( +-  0.00% )\n"
		"         100000000      branches                  #  100.000 M/sec                ( +-  0.00% )\n"
		"              3000      page-faults               #    3.000 K/sec                ( +-  0.00% )\n"
		"   <not supported>      cache-misses\n"
		"\n"
		"       2.000000000 seconds time elapsed  ( +-  0.00% )\n"
		"\n",
	[STAT_CSV] =
		"value,unit,event,running_ns,running_percent,metric,metric_unit,error_percent\n"
		"1000.00,msec,task-clock,2000000000,100.00,0.5000,CPUs utilized,0.00\n"
		"4000000000,,cycles,2000000000,100.00,4.0000,GHz,0.00\n"
		"2500000000,,instructions,2000000000,100.00,0.6250,insn per cycle,20.00\n"
		"1000000000,,instructions:u,500000000,25.00,1.0000,G/sec,0.00\n"
		"1000000,,branch-misses,2000000000,100.00,1.0000,% of all branches,0.00\n"
		"100000000,,branches,2000000000,100.00,100.0000,M/sec,0.00\n"
		"3000,,page-faults,2000000000,100.00,3.0000,K/sec,0.00\n"
		"<not supported>,,cache-misses,0,100.00,,,\n",
	[STAT_JSON] =
		"{\n"
		"  \"of\": \"'a'\",\n"
		"  \"runs\": 2,\n"
		"  \"elapsed_s\": 2.000000000,\n"
		"  \"user_s\": 0.500000000,\n"
		"  \"system_s\": 0.250000000,\n"
		"  \"events\": [\n"
		"    {\"event\": \"task-clock\", \"supported\": true, \"value\": 1000000000, \"unit\": \"ns\", \"enabled_ns\": 2000000000, \"running_ns\": 2000000000, \"metric\": 0.500000, \"metric_unit\": \"CPUs utilized\", \"error_percent\": 0.0000},\n"
		"    {\"event\": \"cycles\", \"supported\": true, \"value\": 4000000000, \"unit\": \"\", \"enabled_ns\": 2000000000, \"running_ns\": 2000000000, \"metric\": 4.000000, \"metric_unit\": \"GHz\", \"error_percent\": 0.0000},\n"
		"    {\"event\": \"instructions\", \"supported\": true, \"value\": 2500000000, \"unit\": \"\", \"enabled_ns\": 2000000000, \"running_ns\": 2000000000, \"metric\": 0.625000, \"metric_unit\": \"insn per cycle\", \"error_percent\": 20.0000},\n"
		"    {\"event\": \"instructions:u\", \"supported\": true, \"value\": 1000000000, \"unit\": \"\", \"enabled_ns\": 2000000000, \"running_ns\": 500000000, \"metric\": 1.000000, \"metric_unit\": \"G/sec\", \"error_percent\": 0.0000},\n"
		"    {\"event\": \"branch-misses\", \"supported\": true, \"value\": 1000000.500, \"unit\": \"\", \"enabled_ns\": 2000000000, \"running_ns\": 2000000000, \"metric\": 1.000001, \"metric_unit\": \"% of all branches\", \"error_percent\": 0.0000},\n"
		"    {\"event\": \"branches\", \"supported\": true, \"value\": 100000000, \"unit\": \"\", \"enabled_ns\": 2000000000, \"running_ns\": 2000000000, \"metric\": 100.000000, \"metric_unit\": \"M/sec\", \"error_percent\": 0.0000},\n"
		"    {\"event\": \"page-faults\", \"supported\": true, \"value\": 3000, \"unit\": \"\", \"enabled_ns\": 2000000000, \"running_ns\": 2000000000, \"metric\": 3.000000, \"metric_unit\": \"K/sec\", \"error_percent\": 0.0000},\n"
		"    {\"event\": \"cache-misses\", \"supported\": false, \"value\": null, \"unit\": \"\", \"enabled_ns\": 0, \"running_ns\": 0}\n"
		"  ]\n"
		"}\n"
};

static void test_several(void)
{
	struct run run;
	char *text;
	int format;

	for (format = STAT_TEXT; format <= STAT_JSON; format++) {
		begin(&run, 1);
		run.r.has_command = format == STAT_JSON;
		add_one(&run, 1);
		add_one(&run, 1.5);
		text = print(&run, format, 1);
		CHECK_STR(text, several[format]);
		free(text);
	}
}

static const char *const intervals[] = {
	[STAT_TEXT] =
		"#           time CPU                 counts unit events\n"
		"     1.500000000 CPU0               1000.00 msec task-clock                #    0.667 CPUs utilized\n"
		"     1.500000000 CPU3               2000.00 msec task-clock                #    1.333 CPUs utilized\n"
		"     1.500000000 CPU0            3000000000      cycles                    #    3.000 GHz\n"
		"     1.500000000 CPU3         <not counted>      cycles\n"
		"     1.500000000 CPU0               1000.00 msec task-clock                #    0.667 CPUs utilized\n"
		"     1.500000000 CPU3               2000.00 msec task-clock                #    1.333 CPUs utilized\n"
		"     1.500000000 CPU0            3000000000      cycles                    #    3.000 GHz\n"
		"     1.500000000 CPU3         <not counted>      cycles\n",
	[STAT_CSV] =
		"time_s,cpu,value,unit,event,running_ns,running_percent,metric,metric_unit,error_percent\n"
		"1.500000000,0,1000.00,msec,task-clock,1000000000,100.00,0.6667,CPUs utilized,\n"
		"1.500000000,3,2000.00,msec,task-clock,1000000000,100.00,1.3333,CPUs utilized,\n"
		"1.500000000,0,3000000000,,cycles,1000000000,100.00,3.0000,GHz,\n"
		"1.500000000,3,<not counted>,,cycles,0,0.00,,,\n"
		"1.500000000,0,1000.00,msec,task-clock,1000000000,100.00,0.6667,CPUs utilized,\n"
		"1.500000000,3,2000.00,msec,task-clock,1000000000,100.00,1.3333,CPUs utilized,\n"
		"1.500000000,0,3000000000,,cycles,1000000000,100.00,3.0000,GHz,\n"
		"1.500000000,3,<not counted>,,cycles,0,0.00,,,\n",
	[STAT_JSON] =
		"{\n"
		"  \"of\": \"'a'\",\n"
		"  \"intervals\": [\n"
		"    {\n"
		"      \"time_s\": 1.500000000,\n"
		"      \"elapsed_s\": 1.500000000,\n"
		"      \"events\": [\n"
		"        {\"cpu\": 0, \"event\": \"task-clock\", \"supported\": true, \"value\": 1000000000, \"unit\": \"ns\", \"enabled_ns\": 1000000000, \"running_ns\": 1000000000, \"metric\": 0.666667, \"metric_unit\": \"CPUs utilized\"},\n"
		"        {\"cpu\": 3, \"event\": \"task-clock\", \"supported\": true, \"value\": 2000000000, \"unit\": \"ns\", \"enabled_ns\": 1000000000, \"running_ns\": 1000000000, \"metric\": 1.333333, \"metric_unit\": \"CPUs utilized\"},\n"
		"        {\"cpu\": 0, \"event\": \"cycles\", \"supported\": true, \"value\": 3000000000, \"unit\": \"\", \"enabled_ns\": 1000000000, \"running_ns\": 1000000000, \"metric\": 3.000000, \"metric_unit\": \"GHz\"},\n"
		"        {\"cpu\": 3, \"event\": \"cycles\", \"supported\": true, \"value\": null, \"unit\": \"\", \"enabled_ns\": 1000000000, \"running_ns\": 0}\n"
		"      ]\n"
		"    },\n"
		"    {\n"
		"      \"time_s\": 1.500000000,\n"
		"      \"elapsed_s\": 1.500000000,\n"
		"      \"events\": [\n"
		"        {\"cpu\": 0, \"event\": \"task-clock\", \"supported\": true, \"value\": 1000000000, \"unit\": \"ns\", \"enabled_ns\": 1000000000, \"running_ns\": 1000000000, \"metric\": 0.666667, \"metric_unit\": \"CPUs utilized\"},\n"
		"        {\"cpu\": 3, \"event\": \"task-clock\", \"supported\": true, \"value\": 2000000000, \"unit\": \"ns\", \"enabled_ns\": 1000000000, \"running_ns\": 1000000000, \"metric\": 1.333333, \"metric_unit\": \"CPUs utilized\"},\n"
		"        {\"cpu\": 0, \"event\": \"cycles\", \"supported\": true, \"value\": 3000000000, \"unit\": \"\", \"enabled_ns\": 1000000000, \"running_ns\": 1000000000, \"metric\": 3.000000, \"metric_unit\": \"GHz\"},\n"
		"        {\"cpu\": 3, \"event\": \"cycles\", \"supported\": true, \"value\": null, \"unit\": \"\", \"enabled_ns\": 1000000000, \"running_ns\": 0}\n"
		"      ]\n"
		"    }\n"
		"  ]\n"
		"}\n"
};

/* By CPU, in two intervals; one of them has counted nothing. */
static void test_intervals(void)
{
	static const int cpus[] = { 0, 3 };
	struct run run;
	char *text;
	int format;
	size_t i;

	for (format = STAT_TEXT; format <= STAT_JSON; format++) {
		begin(&run, 2);
		run.events.nr = 2;
		run.r.intervals = true;
		run.r.at = 1.5;
		run.r.cpu = cpus;
		for (i = 0; i < 3; i++)
			add(&run, i, (i + 1) * NS, 1);
		add(&run, 3, 0, 0);
		stat_mean_add(&run.r.elapsed, 1.5);
		text = print(&run, format, 2);
		CHECK_STR(text, intervals[format]);
		free(text);
	}
}

/* Each metric has the unit that its size needs. */
static void test_rates(void)
{
	static const double values[] = { 2, 2e3, 2e6, 2e9, 0.5 };
	static const char *const rates[] = {
		"2.000 /sec", "2.000 K/sec", "2.000 M/sec", "2.000 G/sec", "0.500 /sec",
	};
	struct run run;
	char *text;
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		begin(&run, 1);
		add(&run, 0, NS, 1);
		add(&run, 6, values[i], 1);
		text = print(&run, STAT_TEXT, 1);
		CHECK(strstr(text, rates[i]));
		free(text);
	}
}

/* A unit of a PMU, of which there is no rate; fields by another separator, without a heading. */
static void test_unit(void)
{
	struct stat_printer p = { .format = STAT_CSV, .separator = ";" };
	struct run run;
	char *text = NULL;
	size_t len;

	begin(&run, 1);
	strcpy(run.events.event[1].unit, "MiB");
	run.events.nr = 2;
	add(&run, 0, NS, 1);
	add(&run, 1, 2.25, 1);
	p.out = open_memstream(&text, &len);
	stat_print(&p, &run.r);
	fclose(p.out);
	CHECK_STR(text, "1000.00;msec;task-clock;1000000000;100.00;;;\n"
		  "2.25;MiB;cycles;1000000000;100.00;;;\n");
	free(text);
	text = print(&run, STAT_TEXT, 1);
	CHECK(strstr(text, "\n              2.25 MiB  cycles\n"));
	CHECK(!strstr(text, "GHz"));
	free(text);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "one run", test_once },
		{ "several runs", test_several },
		{ "intervals, by CPU", test_intervals },
		{ "rates", test_rates },
		{ "a unit, and a separator", test_unit },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
