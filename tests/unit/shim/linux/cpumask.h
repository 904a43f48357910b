/* SPDX-License-Identifier: GPL-2.0-only */
/* cpumask.h - the CPUs there are, for the host */
#ifndef KPROF_SHIM_CPUMASK_H
#define KPROF_SHIM_CPUMASK_H

#define SHIM_CPUS	4

struct cpumask {
	unsigned long bits[1];
};

#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < SHIM_CPUS; (cpu)++)

#endif /* KPROF_SHIM_CPUMASK_H */
