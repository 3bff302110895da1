package edit

import (
	"context"
	"slices"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ReadList reads a list of edits from a file of YAML or JSON; "-" is standard input. See
// [ParseEdits].
//
// Codes: access, and those of ParseEdits.
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

// ParseList reads a list of edits, each a map:
//
//   - {op: set, path: web.port, value: 8080}
//   - {op: append, path: web.hosts, value: c}
//   - {op: delete, path: web.debug}
//   - {op: rename, path: web.hots, key: hosts}
//
// A JSON Patch (RFC 6902) is such a list too: with add, remove, replace, move, copy and
// test. Each edit has the place of its map in the file.
//
// Codes: those of reading YAML; bad-document for what is no list of maps, bad-key for a
// key that is missing or that no edit has, bad-value for an operation that there is not.
func ParseList(f *source.File) ([]Edit, error) {
	parse := yaml.Parse
	if l, _ := frontend.ByEnding(f.Name); l.Name == frontend.JSON {
		parse = yaml.ParseJSON
	}
	docs, findings := parse(f, yaml.ParseOptions{})
	for _, d := range findings {
		if d.Severity == source.Error {
			return nil, d
		}
	}
	if len(docs) != 1 || docs[0].Root == nil || docs[0].Root.Kind != yaml.SeqNode {
		return nil, source.Errorf(f.Span(0, 0), source.BadDocument, "the edits in %s are no list", f.Name).
			WithHint("write each as - {op: set, path: a.b, value: 1}")
	}
	edits := make([]Edit, 0, len(docs[0].Root.Items))
	for _, item := range docs[0].Root.Items {
		e, err := parseEdit(item)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	return edits, nil
}

// An editForm is an operation as a list of edits has it, with the keys that it takes.
type editForm struct {
	name string
	op   Op
	keys []string
}

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

func parseEdit(item *yaml.Node) (Edit, error) {
	if item.Kind != yaml.MapNode {
		return Edit{}, source.Errorf(item.At, source.BadDocument, "an edit is a map").
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
			return Edit{}, source.Errorf(item.Entries[i].KeyNode.At, source.BadKey, "%s takes no %q", form.name, key).
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

// formOf returns the form of an edit by its operation.
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
	return editForm{}, source.Errorf(op.At, source.BadValue, "there is no such operation").
		WithHint("there are %s", listed(names)).DidYouMean(op.Value.Str(), slices.Values(names))
}

// read takes one field of an edit.
func (e *Edit) read(op, key string, n, item *yaml.Node) error {
	if n == nil {
		return source.Errorf(item.At, source.BadKey, "%s needs %q", op, key)
	}
	if key == "value" {
		var err error
		e.Value, err = n.ToValue()
		return err
	}
	text, ok := spelt(n)
	if !ok {
		return source.Errorf(n.At, source.BadValue, "%q takes a text", key)
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
		_, err := docpath.Parse(text)
		return located(err, n.At)
	}
	return nil
}

// spelt returns a scalar as the text that it is written as: a path may look like a
// number.
func spelt(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Value.IsNull() {
		return "", false
	}
	if s := n.Value.Source(); s != nil && s.Spelling != "" && !n.Value.Is(value.StringKind) {
		return s.Spelling, true
	}
	k, ok := value.KeyOf(n.Value)
	return k.Text, ok
}

// located gives an error another place.
func located(err error, at source.Span) error {
	if d, ok := err.(*source.Diagnostic); ok {
		moved := *d
		moved.At = at
		return &moved
	}
	return err
}
