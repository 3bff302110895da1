package lookup

import (
	"slices"

	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// readENC reads the document of an external node classifier (spec: bindings, section 5.4).
//
// Codes: access, syntax, bad-document.
func (b *Bindings) readENC() error {
	if b.opts.ENC == "" {
		return nil
	}
	f, err := b.files.OpenGiven(b.opts.ENC)
	if err != nil {
		return err
	}
	root, err := frontend.Tree(f, yaml.YAMLForm)
	if err != nil {
		return err
	}
	if root == nil {
		return source.Errorf(f.Span(0, 0), source.BadDocument, "'%s' is empty: an ENC gives a map with classes, parameters and environment", f.Name).
			WithHint("the program that writes it may have failed")
	}
	if root.Kind != yaml.MapNode {
		return source.Errorf(f.Span(0, 0), source.BadDocument, "'%s' is not a map: an ENC gives classes, parameters and environment", f.Name)
	}
	b.enc, b.encSet, b.encVariables = f, &bind.Set{Name: "enc", At: f.Span(0, 0)}, map[string]value.Value{}
	for i := range root.Entries {
		if err := b.encEntry(&root.Entries[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bindings) encEntry(e *yaml.Entry) error {
	v, err := e.Value.ToValue()
	if err != nil {
		return source.AsDiagnostic(err, e.Value.At, source.BadDocument)
	}
	if v.IsNull() {
		return nil
	}
	if b.enc.Secret {
		v = v.Mark(value.Secret)
	}
	at := e.KeyAt
	switch e.Key.Text {
	case "environment":
		if !v.Is(value.StringKind) || v.Str() == "" {
			return source.Errorf(e.Value.At, source.BadDocument, "the environment of an ENC is a name")
		}
		b.encEnvironment, b.encEnvironmentAt = v.Str(), e.Value.At
	case "parameters":
		if !v.Is(value.MapKind) {
			return source.Errorf(e.Value.At, source.BadDocument, "the parameters of an ENC are a map")
		}
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err != nil {
				return err
			}
			b.encVariables[k.Text] = item.Mark(v.Marks())
		}
		b.encOperation(at, &bind.Variables{At: at, Values: &bind.Constant{At: e.Value.At, Value: v}})
	case "classes":
		return b.encClasses(e, v)
	default:
		if b.opts.Engine.Warn != nil {
			b.opts.Engine.Warn(source.Warnf(at, source.UnknownKey, "unknown key '%s': an ENC gives classes, parameters and environment", e.Key.Text).
				DidYouMean(e.Key.Text, slices.Values([]string{"classes", "parameters", "environment"})))
		}
	}
	return nil
}

// encClasses reads a list of classes, or a map of classes with their parameters.
func (b *Bindings) encClasses(e *yaml.Entry, v value.Value) error {
	at := e.KeyAt
	var names []string
	switch v.Kind() {
	case value.ListKind:
		items, err := value.ItemsOf(v.List())
		if err != nil {
			return err
		}
		for i, item := range items {
			if !item.Is(value.StringKind) || item.Str() == "" {
				return source.Errorf(itemSpan(e.Value, i), source.BadDocument, "a class is a name, and this is %s", value.Article(item.Kind()))
			}
			names = append(names, item.Str())
		}
	case value.MapKind:
		for k := range v.Map().Keys() {
			names = append(names, k.Text)
			params, _, err := v.Map().Get(k)
			if err != nil {
				return err
			}
			params = params.Mark(v.Marks())
			switch {
			case params.Is(value.MapKind):
				b.encOperation(at, &bind.Parameters{At: at, Target: bind.Ref{Component: "Class", Title: k.Text, At: at}, Values: &bind.Constant{At: e.Value.At, Value: params}})
			case !params.IsNull():
				return source.Errorf(entrySpan(e.Value, k.Text), source.BadDocument, "the parameters of the class '%s' are a map, or null", k.Text)
			}
		}
	default:
		return source.Errorf(e.Value.At, source.BadDocument, "the classes of an ENC are a list, or a map with their parameters")
	}
	b.encOperation(at, &bind.Include{At: at, Names: names})
	return nil
}

// itemSpan returns the place of an item of a list, or of n if the list is an alias.
func itemSpan(n *yaml.Node, i int) source.Span {
	if i < len(n.Items) {
		return n.Items[i].At
	}
	return n.At
}

// entrySpan returns the place of the value of a key of a map, or of n if the map is an alias.
func entrySpan(n *yaml.Node, key string) source.Span {
	for i := range n.Entries {
		if n.Entries[i].Key.Text == key {
			return n.Entries[i].Value.At
		}
	}
	return n.At
}

// encOperation adds an operation in the category node, in which an ENC speaks.
func (b *Bindings) encOperation(at source.Span, op bind.Op) {
	b.encSet.Ops = append(b.encSet.Ops, op)
}

// encPart returns the set that enc:/ or a part of it names.
func (r resolver) encPart(u bind.URI) ([]bind.Part, error) {
	if r.encSet == nil {
		if u.Optional {
			return nil, nil
		}
		return nil, source.Errorf(u.At, source.BindingsNotFound, "no ENC was given for %s", u.Text).WithHint("--enc FILE gives it")
	}
	if parts := []string{"classes", "parameters", "variables"}; u.Name != "" && !u.Wild() && !slices.Contains(parts, u.Name) {
		if u.Optional {
			return nil, nil
		}
		return nil, source.Errorf(u.At, source.BindingsNotFound, "an ENC has no '%s'", u.Name).DidYouMean(u.Name, slices.Values(parts))
	}
	r.encUsed = true
	set := *r.encSet
	set.Ops = slices.DeleteFunc(slices.Clone(set.Ops), func(op bind.Op) bool {
		switch op.(type) {
		case *bind.Variables:
			return u.Name == "classes"
		case *bind.Include, *bind.Parameters:
			return u.Name == "variables" || u.Name == "parameters"
		}
		return false
	})
	at := u.At
	set.Ops = []bind.Op{&bind.When{At: at, Cond: bind.Cond{{{Category: "node", At: at, Value: currentNode{at}}}}, Do: set.Ops}}
	return []bind.Part{{ID: "enc " + u.Name, Set: &set}}, nil
}

// currentNode is the value of the category node, so that a test of it holds.
type currentNode struct{ at source.Span }

// Span returns the place of the URI.
func (n currentNode) Span() source.Span { return n.at }

// Eval returns the value of the category.
func (n currentNode) Eval(s *bind.Scope) (value.Value, error) {
	return value.String(s.Axis("node")), nil
}

// Constant reports that the value depends on facts.
func (n currentNode) Constant() (value.Value, bool) { return value.Null, false }
