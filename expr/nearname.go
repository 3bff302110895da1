package expr

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Remover is a map that knows the whiteouts of its keys. Maps of the configuration are
// removers.
type Remover interface {
	value.Map
	// Removed returns the place of the whiteout that removed a key, and false if none did.
	Removed(value.Key) (source.Span, bool)
}

// undefinedName explains why a name has no value. The hint is the first that fits:
//
//	{{ foo-bar }}, foo-bar is a key          ROOT['foo-bar'] is the key foo-bar
//	a whiteout removed the name              +private: [name] keeps it readable
//	SELF or a map around it has the name     did you mean SELF.port?
//	a name of a similar spelling             did you mean "port"?
//	{{ foo-bar }}                            ROOT['foo-bar'] would be the key foo-bar
//	one map of the document has the name     did you mean web.port?
//
// spec: everyday, A7.
func undefinedName(n *Name, s *Scope) *source.Diagnostic {
	d := source.Errorf(n.At, source.Undefined, "%q is undefined", n.Name)
	root := s.Env.Root()
	whole := HyphenedWord(n)
	switch {
	case whole != "" && hasKey(root, whole):
		return d.WithHint(`"-" subtracts; the key is %s`, keyOf("ROOT", whole))
	case whole != "" && hasKey(s.Self, whole):
		return d.WithHint(`"-" subtracts; the key is %s`, keyOf("SELF", whole))
	}
	if at, ok := removed(root, n.Name); ok {
		return whitedOut(d, n.Name, at)
	}
	if at, ok := removed(s.Self, n.Name); ok {
		return whitedOut(d, n.Name, at)
	}
	if path := aroundSelf(s, n.Name); path != "" {
		return d.WithHint("did you mean %s?", path)
	}
	if d.DidYouMean(n.Name, s.visibleNames()); d.Hint != "" {
		return d
	}
	if whole != "" {
		return d.WithHint(`"-" subtracts; a key with "-" is written %s`, keyOf("ROOT", whole))
	}
	if path := elsewhere(root, n.Name); path != "" {
		d.WithHint("did you mean %s?", path)
	}
	return d
}

// whitedOut adds to d that a whiteout removed a key.
func whitedOut(d *source.Diagnostic, name string, at source.Span) *source.Diagnostic {
	d.Message += ": a whiteout removed it"
	d.Note(at, "the whiteout")
	return d.WithHint("to keep it out of the result only, write +private: [%s] in place of the whiteout", name)
}

// noMethod returns the error of calling a method that a value does not have.
func noMethod(sel *Select, recv value.Value, lib Library) error {
	d := source.Errorf(sel.NameAt, source.Undefined, "%s has no method %q", value.Article(recv.Kind()), sel.Name)
	if lib.HasFilter(sel.Name) {
		x := nodeName(sel.X)
		if x == "" {
			x = "x"
		}
		return d.WithHint("%q is a filter: %s | %s", sel.Name, x, sel.Name)
	}
	names := slices.Values(lib.MethodNames(recv.Kind()))
	if recv.Is(value.MapKind) && recv.Marks() == 0 && source.Suggest(sel.Name, names) == "" {
		names = value.KeyTexts(recv.Map())
	}
	return d.DidYouMean(sel.Name, names)
}

// removed returns the place of the whiteout that removed a key of v.
func removed(v value.Value, name string) (source.Span, bool) {
	if !v.Is(value.MapKind) || v.Marks() != 0 {
		return source.Span{}, false
	}
	if r, ok := v.Map().(Remover); ok {
		return r.Removed(value.K(name))
	}
	return source.Span{}, false
}

// maxAround bounds the maps around SELF in which a name is looked for.
const maxAround = 20

// aroundSelf returns the expression of the nearest map around the template with a key:
// SELF.port, or web.port for a map further out. It is "" if none has it.
func aroundSelf(s *Scope, name string) string {
	v := s.Self
	for depth := range maxAround {
		in, ok := instance(v)
		if !ok {
			return ""
		}
		parent, ok, err := in.Parent()
		if !ok || err != nil {
			return "" // the root, whose keys are names
		}
		if computing, ok := in.(interface{ Computing(string) bool }); ok && computing.Computing(name) {
			v = parent // web: {port: "{{ port }}"}
			continue
		}
		if hasKey(v, name) {
			at, ok := in.(Searcher)
			switch {
			case depth == 0:
				return attributeOf("SELF", name)
			case !ok:
				return ""
			}
			return attributeOf(pathExpression(at.Path()), name)
		}
		v = parent
	}
	return ""
}

// A Searcher is a map that knows its place, and finds the places below it that have a key.
// Maps of the configuration are searchers.
type Searcher interface {
	value.Map
	// Path returns the keys that lead to the map from the root of its document.
	Path() value.Path
	// Places returns paths from the map, nearest first, at most a number of them. It
	// evaluates nothing.
	Places(key string, most int) []value.Path
	// Looks counts n names that an error looks at to find one that is meant, and reports whether errors
	// may look at more.
	Looks(n int) bool
}

// looks is [Searcher.Looks] of the document.
func (s *Scope) looks(n int) bool {
	m, ok := s.Env.Root().Map().(Searcher)
	return !ok || m.Looks(n)
}

// elsewhere returns the expression of the only place below the root that has a key: web.port.
// It is "" if there is none, or if there are several, which may all be wrong.
func elsewhere(root value.Value, name string) string {
	if !root.Is(value.MapKind) || root.Marks() != 0 {
		return ""
	}
	m, ok := root.Map().(Searcher)
	if !ok {
		return ""
	}
	paths := m.Places(name, 2)
	if len(paths) != 1 {
		return ""
	}
	return pathExpression(paths[0])
}

// pathExpression writes a path as an expression of templates: jobs['a-b'][0].port.
func pathExpression(p value.Path) string {
	x := ""
	for i, k := range p {
		switch {
		case k.Kind == value.IntKind:
			x += "[" + k.Text + "]"
		case i == 0 && isPlainName(k.Text):
			x = k.Text
		case i == 0:
			x = keyOf("ROOT", k.Text)
		default:
			x = attributeOf(x, k.Text)
		}
	}
	return x
}

// hasKey reports whether v is a map that may be quoted and has a text key. It evaluates no
// value of it.
func hasKey(v value.Value, key string) bool {
	if !v.Is(value.MapKind) || v.Marks() != 0 {
		return false
	}
	seen := 0
	for k := range v.Map().Keys() {
		if seen++; seen > maxKeysSeen {
			break
		}
		if k.Kind == value.StringKind && k.Text == key {
			return true
		}
	}
	return false
}

// maxKeysSeen bounds the keys of one map that an error looks at.
const maxKeysSeen = 5000

// attributeOf writes x.key, or x['a key'] if the key is no name.
func attributeOf(x, key string) string {
	if isPlainName(key) {
		return x + "." + key
	}
	return keyOf(x, key)
}

func keyOf(x, key string) string {
	text, err := value.Repr(value.String(key))
	if err != nil {
		return x
	}
	return x + "[" + text + "]"
}

func isPlainName(s string) bool {
	for i, r := range s {
		if !isNameStart(r) && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

func isNameStart(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// hyphened returns the word around a name in the source if it has hyphens without blanks:
// foo-bar for the place of foo in {{ foo-bar }}, otherwise "". before is the byte before it.
func hyphened(at source.Span, name string) (word string, before byte) {
	if at.File == nil || at.Text() != name {
		return "", 0
	}
	text := at.File.Text
	start, end := int(at.Start), int(at.End)
	for start > 0 && end-start < maxWord && inWord(text[start-1]) {
		start--
	}
	for end < len(text) && end-start < maxWord && inWord(text[end]) {
		end++
	}
	for start < end && text[start] == '-' { // of {{-
		start++
	}
	word = strings.TrimRight(text[start:end], "-")
	if !strings.Contains(word, "-") || strings.Contains(word, "--") || word[0] <= '9' {
		return "", 0
	}
	if start > 0 {
		before = text[start-1]
	}
	return word, before
}

const maxWord = 200

func inWord(c byte) bool { return c == '-' || isPlainName("_"+string(rune(c))) }

// HyphenedWord returns the word with hyphens around a name in the source, such as foo-bar for foo
// in {{ foo-bar }}. It is "" if there is none, or if the name is an attribute of another value.
func HyphenedWord(n *Name) string {
	word, before := hyphened(n.At, n.Name)
	if strings.IndexByte(".)]'\"", before) >= 0 {
		return ""
	}
	return word
}

// HyphenedKey returns the word with hyphens around the key of an attribute in the source, such as
// foo-bar for foo in {{ a.foo-bar }}, otherwise "".
func HyphenedKey(at source.Span, key string) string {
	word, before := hyphened(at, key)
	if before != '.' {
		return ""
	}
	return word
}

// hintKey adds to the error of a missing key what is known about it: a hyphen that was meant to
// be part of it, as in {{ a.foo-bar }}, a whiteout, or a key of a similar spelling.
func hintKey(d *source.Diagnostic, x Node, of value.Value, key string) *source.Diagnostic {
	if !of.Is(value.MapKind) || of.Marks() != 0 {
		return d
	}
	word := HyphenedKey(d.At, key)
	if name := nodeName(x); word != "" && name != "" && hasKey(of, word) {
		return d.WithHint(`"-" subtracts; the key is %s`, keyOf(name, word))
	}
	if at, ok := removed(of, key); ok {
		return whitedOut(d, key, at)
	}
	return d.DidYouMean(key, value.KeyTexts(of.Map()))
}
