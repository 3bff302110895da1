package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/resultcache"
	"github.com/yaytpl/yaytpl/workspace"
)

// cacheFlags are the flags of commands whose results can be kept for later runs.
type cacheFlags struct{ dir text }

func (f *cacheFlags) addTo(g flagGroup) {
	g.set.Var(&f.dir, "cache", "keep results in `DIR`, and print them again while everything that they depend on is unchanged")
}

// cached runs a command that prints a result of stacks, unless the result of an earlier run is in the
// cache. A run with other words, another working directory, version or form of messages is another
// command.
//
// Not kept are results with values that were decrypted or revealed, results that depend on what cannot
// be compared (programs, URLs, the clock, chance, streams), and results of runs that fail.
func (f *projectFlags) cached(ctx context.Context, a *app, c *cacheFlags, stacks []workspace.Stack, o yaytpl.RenderOptions, do func() error) error {
	if !c.dir.given {
		return do()
	}
	if c.dir.s == "" {
		return usageErrorf("bad value %q for --cache: it takes the name of a directory", "")
	}
	if a.general.errors.is("sarif") {
		return usageErrorf("--cache excludes --errors sarif")
	}
	cache, err := resultcache.Open(a.inDir(c.dir.s))
	if err != nil {
		return err
	}
	run, err := f.cachedRun(ctx, a, cache, stacks)
	if err != nil {
		return err
	}
	if result, ok := run.Find(); ok {
		_, err := a.stdout.Write(result.Output)
		if err == nil {
			_, err = a.err.Write(result.Messages)
		}
		a.detail("the result is that of an earlier run")
		return err
	}
	f.options.Inputs = &yaytpl.Inputs{}
	var result resultcache.Result
	if result, err = a.copied(do); err != nil || a.raised {
		return err
	}
	if o.Reveal {
		a.detail("the result is not kept: it may have values of --reveal")
		return nil
	}
	why, err := run.Keep(f.options.Inputs, result)
	switch {
	case why != "":
		a.detail("the result is not kept: %s", why)
	case err != nil: // the result is right all the same
		a.remark("the result is not kept: %v", err)
	}
	return nil
}

// cachedRun returns the run of stacks as the cache knows it.
func (f *projectFlags) cachedRun(ctx context.Context, a *app, cache *resultcache.Cache, stacks []workspace.Stack) (*resultcache.Run, error) {
	dir, err := filepath.Abs(a.dir)
	if err != nil {
		return nil, err
	}
	_, onTerminal := openTerminal(a.err)
	words := append([]string{program(), dir, fmt.Sprint(a.colored(a.err), onTerminal)}, a.words...)
	var files []string
	for _, s := range stacks {
		words = append(words, fmt.Sprintf("%q", s.Files))
		files = append(files, s.Files...)
	}
	s, err := f.workspace.search(a)
	if err != nil {
		return nil, err
	}
	if s.Workspace != nil {
		words = append(words, s.Workspace.File.Path, s.Workspace.File.Text)
	}
	o, err := f.read(a, files...)
	if err != nil {
		return nil, err
	}
	return cache.Run(ctx, o, files, words...), nil
}

// program identifies this program: its version, and the file, since versions of one commit may differ.
func program() string {
	id := version()
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			id += fmt.Sprintf(" %s %d %d", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	return id
}

// copied calls do, prints its output and messages as usual, and returns a copy of them.
func (a *app) copied(do func() error) (resultcache.Result, error) {
	var output, messages bytes.Buffer
	if err := a.stdout.Flush(); err != nil {
		return resultcache.Result{}, nil // the end of the run reports it
	}
	a.stdout.copy, a.messages = &output, &messages
	defer func() { a.stdout.copy, a.messages = nil, nil }()
	err := do()
	if flushed := a.stdout.Flush(); err == nil {
		err = flushed
	}
	return resultcache.Result{Output: output.Bytes(), Messages: messages.Bytes()}, err
}

// detail prints a message with -v.
func (a *app) detail(format string, args ...any) {
	if a.general.verbose {
		a.remark("%s", strings.TrimSpace(fmt.Sprintf(format, args...)))
	}
}
