package bind

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A producer gives the value of a candidate.
type producer interface {
	produce(t *Table, n *Candidate) (value.Value, error)
	// constant returns a value that needs no evaluation.
	constant() (value.Value, bool)
}

// producerOf returns the producer of a binding, nil for an abstract one.
func (c *composer) producerOf(op *Bind) producer {
	switch {
	case op.Producer != nil:
		p := namedProducer{name: op.Producer.Name, at: op.Producer.At}
		if op.Options != nil {
			p.args, p.singleton = op.Options.Args, op.Options.Singleton
		}
		return p
	case op.Value != nil:
		return exprProducer{op.Value}
	}
	return nil
}

// exprProducer evaluates an expression.
type exprProducer struct{ expr Expr }

func (p exprProducer) constant() (value.Value, bool) { return p.expr.Constant() }

func (p exprProducer) produce(t *Table, _ *Candidate) (value.Value, error) {
	return p.expr.Eval(t.scope)
}

// aliasProducer gives the value of another key.
type aliasProducer struct{ key Key }

func (p aliasProducer) constant() (value.Value, bool) { return value.Null, false }

// produce looks the other key up as a whole, with the strategy and the conversion that its own data asks for.
func (p aliasProducer) produce(t *Table, n *Candidate) (value.Value, error) {
	e, err := t.resolve(p.key)
	if err != nil {
		return value.Null, err
	}
	a, err := t.whole(Answer{Key: KeyPath{Text: p.key.Text()}}, e, Request{})
	if err != nil || a.Found {
		return a.Value, err
	}
	return value.Null, source.Errorf(n.At, source.NotFound, "nothing binds %s", p.key).DidYouMean(p.key.Name, t.boundNames(p.key))
}

// copiedProducer gives the value of a candidate that was renamed or bound again: with the marks of its file and of the
// facts that chose it, and converted as the data asks for the old name.
type copiedProducer struct{ of *Candidate }

func (p copiedProducer) constant() (value.Value, bool) {
	if p.of.Level != nil {
		return value.Null, false
	}
	return p.of.producer.constant()
}

func (p copiedProducer) produce(t *Table, _ *Candidate) (value.Value, error) {
	v, err := t.value(p.of)
	if err != nil {
		return v, err
	}
	v = v.Mark(t.marksOf([]*Candidate{p.of}))
	if p.of.Level == nil {
		return v, nil
	}
	e := t.entry(p.of.Key)
	rule, err := t.rule(e, false)
	if err != nil || rule == nil || rule.Convert == nil || p.of.fallback {
		return v, err
	}
	a, err := t.convertedBy(rule, Answer{Key: KeyPath{Text: p.of.Key.Text()}, Value: v, At: p.of.At, entry: e})
	return a.Value, err
}

// namedProducer calls a function of the Go program.
type namedProducer struct {
	name      string
	at        source.Span
	args      Expr
	singleton bool
}

func (p namedProducer) constant() (value.Value, bool) { return value.Null, false }

// produce calls the function with the evaluated arguments. It fails with bad-value unless the function returns a
// diagnostic itself.
func (p namedProducer) produce(t *Table, _ *Candidate) (value.Value, error) {
	f := t.config.Producers[p.name]
	if f == nil {
		return value.Null, source.Errorf(p.at, source.UnknownProducer, "unknown producer '%s': producers are functions of the Go program", p.name).
			DidYouMean(p.name, maps.Keys(t.config.Producers))
	}
	args := value.Null
	if p.args != nil {
		var err error
		if args, err = p.args.Eval(t.scope); err != nil {
			return value.Null, err
		}
	}
	v, err := f(args)
	if err != nil {
		return value.Null, source.AsDiagnostic(err, p.at, source.BadValue)
	}
	return v, nil
}

// value returns the value of a candidate, which is evaluated once. A named producer that is
// no singleton is called for each lookup.
func (t *Table) value(n *Candidate) (value.Value, error) {
	switch n.state {
	case done:
		return n.val, n.err
	case running:
		return value.Null, t.running(n)
	}
	n.state = running
	t.current = append(t.current, n)
	v, err := n.producer.produce(t, n)
	v = v.Mark(n.fileMarks())
	t.current = t.current[:len(t.current)-1]
	n.state = newMemo
	if n.varies() {
		return v, err
	}
	if d := (*source.Diagnostic)(nil); errors.As(err, &d) && d.Code == source.LookupCycle {
		return v, err // asked from elsewhere it may have a value
	}
	n.state, n.val, n.err = done, v, err
	return v, err
}

// varies reports whether each lookup of a candidate makes a new value.
func (n *Candidate) varies() bool {
	switch p := n.producer.(type) {
	case namedProducer:
		return !p.singleton
	case copiedProducer:
		return p.of.varies()
	}
	return false
}

// running reports a candidate that needs its own value by another key: a.x needs a.
func (t *Table) running(n *Candidate) error {
	name := n.Key.Text()
	from := slices.IndexFunc(t.stack, func(s string) bool { return s == name || strings.HasPrefix(s, name+".") })
	if from < 0 {
		return source.Errorf(n.At, source.LookupCycle, "%s needs its own value", n.Key)
	}
	return source.Errorf(n.At, source.LookupCycle, "'%s' needs its own value: %s", name, steps(t.stack[from:]))
}

// steps returns the names of a cycle, of which a long one is cut.
func steps(names []string) string {
	if len(names) > 12 {
		names = slices.Concat(names[:6], []string{"..."}, names[len(names)-5:])
	}
	return strings.Join(names, " -> ")
}

// fileMarks returns the mark of the values of an encrypted file.
func (n *Candidate) fileMarks() value.Marks {
	if f := n.At.File; f != nil && f.Secret {
		return value.Secret
	}
	return 0
}
