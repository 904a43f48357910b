#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_recipes - each command of Documentation/recipes.rst, on a running kernel
# vm: --add Documentation/recipes.rst
# timeout: 1200
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

mkdir -p /tmp/recipes/bin
cd /tmp/recipes || exit
# What the recipes call make is work of any kind.
cat >bin/make <<'END'
#!/bin/sh
for i in 1 2 3; do
	dd if=/dev/zero of=/tmp/recipes/out bs=4k count=100 2>/dev/null
	ls -lR /sys/class/tty >/dev/null
	cat /nothing 2>/dev/null
	sh -c 'cat /proc/self/maps >/dev/null'
done
exit 0
END
chmod +x bin/make
cp /kprof/programs/regions benchmark
printf '#!/bin/sh\nexec /kprof/programs/inlines 1000\n' >program
chmod +x program
PATH=$PWD/bin:$PATH
load >/dev/null 2>&1 &
load=$!

# what_is_wrong COMMAND: it is run, for a second each; nothing, or why it is no answer
what_is_wrong() {
	sh -c "$(echo "$1" | sed -E 's/ -d [0-9]+/ -d 1/; s/ -i 1 --interval-count [0-9]+/ -i 0.5 --interval-count 2/')" \
		>said 2>err </dev/null
	status=$?
	case $1 in
	*" -e cycles"*)
		# Where the machine has no such counter, that is said.
		[ $status = 0 ] || grep -q 'cycles' err || echo "no word about the counter"
		return ;;
	"kprof index"*)
		# There is no debug information here, and that is said.
		[ $status = 0 ] || grep -q 'with debug information' err || cat err
		return ;;
	*" --inlined "*)
		# Nor has that command made an index.
		[ $status = 0 ] || grep -q "'kprof index' makes it" err || cat err
		return ;;
	"kprof blocks shuffle_freelist"*)
		[ $status = 0 ] || grep -q "the index that 'kprof index' makes knows where" err || cat err
		return ;;
	*allocate_slab*)
		# Where it is inlined, that is said, and what would help.
		[ $status = 0 ] || { [ $has_slab = 0 ] && grep -q 'inlined' err; } || cat err
		return ;;
	*ext4:*) [ $status = 1 ] || return ;;	# no module of that name here
	*) [ $status = 0 ] || [ $status = 3 ] || { echo "status $status: $(cat err)"; return; } ;;
	esac
	case $1 in
	*" > "*) [ -s "${1##* > }" ] || echo "${1##* > } is empty" ;;
	*"kprof record"*) [ -s kprof.data ] || echo "no recording" ;;
	*) [ -s said ] || [ -s err ] || echo "nothing was said" ;;
	esac
}

grep '^    kprof ' /kprof/recipes.rst 2>/dev/null >list || grep '^    kprof ' /recipes.rst >list
plan $(($(wc -l <list) + 2))
insmod "$MODULES/kprof_known.ko"
kprof record -o a.data -- make >/dev/null 2>&1
kprof record -o b.data -- make >/dev/null 2>&1
# Kernels since 6.18 have it no more by itself: what is compared is another function then.
has_slab=$(grep -c ' allocate_slab$' /proc/kallsyms)
[ "$has_slab" != 0 ] && compared=allocate_slab || compared=vfs_read
for run in before after off1 off2 off3 on1 on2 on3; do
	kprof lat $compared -o $run.data -- make >/dev/null 2>&1
done
while IFS= read -r line; do
	command=${line#    }
	is "$(what_is_wrong "$command")" "" "$command"
done <list
kill $load
wait $load 2>/dev/null
is "$(lsmod | grep -c '^kprof ')" 0 "no recipe leaves the module behind"

insmod /kprof/kprof.ko enable=0
echo 'vfs_*' 2>/dev/null >$KPROF/targets
matches "$(cat $KPROF/error)" "target=vfs_\\*: a pattern, which only the program knows.*kprof list 'vfs_\\*'" \
	"the module says who knows patterns"
rmmod kprof
rmmod kprof_known
