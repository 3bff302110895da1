package lookup

import (
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Facts reads files of facts, of which later ones win key by key, and single facts over them.
//
// Codes: access, syntax, bad-document, usage.
func Facts(o engine.Options, names, single []string) (value.Map, error) {
	files := o.Files()
	out := value.NewMap(0)
	for _, name := range names {
		f, err := engine.Read(files, name)
		if err != nil {
			return nil, err
		}
		if err := addFacts(out, f); err != nil {
			return nil, err
		}
	}
	return out, addSingle(out, single)
}

// addFacts puts the facts of a file over the facts of m.
func addFacts(m *value.Dict, f *source.File) error {
	v, err := frontend.Data(f, yaml.YAMLForm)
	if err != nil || v.IsNull() {
		return err
	}
	if !v.Is(value.MapKind) {
		return source.Errorf(f.Span(0, 0), source.BadDocument, "'%s' is not a map: facts are a map of names and values", f.Name)
	}
	return copyFacts(m, v.Map(), v.Marks())
}

// copyFacts puts facts over the facts of m, key by key, with the marks of their file.
func copyFacts(m *value.Dict, facts value.Map, marks value.Marks) error {
	for k := range facts.Keys() {
		item, _, err := facts.Get(k)
		if err != nil {
			return err
		}
		m.Set(k, item.Mark(marks))
	}
	return nil
}

// addSingle puts facts, each NAME=VALUE, over the facts of m.
//
// Codes: usage, syntax.
func addSingle(m *value.Dict, single []string) error {
	for _, text := range single {
		name, word, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return source.Errorf(source.Span{}, source.Usage, "--fact takes NAME=VALUE, not %q", text)
		}
		v, err := typed(source.NewFile("--fact "+name, word))
		if err != nil {
			return err
		}
		setFact(m, strings.Split(name, "."), v)
	}
	return nil
}

// setFact sets a fact, which may be part of another: os.family. A map that is secret stays so.
func setFact(m *value.Dict, path []string, v value.Value) {
	k := value.K(path[0])
	if len(path) == 1 {
		m.Set(k, v)
		return
	}
	inner := value.NewMap(1)
	old, _, err := m.Get(k)
	if err == nil {
		for k := range old.Map().Keys() {
			if item, _, err := old.Map().Get(k); err == nil {
				inner.Set(k, item)
			}
		}
	}
	setFact(inner, path[1:], v)
	m.Set(k, value.FromMap(inner).Mark(old.Marks()))
}

// typed returns a value that is typed on a command line (spec: everyday, A1). The name of the file
// is the place of the flag.
//
// Code: usage.
func typed(f *source.File) (value.Value, error) {
	v, err := frontend.Data(f, yaml.TypedForm)
	if d := (*source.Diagnostic)(nil); errors.As(err, &d) && d.At.IsZero() {
		return value.Null, d.Named(f.Name)
	}
	return v, err
}

// overrides returns the set of bindings that the command line has, each NAME=VALUE; of equal keys
// the last one counts. It is nil if there are none.
//
// Codes: usage, syntax.
func overrides(texts []string) (*bind.Set, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var ops []bind.Op
	at := map[bind.Key]int{}
	for _, text := range texts {
		name, word, ok := strings.Cut(text, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, source.Errorf(source.Span{}, source.Usage, "--bind takes KEY=VALUE, not %q", text)
		}
		f := source.NewFile("--bind "+name, word)
		v, err := typed(f)
		if err != nil {
			return nil, err
		}
		span := f.Span(0, len(word))
		op := &bind.Bind{At: span, NameAt: span, Name: name, HasName: true, Value: &bind.Constant{At: span, Value: v}}
		if k, err := bind.ParseKey(name); err == nil && k.Type != nil {
			op.Type, op.TypeAt, op.Name, op.HasName = k.Type, span, k.Name, k.Name != ""
		}
		key := bind.KeyOf(op.Type, op.Name)
		if i, again := at[key]; again {
			ops[i] = op
			continue
		}
		at[key] = len(ops)
		ops = append(ops, op)
	}
	return &bind.Set{Name: "override", At: ops[0].Span(), Ops: ops}, nil
}
