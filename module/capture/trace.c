// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - the bodies of the trace events
 */
#define CREATE_TRACE_POINTS
#include "capture/trace.h"
