package yaytpl

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/lookup"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// BindingsOptions say for which node bindings are looked up.
type BindingsOptions struct {
	Facts       []string // files of facts, later ones win key by key
	FactValues  []string // NAME=VALUE, above the files
	Binds       []string // KEY=VALUE, above all layers; of equal keys the last one counts
	Environment string   // "" is the one that the source chooses

	AgentEnvironment string // that the node asks for
	ENC              string // file of an external node classifier
}

// Bindings are layered bindings, or a hierarchy of Hiera, composed for one node. Their methods
// are safe for concurrent use.
type Bindings struct {
	mu    sync.Mutex
	table *bind.Table
	opts  Options
}

// OpenBindings opens a source of bindings, such as a hiera.yaml, and composes them.
//
// Codes: access, syntax, bad-document, and those of composition: see docs/errors.md.
func OpenBindings(ctx context.Context, name string, o Options, b BindingsOptions) (*Bindings, error) {
	o.note()
	files := append([]string{name}, b.Facts...)
	opts := o.Engine(ctx, files...)
	facts, err := lookup.Facts(opts, b.Facts, b.FactValues)
	if err != nil {
		return nil, err
	}
	open, err := lookup.Open(ctx, b.source(name, opts))
	if err != nil {
		return nil, err
	}
	t, err := open.Compose(facts)
	if err != nil {
		return nil, err
	}
	return &Bindings{table: t, opts: o}, nil
}

// source returns the options of package lookup.
func (b BindingsOptions) source(name string, o engine.Options) lookup.Options {
	return lookup.Options{Engine: o, Source: name, Environment: b.Environment, AgentEnvironment: b.AgentEnvironment, ENC: b.ENC, Binds: b.Binds}
}

// An injector answers expressions of a document by bindings.
type injector struct{ b *Bindings }

// Inject implements [expr.Injector].
func (i injector) Inject(c expr.Injection) (value.Value, error) {
	i.b.mu.Lock()
	defer i.b.mu.Unlock()
	v, err := lookup.Inject(i.b.table, c)
	if err != nil {
		return value.Null, err
	}
	return lookup.Plain(i.b.table, v)
}

// Check evaluates everything and returns all findings: errors, and probable mistakes as
// warnings.
func (b *Bindings) Check() []*source.Diagnostic {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found []*source.Diagnostic
	for _, d := range append(b.table.Lint(), b.table.Force()...) {
		if d = b.opts.Checks.Apply(d); d != nil {
			found = append(found, d)
		}
	}
	return found
}

// A LookupRequest asks for the first of several keys that is bound.
type LookupRequest struct {
	Keys []string
	Type string // that the value must have, "" for any

	// Merge is how several sources are joined: first, unique, hash or deep. "" is what the data
	// says.
	Merge                             string
	KnockoutPrefix                    string // of deep
	SortMergedArrays, MergeHashArrays bool   // of deep

	// Default is the answer if nothing is bound, as typed on a command line, or nil.
	Default *string

	Reveal bool // explanations show secret values
}

// A LookupAnswer is the value of a key.
type LookupAnswer struct {
	Found bool
	Value value.Value

	keys     []string
	bindings *Bindings
	answer   bind.Answer
	reveal   bool
}

// Explanation returns how the answer came about, as data and as text.
func (a *LookupAnswer) Explanation() (value.Value, string) {
	a.bindings.mu.Lock()
	defer a.bindings.mu.Unlock()
	x := lookup.Explain(a.bindings.table, a.answer, a.reveal)
	return x.Value(), x.Text()
}

// Place returns where an edit of the value belongs: the place of the highest source that counts,
// and the path of the value in its file, "" if the file is not YAML. ok is false if nothing was
// found, or if BindingsOptions.Binds has the key.
func (a *LookupAnswer) Place() (at source.Span, path string, ok bool) {
	a.bindings.mu.Lock()
	defer a.bindings.mu.Unlock()
	at, keys, ok := lookup.Place(a.bindings.table, a.answer)
	if len(keys) > 0 {
		path = keys.String()
	}
	if strings.Contains(path, "::") {
		path = keys.Pointer()
	}
	return at, path, ok
}

// NotFound returns the error for callers that need a value.
//
// Code: not-found, with a near key.
func (a *LookupAnswer) NotFound() error {
	d := source.Errorf(source.Span{}, source.NotFound, "nothing binds %s", strings.Join(a.keys, ", "))
	a.bindings.mu.Lock()
	defer a.bindings.mu.Unlock()
	if near := lookup.Near(a.bindings.table, a.answer); near != "" {
		d.WithHint("did you mean %q?", near)
	}
	return d
}

// Lookup answers a request. A key that nothing binds is no error.
//
// Codes: usage for a malformed key, an unknown type or strategy; type-mismatch, merge-type,
// lookup-cycle, bad-interpolation and others of evaluation.
func (b *Bindings) Lookup(r LookupRequest) (*LookupAnswer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	request, err := r.parse()
	if err != nil {
		return nil, err
	}
	a, err := b.table.Lookup(request)
	if err != nil {
		return nil, err
	}
	answer := &LookupAnswer{Found: a.Found, keys: r.Keys, bindings: b, answer: a, reveal: r.Reveal}
	if !a.Found && r.Default != nil {
		answer.Found = true
		answer.Value, err = lookup.Default(b.table, *r.Default, request.Type)
		return answer, err
	}
	answer.Value, err = lookup.Plain(b.table, a.Value)
	return answer, err
}

func (r LookupRequest) parse() (bind.Request, error) {
	var out bind.Request
	for _, text := range r.Keys {
		k, err := bind.ParseKey(text)
		if err != nil {
			return out, source.Errorf(source.Span{}, source.Usage, "%s", err)
		}
		out.Keys = append(out.Keys, k)
	}
	if r.Type != "" {
		t, err := types.Parse(r.Type)
		if err != nil {
			return out, source.Errorf(source.Span{}, source.UnknownType, "%s", err)
		}
		out.Type = t
	}
	if r.Merge != "" {
		s, ok := bind.NewStrategy(r.Merge)
		if !ok {
			return out, source.Errorf(source.Span{}, source.Usage, "unknown merge strategy %q: there are first, unique, hash, deep", r.Merge)
		}
		out.Merge = s
		s.Knockout, s.Sort, s.Hashes = r.KnockoutPrefix, r.SortMergedArrays, r.MergeHashArrays
	}
	return out, nil
}

// Keys returns the keys of all data that begin with a prefix, at most 10,000, in the order of
// [Bindings.All]. It evaluates no value, and leaves out keys that are only in encrypted files.
//
// Codes: those of reading the data.
func (b *Bindings) Keys(prefix string) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	names, err := b.table.All()
	var keys []string
	for _, name := range names {
		if len(keys) < 10_000 && strings.HasPrefix(name, prefix) && b.table.IsPublic(name) {
			keys = append(keys, name)
		}
	}
	return keys, err
}

// All returns all effective data as one map.
func (b *Bindings) All() (value.Value, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	names, err := b.table.All()
	if err != nil {
		return value.Null, err
	}
	out := value.NewMap(len(names))
	for _, name := range names {
		a, err := b.table.Lookup(lookup.RequestOf(name))
		if err != nil {
			return value.Null, err
		}
		if !a.Found {
			continue
		}
		v, err := lookup.Plain(b.table, a.Value)
		if err != nil {
			return value.Null, err
		}
		out.Set(value.K(name), v)
	}
	return value.FromMap(out), nil
}

// WriteDot draws all data as a graph for Graphviz: solid edges lead from a key to the sets and files
// that its value comes from, dotted ones to those that are overridden or refused, and dashed ones to
// keys that it reads.
//
// Codes: limit, those of evaluating all data.
func (b *Bindings) WriteDot(w io.Writer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out bytes.Buffer
	if err := lookup.Draw(&out, b.table); err != nil {
		return err
	}
	return show.WriteTo(w, out.Bytes())
}

// WriteValue prints a value of the bindings in the form of o.
//
// Codes: output, redacted, bad-tag.
func (b *Bindings) WriteValue(w io.Writer, v value.Value, o RenderOptions) error {
	p := &Project{opts: b.opts}
	return p.WriteValue(w, v, o)
}
