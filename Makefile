# Commands for contributors; CONTRIBUTING.md describes the work with them.
.DEFAULT_GOAL := help
.PHONY: help build test test-long lint ci fuzz corpus bench profile docs-update install release-files release-snapshot

GORELEASER := github.com/goreleaser/goreleaser/v2@v2.14.3

PKG ?= .
FUZZ ?= .
FUZZTIME ?= 30s

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

build: ## build the command as bin/yaytpl
	CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/yaytpl

test: ## run the tests, with a tenth of the inputs of laws
	go test ./...

test-long: ## run the tests with all inputs
	YAYTPL_LONG=1 go test ./...

lint: ## check the formatting, and run vet and staticcheck
	.ci/run formatted vetted linted

ci: ## run all checks that a change must pass
	.ci/run

fuzz: ## run one fuzz test: make fuzz PKG=./expr FUZZ=FuzzParse FUZZTIME=1m
	go test $(PKG) -run '^$$' -fuzz '$(FUZZ)' -fuzztime $(FUZZTIME) -fuzzminimizetime 3s

corpus: ## copy the best inputs from the fuzzing cache to testdata: make corpus PKG=./expr
	go run -C bench ./corpus $(PKG)

bench: ## run the benchmarks of a package: make bench PKG=./lang/yaml
	go test $(PKG) -run '^$$' -bench . -benchmem

profile: ## measure where benchmarks spend their time, for the compiler: cmd/yaytpl/release.pgo
	mkdir -p bin
	for p in ./internal/testing/system ./lang/yaml ./lang/mcl; do \
		go test $$p -run '^$$' -bench . -cpuprofile bin/$$(basename $$(realpath $$p)).prof -o bin/profiled.test || exit 1; \
	done
	go test -C bench . -run '^$$' -bench 'InProcess/.*/yaytpl' -cpuprofile $(CURDIR)/bin/programs.prof -o $(CURDIR)/bin/profiled.test
	go tool pprof -proto -output cmd/yaytpl/release.pgo bin/*.prof

docs-update: ## write the output of the examples to the pages of docs
	go test ./docs -update

install: ## install the command with go install
	CGO_ENABLED=0 go install -trimpath ./cmd/yaytpl

release-files: ## write man pages and completions below bin/release
	go test -count=1 ./cmd/yaytpl -run '^TestReleaseFiles$$' -args -release-dir bin/release -release-date $$(git log -1 --format=%ct)

release-snapshot: ## build the archives and packages of a release from the last commit, below dist
	go run $(GORELEASER) release --snapshot --clean --skip=publish
