// Package bigfile answers questions about a big file from its text, where that can be done
// without parsing all of it: what one constant path leads to.
package bigfile

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// minSize is the size in bytes from which on looking up a path in the text is worth it.
const minSize = 256 << 10

// A Text is a big file that is not parsed.
type Text struct {
	File   *source.File
	lookup func(keys []value.Key) (value.Value, bool)
}

// Lookup returns the value at a path. It returns false where the parsed document has to
// decide: at the root; where anything on the way or in what is found is more than data;
// where nothing is found.
func (t *Text) Lookup(keys []value.Key) (value.Value, bool) {
	if len(keys) == 0 {
		return value.Null, false
	}
	return t.lookup(keys)
}

// YAML returns a big YAML file of one document as a text to look things up in, nil if it
// has to be parsed at once: it is small or may have several documents. Whether it is right
// is only found out when something is looked up.
func YAML(f *source.File, o yaml.ParseOptions) *Text {
	if len(f.Text) < minSize || f.Secret || hasMarker(f.Text) {
		return nil
	}
	l := &yamlLookup{file: f, options: o}
	return &Text{f, l.value}
}

// hasMarker reports whether a line may end a document or begin another one. Lines end as
// they do for the YAML library, which reads what the outline does not.
func hasMarker(text string) bool {
	for _, end := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} {
		if strings.Contains(text, end+"---") || strings.Contains(text, end+"...") {
			return true
		}
	}
	return false
}

// A yamlLookup reads the outline of a file when something is looked up.
type yamlLookup struct {
	file    *source.File
	options yaml.ParseOptions
	read    bool
	outline *yaml.Outline // nil if the file has none
}

func (l *yamlLookup) value(keys []value.Key) (value.Value, bool) {
	if !l.read {
		l.outline, _ = yaml.ParseOutline(l.file, l.options)
		l.read = true
	}
	if l.outline == nil {
		return value.Null, false
	}
	n := l.outline.Root()
	for _, k := range keys {
		if n = belowNode(l.outline.Content(n), k.Text); n == nil {
			return value.Null, false
		}
	}
	v, ok := l.outline.Value(n)
	if !ok || !isData(v) {
		return value.Null, false
	}
	return v, true
}

// belowNode returns what a map or list has under a key, nil if it is not plain data.
func belowNode(n *yaml.Node, key string) (found *yaml.Node) {
	switch {
	case n == nil:
	case n.Kind == yaml.MapNode:
		for _, e := range n.Entries {
			switch {
			case !isDataKey(e.Key):
				return nil
			case e.Key.Text == key && e.Key.Kind == value.StringKind:
				found = e.Value
			case e.Key.Text == key, strings.HasPrefix(e.Key.Text, key+"."):
				return nil // a number that is spelled so; a key that a dotted path may mean
			}
		}
	case n.Kind == yaml.SeqNode:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Items) {
			found = n.Items[i]
		}
	}
	return found
}

// isDataKey reports whether a key says nothing about the map that it is in.
func isDataKey(k value.Key) bool {
	return k.Kind != value.StringKind || !expr.MayBeExpression(k.Text) && !expr.IsTemplate(k.Text)
}

// isData reports whether a value of YAML is what it comes to.
func isData(v value.Value) bool {
	switch v.Kind() {
	case value.StringKind:
		return !expr.IsTemplate(v.Str())
	case value.ListKind:
		for i := range v.List().Len() {
			if item, err := v.List().At(i); err != nil || !isData(item) {
				return false
			}
		}
	case value.MapKind:
		for k := range v.Map().Keys() {
			if item, _, err := v.Map().Get(k); err != nil || !isDataKey(k) || !isData(item) {
				return false
			}
		}
	}
	return true
}

// JSON returns a big JSON file as a text to look things up in, nil if it has to be parsed
// at once: it is small or no valid value. In a valid one nothing can be wrong elsewhere than
// on the path that is looked at.
func JSON(f *source.File, o yaml.ParseOptions) *Text {
	if len(f.Text) < minSize || f.Secret || !json.Valid([]byte(f.Text)) {
		return nil
	}
	return &Text{f, func(keys []value.Key) (value.Value, bool) { return lookupJSON(f, keys, o) }}
}

// lookupJSON does without the parsed document unless a map on the way has directives, is
// an expression, or has the key twice; a list is not indexed; what is found needs evaluation.
func lookupJSON(f *source.File, keys []value.Key, o yaml.ParseOptions) (v value.Value, ok bool) {
	at := gjson.Parse(f.Text)
	for _, k := range keys {
		if at, ok = below(at, k.Text); !ok {
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

// below returns what a map or list has under a key, if it is plain data.
func below(in gjson.Result, key string) (found gjson.Result, ok bool) {
	switch {
	case in.IsObject():
		plain := true
		in.ForEach(func(k, item gjson.Result) bool {
			name := k.String()
			if strings.HasPrefix(name, "+") || expr.MayBeExpression(name) {
				plain = false
			}
			if name != key && strings.HasPrefix(name, key) && name[len(key)] == '.' {
				plain = false // a dotted path may mean this key
			}
			if name == key {
				plain = plain && !ok
				found, ok = item, true
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

// needsEvaluation reports whether JSON text may hold anything but plain data.
func needsEvaluation(raw string) bool {
	for _, sign := range []string{"{{", "{%", `"+`, `\u`, `"eval"`, `"ref"`, `"concat"`, `"token"`, `"get_env"`, `"has_env"`, `"q"`} {
		if strings.Contains(raw, sign) {
			return true
		}
	}
	return false
}
