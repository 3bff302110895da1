package notation

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// block reads operations: a list of them, or a map in which each entry is one without options.
func (r *yamlReader) block(n *yaml.Node) []bind.Op {
	v := r.resolved(n)
	var out []bind.Op
	switch v.Kind {
	case yaml.SeqNode:
		for _, item := range v.Items {
			out = append(out, r.item(r.mapping(item, "an operation"))...)
		}
	case yaml.MapNode:
		for i := range v.Entries {
			out = append(out, r.entry(&v.Entries[i])...)
		}
	default:
		if !v.Value.IsNull() {
			r.bad(n.At, "bindings are a list of operations, or a map such as {values: {...}}")
		}
	}
	return out
}

// entryKeys are the operations that a map block can have.
var entryKeys = []string{"values", "overrides", "abstract", "variables", "parameters", "contribute", "include", "exclude", "when"}

// entry reads an entry of a map block.
func (r *yamlReader) entry(e *yaml.Entry) []bind.Op {
	key := e.Key.Text
	switch key {
	case "values", "overrides":
		return r.eachNamed(e.Value, key, func(op *bind.Bind, v *yaml.Node) {
			op.Value = r.expression(v)
			if key == "overrides" {
				op.Flags = bind.Override
			}
		})
	case "abstract":
		return r.eachNamed(e.Value, key, func(op *bind.Bind, v *yaml.Node) {
			op.Flags, op.Type, op.TypeAt = bind.Abstract, r.typ(v), v.At
		})
	case "variables":
		return []bind.Op{&bind.Variables{At: e.KeyAt, Values: r.expression(e.Value)}}
	case "parameters":
		var out []bind.Op
		for _, p := range r.entries(e.Value, key) {
			out = append(out, r.parameters(p))
		}
		return out
	case "contribute":
		return r.contribute(e.Value)
	case "include", "exclude":
		return []bind.Op{&bind.Include{At: e.KeyAt, Names: r.names(e.Value, key), Exclude: key == "exclude"}}
	case "when":
		return r.whens(e.Value)
	}
	r.fail(source.Errorf(e.KeyAt, source.Syntax, "unknown operation '%s'", key).DidYouMean(key, slices.Values(entryKeys)))
	return nil
}

func (r *yamlReader) entries(n *yaml.Node, what string) []*yaml.Entry {
	m := r.mapping(n, "'"+what+"'")
	out := make([]*yaml.Entry, len(m.Entries))
	for i := range m.Entries {
		out[i] = &m.Entries[i]
	}
	return out
}

// named returns a binding of the name that a key is.
func (r *yamlReader) named(e *yaml.Entry) *bind.Bind {
	return &bind.Bind{At: e.KeyAt, Name: e.Key.Text, NameAt: e.KeyAt, HasName: true}
}

// eachNamed returns a binding for each entry of a map. set sets what the value means.
func (r *yamlReader) eachNamed(n *yaml.Node, what string, set func(op *bind.Bind, v *yaml.Node)) []bind.Op {
	var out []bind.Op
	for _, e := range r.entries(n, what) {
		op := r.named(e)
		set(op, e.Value)
		out = append(out, op)
	}
	return out
}

// contribute reads contributions by the ID of their multibind: a list for an Array, a map with
// names for a Hash.
func (r *yamlReader) contribute(n *yaml.Node) []bind.Op {
	var out []bind.Op
	for _, e := range r.entries(n, "contribute") {
		switch v := r.resolved(e.Value); v.Kind {
		case yaml.SeqNode:
			for _, item := range v.Items {
				out = append(out, &bind.Bind{At: item.At, In: e.Key.Text, Value: r.expression(item)})
			}
		case yaml.MapNode:
			for i := range v.Entries {
				op := r.named(&v.Entries[i])
				op.In, op.Value = e.Key.Text, r.expression(v.Entries[i].Value)
				out = append(out, op)
			}
		default:
			out = append(out, &bind.Bind{At: e.Value.At, In: e.Key.Text, Value: r.expression(e.Value)})
		}
	}
	return out
}

// names reads a text or a list of texts.
func (r *yamlReader) names(n *yaml.Node, what string) []string {
	var out []string
	for _, item := range r.oneOrMany(n) {
		text, _ := r.text(item, what)
		out = append(out, text)
	}
	return out
}

// parameters reads the parameters of a reference: a map of values, or a reference as text.
func (r *yamlReader) parameters(e *yaml.Entry) *bind.Parameters {
	op := &bind.Parameters{At: e.KeyAt, Target: r.ref(e.KeyNode())}
	if v := r.resolved(e.Value); v.Kind == yaml.ScalarNode && v.Value.Is(value.StringKind) {
		from := r.ref(v)
		op.From = &from
		return op
	}
	op.Values = r.expression(e.Value)
	return op
}

// ref reads a reference that is written as text.
func (r *yamlReader) ref(n *yaml.Node) bind.Ref {
	text, v := r.text(n, "a reference")
	p := newParser(text, v.TextMap().TextSpan)
	var out bind.Ref
	if d := p.whole("the end of the reference", func() { out = p.ref() }); d != nil {
		r.fail(d)
	}
	return out
}

// whens reads the conditions of a map block: each has "if", and "do" or the operations.
func (r *yamlReader) whens(n *yaml.Node) []bind.Op {
	var out []bind.Op
	for _, item := range r.oneOrMany(n) {
		m := r.mapping(item, "an entry of 'when'")
		cond := entryOf(m, "if")
		if cond == nil {
			r.bad(item.At, "an entry of 'when' needs 'if' with the condition")
		}
		w := &bind.When{At: cond.KeyAt, Cond: r.condition(cond.Value)}
		for i := range m.Entries {
			switch e := &m.Entries[i]; e.Key.Text {
			case "if":
			case "do":
				w.Do = append(w.Do, r.block(e.Value)...)
			default:
				w.Do = append(w.Do, r.entry(e)...)
			}
		}
		out = append(out, w)
	}
	return out
}

// condition reads a condition: the entries of a map must all hold, one of a list of maps, one
// of a list of values.
//
//	{virtual: true, role: [web, mail]}      [[virtual true, role web] [virtual true, role mail]]
//	[{role: web}, {virtual: true}]          [[role web] [virtual true]]
func (r *yamlReader) condition(n *yaml.Node) bind.Cond {
	v := r.resolved(n)
	if v.Kind == yaml.SeqNode {
		var out bind.Cond
		for _, item := range v.Items {
			out = append(out, r.condition(item)...)
			if len(out) > bind.MaxAlternatives {
				r.fail(source.Errorf(n.At, source.Limit, "the condition has more than %d alternatives", bind.MaxAlternatives))
			}
		}
		return out
	}
	if v.Kind == yaml.ScalarNode && v.Value.Is(value.StringKind) && v.Value.Str() == "common" {
		return bind.Cond{{}}
	}
	out := bind.Cond{{}}
	for _, e := range r.entries(n, "a condition") {
		var tests bind.Cond
		for _, item := range r.oneOrMany(e.Value) {
			tests = append(tests, []bind.Test{{Category: e.Key.Text, At: e.KeyAt, Value: r.expression(item)}})
		}
		both, ok := and(out, tests)
		if !ok {
			r.fail(source.Errorf(n.At, source.Limit, "%s", tooMany()))
		}
		out = both
	}
	return out
}

// An itemKey is a key that says which operation an item of a list is, with the keys that it may
// have besides.
type itemKey struct {
	name string
	with []string
	read func(r *yamlReader, n *yaml.Node, e *yaml.Entry) []bind.Op
}

// itemKeys returns the keys, of which the first that an item has counts.
func itemKeys() []itemKey {
	return []itemKey{
		{"bind", []string{"type", "to", "in", "optional", "abstract", "override", "final", "producer", "options", "merge"}, (*yamlReader).bindItem},
		{"multibind", []string{"type", "as", "in", "abstract", "override", "final", "combinator", "conflict_resolution", "options"}, (*yamlReader).multibindItem},
		{"parameters", []string{"map", "optional", "override", "final", "abstract"}, (*yamlReader).parametersItem},
		{"map", []string{"from", "to", "override", "final"}, (*yamlReader).mapItem},
		{"alias", []string{"as", "abstract"}, (*yamlReader).renameItem},
		{"rename", []string{"as", "abstract"}, (*yamlReader).renameItem},
		{"rebind", []string{"type"}, (*yamlReader).rebindItem},
		{"when", []string{"do"}, (*yamlReader).whenItem},
		{"variables", []string{"type", "abstract", "override", "final"}, (*yamlReader).variablesItem},
	}
}

// item reads an operation of a list.
func (r *yamlReader) item(n *yaml.Node) []bind.Op {
	for _, k := range itemKeys() {
		e := entryOf(n, k.name)
		if e == nil {
			continue
		}
		r.known(n, "'"+k.name+"'", append([]string{k.name}, k.with...)...)
		return k.read(r, n, e)
	}
	var out []bind.Op
	for i := range n.Entries {
		out = append(out, r.entry(&n.Entries[i])...)
	}
	if len(out) == 0 && len(n.Entries) == 0 {
		r.bad(n.At, "an operation is missing")
	}
	return out
}

// flags reads abstract, override, final and optional.
func (r *yamlReader) flags(n *yaml.Node) bind.Flags {
	var out bind.Flags
	for _, f := range []struct {
		name string
		flag bind.Flags
	}{{"abstract", bind.Abstract}, {"override", bind.Override}, {"final", bind.Final}, {"optional", bind.Optional}} {
		if e := entryOf(n, f.name); e != nil && r.flag(e.Value, f.name) {
			out |= f.flag
		}
	}
	return out
}

// isWritten reports whether an entry has a value: the name after "bind" and "multibind" may be missing.
func (r *yamlReader) isWritten(e *yaml.Entry) bool {
	v := r.resolved(e.Value)
	return v.Kind != yaml.ScalarNode || !v.Value.IsNull()
}

// textUnder returns the text under a key, "" if the key is missing.
func (r *yamlReader) textUnder(n *yaml.Node, key string) string {
	e := entryOf(n, key)
	if e == nil {
		return ""
	}
	text, _ := r.text(e.Value, key)
	return text
}

// typeUnder returns the type under the key "type" with its place, nil if the key is missing.
func (r *yamlReader) typeUnder(n *yaml.Node) (*types.Type, source.Span) {
	e := entryOf(n, "type")
	if e == nil {
		return nil, source.Span{}
	}
	return r.typ(e.Value), e.Value.At
}

func (r *yamlReader) bindItem(n *yaml.Node, e *yaml.Entry) []bind.Op {
	op := &bind.Bind{At: e.KeyAt, Flags: r.flags(n)}
	if r.isWritten(e) {
		op.Name, _ = r.text(e.Value, "bind")
		op.NameAt, op.HasName = e.Value.At, true
	}
	op.Type, op.TypeAt = r.typeUnder(n)
	if to := entryOf(n, "to"); to != nil {
		op.Value = r.expression(to.Value)
	}
	if p := entryOf(n, "producer"); p != nil {
		name, at := r.text(p.Value, "producer")
		op.Producer = &bind.ProducerName{Name: name, At: at.At}
	}
	op.In = r.textUnder(n, "in")
	op.Options = r.options(n)
	return []bind.Op{op}
}

func (r *yamlReader) multibindItem(n *yaml.Node, e *yaml.Entry) []bind.Op {
	op := &bind.Multibind{At: e.KeyAt, Flags: r.flags(n)}
	if r.isWritten(e) {
		op.Name, _ = r.text(e.Value, "multibind")
		op.HasName = true
	}
	if op.Type, op.TypeAt = r.typeUnder(n); op.Type == nil {
		r.bad(e.KeyAt, "a multibind needs a type: Array[...] or Hash[...]")
	}
	op.ID = r.textUnder(n, "as")
	op.In = r.textUnder(n, "in")
	op.Options = r.options(n)
	return []bind.Op{op}
}

// options reads the options of an operation, of which some may be next to it.
func (r *yamlReader) options(n *yaml.Node) *bind.Options {
	o := &bind.Options{At: n.At}
	found := false
	read := func(m *yaml.Node, keys []string) {
		for i := range m.Entries {
			if e := &m.Entries[i]; slices.Contains(keys, e.Key.Text) {
				found = true
				r.option(o, bind.Attribute{Name: e.Key.Text, At: e.KeyAt, Value: r.optionValue(e)})
			}
		}
	}
	read(n, []string{"combinator", "conflict_resolution", "merge"})
	if e := entryOf(n, "options"); e != nil {
		m := r.mapping(e.Value, "'options'")
		r.known(m, "'options'", optionNames...)
		read(m, optionNames)
	}
	if !found {
		return nil
	}
	return o
}

// optionValue returns the value of an option: a lambda is written as text.
func (r *yamlReader) optionValue(e *yaml.Entry) bind.Expr {
	v := r.resolved(e.Value)
	if v.Kind != yaml.ScalarNode || !strings.HasPrefix(strings.TrimSpace(v.Value.Str()), "|") {
		return r.expression(e.Value)
	}
	p := newParser(v.Value.Str(), v.TextMap().TextSpan)
	var out node
	if d := p.whole("the end of the lambda", func() { out = p.lambda() }); d != nil {
		r.fail(d)
	}
	return expr{out}
}

func (r *yamlReader) parametersItem(n *yaml.Node, e *yaml.Entry) []bind.Op {
	var out []bind.Op
	for _, p := range r.entries(e.Value, "parameters") {
		op := r.parameters(p)
		op.Flags = r.flags(n)
		if m := entryOf(n, "map"); m != nil {
			op.Options = &bind.Options{At: m.KeyAt, Map: r.expression(m.Value)}
		}
		out = append(out, op)
	}
	return out
}

func (r *yamlReader) mapItem(n *yaml.Node, e *yaml.Entry) []bind.Op {
	from, to := entryOf(n, "from"), entryOf(n, "to")
	if from == nil || to == nil {
		r.bad(e.KeyAt, "a map of parameters needs 'from' and 'to'")
	}
	return []bind.Op{&bind.ParameterMap{At: e.KeyAt, Flags: r.flags(n), Left: r.ref(from.Value), Right: r.ref(to.Value), Pairs: r.expression(e.Value)}}
}

func (r *yamlReader) renameItem(n *yaml.Node, e *yaml.Entry) []bind.Op {
	as := entryOf(n, "as")
	if as == nil {
		r.bad(e.KeyAt, "'%s' needs 'as' with the other name", e.Key.Text)
	}
	old, _ := r.text(e.Value, e.Key.Text)
	name, _ := r.text(as.Value, "as")
	return []bind.Op{&bind.Rename{
		At: e.KeyAt, Alias: e.Key.Text == "alias", ToFlags: r.flags(n),
		From: bind.KeyName{Name: old}, To: bind.KeyName{Name: name},
	}}
}

func (r *yamlReader) rebindItem(n *yaml.Node, e *yaml.Entry) []bind.Op {
	name, _ := r.text(e.Value, "rebind")
	op := &bind.Rebind{At: e.KeyAt, Key: bind.KeyName{Name: name}}
	op.Key.Type, _ = r.typeUnder(n)
	return []bind.Op{op}
}

func (r *yamlReader) whenItem(n *yaml.Node, e *yaml.Entry) []bind.Op {
	do := entryOf(n, "do")
	if do == nil {
		r.bad(e.KeyAt, "'when' needs 'do' with the operations")
	}
	return []bind.Op{&bind.When{At: e.KeyAt, Cond: r.condition(e.Value), Do: r.block(do.Value)}}
}

func (r *yamlReader) variablesItem(n *yaml.Node, e *yaml.Entry) []bind.Op {
	op := &bind.Variables{At: e.KeyAt, Flags: r.flags(n)}
	if op.Flags&bind.Abstract != 0 {
		op.Names = r.expression(e.Value)
	} else {
		op.Values = r.expression(e.Value)
	}
	op.Type, _ = r.typeUnder(n)
	return []bind.Op{op}
}
