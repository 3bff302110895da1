# The commands that contributors use; CONTRIBUTING.md tells more.
.DEFAULT_GOAL := help
.PHONY: help build test lint ci fuzz corpus bench docs-update install release-files release-snapshot

GORELEASER := github.com/goreleaser/goreleaser/v2@v2.14.3

PKG ?= .
FUZZ ?= .
FUZZTIME ?= 30s

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

build: ## the command, as bin/yaytpl
	go build -trimpath -o bin/ ./cmd/yaytpl

test: ## all tests
	go test ./...

lint: ## formatting, vet and staticcheck
	.ci/run formatted vetted linted

ci: ## everything that a change must pass
	.ci/run

fuzz: ## one fuzz test: make fuzz PKG=./expr FUZZ=FuzzParse FUZZTIME=1m
	go test $(PKG) -run '^$$' -fuzz '$(FUZZ)' -fuzztime $(FUZZTIME) -fuzzminimizetime 3s

corpus: ## keep the best inputs that fuzzing left in Go's cache: make corpus PKG=./expr
	go run -C bench ./corpus $(PKG)

bench: ## the benchmarks of a package: make bench PKG=./lang/yaml
	go test $(PKG) -run '^$$' -bench . -benchmem

docs-update: ## write what the examples print into the pages of docs
	go test ./docs -update

install: ## the command into the directory of go install
	go install -trimpath ./cmd/yaytpl

release-files: ## man pages and completions, below bin/release
	go test -count=1 ./cmd/yaytpl -run '^TestReleaseFiles$$' -args -release-dir bin/release -release-date $$(git log -1 --format=%ct)

release-snapshot: ## all archives and packages of a release, below dist, from the last commit
	go run $(GORELEASER) release --snapshot --clean --skip=publish
