// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: what the kernel makes of each defect
 */
#include "06-bad-elf/params.h"
#include "truth.h"

const char *const lab_title = "Bad ELF";

static const struct {
	const char *function, *value, *field, *sentence;
} defects[BAD_ELF_NR] = {
	[BAD_ELF_FILESZ] = { "load_elf_binary", "-22 22 EINVAL -EINVAL", "p_filesz p_memsz", "c" },
	[BAD_ELF_ALIGN] = { "vm_mmap", "-22 22 EINVAL -EINVAL",
			    "p_vaddr p_offset p_align", "d" },
	[BAD_ELF_MEMSZ] = { "vm_brk_flags vm_brk do_brk_flags "
			    "__vm_enough_memory security_vm_enough_memory_mm", "-12 12 ENOMEM -ENOMEM",
			    "p_memsz", "f" },
	[BAD_ELF_VADDR] = { "get_unmapped_area __get_unmapped_area do_mmap vm_mmap_pgoff "
			    "vm_mmap", "-12 12 ENOMEM -ENOMEM", "p_vaddr", "b" },
	[BAD_ELF_OFFSET] = { "vm_mmap", "-22 22 EINVAL -EINVAL", "p_offset", "a" },
};

static const char *const files[] = { "one /lab/one ./one", "two /lab/two ./two" };

/* Who kills "two", of which the kernel can make a process, or cannot. */
static const char *const senders[] = {
	"force_sig_fault force_sig_fault_to_task __bad_area_nosemaphore bad_area_nosemaphore "
	"__bad_area bad_area do_user_addr_fault arm64_force_sig_fault do_bad_area do_page_fault "
	"exc_page_fault asm_exc_page_fault do_translation_fault do_mem_abort el0_ia",
	"force_fatal_sig bprm_execve",
};

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	struct bad_elf_params p;
	const char **hint;

	(void)ledger;	/* there is no module */
	bad_elf_params(&p, token);

	hint = truth_word(t, "guilty", 10,
			  "The file that the kernel cannot make a process of: one or two.",
			  files[p.guilty]);
	hint[0] = "One of the two programs gets as far as its first instruction.";
	hint[1] = "Does execve succeed? The kernel's function for that is bprm_execve.";
	hint[2] = "kprof lat bprm_execve by='$retval:s32' -- ./one, and the same for two.";

	hint = truth_word(t, "sender", 15,
			  "The function that sends SIGSEGV to two: the outermost with force_ in its name, "
			  "or its caller.",
			  senders[p.guilty]);
	hint[0] = "A page fault sends a signal in one way, a failed execve in another.";
	hint[1] = "kprof list sig: functions with force_ in front of their names send signals that "
		  "cannot be ignored.";
	hint[2] = "kprof lat 'force_*' by=caller -- ./two: which of them is not called by another "
		  "one?";

	hint = truth_word(t, "function", 20,
			  "The innermost function that fails while the guilty one is loaded: its name.",
			  defects[p.defect].function);
	hint[0] = "load_elf_binary calls others; one of them may have failed before it did.";
	hint[1] = "It maps the file (vm_mmap), and memory that has no file (vm_brk_flags).";
	hint[2] = "kprof lat vm_mmap by='$retval:s32' if=error==1 -- ./one, and vm_brk_flags. If none "
		  "of these fails, load_elf_binary has found something by itself.";

	hint = truth_word(t, "value", 15, "What that function returns: an error's name or number.",
			  defects[p.defect].value);
	hint[0] = "What a function returns is a key: $retval.";
	hint[1] = "by='$retval:s32' shows it as a signed number.";
	hint[2] = "Errors are negative; their names are in errno(3): -2 is ENOENT.";

	hint = truth_word(t, "field", 15, "The field of the program header that is wrong: p_...",
			  defects[p.defect].field);
	hint[0] = "Two segments are to be loaded. What was the function that failed asked for?";
	hint[1] = "vm_mmap(file, address, length, protection, flags, offset): look at its arguments. Which "
		  "field do they come from?";
	hint[2] = "hexdump -C -s 120 -n 56 one: the second program header. elf(5) has its fields, of 4, 4 "
		  "and then 8 bytes each, and what must hold between them.";

	hint = truth_word(t, "sentence", 5,
			  "Which sentence of elf(5), of those in README, the file is at odds with: a letter.",
			  defects[p.defect].sentence);
	hint[0] = "Some of them are about one field, others about two at once.";
	hint[1] = "Where two fields contradict each other, there is a sentence about both.";
	hint[2] = "hexdump -C -s 120 -n 56 one: take the fields one by one, and read each sentence "
		  "with the number that is there.";

	hint = truth_seen(t, 10, "load_elf_binary force_fatal_sig bprm_execve vm_mmap vm_brk_flags");
	hint[0] = "kprof lat -o kprof.data leaves a recording.";
}
