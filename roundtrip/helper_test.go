package roundtrip_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var (
	yamlSyntax = roundtrip.Syntax{}
	jsonSyntax = roundtrip.Syntax{JSON: true}
)

// failer is a test of the testing package or of rapid.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// mustValue reads a value from YAML.
func mustValue(t failer, text string) value.Value {
	t.Helper()
	docs, diags := yaml.Parse(source.NewFile("value", text), yaml.ParseOptions{})
	if len(diags) > 0 {
		t.Fatalf("the value %q: %v", text, diags[0])
	}
	v, err := docs[0].Root.ToValue()
	if err != nil {
		t.Fatalf("the value %q: %v", text, err)
	}
	return v
}

// path reads a.b[0] with quotes for other keys; a number in dots is a text key, one
// after "#" a numeric key.
func path(text string) value.Path {
	var p value.Path
	for text != "" && text != "." {
		switch {
		case text[0] == '.':
			text = text[1:]
		case text[0] == '[':
			word, rest, _ := strings.Cut(text[1:], "]")
			i, _ := strconv.Atoi(word)
			p, text = append(p, value.Index(i)), rest
		case text[0] == '"':
			word, rest, _ := strings.Cut(text[1:], `"`)
			p, text = append(p, value.K(word)), rest
		default:
			end := strings.IndexAny(text, ".[")
			if end < 0 {
				end = len(text)
			}
			p, text = append(p, pathKey(text[:end])), text[end:]
		}
	}
	return p
}

func pathKey(word string) value.Key {
	if number, ok := strings.CutPrefix(word, "#"); ok {
		return value.Key{Text: number, Kind: value.IntKind}
	}
	return value.K(word)
}

// edits reads edits, one a line:
//
//	set PATH VALUE          insert PATH PLACE VALUE     append PATH VALUE
//	delete PATH             rename PATH KEY             move PATH PLACE [PATH]
//
// where the second PATH is the target, and PLACE is last, first, before:KEY or after:KEY. A
// "+" before the operation sets Create.
func edits(t failer, text string) []roundtrip.Edit {
	t.Helper()
	var out []roundtrip.Edit
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		out = append(out, oneEdit(t, strings.TrimSpace(line)))
	}
	return out
}

func oneEdit(t failer, line string) roundtrip.Edit {
	t.Helper()
	name, rest, _ := strings.Cut(line, " ")
	var e roundtrip.Edit
	name, e.Create = strings.TrimPrefix(name, "+"), name[0] == '+'
	word, rest, _ := strings.Cut(rest, " ")
	e.Path = path(word)
	switch name {
	case "set":
		e.Op, e.Value = roundtrip.Set, mustValue(t, rest)
	case "append":
		e.Op, e.Value = roundtrip.Append, mustValue(t, rest)
	case "insert":
		word, rest, _ := strings.Cut(rest, " ")
		e.Op, e.Place, e.Value = roundtrip.Insert, rangeOf(word), mustValue(t, rest)
	case "delete":
		e.Op = roundtrip.Delete
	case "rename":
		e.Op = roundtrip.Rename
		e.Key, _ = value.KeyOf(mustValue(t, rest))
	case "move":
		word, rest, _ := strings.Cut(rest, " ")
		e.Op, e.Place, e.To = roundtrip.Move, rangeOf(word), path(rest)
	default:
		t.Fatalf("no such edit: %q", line)
	}
	return e
}

func rangeOf(word string) roundtrip.Position {
	where, key, _ := strings.Cut(word, ":")
	p := roundtrip.Position{Key: pathKey(key)}
	switch where {
	case "first":
		p.Where = roundtrip.First
	case "before":
		p.Where = roundtrip.Before
	case "after":
		p.Where = roundtrip.After
	}
	return p
}

func apply(text string, syntax roundtrip.Syntax, doc int, edits []roundtrip.Edit) (roundtrip.Result, error) {
	return roundtrip.Apply(source.NewFile("t", text), syntax, doc, edits)
}

// documents returns the documents of a text.
func documents(name, text string, syntax roundtrip.Syntax) ([]*yaml.Document, error) {
	t, err := roundtrip.Parse(source.NewFile(name, text), syntax)
	if err != nil {
		return nil, err
	}
	return t.Docs, nil
}

// An example is a text, edits of it and the result.
type example struct{ name, text, edits, want string }

func check(t *testing.T, syntax roundtrip.Syntax, examples []example) {
	t.Helper()
	for _, x := range examples {
		t.Run(x.name, func(t *testing.T) {
			list := edits(t, x.edits)
			r, err := apply(x.text, syntax, 0, list)
			if err != nil {
				t.Fatalf("%s: %v", x.edits, err)
			}
			if r.Text != x.want {
				t.Errorf("%s\n%s\ngives\n%q\nwant\n%q", x.text, x.edits, r.Text, x.want)
			}
			if len(list) == 1 && list[0].Op != roundtrip.Append && !list[0].Create {
				checkTree(t, x, syntax, list[0])
			}
		})
	}
}

// checkTree compares the data of the new text with that of the model.
func checkTree(t *testing.T, x example, syntax roundtrip.Syntax, e roundtrip.Edit) {
	old := treeOf(rootOf(t, x.text, syntax))
	if len(e.Path) == 0 || e.Op == roundtrip.Set && !old.has(e.Path) {
		return
	}
	if e.Op == roundtrip.Set && !e.Value.IsScalar() || e.Op == roundtrip.Move {
		return // only differences are written, and the text keeps its order
	}
	whole(t, x.name, x.text, x.want, syntax, 0, e)
}

// checkErrors checks the code of an error, or for the code output its reason.
func checkErrors(t *testing.T, syntax roundtrip.Syntax, examples []example) {
	t.Helper()
	for _, x := range examples {
		t.Run(x.name, func(t *testing.T) {
			r, err := apply(x.text, syntax, 0, edits(t, x.edits))
			var d *source.Diagnostic
			if !errors.As(err, &d) || r.Text != "" || len(r.Patches) > 0 {
				t.Fatalf("%s: no error but %q", x.edits, r.Text)
			}
			if d.At.IsZero() && d.Code != source.Internal {
				t.Errorf("%s: %v has no place", x.edits, err)
			}
			got := string(d.Code)
			var refusal *source.Refusal
			if errors.As(err, &refusal) {
				got = string(refusal.Reason)
			}
			if got != x.want {
				t.Errorf("%s: %v, want %s", x.edits, err, x.want)
			}
		})
	}
}
