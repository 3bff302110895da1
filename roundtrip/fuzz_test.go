package roundtrip_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var fuzzTexts = []string{
	"a: 1 # c\nb:\n  - x\n  - {y: 2}\n", "- - a\n  - b: |\n      text\n    c: >-\n      folded\n", "{a: [1, 2,], \"b\": {c: d}}\n", "? a\n: b\n? [x]\n: y\n",
	"a: &n !Ref x\nb: *n\nc:\n  <<: {k: v}\n", "--- # doc\na:\n  'b': \"c\\n\"\n...\n---\nd\n", "\ufeffa:\r\n- b\r\n\r\n# c\r\n- d", "a: {{ x }}\nb: {+?/x: }\n",
	"{? a : 1, : 2, ? b}\n", ": a\n?\n- &x\n- !!str\n", "%TAG !e! e:\n---\na:\t!e!x\n...\n{ \"k\"\n  :v }\n", "--- |\nx\n...\n? - a\n: - b\n  - c\n",
	"- &a [*a]\n", "[a: b, {? c : d}]", "a:\n\n  # c\n  b:\n\n\n# d\n", "&k a : !!str\n*k : 1\n", "a: |+\n  x\n\n\nb: 'y\n\n  z'\n", "a:\u2028- b\u0085c: d\n",
}

// FuzzApply checks that any edit of any text gives the intended data, or an error.
func FuzzApply(f *testing.F) {
	for i, text := range fuzzTexts {
		f.Add(text, uint8(i), uint8(i), uint8(i), false)
	}
	f.Add(`{"a":[1,{"b":null}],"c":"d"}`, uint8(2), uint8(1), uint8(3), true)
	f.Add("[\n  1,\n  {}\n]\n", uint8(1), uint8(4), uint8(17), true)
	f.Fuzz(func(t *testing.T, text string, at, op, v uint8, json bool) {
		syntax := yamlSyntax
		if json {
			syntax = jsonSyntax
		}
		docs, err := documents("t", text, syntax)
		if err != nil || len(docs) == 0 {
			return
		}
		number := int(at) % len(docs)
		all := places(docs[number].Root, nil)
		if len(all) == 0 {
			return
		}
		g := all[int(at)%len(all)]
		e := fuzzEdit(g, roundtrip.Op(op%6), mustValue(t, newValues[int(v)%len(newValues)]), roundtrip.Where(v%4))
		r, err := apply(text, syntax, number, []roundtrip.Edit{e})
		if err != nil {
			checkError(t, text, err)
			return
		}
		if e.Op == roundtrip.Append || e.Op == roundtrip.Set && !e.Value.IsScalar() || e.Op == roundtrip.Move || isSet(g, e) {
			readable(t, r.Text, syntax)
			return
		}
		whole(t, "text", text, r.Text, syntax, number, e)
	})
}

// FuzzMove checks that any move gives the intended data, or an error.
func FuzzMove(f *testing.F) {
	for i, text := range fuzzTexts {
		f.Add(text, uint8(i), uint8(i+1), uint8(i), false)
		f.Add(text, uint8(i+2), uint8(0), uint8(0), false)
	}
	f.Add(`{"a":[1,{"b":null}],"c":"d"}`, uint8(2), uint8(1), uint8(3), true)
	f.Add("a:\n  # c\n  - x: |2\n      y\n    z: # d\n      - 1\n", uint8(2), uint8(0), uint8(1), false)
	f.Add("- ?", uint8('3'), uint8(16), uint8('G'), false)
	f.Add("- ? a # b\n- 1\n", uint8(2), uint8(0), uint8(0), false)
	f.Add("- ? a # b\n  ? |\n   c\n- 1\n", uint8(2), uint8(0), uint8(0), false)
	f.Fuzz(func(t *testing.T, text string, at, to, where uint8, json bool) {
		syntax := yamlSyntax
		if json {
			syntax = jsonSyntax
		}
		docs, err := documents("t", text, syntax)
		if err != nil || len(docs) == 0 {
			return
		}
		number := int(at) % len(docs)
		all := places(docs[number].Root, nil)
		if len(all) == 0 {
			return
		}
		g, beside := all[int(at)%len(all)], all[int(to)%len(all)]
		path, ok := without(beside.path, g)
		if !ok || isInside(path, g.path) {
			return
		}
		e := roundtrip.Edit{Op: roundtrip.Move, Path: g.path, To: slices.Clone(path)}
		if beside.parent.Kind == yaml.MapNode {
			e.Place = roundtrip.Position{Where: roundtrip.Where(where % 4), Key: path[len(path)-1]}
			e.To[len(path)-1] = value.K("a new key")
		}
		r, err := apply(text, syntax, number, []roundtrip.Edit{e})
		if err != nil {
			checkError(t, text, err)
			return
		}
		whole(t, "text", text, r.Text, syntax, number, e)
	})
}

// isSet reports whether an edit sets a value that is equal already.
func isSet(g target, e roundtrip.Edit) bool {
	n := g.node
	for range 100 {
		if n.Kind != yaml.AliasNode {
			break
		}
		n = n.Target
	}
	return e.Op == roundtrip.Set && n.Kind == yaml.ScalarNode && scalarText(n.Value) == scalarText(e.Value)
}

func fuzzEdit(g target, op roundtrip.Op, v value.Value, where roundtrip.Where) roundtrip.Edit {
	key := g.path[len(g.path)-1]
	note := notes[int(where)%len(notes)]
	e := roundtrip.Edit{Op: op, Path: g.path, Value: v, Note: note, Key: value.K("a new key"), Place: roundtrip.Position{Where: where, Key: key}}
	if op == roundtrip.Insert && g.parent.Kind == yaml.MapNode {
		e.Path = append(g.path[:len(g.path)-1:len(g.path)-1], e.Key)
	}
	return e
}

func readable(t *testing.T, text string, syntax roundtrip.Syntax) {
	if _, err := documents("t", text, syntax); err != nil {
		t.Errorf("%q: %v", text, err)
	}
}

// checkError checks that an error has a code, a message and a position.
func checkError(t *testing.T, text string, err error) {
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code == source.Internal {
		t.Errorf("%q: %v", text, err)
	}
}
