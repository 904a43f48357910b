# SPDX-License-Identifier: GPL-2.0-only
#
# Makefile - what a person types; the work is in Kbuild, userspace/ and scripts/

# KDIR=DIR names a kernel's headers; KERNEL=6.1 takes those of scripts/kernels.
# ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- build for that, where KDIR is of it.
KDIR =
KERNEL =
DESTDIR =
PREFIX = /usr/local

BUILD_MODULE = scripts/build-module \
	$(if $(KERNEL),--kernel $(KERNEL),$(if $(KDIR),--kdir $(KDIR)))

.PHONY: all help module reader install uninstall deb rpm clean shell demo test test-matrix test-debug test-fresh test-labs torture fuzz bench check-style labs lab lab-here grade grade-all

all: module reader ## build kprof.ko and the reader (KDIR=DIR or KERNEL=6.1: for that kernel)

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

module: ## build kprof.ko, in build/RELEASE
	@$(BUILD_MODULE)

reader: ## build userspace/kprof
	@scripts/build-reader $(if $(KERNEL),--kernel $(KERNEL),$(if $(ARCH),--arch $(ARCH)))

# What modprobe goes by. kbuild makes it only where there is a System.map, which Debian's headers lack.
define update_modules
@[ -n "$(DESTDIR)" ] || for dir in /lib/modules/*/updates; do \
	[ ! -d "$$dir" ] || PATH="$$PATH:/sbin" depmod "$$(basename "$${dir%/updates}")"; \
done
endef

# The key that signs a distribution's modules is not here: do not try.
install: all ## install module, reader, kprof.h, manual pages and completion (DESTDIR, PREFIX)
	@$(BUILD_MODULE) modules_install INSTALL_MOD_PATH="$(DESTDIR)" INSTALL_MOD_DIR=updates \
		CONFIG_MODULE_SIG_ALL=
	@install -Dm755 userspace/kprof "$(DESTDIR)$(PREFIX)/bin/kprof"
	@install -Dm644 include/kprof.h "$(DESTDIR)$(PREFIX)/include/kprof.h"
	@install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions"
	@userspace/kprof completion bash >"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/kprof"
	@install -d "$(DESTDIR)$(PREFIX)/share/zsh/site-functions"
	@userspace/kprof completion zsh >"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_kprof"
	@install -d "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	@userspace/kprof completion fish >"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/kprof.fish"
	@$(foreach page,$(wildcard Documentation/man/*.1),\
		install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/man/man1" $(page);)
	$(update_modules)

uninstall: ## remove what install has put there, for all kernels (DESTDIR, PREFIX)
	@rm -f "$(DESTDIR)"/lib/modules/*/updates/kprof.ko* \
		"$(DESTDIR)$(PREFIX)/bin/kprof" "$(DESTDIR)$(PREFIX)/include/kprof.h" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/kprof" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_kprof" \
		"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/kprof.fish" \
		$(patsubst Documentation/man/%,"$(DESTDIR)$(PREFIX)/share/man/man1/%",$(wildcard Documentation/man/*.1))
	$(update_modules)

deb: ## Debian packages of the reader and, for dkms, of the module, in build/deb
	@scripts/build-packages deb

rpm: ## the same as RPMs, in build/rpm
	@scripts/build-packages rpm

clean: ## remove what was built; fetched kernels stay
	@rm -rf build kprof.ko
	@$(MAKE) --no-print-directory -C userspace clean

shell: KERNEL := $(or $(KERNEL),6.1)
shell: ## boot a kernel with kprof (KERNEL=6.12: that one) and give a shell
	@scripts/deps --kernel=$(KERNEL) reader module vm
	@$(MAKE) --no-print-directory module reader KERNEL=$(KERNEL)
	@scripts/vm --kernel $(KERNEL) --shell

labs: ## list the labs: something is wrong in a machine, find it
	@labs/run list

lab: ## boot a lab (LAB=1 SEED=42, KERNEL=6.1, BOOT=2)
	@labs/run shell --kernel $(or $(KERNEL),6.1) --boot $(or $(BOOT),1) "$(LAB)" "$(SEED)"

lab-here: ## the same on this machine, as root, where kprof is installed (LAB=1 SEED=42)
	@labs/run here "$(LAB)" "$(SEED)"

grade: ## check the answers to a lab (LAB=1 SEED=42, ANSWERS=file, HINT=question)
	@labs/run grade $(if $(ANSWERS),--answers "$(ANSWERS)") $(if $(HINT),--hint "$(HINT)") \
		"$(LAB)" "$(SEED)"

grade-all: ## grade what many have handed in, as CSV (DIR=folder)
	@labs/run grade-all "$(DIR)"

demo: ## boot a kernel, profile it, leave a flame graph in build/demo
	@scripts/demo

test: ## all tests, on 6.1 and 6.12; those that repeat exactly on 6.1-arm64 and 6.1-rt
	@tests/run

test-matrix: ## the module's tests on every kernel, into Documentation/kernels.rst (KERNELS="6.1-rt 7.2")
	@tests/matrix $(KERNELS)

test-debug: ## the module's tests and torture, on kernels with all their checkers
	@tests/run --only vm --kernel debug
	@tests/torture/run --kernel debug --minutes $(or $(MIN),5) $(if $(SEED),--seed $(SEED))

test-fresh: ## make reader and make module in a Debian that has only what they ask for
	@tests/fresh/run

test-labs: ## all labs with their solutions and wrong answers, on 6.1 and 6.12 (SEEDS=3, TOGETHER=1)
	@labs/run test --kernel 6.1 --kernel 6.12 --seeds $(or $(SEEDS),3) --together $(or $(TOGETHER),1)

torture: ## torment the module (MIN=minutes, SEED=number, KERNEL=debug: as that one says)
	@tests/torture/run --minutes $(or $(MIN),5) $(if $(SEED),--seed $(SEED)) \
		$(if $(KERNEL),--kernel $(KERNEL),--kernel 6.1 --kernel 6.12)

fuzz: ## give the reader broken and hostile input (MIN=minutes, SEED=number)
	@scripts/deps reader fuzz
	@tests/fuzz/run --keep --minutes $(or $(MIN),5) $(if $(SEED),--seed $(SEED))

bench: ## measure kprof beside its peers
	@scripts/bench

check-style: ## checkpatch, sparse and W=1, on 6.1 and 6.12
	@scripts/check-style
