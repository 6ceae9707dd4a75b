# BOTIX Developers. `make help` lists the targets; each is a script in scripts/ that can be run by itself.
.DEFAULT_GOAL := help
.PHONY: help run dev test build lint fmt e2e fuzz-api soak bench screenshots

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## serve the seeded dashboard (prints address, login and key)
	@scripts/run.sh

dev: ## serve it, rebuild and reload on every change
	@scripts/dev.sh

test: ## everything CI checks: format, lints, units, both databases, black-box and browser tests
	@scripts/test.sh

build: ## dist/botix: one optimised executable with the site and the migrations inside
	@scripts/build.sh

lint: ## format check, clippy for server and browser, architecture and dependency rules
	@scripts/lint.sh

fmt: ## format the Rust sources
	@cargo fmt --all

e2e: ## only the black-box and browser tests
	@scripts/e2e.sh

fuzz-api: ## hold the API to its OpenAPI document at length, and a client to its promise on a bad network
	@scripts/fuzz-api.sh long

soak: ## on each database, under load: kill the binary 200 times, take the database away for a minute, and count (fifteen minutes)
	@scripts/soak.sh sqlite kills 200
	@scripts/soak.sh postgres kills 200
	@scripts/soak.sh sqlite outage 60
	@scripts/soak.sh postgres outage 60

bench: ## the load and scale measurements of bench/
	@bench/run.sh

screenshots: ## take the README's screenshots from the real product
	@scripts/e2e.sh screenshots
