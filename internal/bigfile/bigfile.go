// Package bigfile looks a constant path up in the text of a big file, without building
// the whole document:
//
//	text := bigfile.YAML(file, options)        // nil for a small file: parse it
//	v, ok := text.Lookup([]value.Key{a, b})    // !ok: parse it after all
//
// It answers only if the value is plain data and no merge directive, expression or
// template can change it.
package bigfile

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// minSize is the least size in bytes of a file for which a lookup in the text pays off.
const minSize = 256 << 10

// A Text is a big file in which paths can be looked up without parsing it into a document.
type Text struct {
	File   *source.File
	lookup func(keys []value.Key) (value.Value, bool)
}

// Lookup returns the value at a path. It returns false if the parsed document has to
// decide: for the root, for a missing path, and if a map or list along the path, or the
// value itself, is more than plain data. In
//
//	services: {+include: defaults.yaml, shop: {port: 80}}
//
// services.shop may have more entries from the include, so Lookup returns false.
func (t *Text) Lookup(keys []value.Key) (value.Value, bool) {
	if len(keys) == 0 {
		return value.Null, false
	}
	return t.lookup(keys)
}

// YAML returns a Text for a big YAML file. It returns nil if the file has to be parsed: it is small or secret, or its
// text is not one document of plain data.
func YAML(f *source.File, o yaml.ParseOptions) *Text {
	if len(f.Text) < minSize || f.Secret {
		return nil
	}
	outline, ok := yaml.ParseOutline(f, o)
	if !ok {
		return nil
	}
	return &Text{f, func(keys []value.Key) (value.Value, bool) { return lookupYAML(outline, keys) }}
}

// lookupYAML looks keys up in an outline.
func lookupYAML(outline *yaml.Outline, keys []value.Key) (value.Value, bool) {
	n := outline.Root()
	for _, k := range keys {
		if n = nodeBelow(outline.Content(n), k.Text); n == nil {
			return value.Null, false
		}
	}
	v, ok := outline.Value(n)
	if !ok || !isData(v) {
		return value.Null, false
	}
	return v, true
}

// nodeBelow returns the value under a key of a map or list, nil if it is missing or the
// map is not plain data.
func nodeBelow(n *yaml.Node, key string) (found *yaml.Node) {
	switch {
	case n == nil:
	case n.Kind == yaml.MapNode:
		for _, e := range n.Entries {
			switch {
			case !isDataKey(e.Key):
				return nil
			case e.Key.Text == key && e.Key.Kind == value.StringKind:
				found = e.Value
			case e.Key.Text == key, strings.HasPrefix(e.Key.Text, key+"."), strings.HasPrefix(e.Key.Text, key+"::"):
				return nil // the number 80 for the key "80"; the keys "a.b" and "a::b", which the paths a.b and a::b may mean
			}
		}
	case n.Kind == yaml.SeqNode:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Items) {
			found = n.Items[i]
		}
	}
	return found
}

// isDataKey reports whether a key is data: it neither marks its map as an expression
// object, as "eval" does, nor is it a template.
func isDataKey(k value.Key) bool {
	return k.Kind != value.StringKind || !expr.MayBeExpression(k.Text) && !expr.IsTemplate(k.Text)
}

// isData reports whether v evaluates to itself: there are no templates and no expression
// objects in it.
func isData(v value.Value) bool {
	return nil == value.Walk(v, func(at value.Position, v value.Value, err error) error {
		if err == nil && (!isDataKey(at.Key) || expr.IsTemplate(v.Str())) {
			err = errNotData
		}
		return err
	})
}

var errNotData = errors.New("not data")

// JSON returns a Text for a big JSON file. It returns nil if the file has to be parsed: it
// is small, secret, or not one valid value. The validation rules out errors outside of the
// path that is looked up.
func JSON(f *source.File, o yaml.ParseOptions) *Text {
	if len(f.Text) < minSize || f.Secret || !isFlat(f.Text) || !gjson.Valid(f.Text) {
		return nil
	}
	return &Text{f, func(keys []value.Key) (value.Value, bool) { return lookupJSON(f, keys, o) }}
}

// mostNesting is the most nesting of a JSON text for gjson, which takes stack for each level.
const mostNesting = 10_000

// isFlat reports whether the lists and maps of a JSON text are nested mostNesting deep at most. The answer for a text
// that is not JSON may be wrong if gjson finds the first mistake before such a depth.
func isFlat(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			if depth++; depth > mostNesting {
				return false
			}
		case ']', '}':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return true
}

// lookupJSON looks keys up in JSON text. It fails if a map along the path has directives,
// is an expression or has the key twice, if a list gets a key that is not an index, and if
// the value needs evaluation.
func lookupJSON(f *source.File, keys []value.Key, o yaml.ParseOptions) (v value.Value, ok bool) {
	at := gjson.Parse(f.Text)
	for _, k := range keys {
		if at, ok = jsonBelow(at, k.Text); !ok {
			return value.Null, false
		}
	}
	if needsEvaluation(at.Raw) {
		return value.Null, false
	}
	trees, findings := yaml.ParseJSON(source.NewFile(f.Name, at.Raw), o)
	if len(findings) > 0 || len(trees) != 1 {
		return value.Null, false
	}
	v, err := trees[0].Root.ToValue()
	return v, err == nil
}

// jsonBelow returns the value under a key of a map or list, if it is plain data.
func jsonBelow(in gjson.Result, key string) (found gjson.Result, ok bool) {
	switch {
	case in.IsObject():
		plain := true
		in.ForEach(func(k, item gjson.Result) bool {
			name := k.String()
			if strings.HasPrefix(name, "+") || expr.MayBeExpression(name) {
				plain = false
			}
			switch rest, begins := strings.CutPrefix(name, key); {
			case begins && rest == "":
				plain = plain && !ok
				found, ok = item, true
			case begins && (rest[0] == '.' || strings.HasPrefix(rest, "::")):
				plain = false // the keys "a.b" and "a::b", which the paths a.b and a::b may mean
			}
			return plain
		})
		return found, ok && plain
	case in.IsArray():
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 {
			return found, false
		}
		in.ForEach(func(_, item gjson.Result) bool {
			if ok = i == 0; ok {
				found = item
			}
			i--
			return !ok
		})
	}
	return found, ok
}

// needsEvaluation reports whether JSON text may hold anything but plain data: templates,
// directives, expression objects, or escapes that spell one of them.
func needsEvaluation(raw string) bool {
	for _, sign := range []string{"{{", "{%", `"+`, `\u`, `"eval"`, `"ref"`, `"concat"`, `"token"`, `"get_env"`, `"has_env"`, `"q"`} {
		if strings.Contains(raw, sign) {
			return true
		}
	}
	return false
}
