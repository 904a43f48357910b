/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_marker.h - markers (USDT) of programs and libraries as targets
 *
 *	FILE:PROVIDER:NAME[@NUMBER]
 *
 * A marker may be in several places, each of which has the arguments elsewhere. Their numbers are
 * in the order of the file.
 */
#ifndef KPROF_USER_MARKER_H
#define KPROF_USER_MARKER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/buf.h"
#include "user/markers.h"

#define MARKER_PLACES	7	/* points that a target can have */
#define MARKER_FILES	8

/* The files of a target's markers. Zero-initialise. */
struct marker_files {
	struct {
		char *path;
		struct buf id;		/* of what was read: see file_id_add() */
		struct user_markers markers;
	} file[MARKER_FILES];
	size_t nr;
};

/* Where keys are read: the places of one role. NULL stands for one that is no marker's. */
struct marker_places {
	const struct user_marker *item[MARKER_PLACES];
	size_t nr;
};

/* Is it "PROVIDER:NAME", and not a function such as "space::name"? */
bool user_marker_is(const char *name);

/* The markers of a file, which stay until the files are freed; NULL after a message. */
const struct user_markers *user_markers_of(struct marker_files *files, const char *path,
					   const char **real);

/* Which file they were read from, for one of these paths: see file_id_add(). */
const char *user_markers_id(const struct marker_files *files, const char *real);
void user_marker_files_free(struct marker_files *files);

/* Find the places of "PROVIDER:NAME[@NUMBER]". Returns EXIT_OK, or EXIT_ERROR after a message. */
int user_marker_find(const struct user_markers *markers, const char *path, const char *name,
		     struct marker_places *places);

/* Find all places of the marker that is the first of its name; @name is for the message. */
int user_marker_all(const struct user_markers *markers, size_t first, const char *path,
		    const char *name, struct marker_places *places);
bool user_marker_is_same(const struct user_marker *one, const struct user_marker *other);

/* Has it a name as markers have? A file may have any bytes there. */
bool user_marker_is_plain(const struct user_marker *marker);
void user_marker_places_add(struct marker_places *places, const struct user_marker *marker);

/*
 * Append options of a target, or what is between the parentheses of a point, in which $arg1 and
 * the like are arguments of markers. Keys in end() are read at the places @end. Returns EXIT_OK,
 * or EXIT_ERROR after a message.
 */
int user_marker_options(struct buf *out, const char *options, const struct marker_places *begin,
			const struct marker_places *end);
int user_marker_point_keys(struct buf *out, const char *keys, size_t len,
			   const struct user_marker *marker);

#endif /* KPROF_USER_MARKER_H */
