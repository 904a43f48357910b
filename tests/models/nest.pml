/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nest.pml - a model of module/calls/nest.c and nest.h: an entry of the table of nested calls, which
 * two tasks of two CPUs claim and free
 *
 * On each CPU a task enters a call and leaves it, some times. In front of each step an interrupt with
 * the same owner may come, and enters and leaves a call of its own before the task goes on. Its
 * steps and those of the other CPU come in any order. A third process forgets all calls, as
 * kprof_nest_forget() does: it closes the gate, so that no call is entered, and waits until each CPU
 * has once been in no code that disables preemption; calls return meanwhile.
 *
 * What has to hold: an entry without an owner has no call, and a call that is linked is one of the
 * owner. Otherwise a task would write to the stack of another.
 *
 * It must fail with
 *	FREES_WHAT_IT_FOUND	an outermost call frees the entry, whoever has claimed it
 *	UNLINKS_BY_STORE	a call that returns does not check that it is still linked
 *	FREES_ALWAYS		who forgets frees entries that he has taken no call from
 *	WAITS_FOR_NOBODY	who forgets does not wait for calls that are being entered
 */
#define CPUS	2
#define CALLS	2	/* of a task */
#define NOBODY	255

/* The call of a task, and that of its interrupt. */
#define TASK_CALL(cpu)		(1 + (cpu))
#define INTERRUPT_CALL(cpu)	(1 + CPUS + (cpu))
#define CALL_CPU(call)		(((call) - 1) % CPUS)

byte owner = NOBODY;
byte innermost;			/* 0: no call */
bool gate = true;		/* open */
byte busy[CPUS];		/* in code that disables preemption, how often */
byte interrupts[CPUS];		/* that may yet come */

/* What a call keeps. */
bool linked[1 + 2 * CPUS];
bool claimed[1 + 2 * CPUS];
byte outer[1 + 2 * CPUS];
bool forgotten;			/* since then, a call may find itself unlinked */

inline claim(cpu, call)
{
	linked[call] = false;
	claimed[call] = false;
	if
	:: owner == cpu -> linked[call] = true
	:: else ->
		atomic {
			if
			:: owner == NOBODY ->
				owner = cpu;
				linked[call] = true;
				claimed[call] = true
			:: else		/* another entry, or none */
			fi
		}
	fi
}

inline look(cpu, call)
{
	if
	:: linked[call] ->
		outer[call] = innermost;
		assert(outer[call] == 0 || CALL_CPU(outer[call]) == cpu)
	:: else
	fi
}

inline link(cpu, call)
{
	if
	:: linked[call] ->
		atomic {
			assert(owner == cpu);
			innermost = call
		}
	:: else
	fi
}

inline unlink(cpu, call)
{
	if
	:: linked[call] ->
		atomic {
			if
#ifdef UNLINKS_BY_STORE
			:: true ->
				assert(owner == cpu);
#else
			:: innermost == call ->
#endif
				innermost = outer[call]
			:: else ->
				assert(forgotten);
				linked[call] = false
			fi
		}
	:: else
	fi
}

inline release(cpu, call)
{
	if
#ifdef FREES_WHAT_IT_FOUND
	:: linked[call] && outer[call] == 0 ->
#else
	:: linked[call] && outer[call] == 0 && claimed[call] ->
#endif
		atomic {
			assert(owner == cpu && innermost == 0);
			owner = NOBODY
		}
	:: else
	fi
}

inline interrupt(cpu)
{
	if
	:: interrupts[cpu] > 0 ->
		interrupts[cpu]--;
		busy[cpu]++;
		if
		:: gate ->
			claim(cpu, INTERRUPT_CALL(cpu));
			look(cpu, INTERRUPT_CALL(cpu));
			link(cpu, INTERRUPT_CALL(cpu));
			unlink(cpu, INTERRUPT_CALL(cpu));
			release(cpu, INTERRUPT_CALL(cpu))
		:: else
		fi;
		busy[cpu]--
	:: true
	fi
}

proctype task(byte cpu)
{
	byte calls = CALLS;

	do
	:: calls > 0 ->
		calls--;
		busy[cpu]++;
		if
		:: gate ->
			interrupt(cpu);
			claim(cpu, TASK_CALL(cpu));
			interrupt(cpu);
			look(cpu, TASK_CALL(cpu));
			interrupt(cpu);
			link(cpu, TASK_CALL(cpu))
		:: else -> linked[TASK_CALL(cpu)] = false
		fi;
		interrupt(cpu);
		busy[cpu]--;
		busy[cpu]++;
		unlink(cpu, TASK_CALL(cpu));
		interrupt(cpu);
		release(cpu, TASK_CALL(cpu));
		interrupt(cpu);
		busy[cpu]--
	:: else -> break
	od
}

proctype forget()
{
	byte taken;

	gate = false;
#ifndef WAITS_FOR_NOBODY
	busy[0] == 0;
	busy[1] == 0;
#endif
	forgotten = true;
	atomic {
		taken = innermost;
		innermost = 0
	}
	if
#ifdef FREES_ALWAYS
	:: owner != NOBODY -> owner = NOBODY
#else
	:: taken != 0 -> owner = NOBODY
#endif
	:: else
	fi;
	gate = true
}

init
{
	atomic {
		interrupts[0] = 2;
		interrupts[1] = 1;
		run task(0);
		run task(1);
		run forget()
	}
	/* All have ended, and nothing is left. */
	_nr_pr == 1;
	assert(owner == NOBODY && innermost == 0)
}
