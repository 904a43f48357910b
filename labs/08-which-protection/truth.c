// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from what the module has measured
 */
#include <math.h>

#include "params.h"
#include "truth.h"

const char *const lab_title = "Which protection?";

/* The clock of arm64 counts 16 instructions at a time, which many objects together do not show. */
#define CLOCK_STEP	20

#define LEAST_PRICE	4	/* of what is done with each object; that of all is more */

/* Whole pages, in the block or for a slab */
#define CLEARS_PAGES \
	"clear_page clear_page_erms clear_page_rep clear_page_orig __pi_clear_page " \
	"kernel_init_pages post_alloc_hook free_pages_prepare"

static const struct {
	const char *name, *told, *call, *function;
	enum which_call dearest;
} protections[WHICH_NR] = {
	[WHICH_ON_ALLOC] = {
		"init_on_alloc", "init_on_alloc=1", "lab_amber lab_dune",
		"memset __memset __pi_memset __memset_generic memset_orig memset_erms "
		"kmem_cache_alloc kmem_cache_alloc_noprof "
		"slab_post_alloc_hook slab_alloc_node " CLEARS_PAGES,
		WHICH_ALLOC },
	[WHICH_ON_FREE] = {
		"init_on_free", "init_on_free=1", "lab_cedar lab_dune",
		"memset __memset __pi_memset __memset_generic memset_orig memset_erms kmem_cache_free "
		"slab_free_freelist_hook slab_free_hook slab_free " CLEARS_PAGES, WHICH_FREE },
	[WHICH_SLUB_DEBUG] = {
		"slub_debug", "slub_debug=FZ,lab", "lab_amber lab_cedar",
		"alloc_debug_processing free_debug_processing check_object check_slab on_freelist "
		"check_bytes_and_report memchr_inv init_object alloc_single_from_partial "
		"alloc_single_from_new_slab __slab_free ___slab_alloc get_partial_node get_partial "
		"free_to_partial_list setup_object slab_pad_check check_valid_pointer "
		"__slab_alloc kmem_cache_alloc kmem_cache_free", WHICH_FREE },
	[WHICH_USERCOPY] = {
		"hardened_usercopy", "hardened_usercopy=on", "lab_birch",
		"__check_object_size check_heap_object __check_heap_object check_stack_object "
		"_copy_to_iter", WHICH_COPY },
	[WHICH_SHUFFLE] = {
		"page_alloc.shuffle shuffle", "page_alloc.shuffle=1", "lab_dune", "shuffle_pick_tail",
		WHICH_BLOCK },
	[WHICH_NONE] = { "none", "", "none", "none", WHICH_ALLOC },
};

/* All are off, then one is on: what comes last counts. Nothing of it is on the console. */
const char *lab_append(u64 token, int boot)
{
	static char text[128];
	struct which_params p;

	which_params(&p, token);
	strcpy(text, "quiet init_on_alloc=0 init_on_free=0 hardened_usercopy=off ");
	if (boot == (int)p.boot)
		strcat(text, protections[p.protection].told);
	return text;
}

static bool is_of_block(const struct which_params *p)
{
	return protections[p->protection].dearest == WHICH_BLOCK;
}

/* What the price is of one of: in the call that the protection makes dearest. */
static u32 number_of(const struct which_params *p)
{
	return is_of_block(p) ? 1 : p->objects;
}

/*
 * Instructions more for an object, or a block, in the call that the protection makes dearest. Where
 * these are none, the ledger is not that of the two boots; but a step of the clock can hide those
 * of a block.
 */
static double price(const struct which_params *p, const struct truth_ledger *ledger)
{
	enum which_call call = protections[p->protection].dearest;
	double ns[2], more;

	if (p->protection == WHICH_NONE)
		return 0;
	if (ledger->nr != 2 * WHICH_CALLS)
		return NAN;
	ns[0] = ledger->number[call];
	ns[1] = ledger->number[WHICH_CALLS + call];
	more = (ns[p->boot - 1] - ns[2 - p->boot]) / number_of(p);
	return more < LEAST_PRICE && !is_of_block(p) ? NAN : more;
}

/* On 6.1: clearing takes longer the larger an object is, checking takes what it takes. */
void lab_model(u64 token, struct truth_ledger *ledger)
{
	struct which_params p;
	u64 more[WHICH_NR];
	int i;

	which_params(&p, token);
	more[WHICH_ON_ALLOC] = 20 + p.size / 8;
	more[WHICH_ON_FREE] = more[WHICH_ON_ALLOC];
	more[WHICH_SLUB_DEBUG] = 700;
	more[WHICH_USERCOPY] = 60;
	more[WHICH_SHUFFLE] = 14;
	more[WHICH_NONE] = 0;
	for (i = 0; i < 2 * WHICH_CALLS; i++)
		ledger->number[i] = i % WHICH_CALLS == WHICH_BLOCK ? 20000 : 100 * p.objects;
	i = (p.boot - 1) * WHICH_CALLS + protections[p.protection].dearest;
	ledger->number[i] += more[p.protection] * number_of(&p);
	ledger->nr = 2 * WHICH_CALLS;
}

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	static const char *const boots[] = { "1", "2" };
	struct which_params p;
	const char **hint;
	double more;
	bool none;

	which_params(&p, token);
	none = p.protection == WHICH_NONE;
	more = price(&p, ledger);

	hint = truth_word(t, "boot", 15, "The boot that has a protection more: 1, 2, or none.",
			  none ? "none" : boots[p.boot - 1]);
	hint[0] = "The module does the same in both. Does it take the same time?";
	hint[1] = "Watch the four functions of the module in one boot, and in the other.";
	hint[2] = "kprof lat 'guards:lab_*' -a -d 3: compare the columns min. Less than a tenth "
		  "is none, unless a function of the kernel is called in one boot only: kprof lat "
		  "shuffle_pick_tail -a -d 3.";

	hint = truth_word(t, "call", 15,
			  "The function that it makes dearer by most: lab_amber, lab_birch, "
			  "lab_cedar, lab_dune, or none.",
			  protections[p.protection].call);
	hint[0] = "One allocates, one copies, one frees, one has whole pages. A protection belongs "
		  "to one of these, or two.";
	hint[1] = "kprof lat 'guards:lab_*' -a -d 3, in both boots.";
	hint[2] = "Where two are several times dearer, either is right.";

	hint = truth_word(t, "protection", 20,
			  "Which: init_on_alloc, init_on_free, slub_debug, hardened_usercopy, "
			  "page_alloc.shuffle, or none.",
			  protections[p.protection].name);
	hint[0] = "What can be done while one allocates, copies, frees?";
	hint[1] = "The background says what each of the five does, and when.";
	hint[2] = "One that makes both allocating and freeing much dearer checks; one that makes "
		  "one of the two much dearer clears. One makes none dearer, and is called.";

	hint = truth_word(t, "function", 10,
			  "A function of the kernel in which the time goes, in that boot; or none.",
			  protections[p.protection].function);
	hint[0] = "Sample both boots, often, and compare.";
	hint[1] = "kprof record -F 9999 -a -d 5; kprof report -g. What is below the function that "
		  "is dearer?";
	hint[2] = "kprof diff of the recordings of the two boots has the functions that have "
		  "grown. One that is called in one boot only need not have grown by much.";

	hint = truth_near(t, "price", 20,
			  "How many instructions more it takes for an object of the cache, or, if "
			  "only lab_dune is dearer, for its block (within a fifth, or 8; for a "
			  "block, 20).", more, fmax(more / 5, is_of_block(&p) ? CLOCK_STEP : 8), "");
	hint[0] = "In this machine an instruction takes a nanosecond.";
	hint[1] = "How many objects does a call have? Count the calls that it makes.";
	hint[2] = "The difference of the shortest calls of the dearest function, divided by the "
		  "objects: calls of kmem_cache_free by=caller, divided by those of lab_cedar. A "
		  "call of lab_dune has one block.";

	hint = truth_seen(t, 10, "lab_amber lab_birch lab_cedar lab_dune");
	hint[0] = "kprof lat -o kprof.data leaves a recording.";
}
