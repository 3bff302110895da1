package library

import (
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Past is what programs remember of earlier evaluations, when files are evaluated again and again (spec:
// mcl, section 8): the values that variables had, for $x{n}; the outputs of the commands of os.system, which
// run again when their text changes; the letters of random1. [Past.Next] divides the evaluations.
//
//	evaluation   $x    Next   the series of $x   $x{1}
//	1            a     a                         an error
//	2            a     a      a                  an error
//	3            b     b a    a                  a
//	4            b     b a    b a                a
//
// A program whose text has changed remembers nothing, since its places are others. One that was wrong meanwhile
// and has its old text again does.
//
// A nil Past remembers nothing. A Past is safe for concurrent use.
type Past struct {
	mu       sync.Mutex
	parts    map[string]*Past
	asked    bool                    // since the last Next
	number   int                     // of the evaluation
	files    map[string]*source.File // the texts that the places are of, by their names
	series   map[Site]*series        // of variables, by their definitions
	commands map[command]*output
	letters  map[source.Span]string
}

// A Site is a place of a program in one of the frames in which it is executed.
type Site struct {
	At    source.Span
	Frame string // the place of the program in the document, and the calls, classes and turns of loops around
}

// A series has the values of a variable, the newest first, before the present evaluation.
type series struct {
	values []value.Value
	now    value.Value // of the present evaluation
	most   int         // values that are asked for
}

// maxSeries is the number of earlier values of a variable that are remembered, and maxVariables the number of
// variables.
const (
	maxSeries    = 1000
	maxVariables = 10_000
)

// A command is a call of os.system with its text.
type command struct {
	Site
	text string
}

// An output is what a command wrote.
type output struct {
	line string
	used int // the number of the last evaluation that asked for it
}

// Part returns the past of one of several things that are evaluated side by side.
func (p *Past) Part(name string) *Past {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.parts == nil {
		p.parts = map[string]*Past{}
	}
	if p.parts[name] == nil {
		p.parts[name] = &Past{}
	}
	return p.parts[name]
}

// Next begins another evaluation. If the last one was good, commands that it did not ask for are
// forgotten. A part that was not evaluated stays as it is.
func (p *Past) Next(good bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, part := range p.parts {
		part.Next(good)
	}
	if !p.asked {
		return
	}
	for _, s := range p.series {
		s.settle()
	}
	for c, o := range p.commands {
		if good && o.used < p.number {
			delete(p.commands, c)
		}
	}
	p.asked = false
	p.number++
}

// settle adds the value of an evaluation to the series if it is another one.
func (s *series) settle() {
	if len(s.values) > 0 {
		if same, err := value.Equal(s.values[0], s.now); same && err == nil {
			return
		}
	}
	s.values = slices.Insert(s.values, 0, s.now)
	s.values = s.values[:min(len(s.values), s.most+1)]
}

// Before notes the value that a variable has now, and returns the one that it had before it changed so many
// times; false if it has not changed so often, or that is no longer known.
func (p *Past) Before(v Site, now value.Value, back int) (value.Value, bool) {
	if p == nil || back > maxSeries {
		return value.Null, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = true
	p.renew(v.At.File)
	s := p.series[v]
	if s == nil {
		if len(p.series) >= maxVariables {
			return value.Null, false
		}
		s = &series{}
		p.series[v] = s
	}
	s.now, s.most = now, max(s.most, back)
	if len(s.values) == 0 {
		return value.Null, false
	}
	if same, err := value.Equal(s.values[0], now); err == nil && !same {
		back--
	}
	if back >= len(s.values) {
		return value.Null, false
	}
	return s.values[back], true
}

// renew forgets what the places of a file remember if its text is another one now.
func (p *Past) renew(f *source.File) {
	old := p.files[f.Name]
	if old == f {
		return
	}
	if p.files == nil {
		p.files, p.series, p.commands = map[string]*source.File{}, map[Site]*series{}, map[command]*output{}
	}
	p.files[f.Name] = f
	if old == nil {
		return
	}
	same := old.Text == f.Text
	rebase(p.series, old, f, same, func(s *Site) *source.Span { return &s.At })
	rebase(p.commands, old, f, same, func(c *command) *source.Span { return &c.At })
	rebase(p.letters, old, f, same, func(at *source.Span) *source.Span { return at })
}

// rebase moves the memory of the places of a file to the places of another one, or forgets it.
func rebase[K comparable, V any](m map[K]V, from, to *source.File, keep bool, at func(*K) *source.Span) {
	for k, v := range m {
		place := at(&k)
		if place.File != from {
			continue
		}
		delete(m, k)
		if keep {
			place.File = to
			m[k] = v
		}
	}
}

// output returns the last line of a command, which run returns, unless the same call had the same text before.
func (p *Past) output(at Site, text string, run func() (string, error)) (string, error) {
	if p == nil {
		return run()
	}
	if o, ok := p.known(command{at, text}); ok {
		return o, nil
	}
	line, err := run()
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.commands[command{at, text}] = &output{line, p.number}
	}
	return line, err
}

// known returns the last line of a command that ran before.
func (p *Past) known(c command) (line string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = true
	p.renew(c.At.File)
	o := p.commands[c]
	if o == nil {
		return "", false
	}
	o.used = p.number
	return o.line, true
}

// Letters returns the texts of the calls of random1 so far, for [World.Random].
func (p *Past) Letters() map[source.Span]string {
	if p == nil {
		return map[source.Span]string{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = true
	if len(p.letters) > maxVariables || p.letters == nil {
		p.letters = map[source.Span]string{}
	}
	return p.letters
}

// reads notes that a call in a file asks for its letters.
func (p *Past) reads(f *source.File) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.renew(f)
	}
}

// Lasting returns a copy of a value of the language that does not depend on its evaluation, and false for
// a function or what has one. step counts the work.
func Lasting(v value.Value, step func(n int) error) (value.Value, bool, error) {
	if err := step(1); err != nil {
		return value.Null, false, err
	}
	var items []value.Value
	add := func(item value.Value) (bool, error) {
		item, ok, err := Lasting(item, step)
		items = append(items, item)
		return ok && err == nil, err
	}
	switch {
	case v.Is(value.ListKind):
		for item, err := range value.Items(v.List()) {
			if err != nil {
				return value.Null, false, err
			}
			if ok, err := add(item); !ok {
				return value.Null, false, err
			}
		}
		return value.ListOf(items...).Mark(v.Marks()), true, nil
	case v.Is(value.MapKind):
		switch m := v.Map().(type) {
		case *types.Mapping:
			all := types.NewMapping(m.Len())
			for k, item := range m.Entries() {
				if ok, err := add(item); !ok {
					return value.Null, false, err
				}
				all.Set(k, items[len(items)-1])
			}
			return value.FromMap(all).Mark(v.Marks()), true, nil
		case *types.Structure:
			for _, item := range m.Items {
				if ok, err := add(item); !ok {
					return value.Null, false, err
				}
			}
			return value.FromMap(&types.Structure{Names: m.Names, Items: items}).Mark(v.Marks()), true, nil
		}
		return value.Null, false, nil
	case v.Is(value.FuncKind):
		return value.Null, false, nil
	}
	return v, true, nil
}
