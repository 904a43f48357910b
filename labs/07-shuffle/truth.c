// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from what the module has measured
 */
#include <math.h>

#include "params.h"
#include "truth.h"

const char *const lab_title = "The price of a shuffle";

static const char *const functions[] = { "lab_amber amber", "lab_birch birch" };

static const char *const causes[SHUFFLE_NR] = {
	[SHUFFLE_FREELIST] = "shuffle",
	[SHUFFLE_CONSTRUCTOR] = "constructor",
	[SHUFFLE_NONE] = "none",
};

/* On 6.1: shuffling, or turns of a constructor. A slab has as many pages as eight objects need. */
void lab_model(u64 token, struct truth_ledger *ledger)
{
	u64 *n = ledger->number, stride, page = 4096, more = 0;
	struct shuffle_params p;

	shuffle_params(&p, token);
	stride = p.size + 8;
	while (page / stride < 8 || page % stride > page / 16)
		page *= 2;
	n[3] = page / stride;
	if (p.cause == SHUFFLE_FREELIST)
		more = 77 + 9 * n[3];
	if (p.cause == SHUFFLE_CONSTRUCTOR)
		more = 4 * n[3] * (p.turns - 1);
	n[0] = p.slabs * n[3] * 100;
	n[1] = n[0];
	n[p.dear] += more * p.slabs;
	n[2] = p.slabs;
	n[4] = 50;
	ledger->nr = 5;
}

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	const u64 *n = ledger->number;
	double more = NAN, objects = NAN;
	struct shuffle_params p;
	const char **hint;

	shuffle_params(&p, token);
	if (ledger->nr == 5 && n[0] && n[1]) {
		more = fabs((double)n[1] - (double)n[0]) / p.slabs;
		objects = n[3];
	}

	hint = truth_word(t, "which", 20, "The function that takes longer: lab_amber, lab_birch, or none.",
			  p.cause == SHUFFLE_NONE ? "none" : functions[p.dear]);
	hint[0] = "Watch both. Averages have outliers in them; what else does the table have?";
	hint[1] = "The shortest calls are those in which nothing else happened: the column min.";
	hint[2] = "kprof lat -t slabs:lab_amber -t slabs:lab_birch -a -d 5 -s min. Some "
		  "instructions more or less are none: less than a hundredth.";

	hint = truth_word(t, "cause", 15, "Why: shuffle, constructor, or none.", causes[p.cause]);
	hint[0] = "Both caches have constructors, functions of the module. Do these take the same "
		  "time?";
	hint[1] = "Of a shuffled slab objects come out in random order, of one that is not in "
		  "that of their addresses.";
	hint[2] = "kprof trace 'kmem_cache_alloc by=$arg1:x64,$retval:x64' --comm lab -n 2000 >objects: "
		  "a cache, and an address, in each line; look at both caches. Where neither differs, "
		  "there is no cause.";

	hint = truth_near(t, "slabs", 15, "How many slabs a call of each of the functions makes.",
			  p.slabs, 0, "");
	hint[0] = "A constructor is called for each object, a slab has many. Count both.";
	hint[1] = "Calls of constructors, divided by calls of the function, divided by the "
		  "objects of a slab.";
	hint[2] = "kprof lat -t slabs:lab_amber -t slabs:lab_cedar -a -d 5; cat "
		  "/sys/kernel/slab/lab_amber/objs_per_slab";

	hint = truth_near(t, "objects", 10, "How many objects a slab has.", objects, 0, "");
	hint[0] = "Objects that follow each other in memory belong to the same slab.";
	hint[1] = "The kernel says it of all its caches.";
	hint[2] = "cat /sys/kernel/slab/lab_amber/objs_per_slab";

	hint = truth_near(t, "price", 15,
			  "How many instructions a slab costs more (within a fifth, or 25).",
			  more, more / 5 > 25 ? more / 5 : 25, "");
	hint[0] = "In this machine an instruction takes a nanosecond.";
	hint[1] = "What does a call cost more, and how many slabs does it make?";
	hint[2] = "Watch the two functions, and nothing inside of them: the difference of the "
		  "shortest calls, divided by the slabs.";

	hint = truth_near(t, "each", 5,
			  "How many instructions an object of it costs more (within a fifth, or 3).",
			  more / objects, more / objects / 5 > 3 ? more / objects / 5 : 3, "");
	hint[0] = "A slab's price is that of its objects.";
	hint[1] = "Two of your answers have it between them.";
	hint[2] = "The price of a slab, divided by the objects of a slab.";

	hint = truth_seen(t, 10, "lab_amber lab_birch");
	hint[0] = "kprof lat -o kprof.data leaves a recording.";
}
