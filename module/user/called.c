// SPDX-License-Identifier: GPL-2.0-only
/*
 * called.c - whether an address is one that a call returns to
 */
#include <linux/string.h>

#include "uapi/kprof.h"
#include "user/called.h"
#include "user/mapped.h"

u64 kprof_called_cache[1 << KPROF_CALLED_CACHE_BITS];

/* The 8 bytes before an address; those before its mapping are taken as 0. */
static bool read_before(const struct kprof_map *map, unsigned long pc, u64 *before)
{
	unsigned long inside = pc - map->start;

	if (inside >= sizeof(*before))
		return kprof_user_read64(pc - sizeof(*before), before);
	if (!inside || !kprof_user_read64(map->start, before))
		return false;
	*before <<= 8 * (sizeof(*before) - inside);
	return true;
}

/* The code at an address; what is behind its mapping is taken as 0. */
static u64 read_behind(const struct kprof_map *map, unsigned long pc)
{
	unsigned long left = map->end - pc;
	u64 code;

	if (left >= sizeof(code))
		return kprof_user_read64(pc, &code) ? code : 0;
	if (!left || !kprof_user_read64(map->end - sizeof(code), &code))
		return 0;
	return code >> 8 * (sizeof(code) - left);
}

/**
 * kprof_called_from() - can an address be a return address
 * @walk:	@last is the mapping that the byte before the address is in; @is_unchecked is set
 *		where that cannot be read without a page fault
 * @pc:		the address
 * @is_32:	it is of a 32-bit process
 *
 * It can if a call is before it, if it is where the kernel or a runtime has started something, or
 * if nobody can tell: code that a process has generated may make frames in whatever way it likes,
 * and memory that is not there cannot be read. A process that has just forked has most of its code
 * not there, so to end stacks for that would end good ones.
 *
 * Context: any, NMI included; in pagefault_disable(). Return: whether it can; then the file of the
 * mapping has a number. An address that is no return address gives none: it may be any word.
 */
bool kprof_called_from(struct kprof_walk *walk, unsigned long pc, bool is_32)
{
	const struct kprof_map *map = walk->last;
	u64 place = map->place + (pc - map->start), before, code;
	u32 file = KPROF_USER_FILE(place);
	const struct kprof_mapped *mapped;

	if (kprof_called_is_known(place, kprof_rules_mix(file, place)))
		return true;
	mapped = map->mapped ?: kprof_mapped_get(file);
	if (!mapped || !kprof_mapped_is_generated(mapped)) {
		if (!read_before(map, pc, &before)) {
			walk->is_unchecked = true;
			kprof_maps_number(walk->maps, map);
			return true;
		}
		if (!kprof_called_is_before(before, is_32)) {
			code = read_behind(map, pc);
			if (!kprof_called_is_sigreturn(code, is_32) &&
			    !kprof_called_is_start(before, code)) {
				walk->is_uncalled = true;
				return false;
			}
		}
	}
	file = kprof_maps_number(walk->maps, map);
	place = (u64)file << KPROF_USER_SHIFT | KPROF_USER_OFFSET(place);
	/*
	 * Without a file, a place is an address, which is another one's code in another process.
	 * Files without a number share one.
	 */
	if (file && file != READ_ONCE(kprof_mapped_full))
		WRITE_ONCE(*kprof_called_slot(kprof_rules_mix(file, place)), place);
	return true;
}

/**
 * kprof_called_forget() - empty the cache, as the numbers of files will be given anew
 *
 * Context: any; no user stacks are taken meanwhile.
 */
void kprof_called_forget(void)
{
	memset(kprof_called_cache, 0, sizeof(kprof_called_cache));
}
