package bindings

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/lookup"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Bindings are layered bindings, or a hierarchy of Hiera, composed for one node. Their methods
// are safe for concurrent use.
type Bindings struct {
	table *lookup.Table
	opts  yaytpl.Options
}

// Open opens a source of bindings, such as a hiera.yaml, and composes them for a node.
//
// Codes: access, syntax, bad-document, the codes of composition: see docs/errors.md.
func Open(ctx context.Context, name string, o yaytpl.Options, node yaytpl.NodeOptions) (*Bindings, error) {
	if o.Inputs == nil {
		o.Inputs = &yaytpl.Inputs{}
	}
	t, err := lookup.OpenTable(ctx, options(ctx, name, o, node))
	if err != nil {
		return nil, err
	}
	return &Bindings{t, o}, nil
}

// options returns the options of package lookup.
func options(ctx context.Context, name string, o yaytpl.Options, node yaytpl.NodeOptions) lookup.Options {
	return lookup.Options{Engine: o.Engine(ctx, append([]string{name}, node.Facts...)...), Source: name, NodeOptions: lookup.NodeOptions(node)}
}

// Inject implements [yaytpl.Injector]: it answers the calls of lookup() and inject() in documents.
func (b *Bindings) Inject(call expr.Injection) (value.Value, error) { return b.table.Inject(call) }

// Record implements [yaytpl.Injector].
func (b *Bindings) Record() *yaytpl.Inputs { return b.opts.Inputs }

// Inputs returns everything that the answers given so far depend on, by kind and name.
func (b *Bindings) Inputs() []yaytpl.Input { return b.opts.Inputs.All() }

// Check evaluates everything and returns all findings: errors, and probable mistakes as
// warnings.
func (b *Bindings) Check() []*source.Diagnostic { return b.table.Check(b.opts.Checks) }

// A Request asks for the first of several keys that is bound.
type Request struct {
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

// An Answer is the value of a key.
type Answer struct {
	Found bool
	Value value.Value

	keys     []string
	bindings *Bindings
	answer   bind.Answer
	reveal   bool
}

// Explanation returns how the answer came about, as data and as text.
func (a *Answer) Explanation() (value.Value, string) {
	a.bindings.table.Lock()
	defer a.bindings.table.Unlock()
	x := lookup.Explain(a.bindings.table.Table, a.answer, a.reveal)
	return x.Value(), x.Text()
}

// Place returns where an edit of the value belongs: the place of the highest source that counts,
// and the path of the value in its file, "" if the file is not YAML. ok is false if nothing was
// found, or if NodeOptions.Binds has the key.
func (a *Answer) Place() (at source.Span, path string, ok bool) {
	a.bindings.table.Lock()
	defer a.bindings.table.Unlock()
	at, keys, ok := lookup.Place(a.bindings.table.Table, a.answer)
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
func (a *Answer) NotFound() error {
	d := source.Errorf(source.Span{}, source.NotFound, "nothing binds %s", strings.Join(a.keys, ", "))
	a.bindings.table.Lock()
	defer a.bindings.table.Unlock()
	if near := lookup.Near(a.bindings.table.Table, a.answer); near != "" {
		d.WithHint("did you mean %q?", near)
	}
	return d
}

// Lookup answers a request. A key that nothing binds is no error.
//
// Codes: usage for a malformed key, an unknown type or strategy; type-mismatch, merge-type,
// lookup-cycle, bad-interpolation and others of evaluation.
func (b *Bindings) Lookup(r Request) (*Answer, error) {
	b.table.Lock()
	defer b.table.Unlock()
	request, err := r.parse()
	if err != nil {
		return nil, err
	}
	a, err := b.table.Lookup(request)
	if err != nil {
		return nil, err
	}
	answer := &Answer{Found: a.Found, keys: r.Keys, bindings: b, answer: a, reveal: r.Reveal}
	if !a.Found && r.Default != nil {
		answer.Found = true
		answer.Value, err = lookup.Default(b.table.Table, *r.Default, request.Type)
		return answer, err
	}
	answer.Value, err = lookup.Plain(b.table.Table, a.Value)
	return answer, err
}

func (r Request) parse() (bind.Request, error) {
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
// Codes: the codes of reading the data.
func (b *Bindings) Keys(prefix string) ([]string, error) {
	b.table.Lock()
	defer b.table.Unlock()
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
	b.table.Lock()
	defer b.table.Unlock()
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
		v, err := lookup.Plain(b.table.Table, a.Value)
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
// Codes: limit, the codes of evaluating all data.
func (b *Bindings) WriteDot(w io.Writer) error {
	b.table.Lock()
	defer b.table.Unlock()
	var out bytes.Buffer
	if err := lookup.Draw(&out, b.table.Table); err != nil {
		return err
	}
	return show.WriteTo(w, out.Bytes())
}

// WriteValue prints a value of the bindings in the form of o.
//
// Codes: output, redacted, bad-tag.
func (b *Bindings) WriteValue(w io.Writer, v value.Value, o yaytpl.RenderOptions) error {
	return yaytpl.WriteValue(w, v, b.opts, o)
}
