package template

import (
	"context"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Dialect renders text templates in another language than Jinja.
type Dialect interface {
	// Render returns the text, with the marks of everything that the template read.
	//
	// Codes: syntax, bad-value, limit, timeout, missing-include, and the codes of evaluation.
	Render(ctx context.Context, p Page) (value.Value, error)
}

// A Page is a text template with its data.
type Page struct {
	File       *source.File
	Start      int    // the offset at which the template begins, after its header
	Dir        string // of the file
	Autoescape bool   // HTML in values is escaped
	Scope      *expr.Scope
	Files      expr.Asking // reads the files that the template names
	MaxBytes   int         // of the result, and of each text that the template makes
	MaxFiles   int         // of the files that the template reads, each time that it is read
}

// Names of dialects. Jinja is the language of this package.
const (
	Jinja  = "jinja"
	Pongo2 = "pongo2"
)

// Dialects returns the names of the dialects.
func Dialects() []string { return []string{Jinja, Pongo2} }

// pongo2 is set by the import of package template/pongo2, which brings net/http with it, or nil.
var pongo2 Dialect

// RegisterPongo2 makes the dialect pongo2 available. Package template/pongo2 calls it before the program starts.
func RegisterPongo2(d Dialect) { pongo2 = d }

// DialectOf returns the implementation of a dialect, nil for Jinja. at is the place of the name.
//
// Codes: usage for an unknown name, unsupported for a dialect that the program does not import.
func DialectOf(name string, at source.Span) (Dialect, error) {
	switch {
	case name == Jinja:
		return nil, nil
	case name != Pongo2:
		return nil, source.Errorf(at, source.Usage, "unknown dialect %q of templates%s", name, didYouMean(name, Dialects())).
			WithHint("the dialects are %s", strings.Join(Dialects(), " and "))
	case pongo2 == nil:
		return nil, source.Errorf(at, source.Unsupported, "this program cannot render the dialect pongo2").
			WithHint(`it needs the import _ "github.com/yaytpl/yaytpl/template/pongo2"`)
	}
	return pongo2, nil
}

// A Header is the first line of a text template that names its dialect:
//
//	# yaytpl: dialect=pongo2 autoescape=on
type Header struct {
	Dialect    string      // "" without a header
	At         source.Span // of the name
	Autoescape bool
	Start      int // the offset of the line after it
}

const (
	headerMark    = "# yaytpl:"
	dialectMark   = "dialect="
	byteOrderMark = "\ufeff"
)

// ReadHeader reads the header of a text template. Another first line is part of the text, such as the comment
// "# yaytpl: templates=off" of a YAML file that a template makes.
//
// Code: syntax for an unknown setting or value.
func ReadHeader(f *source.File) (Header, error) {
	line, _, broken := strings.Cut(f.Text, "\n")
	mark := len(line) - len(strings.TrimPrefix(line, byteOrderMark))
	settings, ok := strings.CutPrefix(line[mark:], headerMark)
	words := strings.Fields(settings)
	if !ok || len(words) == 0 || !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, dialectMark) }) {
		return Header{}, nil
	}
	h := Header{Start: len(line)}
	if broken {
		h.Start++
	}
	pos := mark + len(headerMark)
	for _, w := range words {
		pos += strings.Index(line[pos:], w)
		at := f.Span(pos, pos+len(w))
		pos += len(w)
		name, setting, _ := strings.Cut(w, "=")
		switch {
		case name+"=" == dialectMark && h.Dialect == "" && slices.Contains(Dialects(), setting):
			h.Dialect, h.At = setting, at
		case name+"=" == dialectMark && h.Dialect == "":
			return h, source.Errorf(at, source.Syntax, "unknown dialect %q of templates%s", setting, didYouMean(setting, Dialects())).
				WithHint("the dialects are %s", strings.Join(Dialects(), " and "))
		case w == "autoescape=on", w == "autoescape=off":
			h.Autoescape = w == "autoescape=on"
		default:
			return h, source.Errorf(at, source.Syntax, "%q is no setting of a text template", w).
				WithHint("the settings are dialect=%s, once, and autoescape=on|off", strings.Join(Dialects(), "|"))
		}
	}
	return h, nil
}

// RefuseDialect returns an error for a file of another dialect, which a template in Jinja's syntax includes or
// renders at the place at.
//
// Code: unsupported.
func RefuseDialect(f *source.File, at source.Span) error {
	h, err := ReadHeader(f)
	if err != nil || h.Dialect == "" || h.Dialect == Jinja {
		return err
	}
	return source.Errorf(at, source.Unsupported, "%s is a template of the dialect %s, which templates of other dialects cannot include", f.Name, h.Dialect).
		WithHint("yaytpl template renders it")
}
