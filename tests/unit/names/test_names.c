// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of names of arguments and members, by BTF that is made here
 */
#if __has_include("bpf/btf.h")
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "names/names.h"
#include "unit.h"

static char dir[32];

static struct names names;
static struct btf *kernel;
static int char_id, int_id, ulong_id, uint_id, bool_id, inner_id, task_id;
static int void_ptr, task_ptr, text_ptr, node_ptr, loop_ptr, self_ptr;

/* --- the types --- */

static void add_numbers(void)
{
	char_id = btf__add_int(kernel, "char", 1, BTF_INT_SIGNED);
	int_id = btf__add_int(kernel, "int", 4, BTF_INT_SIGNED);
	uint_id = btf__add_int(kernel, "unsigned int", 4, 0);
	ulong_id = btf__add_int(kernel, "long unsigned int", 8, 0);
	bool_id = btf__add_int(kernel, "_Bool", 1, BTF_INT_BOOL);
	void_ptr = btf__add_ptr(kernel, 0);
	text_ptr = btf__add_ptr(kernel, btf__add_const(kernel, char_id));
}

/* Members that can be keys, and some that cannot. */
static void add_task(void)
{
	int byte = btf__add_int(kernel, "unsigned char", 1, 0);
	int u8 = btf__add_typedef(kernel, "u8", byte);
	int pid = btf__add_typedef(kernel, "pid_t", int_id);
	int name = btf__add_array(kernel, uint_id, char_id, 16);
	int bytes = btf__add_array(kernel, uint_id, u8, 4);
	int words = btf__add_array(kernel, uint_id, ulong_id, 3);
	int either;

	inner_id = btf__add_struct(kernel, "inner", 16);
	btf__add_field(kernel, "a", ulong_id, 0, 0);
	btf__add_field(kernel, "b", int_id, 64, 0);
	either = btf__add_union(kernel, NULL, 4);
	btf__add_field(kernel, "either", uint_id, 0, 0);
	btf__add_field(kernel, "or", int_id, 0, 0);
	task_id = btf__add_struct(kernel, "task_struct", 200);
	task_ptr = task_id + 1;
	btf__add_field(kernel, "pid", pid, 0, 0);
	btf__add_field(kernel, "comm", name, 32, 0);
	btf__add_field(kernel, "parent", task_ptr, 192, 0);
	btf__add_field(kernel, "se", inner_id, 256, 0);
	btf__add_field(kernel, "", either, 384, 0);
	btf__add_field(kernel, "low", uint_id, 416, 3);
	btf__add_field(kernel, "high", uint_id, 419, 5);
	btf__add_field(kernel, "bytes", bytes, 448, 0);
	btf__add_field(kernel, "name", text_ptr, 512, 0);
	btf__add_field(kernel, "words", words, 576, 0);
	btf__add_field(kernel, "inner", task_ptr + 1, 768, 0);
	CHECK_INT(btf__add_ptr(kernel, task_id), task_ptr);
	CHECK_INT(btf__add_ptr(kernel, inner_id), task_ptr + 1);
}

/* A list; a typedef of itself; a structure without a name that is inside of itself. */
static void add_hostile(void)
{
	int node = btf__add_struct(kernel, "node", 16), loop, self;

	node_ptr = node + 1;
	btf__add_field(kernel, "next", node_ptr, 0, 0);
	btf__add_field(kernel, "value", int_id, 64, 0);
	btf__add_ptr(kernel, node);
	loop = node + 2;
	btf__add_typedef(kernel, "loop", loop + 1);
	btf__add_const(kernel, loop);
	loop_ptr = btf__add_ptr(kernel, loop);
	self = loop_ptr + 1;
	btf__add_struct(kernel, NULL, 8);
	btf__add_field(kernel, NULL, self, 0, 0);
	btf__add_field(kernel, NULL, self, 0, 0);
	btf__add_field(kernel, NULL, 0x7fffff, 0, 0);
	self_ptr = btf__add_ptr(kernel, self);
}

/* Parameters are pairs of a name and a type. */
static void add_function(struct btf *btf, const char *name, int ret, int nr,
			 const char *const *param, const int *type)
{
	int i, proto = btf__add_func_proto(btf, ret);

	for (i = 0; i < nr; i++)
		btf__add_func_param(btf, param[i], type[i]);
	btf__add_func(btf, name, BTF_FUNC_GLOBAL, proto);
}

#define FUNCTION(btf, name, ret, params, ...) do { \
	static const char *const param[] = params; \
	const int type[] = { __VA_ARGS__ }; \
	add_function(btf, name, ret, sizeof(type) / sizeof(*type), param, type); \
} while (0)
#define P(...) { __VA_ARGS__ }

static void save(const struct btf *btf, const char *name)
{
	char path[128];
	__u32 size;
	const void *data = btf__raw_data(btf, &size);
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	CHECK(f && fwrite(data, size, 1, f) == 1);
	fclose(f);
}

static const char symbols[] =
	"ffff000000000010 T opened\n"
	"ffff000000000020 T twice\n"
	"ffff000000000030 t twice\n"
	"ffff000000000040 t cut.constprop.0\n"
	"ffff000000000050 T __traceiter_switched\n"
	"ffff000000000060 T lists\n"
	"ffff000000000070 T wide\n"
	"ffff000000000080 T unknown\n"
	"ffff000000000090 t of_module\t[extra]\n"
	"ffff0000000000a0 t bare\t[none]\n"
	"ffff0000000000b0 T __traceiter_woken\n"
	"ffff0000000000c0 T made\n";

static void make(void)
{
	static char kallsyms[64];
	struct btf *extra;
	FILE *f;

	strcpy(dir, "/tmp/kprof-names-XXXXXX");
	CHECK(mkdtemp(dir));
	kernel = btf__new_empty();
	add_numbers();
	add_task();
	add_hostile();
	FUNCTION(kernel, "opened", int_id,
		 P("next", "filename", "nr", "len", "pid", "flag", "last"),
		 task_ptr, text_ptr, int_id, ulong_id, uint_id, bool_id, int_id);
	FUNCTION(kernel, "cut", int_id, P("next"), task_ptr);
	FUNCTION(kernel, "twice", int_id, P("next"), task_ptr);
	FUNCTION(kernel, "made", task_ptr, P("nr"), int_id);
	FUNCTION(kernel, "__traceiter_switched", int_id, P("__data", "preempt", "prev", "next"),
		 void_ptr, bool_id, task_ptr, task_ptr);
	FUNCTION(kernel, "__traceiter_woken", int_id, P("__data", "next"), void_ptr, task_ptr);
	FUNCTION(kernel, "lists", 0, P("node", "loop", "self"), node_ptr, loop_ptr, self_ptr);
	FUNCTION(kernel, "wide", 0, P("first", "value", "behind"), int_id, inner_id, int_id);
	save(kernel, "vmlinux");
	extra = btf__new_empty_split(kernel);
	FUNCTION(extra, "of_module", 0, P("task"), task_ptr);
	save(extra, "extra");
	btf__free(extra);
	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", dir);
	f = fopen(kallsyms, "w");
	CHECK(f && fputs(symbols, f) >= 0);
	fclose(f);
	names = (struct names){ .dir = dir, .kallsyms = kallsyms };
}

/* --- checks --- */

static void check_same(const char *line, const char *expected)
{
	struct buf out = { 0 }, why = { 0 };
	int err = -names_translate(&names, line, &out, &why);

	CHECK_STR(err ? why.data : out.data, expected);
	buf_free(&out);
	buf_free(&why);
}

static void check_refused(const char *line, const char *part, int expected)
{
	struct buf out = { 0 }, why = { 0 };
	int err = -names_translate(&names, line, &out, &why);

	CHECK_INT(err, expected);
	if (!why.data || !strstr(why.data, part))
		CHECK_STR(why.data ? why.data : out.data, part);
	buf_free(&out);
	buf_free(&why);
}

static void what_the_module_knows_is_left_alone(void)
{
	static const char *const lines[] = {
		"opened", "nothing by=$arg1,comm,log2($retval:s32),linear($arg2,10)", "a b c",
		"f by=+0(+8($arg1)):string,$arg2&~7:u32,stack if=comm!=next,$arg1&4,error==1 min=1ms",
		"tp:a($arg1,$arg2>0)|tp:b(errno($arg2)==5)..f%return(cpu) by=end($retval) as=x",
		"f by=hits(opened),comm($arg1),who=comm,fault,state,current,caller,syscall,cgroup,$arg9",
		"@offcpu by=stack,state", "f by=", "f by=5,+", "f if=",
		"f(", "f(((", "..", "", "|", ")",
		"f by=log2(", "f by=log2(log2(log2(log2(log2(log2(log2(log2(log2(log2($arg1",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		check_same(lines[i], lines[i]);
}

static void arguments_have_names(void)
{
	check_same("opened by=nr,len,flag,next",
		   "opened by=nr=$arg3:s32,len=$arg4:u64,flag=$arg6:u8,next=$arg1");
	check_same("opened by=filename,filename:x64,filename:ustring",
		   "opened by=filename=$arg2:string,filename:x64=$arg2:x64,"
		   "filename:ustring=$arg2:ustring");
	check_same("opened by=pid,$pid,x=nr,log2(len),linear(nr,10)",
		   "opened by=pid,$pid=$arg5:u32,x=$arg3:s32,log2(len)=log2($arg4:u64),"
		   "linear(nr,10)=linear($arg3:s32,10)");
	check_same("opened if=nr<-3,len&4,len&~3==4,filename==/etc/next,flag!=0",
		   "opened if=$arg3:s32<-3,$arg4:u64&4,$arg4&~3:x64==4,$arg2:string==/etc/next,"
		   "$arg6:u8!=0");
	check_same("opened by=len&0xf,len&3:u8", "opened by=len&0xf=$arg4&0xf:x64,len&3:u8=$arg4&3:u8");
	check_same("extra:of_module by=task->pid", "extra:of_module by=task->pid=+0($arg1):s32");
	check_same("of_module by=task->pid", "of_module by=task->pid=+0($arg1):s32");
}

static void members_have_offsets(void)
{
	check_same("opened by=next->pid,next->comm,next->se.b",
		   "opened by=next->pid=+0($arg1):s32,next->comm=+4($arg1):string,"
		   "next->se.b=+40($arg1):s32");
	check_same("opened by=next->parent,next->parent->parent->pid",
		   "opened by=next->parent=+24($arg1):x64,"
		   "next->parent->parent->pid=+0(+24(+24($arg1))):s32");
	check_same("opened by=next->either,next->or,next->name,next->name:x64",
		   "opened by=next->either=+48($arg1):u32,next->or=+48($arg1):s32,"
		   "next->name=+0(+64($arg1)):string,next->name:x64=+64($arg1):x64");
	check_same("opened by=next->words[2],next->bytes[1],next->inner[1].b,next->comm[3]:u8",
		   "opened by=next->words[2]=+88($arg1):u64,next->bytes[1]=+57($arg1):u8,"
		   "next->inner[1].b=+24(+96($arg1)):s32,next->comm[3]:u8=+7($arg1):u8");
	check_same("opened by=next->low,next->low:u8",
		   "opened by=next->low=+52($arg1)&0x7:u32,next->low:u8=+52($arg1)&0x7:u8");
	check_same("opened by=comm(next->parent),+4(next->parent):string,$arg1->pid",
		   "opened by=comm(next->parent)=comm(+24($arg1)),"
		   "+4(next->parent):string=+4(+24($arg1)):string,$arg1->pid=+0($arg1):s32");
	check_same("made by=$retval->pid,errno(nr)",
		   "made by=$retval->pid=+0($retval):s32,errno(nr)=errno($arg1:s32)");
}

static void points_have_arguments(void)
{
	check_same("tp:switched(prev)..tp:switched(next) by=comm,prev->pid,end(next->pid) if=preempt==1",
		   "tp:switched($arg2)..tp:switched($arg3) by=comm,prev->pid=+0($arg2):s32,"
		   "end(next->pid)=end(+0($arg3):s32) if=$arg1:u8==1");
	check_same("tp:switched(prev->name,cpu,prev->pid>3,bytes=prev->se.a)..opened(filename,nr==1)",
		   "tp:switched(+64($arg2):x64,cpu,+0($arg2):s32>3,bytes=+32($arg2):u64)"
		   "..opened($arg2,$arg3:s32==1)");
	check_same("tp:switched(prev)|opened(next,keep)..tp:woken(next)|opened(next,nr>1,forget) "
		   "by=comm,each(next->pid)",
		   "tp:switched($arg2)|opened($arg1,keep)..tp:woken($arg1)|opened($arg1,$arg3:s32>1,forget) "
		   "by=comm,each(+0($arg1):s32)");
	check_same("opened(next)|tp:woken(next) by=next->pid",
		   "opened($arg1)|tp:woken($arg1) by=next->pid=+0($arg1):s32");
	check_same("made%return by=$retval->pid", "made%return by=$retval->pid=+0($retval):s32");
	check_refused("tp:switched|tp:woken by=next->pid", "another value at tp:switched than at tp:wok",
		      EINVAL);
	check_refused("opened%return by=nr", "gone when it returns", EINVAL);
}

static void mistakes_are_named(void)
{
	check_refused("opened by=fliename", "opened: no key and no argument has the name 'fliename'; "
		      "did you mean 'filename'? arguments: next, filename, nr", EINVAL);
	check_refused("opened by=stak", "the name 'stak'; did you mean 'stack'? arguments", EINVAL);
	check_refused("opened by=zzzz",
		      "the name 'zzzz'; arguments: next, filename, nr, len, pid, flag, last; "
		      "keys: error, comm, ", EINVAL);
	check_refused("opened by=next->pdi", "struct task_struct has no member 'pdi'; close to it: pid",
		      EINVAL);
	check_refused("opened by=next->inner->zzzz", "struct inner has no member 'zzzz'; it has a, b",
		      EINVAL);
	check_refused("opened by=next->se", "'next->se' is a structure", EINVAL);
	check_refused("opened by=next->se->a", "'next->se' is no pointer", EINVAL);
	check_refused("opened by=next.pid", "'next' is a pointer", EINVAL);
	check_refused("opened by=nr->pid", "'nr' is no structure", EINVAL);
	check_refused("opened by=next->", "has no member ''", EINVAL);
	check_refused("opened by=next->words", "is an array", EINVAL);
	check_refused("opened by=next->words[3]", "has fewer elements", EINVAL);
	check_refused("opened by=next->high", "is a bit field", EINVAL);
	check_refused("opened by=next->low&1", "takes no mask", EINVAL);
	check_refused("opened by=last", "first six arguments", EINVAL);
	check_refused("wide by=behind", "in no register of its own", EINVAL);
	check_refused("opened by=comm(nr)", "is no address", EINVAL);
	check_refused("tp:switched by=$retval->pid", "no value that a tracepoint has", EINVAL);
}

static void what_has_no_prototype_is_told(void)
{
	check_refused("twice by=next", "several functions have that name", EINVAL);
	check_refused("twice@2 by=next", "several functions have that name", EINVAL);
	check_refused("cut by=next", "the compiler made a variant of it", EINVAL);
	check_refused("cut.constprop.0 by=next", "a variant made by the compiler", EINVAL);
	check_refused("opened+4 by=next", "a place inside a function", EINVAL);
	check_refused("@offcpu by=next", "it is a preset", EINVAL);
	check_refused("unknown by=next", "BTF does not have it", EINVAL);
	check_refused("bare by=next", "there is none: /tmp/", EINVAL);
	check_refused("missing by=next", "no function missing; of one that is inlined no arguments can be read",
		      ENOENT);
	check_refused("tp:missing by=next", "no tracepoint tp:missing", ENOENT);
	names_free(&names);
	names.dir = "/nonexistent";
	check_refused("opened by=next", "/nonexistent/vmlinux: No such file or directory; without names, "
		      "write $arg1", EINVAL);
	check_same("opened by=$arg1,comm", "opened by=$arg1,comm");
	names.dir = dir;
}

static void nothing_is_endless(void)
{
	check_same("lists by=node->next->next->next->value",
		   "lists by=node->next->next->next->value=+8(+0(+0(+0($arg1)))):s32");
	check_refused("lists by=node->next->next->next->next->value", "more than 4 dereferences",
		      EINVAL);
	check_refused("lists by=loop->x", "has no members", EINVAL);
	check_refused("lists by=self->x", "has no member 'x'", EINVAL);
	check_refused("lists by=node[9999999999]", "too far away", EINVAL);
	check_refused("lists by=node[200000000].value", "too far away", EINVAL);
}

static void a_prototype_is_shown(void)
{
	struct buf why = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CHECK_INT(names_show(&names, "opened", out, &why), 0);
	CHECK_INT(names_show(&names, "lists", out, &why), 0);
	CHECK_INT(names_show(&names, "tp:woken", out, &why), 0);
	CHECK_INT(-names_show(&names, "missing", out, &why), ENOENT);
	fclose(out);
	CHECK(strstr(text, "int opened(struct task_struct *next, const char *filename, int nr, "
		     "long unsigned int len, unsigned int pid, _Bool flag, int last)\n"));
	CHECK(strstr(text, "  next->comm                        char[16]                      "
		     "+4($arg1):string\n"));
	CHECK(strstr(text, "+52($arg1)&0x7:u32\n"));
	CHECK(strstr(text, "\ntp:woken(struct task_struct *next)\n"));
	free(text);
	buf_free(&why);
}

static void add_name(const char *key, void *data)
{
	buf_printf(data, "%s ", key);
}

/* The nearest come first; members that are texts, arrays, pointers or shifted bits are none. */
static void numbers_are_listed(void)
{
	struct buf why = { 0 }, keys = { 0 };

	CHECK_INT(names_numbers(&names, "opened", add_name, &keys, &why), 0);
	CHECK_STR(keys.data, "next filename nr len $arg5 flag next->pid next->either next->or "
		  "next->low next->se.a next->se.b ");
	keys.len = 0;
	CHECK_INT(names_numbers(&names, "lists", add_name, &keys, &why), 0);
	CHECK_INT(-names_numbers(&names, "missing", add_name, &keys, &why), ENOENT);
	buf_free(&keys);
	buf_free(&why);
}

static void clean(void)
{
	static const char *const files[] = { "vmlinux", "extra", "kallsyms" };
	char path[128];
	size_t i;

	names_free(&names);
	btf__free(kernel);
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		unlink(path);
	}
	rmdir(dir);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "what the module knows is left alone", what_the_module_knows_is_left_alone },
		{ "arguments have names", arguments_have_names },
		{ "members have offsets", members_have_offsets },
		{ "points have arguments", points_have_arguments },
		{ "mistakes are named", mistakes_are_named },
		{ "what has no prototype is told", what_has_no_prototype_is_told },
		{ "nothing is endless", nothing_is_endless },
		{ "a prototype is shown", a_prototype_is_shown },
		{ "numbers are listed", numbers_are_listed },
		{ 0 }
	};
	int ret;

	make();
	ret = unit_run(tests);
	clean();
	return ret;
}
#else
#include "unit.h"

int main(void)
{
	return unit_skip("libbpf is not here");
}
#endif
