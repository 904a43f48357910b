// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_user_marker.c - markers (USDT) as targets, and their arguments as keys
 *
 * The program is this one. Its markers say of their arguments what is to be translated, whatever
 * is there; where they are in the file, labels and its mappings tell.
 */
#include <stdlib.h>
#include <unistd.h>

#include "marked.h"
#include "translated.h"

/* What a marker's arguments are, for this machine. */
#ifdef __x86_64__
#define PLAIN	"-4@%%eax 8@-16(%%rbp) 1@%%r12b -8@(%%rsp) 2@0x18(%%rsi)"
#define STRANGE	"4@$5 8@table(%%rip) 8@(%%rax,%%rbx,8) 8f@%%xmm0 1@%%ah 8@%%rax+1 8"
#define OTHER	"8@%%rdi"
#else
#define PLAIN	"-4@w0 8@[x29, -16] 1@x12 -8@[sp] 2@[x1, 24]"
#define STRANGE	"4@5 8@table 8@[x0, x1] 8f@d0 1@x31 8@x0+1 8"
#define OTHER	"8@x0"
#endif

unsigned short __attribute__((section(".probes"), used)) test_counter;

__attribute__((noinline, used)) void has_markers(void)
{
	__asm__ volatile(".globl at_plain\nat_plain:");
	MARKER("test", "plain", "test_counter", PLAIN, "i"(0));
	__asm__ volatile(".globl at_strange\nat_strange:");
	MARKER("test", "strange", "0", STRANGE, "i"(0));
	__asm__ volatile(".globl at_first\nat_first:");
	MARKER("test", "twice", "0", OTHER " " OTHER, "i"(0));
	__asm__ volatile(".globl at_second\nat_second:");
	MARKER("test", "twice", "0", PLAIN, "i"(0));
	/* Names as a file may have them, to be read as more than a name. */
	MARKER("test", "plain()|vfs_read", "0", OTHER, "i"(0));
	MARKER("test", "plain by=comm\\nvfs_write", "0", OTHER, "i"(0));
	MARKER("test", "plain@1", "0", OTHER, "i"(0));
	MARKER("other|vfs_read", "sly", "0", OTHER, "i"(0));
}

/* FORMAT with this program, and the places of up to two markers, in it. */
static const char *text(const char *format, const char *one, const char *other)
{
	static struct buf out;
	char place[2][5000];
	unsigned long counter = offset_of(&test_counter);

	snprintf(place[0], sizeof(place[0]), one == at_plain ? "%s:0x%lx@0x%lx" : "%s:0x%lx", self,
		 offset_of(one), counter);
	snprintf(place[1], sizeof(place[1]), other == at_plain ? "%s:0x%lx@0x%lx" : "%s:0x%lx",
		 self, offset_of(other), counter);
	buf_free(&out);
	buf_printf(&out, format, place[0], place[1]);
	return out.data;
}

#ifdef __x86_64__
#define AX "%%ax"
#define BP "%%bp"
#define R12 "%%r12"
#define SP "%%sp"
#define SI "%%si"
#define DI "%%di"
#else
#define AX "%%x0"
#define BP "%%x29"
#define R12 "%%x12"
#define SP "%%sp"
#define SI "%%x1"
#define DI "%%x0"
#endif

static void test_places(void)
{
	CHECK(offset_of(at_plain) && offset_of(&test_counter));
	expect("%s:test:plain as=it", text("%s() as=it\n", at_plain, NULL));
	expect("%s:test:plain() as=it", text("%s() as=it\n", at_plain, NULL));
	expect("%s:test:twice as=it", text("%s()|%s() as=it\n", at_first, at_second));
	expect("%s:test:twice@2 as=it", text("%s() as=it\n", at_second, NULL));
	expect("%s:test:plain..%s:test:strange as=it", text("%s()..%s() as=it\n", at_plain,
							    at_strange));
	expect("vfs_read..%s:test:plain as=it", text("vfs_read..%s() as=it\n", at_plain, NULL));
}

static void test_pattern(void)
{
	struct buf given = { 0 }, lines = { 0 }, expected = { 0 };

	buf_printf(&given, "%s:test:[ps]*", self);
	CHECK(!user_target_translate(given.data, add, &lines));
	buf_printf(&expected, "match %s", text("%s()", at_plain, NULL));
	buf_printf(&expected, " as=%s:test:plain\n", self);
	buf_printf(&expected, "match %s", text("%s()", at_strange, NULL));
	buf_printf(&expected, " as=%s:test:strange\n", self);
	CHECK_STR(lines.data, expected.data);
	expect("%s:other*:sly", "refused");
	expect("%s:test:plain?*", "refused");
	buf_free(&given);
	buf_free(&lines);
	buf_free(&expected);
}

static void test_arguments(void)
{
	expect("%s:test:plain by=$arg1,$arg2,$arg3,$arg4,$arg5 as=it",
	       text("%s() by=$arg1=" AX ":s32,$arg2=-16(" BP "):u64,$arg3=" R12 ":u8,$arg4=+0(" SP
		    "):s64,$arg5=+24(" SI "):u16 as=it\n", at_plain, NULL));
	expect("%s:test:plain by=comm,log2($arg2),n=$arg1&6,+8(+0x4($arg2)):string as=it",
	       text("%s() by=comm,log2($arg2)=log2(-16(" BP "):u64),n=" AX "&6:s32,"
		    "+8(+0x4($arg2)):string=+8(+0x4(-16(" BP "))):string as=it\n",
		    at_plain, NULL));
	expect("%s:test:plain if=$arg1&6,$arg1&6==2,$arg1:u8>3 as=it",
	       text("%s() if=" AX ":s32&6," AX "&6:s32==2," AX ":u8>3 as=it\n", at_plain, NULL));
	expect("%s:test:plain($arg1==-3,$arg2&1) as=it",
	       text("%s(" AX ":s32==-3,-16(" BP "):u64&1) as=it\n", at_plain, NULL));
	expect("%s:test:twice($arg2>1) as=it",
	       text("%s(" DI ":u64>1)|%s(-16(" BP "):u64>1) as=it\n", at_first, at_second));
	expect("%s:test:twice@1..%s:test:plain by=$arg1,end($arg1) as=it",
	       text("%s()..%s() by=$arg1=" DI ":u64,end($arg1)=end(" AX ":s32) as=it\n", at_first,
		    at_plain));
	expect("vfs_read..%s:test:plain by=$arg1,end($arg1) as=it",
	       text("vfs_read..%s() by=$arg1,end($arg1)=end(" AX ":s32) as=it\n", at_plain, NULL));
}

static void test_refused(void)
{
	char given[64];
	int i;

	for (i = 1; i <= 8; i++) {
		snprintf(given, sizeof(given), "%%s:test:strange by=$arg%d", i);
		expect(given, "refused");
	}
	expect("%s:test:plain by=$arg6", "refused");
	expect("%s:test:plain by=+8($arg1):u8", "refused");
	expect("%s:test:twice by=$arg1", "refused");
	expect("%s:test:plain|vfs_read by=$arg1", "refused");
	expect("%s:test:other", "refused");
	expect("%s:other:plain", "refused");
	expect("%s:test:other*", "refused");
	expect("%s:test:twice@3", "refused");
	expect("%s:test:twice@0", "refused");
	expect("%s:test:plain%%return", "refused");
	expect("%s:test:plain+4()", "refused");
	expect("/nowhere:test:plain", "refused");
	expect("/dev/null:test:plain", "refused");
}

static const struct unit_test tests[] = {
	{ "a marker is its places", test_places },
	{ "a pattern is the markers that match", test_pattern },
	{ "arguments are registers and memory", test_arguments },
	{ "what cannot be translated is refused", test_refused },
	{ NULL, NULL }
};

int main(void)
{
	has_markers();
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	return unit_run(tests);
}
