package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A directive is a map key that names something to merge (spec: merge, section 1):
//
//	"+" ["?"] [include] ["*" anchor] [dots] ["/" segment]*
//
// For example "+?*base/a~1b" is an optional reference to the anchor base, and in its node
// to the key "a/b".
type directive struct {
	optional bool
	include  bool
	anchor   string
	dots     int
	path     []string // pointer segments, unescaped
}

// The keys that begin with "+" but are markers, not directives.
const (
	strategyKey = "+%"
	anchorKey   = "+&"
	listsKey    = "+lists"
	privateKey  = "+private"
	matchKey    = "+match"
	mayMatchKey = "+?match"
)

// parseKey parses a map key as a directive. ok is false if the key is not a directive.
// err reports a bad pointer in a directive.
func parseKey(key string) (d directive, ok bool, err error) {
	rest, plus := strings.CutPrefix(key, "+")
	if !plus || key == strategyKey || key == anchorKey {
		return d, false, nil
	}
	first, pointer, hasPath := strings.Cut(rest, "/")
	if first == "" && !hasPath {
		return d, false, nil
	}
	if !d.parseFirst(first) {
		return directive{}, false, nil
	}
	if at := badEscape(key); at >= 0 {
		return d, true, fmt.Errorf("invalid escape %s in JSON pointer %s", key[at:min(at+2, len(key))], key)
	}
	if hasPath {
		d.path = segments(pointer)
	}
	d.anchor = unescape(d.anchor)
	return d, true, nil
}

// parseFirst parses s, the part before the pointer. It reports whether s is valid.
func (d *directive) parseFirst(s string) bool {
	s, d.optional = strings.CutPrefix(s, "?")
	if rest, ok := strings.CutPrefix(s, "include"); ok {
		d.include = true
		s = strings.TrimLeft(rest, labelChars)
	}
	if rest, ok := strings.CutPrefix(s, "*"); ok {
		d.anchor = rest
		return rest != "" && !strings.ContainsAny(rest, " \t\n")
	}
	dots := strings.TrimLeft(s, ".")
	d.dots = len(s) - len(dots)
	return dots == "" && !(d.include && d.dots > 0)
}

const labelChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

const escapeHint = `write "~" as "~0" and "/" as "~1"`

// badEscape returns the offset of the first "~" not followed by 0 or 1, or -1.
func badEscape(key string) int {
	for i := 0; i < len(key); i++ {
		if key[i] == '~' && (i+1 == len(key) || key[i+1] != '0' && key[i+1] != '1') {
			return i
		}
	}
	return -1
}

// unescape undoes the escapes of a JSON pointer: first ~1, then ~0, so that ~01
// stays ~1 (RFC 6901).
func unescape(seg string) string {
	if !strings.Contains(seg, "~") {
		return seg
	}
	return strings.ReplaceAll(strings.ReplaceAll(seg, "~1", "/"), "~0", "~")
}

// segments splits a JSON pointer, given without its first slash, into unescaped keys.
func segments(pointer string) []string {
	segs := strings.Split(pointer, "/")
	for i := range segs {
		segs[i] = unescape(segs[i])
	}
	return segs
}

// IsDirective reports whether a map key is a merge directive or a marker of one.
func IsDirective(key string) bool {
	switch key {
	case strategyKey, anchorKey, listsKey, privateKey, matchKey, mayMatchKey:
		return true
	}
	_, ok, _ := parseKey(key)
	return ok
}

// directive adds the bases that a directive refers to, none after an error.
func (m *mapping) directive(d directive, e *yaml.Entry) {
	ref := &graph.Ref{
		At: e.KeyAt, Key: e.Key.Text,
		Path: d.path, Anchor: d.anchor, Optional: d.optional,
	}
	switch {
	case d.include:
		ref.From = graph.FromFile
		m.includes(ref, e.Value)
		return
	case d.anchor != "":
		ref.From = graph.FromAnchor
	case d.dots > 0:
		ref.From, ref.Up = graph.FromHere, d.dots-1
	}
	word, isText := wordOf(e.Value)
	switch {
	case word == "raw":
		ref.Raw = true
	case isText && word == "", e.Value.Kind == yaml.ScalarNode && e.Value.Value.IsNull():
	default:
		m.findings = append(m.findings, source.Warnf(e.Value.At, source.Suspicious,
			"the value of %s is ignored", ref.Key).
			WithHint(`leave it empty, or write "raw" to keep directives in the target as they are`))
	}
	m.bases = append(m.bases, ref)
}

// includes reads the value of "+include" (spec: merge, section 5; everyday, B5). A list is as several
// directives, one for each item.
func (m *mapping) includes(ref *graph.Ref, n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SeqNode && len(n.Items) > 0 {
		items = n.Items
	}
	for _, item := range items {
		one := *ref
		if base := m.include(&one, item); base != nil {
			m.bases = append(m.bases, base)
		}
	}
}

// include reads the name of a file, or a map with one.
func (m *mapping) include(ref *graph.Ref, n *yaml.Node) graph.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	ref.FileAt = n.At
	switch {
	case n.Kind == yaml.MapNode:
		return m.includeMap(ref, n)
	case n.Kind == yaml.ScalarNode && n.Value.Is(value.StringKind) && n.Value.Str() != "":
		return m.includeFile(ref, n, "")
	}
	m.badInclude(n)
	return nil
}

// badInclude reports an include whose value is not valid, with its text shortened.
func (m *mapping) badInclude(n *yaml.Node) {
	line, _, several := strings.Cut(n.At.Text(), "\n")
	text := source.Cut(line, 60)
	switch {
	case several && text == line:
		text += "..."
	case text == "":
		text = "the name of the file is missing"
	}
	m.errorf(n.At, source.BadInclude, "invalid include: %s", text).
		WithHint("give the name of a file, or a map with the key file")
}

// includeKeys are the keys of the map form of an include.
var includeKeys = []string{"file", "document", "merge", "when", "repository", "lang", "templates", "expressions", "directives", literals}

// includeMap reads the map form of an include, such as {file: a.yaml, when: STAGE}.
func (m *mapping) includeMap(ref *graph.Ref, n *yaml.Node) graph.Node {
	if m.isExpressionMap(n) {
		return computedInclude(ref, n, expression(n), "")
	}
	var file *yaml.Node
	var when string
	for i := range n.Entries {
		e := &n.Entries[i]
		word, _ := wordOf(e.Value)
		switch e.Key.Text {
		case "file":
			file = e.Value
		case "merge":
			if ref.Raw = word == "raw"; !ref.Raw {
				m.findings = append(m.findings, source.Warnf(e.Value.At, source.Suspicious, "the value of merge is ignored").
					WithHint(`write "raw" to keep directives in the file as they are, or leave out merge`))
			}
		case "when":
			if when = word; when == "" {
				m.errorf(e.Value.At, source.BadInclude, "when must be the name of an environment variable")
			}
		case "repository":
			ref.Named = repositoryName(e.Value)
		case "lang":
			ref.Lang = word
		case "document":
			m.choice(ref, e.Value)
		case "templates", "expressions", "directives", literals:
			m.fileSwitch(ref, e)
		default:
			m.findings = append(m.findings, source.Warnf(e.KeyAt, source.Suspicious, "unknown key %q in an include", e.Key.Text).
				WithHint("the keys are %s", strings.Join(includeKeys, ", ")).DidYouMean(e.Key.Text, slices.Values(includeKeys)))
		}
	}
	if file == nil {
		m.errorf(n.At, source.BadInclude, "`file` key missing from document include").
			WithHint("write {file: NAME}")
		return nil
	}
	if file.Kind == yaml.AliasNode {
		file = file.Target
	}
	if file.Kind == yaml.MapNode && m.isExpressionMap(file) {
		return computedInclude(ref, file, expression(file), when)
	}
	if file.Kind != yaml.ScalarNode || !file.Value.Is(value.StringKind) || file.Value.Str() == "" {
		m.badInclude(file)
		return nil
	}
	return m.includeFile(ref, file, when)
}

// fileSwitch reads a switch in the map form of an include, such as "templates: false".
func (m *mapping) fileSwitch(ref *graph.Ref, e *yaml.Entry) {
	if !e.Value.Value.Is(value.BoolKind) {
		m.errorf(e.Value.At, source.BadInclude, "%s must be true or false", e.Key.Text)
		return
	}
	if ref.Switch == nil {
		ref.Switch = map[string]bool{}
	}
	ref.Switch[e.Key.Text] = e.Value.Value.Bool()
}

// repositoryName returns the name in "repository: NAME" or "repository: {name: NAME}".
func repositoryName(n *yaml.Node) string {
	if n.Kind == yaml.MapNode {
		for i := range n.Entries {
			if n.Entries[i].Key.Text == "name" {
				word, _ := wordOf(n.Entries[i].Value)
				return word
			}
		}
	}
	word, _ := wordOf(n)
	return word
}

// isExpressionMap reports whether a map in the source is an expression object.
func (l *lowering) isExpressionMap(n *yaml.Node) bool {
	if l.opts.NoExpressions {
		return false
	}
	raw, err := n.ToValue()
	return err == nil && raw.Is(value.MapKind) && expr.IsExpression(raw.Map())
}

// expression returns the thunk of an expression object that no layer can change.
func expression(n *yaml.Node) graph.Thunk {
	raw, err := n.ToValue()
	if err != nil {
		return &exprThunk{raw: raw, err: err}
	}
	node, err := expr.Compile(raw, n.At)
	return &exprThunk{raw: raw, node: node, err: err}
}

// includeFile returns the node of an include of the file that n names, which applies only
// if the environment variable when is not empty. Without when it always applies.
func (m *mapping) includeFile(ref *graph.Ref, n *yaml.Node, when string) graph.Node {
	ref.FileAt = n.At
	text := n.Value.Str()
	if expr.IsTemplate(text) && !m.opts.NoTemplates {
		return computedInclude(ref, n, &templateThunk{text: n.Value, node: n}, when)
	}
	if file, _, _ := strings.Cut(text, "#"); isGlob(file) {
		return computedInclude(ref, n, quotedThunk{n.Value, n.Value}, when)
	}
	if d := setFile(ref, text); d != nil {
		m.findings = append(m.findings, d)
		return nil
	}
	if when != "" {
		return &graph.Guard{
			At: ref.FileAt, Label: graph.IncludeLabel, On: envThunk{when, ref.FileAt},
			Pick: func(_ *graph.Context, v value.Value) (graph.Node, error) {
				if v.Str() == "" {
					return nil, nil
				}
				return ref, nil
			},
		}
	}
	m.doc.Includes = append(m.doc.Includes, ref)
	return ref
}

// setFile sets the target of a reference from the text "file" or "file#/pointer".
func setFile(ref *graph.Ref, text string) *source.Diagnostic {
	file, fragment, _ := strings.Cut(text, "#")
	ref.File = file
	bad := source.Errorf(ref.FileAt, source.BadPointer, "%q is not a JSON pointer", fragment)
	switch {
	case fragment == "":
		return nil
	case !strings.HasPrefix(fragment, "/"):
		return bad.WithHint("a fragment begins with a slash: %s#/%s", file, fragment)
	case badEscape(fragment) >= 0:
		return bad.WithHint(escapeHint)
	}
	ref.Path = append(segments(fragment[1:]), ref.Path...)
	return nil
}

// computedInclude returns the node of an include whose file name is computed during the
// evaluation: a guard that picks the file.
func computedInclude(ref *graph.Ref, n *yaml.Node, name graph.Thunk, when string) graph.Node {
	ref.FileAt = n.At
	return &graph.Guard{
		At: n.At, Label: graph.IncludeLabel, On: whenThunk{when, n.At, name},
		Pick: func(p *graph.Context, v value.Value) (graph.Node, error) {
			if v.IsNull() || v.Is(value.UndefinedKind) {
				return nil, nil
			}
			if marks, err := value.DeepMarks(v); err != nil || marks != 0 {
				return nil, source.Errorf(ref.FileAt, source.BadInclude, "the file name of an include must not be secret")
			}
			if !v.Is(value.StringKind) || v.Str() == "" {
				text, _ := value.Repr(v)
				return nil, source.Errorf(ref.FileAt, source.BadInclude, "invalid include: %s", text).
					WithHint("the name must become a text that is not empty, or null to include nothing")
			}
			named := *ref
			if d := setFile(&named, v.Str()); d != nil {
				return nil, d
			}
			if isGlob(named.File) {
				return globbed(p, &named)
			}
			return &named, nil
		},
	}
}
