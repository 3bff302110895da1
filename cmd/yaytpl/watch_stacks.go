package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/watch"
	"github.com/yaytpl/yaytpl/workspace"
)

// A watchedStack is what became of a stack in the last revision that evaluated it.
type watchedStack struct {
	stack    workspace.Stack
	inputs   *yaytpl.Inputs
	result   stackResult
	err      error
	warnings []*source.Diagnostic
}

// A shownStack has the documents of a target, or of the FILEs, in the result that was compared last.
type shownStack struct {
	target string
	docs   []value.Value
}

// A stackResult is the result of a stack: its text, its project for a tick of the clock and, for --diff, its
// documents.
type stackResult struct {
	text    []byte
	project *yaytpl.Project
	docs    []value.Value
}

// evaluate returns the result of a revision, or with --out which files it wrote and removed. Stacks whose
// inputs have not changed keep their result.
func (w *watching) evaluate(ctx context.Context, r *watch.Revision) ([]byte, error) {
	if d := w.flags.project.timeout.d; d > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, d)
		defer stop()
	}
	f := w.flags
	w.renewKeys(&f.project, r.Changed)
	f.project.timeout, f.project.workspace.found = duration{}, nil
	common := &yaytpl.Inputs{} // of all stacks
	f.project.revise = func(o yaytpl.Options) yaytpl.Options {
		o = r.Options(o)
		o.Stdin, o.Inputs = w.stdin.reader(), common
		return o
	}
	s, err := f.project.workspace.search(w.app)
	if s != nil {
		s.Note(r.Inputs)
	}
	if err != nil {
		return nil, err
	}
	all := w.stacks == nil || affected(r.Inputs, r.Changed) // all stacks are evaluated
	stacks, err := f.project.workspace.stacks(w.app, w.cobra, w.words)
	if err != nil {
		return nil, err
	}
	r.Inputs.Join(common)
	if f.toFiles() {
		err := f.project.renderFiles(ctx, w.app, w.words, stacks, w.render, &f.out)
		return f.out.wrote, err
	}
	ctx, o, err := f.project.prepare(ctx, w.app, w.words, stacks, w.showWarning)
	if err != nil {
		return nil, err
	}
	return w.evaluateStacks(ctx, r, stacks, o, all)
}

// renewKeys makes a new decrypter if a file with keys or passphrases has changed. Otherwise all revisions
// have the same one, which asks for a passphrase once.
func (w *watching) renewKeys(f *projectFlags, changed []yaytpl.Input) {
	keys := &w.flags.project.keys
	if keys.made != nil {
		for _, read := range keys.made.Reads() {
			if slices.ContainsFunc(changed, func(in yaytpl.Input) bool { return string(in.Kind) == read.Kind && in.Name == read.Name }) {
				keys.made = nil
				break
			}
		}
	}
	if keys.made == nil {
		_, _ = keys.decrypter(w.app, f.options.AllowExec) // each use returns the error again
	}
	f.keys = *keys
}

// evaluateStacks evaluates the stacks whose inputs have changed, or all, and returns the results of all
// stacks one after the other.
func (w *watching) evaluateStacks(ctx context.Context, r *watch.Revision, stacks []workspace.Stack, o yaytpl.Options, all bool) ([]byte, error) {
	before := w.stacks
	w.stacks = map[string]*watchedStack{}
	states := make([]*watchedStack, len(stacks))
	var stale []workspace.Stack
	for i, s := range stacks {
		st := cmp.Or(before[keyOf(s)], &watchedStack{})
		switch {
		case !all && st.inputs != nil && !affected(st.inputs, r.Changed):
		case !all && w.tick(ctx, r, st):
			st.result, st.err = w.evaluateStack(len(stacks) > 1)(s, st.result.project)
		default:
			st = &watchedStack{}
			stale = append(stale, s)
		}
		st.stack, states[i], w.stacks[keyOf(s)] = s, st, st
	}
	o.Inputs = nil // each stack has its own
	for result := range workspace.All(ctx, stale, o, w.evaluateStack(len(stacks) > 1)) {
		st := w.stacks[keyOf(result.Stack)]
		st.result, st.err, st.warnings, st.inputs = result.Value, result.Err, result.Warnings, result.Inputs
		if isTimeout(st.err) {
			st.err = timeoutError()
		}
	}
	g := w.gather(stacks)
	var err error
	var out bytes.Buffer
	most := o.Limits.WithDefaults().Output
	for _, st := range states {
		if st.inputs != nil {
			r.Inputs.Join(st.inputs)
		}
		if len(states) == 1 { // two of its findings may differ in their notes
			err = st.err
			for _, d := range st.warnings {
				w.showWarning(d)
			}
		} else {
			g.takeResult(st.stack, st.warnings, st.err)
			err = g.err()
		}
		if out.Len()+len(st.result.text) > most {
			return nil, source.Errorf(source.Span{}, source.Limit, "the output is longer than the limit of %d bytes (--max-bytes)", most)
		}
		out.Write(st.result.text)
	}
	if err != nil {
		return w.oneResult(out.Bytes()), err
	}
	return w.oneResult(out.Bytes()), w.compare(states)
}

// tick moves the time of a stack of which nothing else has changed, and reports whether its project can be
// asked again. Values to compare with would be lost.
func (w *watching) tick(ctx context.Context, r *watch.Revision, st *watchedStack) bool {
	clock := !slices.ContainsFunc(r.Changed, func(in yaytpl.Input) bool { return in.Kind != yaytpl.ClockInput })
	return clock && !w.diff && st.err == nil && st.result.project != nil && st.result.project.Tick(ctx, r.Now)
}

// keyOf returns the key of a stack among others: its target and files.
func keyOf(s workspace.Stack) string {
	name := ""
	if s.Target != nil {
		name = s.Target.Name
	}
	return fmt.Sprintf("%s\x00%q", name, s.Files)
}

// affected reports whether something of inputs is among those that changed. A file may be missing for one and
// there for another.
func affected(inputs *yaytpl.Inputs, changed []yaytpl.Input) bool {
	return slices.ContainsFunc(changed, func(in yaytpl.Input) bool {
		return inputs.Has(in.Kind, in.Name) || in.Kind == yaytpl.AbsentInput && inputs.Has(yaytpl.FileInput, in.Name) ||
			in.Kind == yaytpl.FileInput && inputs.Has(yaytpl.AbsentInput, in.Name)
	})
}

// evaluateStack returns the function that evaluates one stack, which is one of several or the only one.
func (w *watching) evaluateStack(several bool) func(workspace.Stack, *yaytpl.Project) (stackResult, error) {
	return func(s workspace.Stack, p *yaytpl.Project) (stackResult, error) {
		o := ofTarget(w.render, s)
		if several {
			o.Place = yaytpl.Later
		}
		var b bytes.Buffer
		err := p.Render(&b, o)
		result := stackResult{text: b.Bytes()}
		if err == nil {
			result.project = p
		}
		if err == nil && w.diff {
			result.docs, err = w.flags.project.documentValues(p)
		}
		return result, err
	}
}

// oneResult returns the documents of a revision as they are printed: with -o jsonl one line.
func (w *watching) oneResult(text []byte) []byte {
	switch w.render.Form {
	case "", "yaml":
		return bytes.TrimPrefix(text, []byte("---\n"))
	case "jsonl":
		lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		if len(lines) == 1 && len(text) > 0 && !w.mayBeSeveral() {
			return text
		}
		if len(text) == 0 {
			lines = nil
		}
		return slices.Concat([]byte("["), bytes.Join(lines, []byte(",")), []byte("]\n"))
	}
	return text
}

// mayBeSeveral reports whether the number of documents can change without another reason than a file that
// appears or an item that is added.
func (w *watching) mayBeSeveral() bool {
	for _, st := range w.stacks {
		if ofTarget(w.render, st.stack).Each != "" {
			return true
		}
	}
	return w.mayBeTargets()
}

// mayBeTargets reports whether the number of targets can change.
func (w *watching) mayBeTargets() bool {
	targets := 0
	for _, word := range w.words {
		if workspace.IsPattern(word) {
			return true
		}
		if workspace.IsTarget(word) {
			targets++
		}
	}
	return targets > 1 || len(w.words) == 0
}

// compare notes for --diff what changed since the last result that was shown. The documents of a target that is no
// more are deleted.
func (w *watching) compare(states []*watchedStack) error {
	w.changes = nil
	if !w.diff {
		return nil
	}
	before := w.compared
	w.compared = make([]shownStack, len(states))
	for i, st := range states {
		w.compared[i] = shownStack{docs: st.result.docs}
		if st.stack.Target != nil {
			w.compared[i].target = st.stack.Target.Name
		}
	}
	for _, now := range w.compared {
		if err := w.compareDocuments(now.target, take(&before, now.target), now.docs); err != nil {
			return err
		}
	}
	for _, gone := range before {
		if err := w.compareDocuments(gone.target, gone.docs, nil); err != nil {
			return err
		}
	}
	return nil
}

// take removes a target from a list, and returns its documents. It usually is the first one, since targets have an order.
func take(from *[]shownStack, target string) []value.Value {
	i := slices.IndexFunc(*from, func(s shownStack) bool { return s.target == target })
	if i < 0 {
		return nil
	}
	docs := (*from)[i].docs
	if i == 0 {
		*from = (*from)[1:]
	} else {
		*from = slices.Delete(*from, i, i+1)
	}
	return docs
}

// compareDocuments adds the changes of the documents of a target.
func (w *watching) compareDocuments(target string, before, now []value.Value) error {
	compare, pairs := comparison(w.render, false)
	changes, err := changesOf(before, now, compare, pairs)
	for _, c := range changes {
		if target != "" && w.mayBeTargets() {
			c.doc = "@" + target + " " + c.doc
		}
		w.changes = append(w.changes, c)
	}
	return err
}
