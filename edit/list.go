package edit

import (
	"context"
	"slices"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ReadList reads a file and parses it with [ParseList]. The name "-" is standard input.
//
// Codes: access, the codes of ParseList.
func ReadList(ctx context.Context, name string, o yaytpl.Options) ([]Edit, error) {
	f, err := engine.Read(o.Engine(ctx, name).Files(), name)
	if err != nil {
		return nil, err
	}
	edits, err := ParseList(f)
	if d, ok := err.(*source.Diagnostic); ok {
		err = show.Finding(d, f)
	}
	return edits, err
}

// ParseList parses a list of edits in YAML or, if the name of f ends in ".json", in JSON.
// Each edit is a map:
//
//   - {op: set, path: web.port, value: 8080}
//   - {op: append, path: web.hosts, value: c}
//   - {op: delete, path: web.debug}
//   - {op: rename, path: web.hots, key: hosts}
//
// A JSON Patch (RFC 6902) is such a list as well: it has the operations add, remove,
// replace, move, copy and test. At of each edit is the place of its map.
//
// Codes: the codes of parsing YAML; bad-document if f is not a list of maps; bad-key for a
// missing or unknown key; bad-value for an unknown operation.
func ParseList(f *source.File) ([]Edit, error) {
	docs, findings := yaml.ParserFor(f)(f, yaml.ParseOptions{})
	if d := source.FirstError(findings); d != nil {
		return nil, d
	}
	if len(docs) != 1 || docs[0].Root == nil || docs[0].Root.Kind != yaml.SeqNode {
		return nil, source.Errorf(f.Span(0, 0), source.BadDocument, "the edits in %s are not a list", f.Name).
			WithHint("write each as - {op: set, path: a.b, value: 1}")
	}
	edits := make([]Edit, 0, len(docs[0].Root.Items))
	for _, item := range docs[0].Root.Items {
		e, err := parseEdit(item)
		if err != nil {
			return nil, err
		}
		if f.Secret {
			if e.Value, err = marked(e.Value); err != nil {
				return nil, err
			}
		}
		edits = append(edits, e)
	}
	return edits, nil
}

// marked returns a value of an encrypted file with the mark of a secret on each scalar.
func marked(v value.Value) (value.Value, error) {
	return value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
		if v.IsScalar() {
			v = v.Mark(value.Secret)
		}
		return v, err
	})
}

// An editForm is the form of an operation in a list of edits: its name and its keys.
type editForm struct {
	name string
	op   Op
	keys []string
}

// editForms returns the table of operations.
func editForms() []editForm {
	return []editForm{
		{"set", Set, []string{"path", "value"}},
		{"delete", Delete, []string{"path"}},
		{"append", Append, []string{"path", "value"}},
		{"rename", Rename, []string{"path", "key"}},
		{"add", Add, []string{"path", "value"}},
		{"remove", Delete, []string{"path"}},
		{"replace", Replace, []string{"path", "value"}},
		{"copy", Copy, []string{"from", "path"}},
		{"move", Move, []string{"from", "path"}},
		{"test", Test, []string{"path", "value"}},
	}
}

// parseEdit parses one edit of a list.
func parseEdit(item *yaml.Node) (Edit, error) {
	if item.Kind != yaml.MapNode {
		return Edit{}, source.Errorf(item.At, source.BadDocument, "an edit must be a map").
			WithHint("such as {op: set, path: a.b, value: 1}")
	}
	fields := map[string]*yaml.Node{}
	for i := range item.Entries {
		fields[item.Entries[i].Key.Text] = item.Entries[i].Value
	}
	form, err := formOf(item, fields["op"])
	if err != nil {
		return Edit{}, err
	}
	for i := range item.Entries {
		key := item.Entries[i].Key.Text
		if key != "op" && !slices.Contains(form.keys, key) {
			return Edit{}, source.Errorf(item.Entries[i].KeyAt, source.BadKey, "%s takes no %q", form.name, key).
				DidYouMean(key, slices.Values(form.keys))
		}
	}
	e := Edit{Op: form.op, At: item.At}
	for _, key := range form.keys {
		if err := e.read(form.name, key, fields[key], item); err != nil {
			return Edit{}, err
		}
	}
	return e, nil
}

// formOf returns the form of the operation op; item is the edit.
func formOf(item, op *yaml.Node) (editForm, error) {
	if op == nil {
		return editForm{}, source.Errorf(item.At, source.BadKey, "an edit needs an operation: \"op\" is missing")
	}
	var names []string
	for _, form := range editForms() {
		if form.name == op.Value.Str() {
			return form, nil
		}
		names = append(names, form.name)
	}
	return editForm{}, source.Errorf(op.At, source.BadValue, "unknown operation").
		WithHint("the operations are %s", listed(names)).DidYouMean(op.Value.Str(), slices.Values(names))
}

// read parses the field n for a key of an edit; op is the name of the operation.
func (e *Edit) read(op, key string, n, item *yaml.Node) error {
	if n == nil {
		return source.Errorf(item.At, source.BadKey, "%s needs %q", op, key)
	}
	if key == "value" {
		var err error
		n.WithoutNotation()
		e.Value, err = n.ToValue()
		return err
	}
	text, ok := scalarText(n)
	if !ok {
		return source.Errorf(n.At, source.BadValue, "%q must be a string", key)
	}
	switch key {
	case "path":
		e.Path = text
	case "from":
		e.From = text
	case "key":
		e.Key = text
	}
	if key != "key" {
		if _, err := docpath.Parse(text); err != nil {
			if d, ok := err.(*source.Diagnostic); ok {
				moved := *d
				moved.At = n.At
				return &moved
			}
			return err
		}
	}
	return nil
}

// scalarText returns the text of a scalar as it is written: a path may look like a number,
// such as 007.
func scalarText(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Value.IsNull() {
		return "", false
	}
	if s := n.Value.Source(); s != nil && s.Spelling != "" && !n.Value.Is(value.StringKind) {
		return s.Spelling, true
	}
	k, ok := value.KeyOf(n.Value)
	return k.Text, ok
}
