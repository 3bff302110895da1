package overlay

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// patchEnv applies edits to the text of a .env file (spec: everyday, B7): values are set in their place,
// new names get a line at the end, deleted ones lose their lines. Comments and all other lines stay.
//
//	PORT=80  # main     PORT set to 81       PORT=81  # main
//	                    GREETING set to a b  GREETING="a b"
//
// Codes: syntax; not-found; output for a value that is not a text, and for a name that such files do not
// have.
func patchEnv(edits []roundtrip.Edit, f *source.File, o yaml.ParseOptions) (string, error) {
	text := f.Text
	for _, e := range edits {
		now := &source.File{Name: f.Name, Text: text, Secret: f.Secret}
		next, err := editEnv(e, now, o)
		if err != nil {
			return "", err
		}
		text = next
	}
	return text, nil
}

// editEnv makes one edit, and reads the new text to verify it.
func editEnv(e roundtrip.Edit, f *source.File, o yaml.ParseOptions) (string, error) {
	root, err := envRoot(f, o)
	if err != nil {
		return "", err
	}
	if len(e.Path) != 1 || e.Op != roundtrip.Set && e.Op != roundtrip.Insert && e.Op != roundtrip.Delete && e.Op != roundtrip.Rename {
		return "", onlyTexts(f)
	}
	name := e.Path[0].Text
	at := slices.IndexFunc(root.Entries, func(entry yaml.Entry) bool { return entry.Key.Text == name })
	if at < 0 && (e.Op == roundtrip.Delete || e.Op == roundtrip.Rename) {
		return "", source.Errorf(f.Span(0, 0), source.NotFound, "%s has no %s", f.Name, name)
	}
	want := map[string]string{}
	for _, entry := range root.Entries {
		want[entry.Key.Text] = entry.Value.Value.Str()
	}
	var text string
	switch e.Op {
	case roundtrip.Delete:
		delete(want, name)
		text = withoutLines(f.Text, root.Entries[at])
	case roundtrip.Rename:
		key := root.Entries[at].KeyAt
		want[e.Key.Text] = want[name]
		delete(want, name)
		text = f.Text[:key.Start] + e.Key.Text + f.Text[key.End:]
	default:
		if !e.Value.Is(value.StringKind) {
			place := f.Span(0, 0)
			if at >= 0 {
				place = root.Entries[at].Value.At
			}
			d := source.Refuse(place, source.NoSpelling, "the value of %s is %s, and a .env file has only texts", name, value.Article(e.Value.Kind()))
			if e.Value.IsScalar() {
				d.WithHint("--string makes it a text")
			}
			return "", d
		}
		want[name] = e.Value.Str()
		if at < 0 {
			text = withLine(f.Text, root, name, e.Value.Str())
		} else {
			text = withValue(f.Text, root, root.Entries[at].Value, e.Value.Str())
		}
	}
	after, err := envRoot(&source.File{Name: f.Name, Text: text, Secret: f.Secret}, o)
	if err != nil || !holdsEnv(after, want) {
		return "", source.Refuse(f.Span(0, 0), source.NoSpelling, "a .env file cannot express this name or value").
			WithHint("a name has letters, digits and _")
	}
	return text, nil
}

func onlyTexts(f *source.File) error {
	return source.Refuse(f.Span(0, 0), source.NoSpelling, "a .env file has only names with texts").
		WithHint("put the value into a YAML file above it")
}

// envRoot returns the map of a .env file.
func envRoot(f *source.File, o yaml.ParseOptions) (*yaml.Node, error) {
	docs, found := yaml.ParseEnv(f, o)
	if d := source.FirstError(found); d != nil {
		return nil, d
	}
	return docs[0].Root, nil
}

// holdsEnv reports whether a file has these values.
func holdsEnv(root *yaml.Node, want map[string]string) bool {
	if len(root.Entries) != len(want) {
		return false
	}
	return !slices.ContainsFunc(root.Entries, func(e yaml.Entry) bool {
		text, ok := want[e.Key.Text]
		return !ok || text != e.Value.Value.Str()
	})
}

// withValue replaces a value, in its quotes if these can express the new one.
func withValue(text string, root, old *yaml.Node, s string) string {
	lineBreak := lineBreakOf(text, root)
	written := envText(s, lineBreak)
	switch {
	case old.Style == yaml.DoubleQuoted:
		written = doubleQuoted(s, lineBreak)
	case old.Style == yaml.SingleQuoted && !strings.ContainsAny(s, "'\r"):
		written = "'" + s + "'"
	}
	before, rest := text[:old.At.Start], text[old.At.End:]
	if old.At.Start == old.At.End { // the value is empty: it begins at the "="
		before = strings.TrimRight(before, " \t")
		rest = text[len(before):]
		if strings.HasPrefix(rest, "#") {
			rest = " " + rest // else the comment would become part of the value
		}
	}
	return before + written + rest
}

// withLine adds a line for a new name at the end, with "export" if the last one has it.
func withLine(text string, root *yaml.Node, name, s string) string {
	lineBreak, export := lineBreakOf(text, root), ""
	if n := len(root.Entries); n > 0 && lineBefore(text, root.Entries[n-1]) != "" {
		export = "export "
	}
	line := export + name + "=" + envText(s, lineBreak)
	if text != "" && !strings.HasSuffix(text, "\n") { // and so it stays
		return text + lineBreak + line
	}
	return text + line + lineBreak
}

// lineBreakOf returns how the first line ends. A value in quotes may have other line breaks in it.
func lineBreakOf(text string, root *yaml.Node) string {
	if len(root.Entries) > 0 && !strings.Contains(text[:root.Entries[0].KeyAt.Start], "\n") {
		text = text[root.Entries[0].Value.At.End:]
	}
	if line, _, found := strings.Cut(text, "\n"); found && strings.HasSuffix(line, "\r") {
		return "\r\n"
	}
	return "\n"
}

// lineBefore returns the text before the name of an entry on its line.
func lineBefore(text string, e yaml.Entry) string {
	start := strings.LastIndexByte(text[:e.KeyAt.Start], '\n') + 1
	return strings.TrimSpace(strings.TrimPrefix(text[start:e.KeyAt.Start], "\ufeff"))
}

// withoutLines removes the lines of an entry.
func withoutLines(text string, e yaml.Entry) string {
	start := strings.LastIndexByte(text[:e.KeyAt.Start], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[e.Value.At.End:], '\n'); i >= 0 {
		end = int(e.Value.At.End) + i + 1
	} else { // the text has no last line break, and so it stays
		start = len(strings.TrimSuffix(strings.TrimSuffix(text[:start], "\n"), "\r"))
	}
	return text[:start] + text[end:]
}

// envPlain is a value that shells and readers of .env files take as it is without quotes.
var envPlain = lazy.Regexp{Text: `^[\pL\pN_./:@%+,=^-]*$`}

// envText returns a text as the value of a line, in a file with these line breaks.
func envText(s, lineBreak string) string {
	if envPlain.Get().MatchString(s) {
		return s
	}
	return doubleQuoted(s, lineBreak)
}

var envEscapes = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "\r\n", `\r\n`, "\r", `\r`)
}}

// doubleQuoted returns a text in quotes. Line breaks and tabs are written as they are, which shells and
// readers of .env files both take: a shell does not expand \n. The return of another system is an escape,
// with the break after it: as it is, readers and editors would change it.
func doubleQuoted(s, lineBreak string) string {
	return `"` + strings.ReplaceAll(envEscapes.Get().Replace(s), "\n", lineBreak) + `"`
}

// EnvValue returns a scalar as the text that a .env file has for it: numbers and booleans as they are
// written. It returns false for lists and maps.
func EnvValue(v value.Value) (value.Value, bool) {
	switch v.Kind() {
	case value.StringKind:
		return v, true
	case value.NullKind:
		return value.String("null").Mark(v.Marks()), true
	case value.BoolKind:
		word := "false"
		if v.Bool() {
			word = "true"
		}
		return value.String(word).Mark(v.Marks()), true
	case value.IntKind, value.FloatKind:
		text, err := value.Text(v)
		return value.String(text).Mark(v.Marks()), err == nil
	}
	return v, false
}
