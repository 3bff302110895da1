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
// A nil Past remembers nothing. A Past is safe for concurrent use.
type Past struct {
	mu       sync.Mutex
	parts    map[string]*Past
	asked    bool // since the last Next
	number   int  // of the evaluation
	series   map[Variable]*series
	files    map[string]*source.File // the texts that the variables are of, by their names
	commands map[command]*output
	letters  map[source.Span]string
}

// A Variable is a variable in one of the places where its program is executed.
type Variable struct {
	At    source.Span // its definition
	Frame string      // the calls, classes and turns of loops around it
}

// A series has the values of a variable, the newest first, before the present evaluation.
type series struct {
	values []value.Value
	now    value.Value // of the present evaluation
	most   int         // values that are asked for
}

// maxSeries is the number of earlier values of a variable that are remembered, and maxVariables that of
// variables.
const (
	maxSeries    = 1000
	maxVariables = 10_000
)

// A command is a call of os.system with its text.
type command struct {
	at   source.Span
	text string
}

// An output is what a command wrote.
type output struct {
	line string
	ran  int // the number of the evaluation in which it ran
	used int // and of the last one that asked for it
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
func (p *Past) Before(v Variable, now value.Value, back int) (value.Value, bool) {
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

// renew forgets the variables of a file whose text is another one now: the program has no past yet.
func (p *Past) renew(f *source.File) {
	if p.series == nil {
		p.series, p.files = map[Variable]*series{}, map[string]*source.File{}
	}
	old := p.files[f.Name]
	if old == f {
		return
	}
	p.files[f.Name] = f
	for v, s := range p.series {
		if v.At.File != old {
			continue
		}
		delete(p.series, v)
		if old.Text == f.Text {
			v.At.File = f
			p.series[v] = s
		}
	}
}

// output returns the last line of a command, which run returns; that of an earlier evaluation if the same
// call had the same text.
func (p *Past) output(at source.Span, text string, run func() (string, error)) (string, error) {
	if p == nil {
		return run()
	}
	c := command{at, text}
	p.mu.Lock()
	p.asked = true
	number := p.number
	if o := p.commands[c]; o != nil && o.ran < number {
		o.used = number
		p.mu.Unlock()
		return o.line, nil
	}
	p.mu.Unlock()
	line, err := run()
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.commands == nil {
			p.commands = map[command]*output{}
		}
		p.commands[c] = &output{line, number, number}
	}
	return line, err
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
