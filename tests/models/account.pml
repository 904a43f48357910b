/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account.pml - a model of enter() and leave() in module/capture/capture.c, and of copy_account() in
 * source.c: a CPU takes samples, which interrupt each other, and another CPU reads the account
 *
 * Where a barrier orders two accesses, they are in this order; where none does, both orders are
 * tried.
 *
 * What has to hold: a copy that the reader takes for consistent is.
 *
 * It must fail with
 *	NO_WMB			the writer's counters may be seen after the count of who has left
 *	READS_ENTERED_FIRST	the reader reads the two counts in the other order
 */
#define SAMPLES		3
#define INTERRUPTS	2

byte entered, departed, fired, recorded;
byte left = INTERRUPTS;

inline interrupting_sample()
{
	if
	:: left > 0 ->
		left--;
		entered++;
		fired++;
		recorded++;
		departed++
	:: true
	fi
}

active proctype writer()
{
	byte i;

	for (i : 1 .. SAMPLES) {
		interrupting_sample();
		entered++;
		interrupting_sample();
		fired++;
		interrupting_sample();
		if
		:: true ->
			recorded++;
			interrupting_sample();
			departed++
#ifdef NO_WMB
		:: true ->
			departed++;
			interrupting_sample();
			recorded++
#endif
		fi
	}
}

active proctype reader()
{
	byte was_departed, was_entered, copy_fired, copy_recorded;

#ifdef READS_ENTERED_FIRST
	was_entered = entered;
#else
	was_departed = departed;
#endif
	if
	:: true -> copy_fired = fired; copy_recorded = recorded
	:: true -> copy_recorded = recorded; copy_fired = fired
	fi;
#ifdef READS_ENTERED_FIRST
	was_departed = departed;
#else
	was_entered = entered;
#endif
	if
	:: was_entered == was_departed -> assert(copy_fired == copy_recorded)
	:: else
	fi
}
