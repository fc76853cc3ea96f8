# Everything a newcomer or a CI machine runs. The work is done by the scripts in
# scripts/; this file only names it.

.DEFAULT_GOAL := help
.PHONY: help setup demo test determinism bench lint fmt build install package container clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install what is missing (packages, the z3 program)
	@scripts/setup.sh

demo: setup ## build, then run the main job on a shipped example
	@scripts/demo.sh

test: setup ## check formatting and lints, then run every test
	@scripts/lint.sh
	@scripts/test.sh

determinism: setup ## check 200 kernels three times, idle and busy: the same results?
	@DUET_DETERMINISM=200 cargo test --release --locked -p duet --test determinism -- --nocapture

bench: setup ## measure speed and memory (make bench DIR=folder)
	@scripts/bench.sh $(DIR)

lint: setup ## check formatting and lints only
	@scripts/lint.sh

fmt: ## format the sources
	@cargo fmt --all

build: setup ## build the release program, target/release/duet
	@cargo build --release --locked -p duet

install: build ## install below a folder (make install PREFIX=~/.local)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install.sh

package: build ## write a tarball, a .deb and a wheel into target/package
	@cargo build --release --locked -p duet-serve
	@scripts/package.sh
	@scripts/wheel.sh

container: package ## build an image of Duet with buildah and try it (see scripts/container.sh)
	@scripts/container.sh

clean: ## remove everything that was built or downloaded
	@rm -rf target .duet
