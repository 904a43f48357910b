# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found

# errors_of FUNCTION KEYS FILE: the values of the keys in calls that fail, a line each
errors_of() {
	kprof lat "$1" "by=$2" if=error==1 --csv -- /bin/sh -c "./$3; true" 2>/dev/null |
		sed -n '2,$ { s/"//g; s/\(,[0-9]*\)\{10\}$//; s/^[^,]*,//p }'
}

guilty=one
[ -n "$(errors_of bprm_execve '$retval:s32' one)" ] || guilty=two
answer guilty $guilty
kprof lat bprm_execve 'by=$retval:s32' -o kprof.data -- /bin/sh -c "./$guilty; true"

# One is called for a file that is no program, the other one for a bad pointer.
for sender in force_fatal_sig force_sig_fault; do
	[ -z "$(kprof lat $sender by=caller --csv -- /bin/sh -c "./two; true" 2>/dev/null | sed 1d)" ] ||
		answer sender $sender
done

# $arg6:x64=OFFSET,$retval:s32=VALUE
mapping=$(errors_of vm_mmap '$arg6:x64,$retval:s32' $guilty)
growing=$(errors_of vm_brk_flags '$retval:s32' $guilty)
if [ -n "$mapping" ]; then
	answer function vm_mmap
	answer value "${mapping##*=}"
	case $mapping in
	*=-12) answer field p_vaddr; answer sentence b ;;
	*000,*) answer field p_offset; answer sentence a ;;
	*) answer field p_vaddr; answer sentence d ;;
	esac
elif [ -n "$growing" ]; then
	answer function vm_brk_flags
	answer value "${growing##*=}"
	answer field p_memsz
	answer sentence f
else
	answer function load_elf_binary
	answer value "$(errors_of bprm_execve '$retval:s32' $guilty | sed 's/.*=//')"
	answer field p_filesz
	answer sentence c
fi
