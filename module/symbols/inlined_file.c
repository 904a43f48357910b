// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlined_file.c - reads the index of inlined functions, and locates its code in the running kernel
 *
 * The index is read when the first target needs it, and freed when all targets of the same
 * request have been added. The kernel is moved as a whole; each section of a module is moved alone.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "base/notes.h"
#include "base/state.h"
#include "symbols/file.h"
#include "symbols/inlined_file.h"

#define KERNEL		"vmlinux"
#define NOTES_MAX	65536
#define ADDRESS_MAX	64	/* maximum length of an address as text */

/**
 * struct object - the code of the kernel or of a module
 * @inlined:	what the index says
 * @is_asked:	@is_here is valid
 * @is_here:	it belongs to the code that is loaded
 */
struct object {
	struct kprof_inlined inlined;
	bool is_asked;
	bool is_here;
};

/* The index, as far as it was read. */
static struct {
	bool is_tried;
	void *data;
	struct object *object;
	u32 nr_objects;
	const struct kprof_index_host *anchor;	/* a kernel function whose address is known */
	char path[KPROF_PATH];
	char problem[192];
} index;

static int fail(int err, const char *why)
{
	scnprintf(index.problem, sizeof(index.problem), "%s", why);
	return err;
}

/* Does a file of notes have an object's build id? Return: 0, -ESTALE, or a read error. */
static int compare_build_id(const struct kprof_inlined *object, const char *path)
{
	const struct kprof_index_header *header = object->header;
	u32 length;
	size_t size;
	const u8 *id;
	void *notes = kprof_file_read(path, NOTES_MAX, &size);
	int err = 0;

	if (IS_ERR(notes))
		return PTR_ERR(notes);
	id = kprof_build_id(notes, size, &length);
	if (!id || length != header->build_id_size || memcmp(id, header->build_id, length))
		err = -ESTALE;
	vfree(notes);
	return err;
}

static bool is_of_kernel(const struct kprof_inlined *object)
{
	return !strcmp(object->header->owner, KERNEL);
}

static int add_object(const void *data, size_t size)
{
	struct object *more;
	const char *why;

	more = krealloc(index.object, (index.nr_objects + 1) * sizeof(*more), GFP_KERNEL);
	if (!more)
		return fail(-ENOMEM, "no memory for it");
	index.object = more;
	more += index.nr_objects;
	memset(more, 0, sizeof(*more));
	if (kprof_inlined_check(&more->inlined, data, size, &why))
		return fail(-EINVAL, why);
	index.nr_objects++;
	return 0;
}

static int check_kernel(struct object *object)
{
	int err = compare_build_id(&object->inlined, "/sys/kernel/notes");

	if (err == -ESTALE)
		return fail(err, "of another kernel: its build id is not that of the one that runs");
	if (err)
		return fail(err, "the build id of the running kernel is not to be had: cannot read /sys/kernel/notes");
	index.anchor = kprof_inlined_host(&object->inlined, "register_kprobe");
	if (!index.anchor)
		return fail(-EINVAL, "damaged: it knows no register_kprobe");
	object->is_asked = true;
	object->is_here = true;
	return 0;
}

static int take_apart(size_t size)
{
	size_t at;
	u32 i;
	int err;

	for (at = 0; at < size;
	     at += index.object[index.nr_objects - 1].inlined.header->size) {
		err = add_object(index.data + at, size - at);
		if (err)
			return err;
	}
	for (i = 0; i < index.nr_objects; i++)
		if (is_of_kernel(&index.object[i].inlined))
			return check_kernel(&index.object[i]);
	return 0;
}

static int read_index(void)
{
	size_t size;

	WRITE_ONCE(kprof_waits_for_files, true);
	index.data = kprof_file_read(index.path, KPROF_INDEX_MAX, &size);
	WRITE_ONCE(kprof_waits_for_files, false);
	if (!IS_ERR(index.data))
		return take_apart(size);
	switch (PTR_ERR(index.data)) {
	case -ENOENT:
		return fail(-ENOENT, "not there; `kprof index` makes it");
	case -E2BIG:
		return fail(-E2BIG, "larger than an index may be");
	case -EINVAL:
		return fail(-EINVAL, "empty, or no file");
	default:
		scnprintf(index.problem, sizeof(index.problem), "cannot be read: error %ld",
			  PTR_ERR(index.data));
		return PTR_ERR(index.data);
	}
}

static void drop(void)
{
	if (!IS_ERR(index.data))
		vfree(index.data);
	kfree(index.object);
	index.data = NULL;
	index.object = NULL;
	index.nr_objects = 0;
}

/* Read the index. If it cannot be used, keep the reason. */
static void learn(void)
{
	if (index.is_tried)
		return;
	index.is_tried = true;
	if (*kprof_config->index)
		strscpy(index.path, kprof_config->index, sizeof(index.path));
	else
		scnprintf(index.path, sizeof(index.path), "/lib/modules/%s/kprof.index",
			  init_utsname()->release);
	if (read_index())
		drop();
}

/* Is this module loaded, in the build that the index was made from? */
static bool is_here(struct object *object)
{
	const char *owner = object->inlined.header->owner;
	char path[sizeof("/sys/module/%s/notes/.note.gnu.build-id") + 64];
	int err;

	if (object->is_asked)
		return object->is_here;
	object->is_asked = true;
	if (strchr(owner, '/'))
		return false;
	scnprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", owner);
	err = compare_build_id(&object->inlined, path);
	if (err == -ESTALE)
		pr_warn("index %s: of another build of the module %s than is loaded: what is inlined there is not known\n",
			index.path, owner);
	object->is_here = !err;
	return object->is_here;
}

/**
 * kprof_inlined_look() - iterate over the places where a function is inlined
 * @spec:	"name", in the kernel and in all modules; or "module:name"
 * @look:	called for each place
 * @data:	passed to @look
 *
 * Context: sleeps; kprof_mutex is held. Return: 0, what @look returned, -ENOENT if there are
 * none, or another errno if it is not known; kprof_inlined_problem() has the reason.
 */
int kprof_inlined_look(const char *spec, kprof_inlined_fn look, void *data)
{
	const char *colon = strchr(spec, ':'), *name = colon ? colon + 1 : spec;
	bool found = false;
	u32 i;
	int err;

	learn();
	if (*index.problem)
		return -EINVAL;
	for (i = 0; i < index.nr_objects; i++) {
		struct object *object = &index.object[i];
		const char *owner = object->inlined.header->owner;

		if (colon && (strlen(owner) != colon - spec ||
			      strncmp(owner, spec, colon - spec)))
			continue;
		if (!is_here(object))
			continue;
		err = kprof_inlined_each(&object->inlined, name, look, data);
		if (err == -EINVAL)
			return fail(err, "damaged: a list is out of order");
		if (err && err != -ENOENT)
			return err;
		found = found || !err;
	}
	return found ? 0 : -ENOENT;
}

/* The address of a module's section. */
static unsigned long section_address(const char *owner, const char *section)
{
	char path[KPROF_PATH], text[ADDRESS_MAX + 1];
	unsigned long addr;
	size_t size;
	void *data;

	if (strchr(section, '/') ||
	    scnprintf(path, sizeof(path), "/sys/module/%s/sections/%s", owner, section) >=
	    sizeof(path) - 1)
		return 0;
	data = kprof_file_read(path, ADDRESS_MAX, &size);
	if (IS_ERR(data))
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	vfree(data);
	return kstrtoul(strim(text), 16, &addr) ? 0 : addr;
}

/* Is this the entry of a function? An address from the index alone must not be probed. */
static bool is_function_of(unsigned long addr, const struct kprof_inlined *object)
{
	char text[KSYM_SYMBOL_LEN], *owner;

	sprint_symbol(text, addr);
	if (!strstr(text, "+0x0/"))
		return false;
	owner = strstr(text, " [");
	if (is_of_kernel(object))
		return !owner;
	if (!owner)
		return false;
	owner += 2;
	owner[strcspn(owner, " ]")] = '\0';
	return !strcmp(owner, object->header->owner);
}

/**
 * kprof_inlined_address() - the address of a host
 * @object:	an object of the index
 * @host:	one of its hosts
 *
 * Context: sleeps; kprof_mutex is held. Return: its address; 0 if it is not loaded.
 */
unsigned long kprof_inlined_address(const struct kprof_inlined *object,
				    const struct kprof_index_host *host)
{
	const struct kprof_index_section *section = kprof_inlined_section(object, host);
	unsigned long addr;

	if (is_of_kernel(object)) {
		addr = (unsigned long)register_kprobe + host->start - index.anchor->start;
	} else {
		if (!section)
			return 0;
		addr = section_address(object->header->owner, object->string + section->name);
		addr = addr ? addr + (host->start - section->start) : 0;
	}
	return addr && is_function_of(addr, object) ? addr : 0;
}

/**
 * kprof_inlined_problem() - why the index cannot be used
 *
 * Context: kprof_mutex is held; after kprof_inlined_look(). Return: the file and the
 * problem with it; NULL if there is none.
 */
const char *kprof_inlined_problem(void)
{
	static char text[sizeof(index.path) + sizeof(index.problem) + 8];

	if (!*index.problem)
		return NULL;
	scnprintf(text, sizeof(text), "index %s: %s", index.path, index.problem);
	return text;
}

/**
 * kprof_inlined_forget() - free the index
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_inlined_forget(void)
{
	drop();
	memset(&index, 0, sizeof(index));
}
