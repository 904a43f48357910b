// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - instantiates the trace events of trace.h
 */
#define CREATE_TRACE_POINTS
#include "capture/trace.h"
