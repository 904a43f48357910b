/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.pml - a model of module/profile/ring.c: a writer, what interrupts it, and a reader on another
 * CPU
 *
 * A record is one word here, and its phase another. Where a barrier orders two accesses, they are
 * in this order; where none does, both orders are tried.
 *
 * What has to hold: the reader gets each record that was accepted once, whole, and those of each
 * writer in order.
 *
 * It must fail with
 *	COMMITS_EARLY		the phase of a record may be seen before the record
 *	SKIPS_EARLY		the room of a record may be free before the record is copied
 *	READS_HEAD_FIRST	a writer reads the head before the tail
 *	RESERVES_BY_STORE	the head is moved without a check that it is where it was
 */
#define SIZE		2
#define RECORDS		4	/* of the writer */
#define INTERRUPTS	2

byte word[SIZE];		/* 1 to RECORDS, or 100 more by an interrupt */
bool phase[SIZE];		/* of the lap in which it was written */
byte head, tail;		/* they count on, and are not taken modulo */
byte accepted, seen;
byte left = INTERRUPTS;
bool done;

/* The phase of an empty ring is false, and that of the first lap true. */
#define PHASE(position)	((((position) / SIZE) & 1) == 0)

/* h and t: variables of the caller; what: the record. */
inline put(h, t, what, ok)
{
	do
	::
#ifdef READS_HEAD_FIRST
		h = head;
		interrupt();
		t = tail;
#else
		t = tail;
		interrupt();
		h = head;
#endif
		/* What is not below zero is compared, as with the module's unsigned numbers. */
		assert(h >= t);
		if
		:: h + 1 - t > SIZE -> ok = false; break
		:: else
		fi;
		interrupt();
		atomic {
			if
#ifdef RESERVES_BY_STORE
			:: true -> head = h + 1; ok = true; break
#else
			:: head == h -> head = h + 1; ok = true; break
#endif
			:: else
			fi
		}
	od;
	interrupt();
	if
	:: ok ->
		if
		:: true ->
			word[h % SIZE] = what;
			interrupt();
			phase[h % SIZE] = PHASE(h)
#ifdef COMMITS_EARLY
		:: true ->
			phase[h % SIZE] = PHASE(h);
			interrupt();
			word[h % SIZE] = what
#endif
		fi;
		accepted++
	:: else
	fi
}

/* What interrupts an interrupt is as what interrupts the writer, so there is one level. */
inline put_interrupting(h, t, ok)
{
	t = tail;
	h = head;
	if
	:: h + 1 - t > SIZE -> ok = false
	:: else -> head = h + 1; ok = true
	fi;
	if
	:: ok ->
		word[h % SIZE] = 100 + INTERRUPTS - left;
		phase[h % SIZE] = PHASE(h);
		accepted++
	:: else
	fi
}

inline interrupt()
{
	if
	:: left > 0 ->
		put_interrupting(ih, it, iok);
		left--
	:: true
	fi
}

active proctype writer()
{
	byte h, t, ih, it, i;
	bool ok, iok;

	for (i : 1 .. RECORDS) {
		put(h, t, i, ok);
		interrupt()
	}
	done = true
}

active proctype reader()
{
	byte last, last_interrupting = 99, got;

	do
	:: phase[tail % SIZE] == PHASE(tail) ->
		if
		:: true ->
			got = word[tail % SIZE];
			tail++
#ifdef SKIPS_EARLY
		:: true ->
			tail++;
			got = word[(tail - 1) % SIZE]
#endif
		fi;
		seen++;
		if
		:: got >= 100 ->
			assert(got > last_interrupting);
			last_interrupting = got
		:: else ->
			assert(got > last);
			last = got
		fi
	:: done && phase[tail % SIZE] != PHASE(tail) -> break
	od;
	assert(seen == accepted && head == tail)
}
