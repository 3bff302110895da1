package bigfile

import (
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
func belowNode(n *yaml.Node, key string) *yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.MapNode:
		return valueBelow(n.Entries, key)
	case n.Kind == yaml.SeqNode:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(n.Items) {
			return nil
		}
		return n.Items[i]
	}
	return nil
}

func valueBelow(entries []yaml.Entry, key string) (found *yaml.Node) {
	for _, e := range entries {
		switch {
		case !isDataKey(e.Key):
			return nil
		case e.Key.Text == key && e.Key.Kind == value.StringKind:
			found = e.Value
		case e.Key.Text == key, strings.HasPrefix(e.Key.Text, key+"."):
			return nil // a number that is spelled so; a key that a dotted path may mean
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
