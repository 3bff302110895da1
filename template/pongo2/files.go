package pongo2

import (
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/flosch/pongo2/v6"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/template"
	"github.com/yaytpl/yaytpl/value"
)

// A file is a template file, once for each time that it is read. Its name for the library is its number in the run,
// so that an error tells by which includes it was reached.
type file struct {
	name       string // as an include spells it
	source     *source.File
	dir        string
	start      int    // of the template in the source
	text       string // of the template
	autoescape bool

	parent *file
	at     source.Span // of the include in the parent
	depth  int         // tags around it in other files

	deepest   int           // tags around one another
	operators int           // most operators or brackets of a tag
	refs      []source.Span // of the files that it names, in their order
	loaded    int           // how many of them the library has asked for

	edits   []edit
	guarded string
	offsets []offset
}

// An offset says which place of the text a place of the guarded text is.
type offset struct{ guarded, text int }

func (f *file) edit(start, end int, text string) { f.edits = append(f.edits, edit{start, end, text}) }

func (f *file) span(start, end int) source.Span { return f.source.Span(f.start+start, f.start+end) }

// escaping returns the mode of the tag autoescape.
func (f *file) escaping() string {
	if f.autoescape {
		return "on"
	}
	return "off"
}

// included adds to an error in f the places of the includes that lead to f.
func (f *file) included(d *source.Diagnostic) *source.Diagnostic {
	const most = 20
	for ; f.parent != nil && len(d.Includes) < most; f = f.parent {
		d.Includes = append(d.Includes, f.at)
	}
	return d
}

// A loader is the library's way to files.
type loader struct{ run *run }

// Abs implements [pongo2.TemplateLoader]: base includes name. Without a base, name is one that it returned.
func (l loader) Abs(base, name string) string {
	parent := l.run.files[base]
	if parent == nil {
		return name
	}
	at := l.run.included
	if parent.loaded < len(parent.refs) { // the library parses it
		at = parent.refs[parent.loaded]
		parent.loaded++
	}
	return l.run.add(&file{name: name, parent: parent, at: at, depth: parent.depth + parent.deepest + 1})
}

// add returns the name of a file for the library.
func (r *run) add(f *file) string {
	id := strconv.Itoa(len(r.files))
	r.files[id] = f
	return id
}

// Get implements [pongo2.TemplateLoader]. The library goes on after the error of a missing file only.
func (l loader) Get(id string) (io.Reader, error) {
	r, f := l.run, l.run.files[id]
	if f.parent != nil {
		if err := r.open(f); err != nil {
			r.missing = err
			return nil, err
		}
	}
	f.text = f.source.Text[f.start:]
	f.autoescape = f.autoescape || r.page.Autoescape
	if f.source.Secret {
		r.marks |= value.Secret
	}
	g := &guard{run: r, file: f}
	if err := g.rewrite(); err != nil {
		message := err.message
		if err.code == source.Syntax {
			message = "template error: " + message
		}
		r.fail(f.included(source.Errorf(f.span(err.start, err.end), err.code, "%s", message)))
	}
	return strings.NewReader(f.guarded), nil
}

// open reads a file. It returns the error of a file that is missing; other errors end the run.
func (r *run) open(f *file) error {
	switch {
	case len(r.files) > r.page.MaxFiles:
		r.fail(f.parent.included(source.Errorf(f.at, source.Limit, "more than %d template files (--max-files)", r.page.MaxFiles)))
	case f.depth > maxNesting:
		r.fail(f.parent.included(source.Errorf(f.at, source.Limit, "template %q includes itself, or files with nested tags, more than %d deep", f.name, maxNesting)))
	}
	secret := r.marks != 0
	err := r.ask(func() (err error) {
		f.source, err = r.page.Files(f.at, secret).ReadFile(f.name, f.parent.dir)
		return err
	})
	switch {
	case err == nil:
	case secret:
		err = source.Errorf(f.at, source.MissingInclude, "cannot read a template; its name is not shown, because the template has read a secret")
	default:
		err = template.CannotLoad(f.name, f.at, err)
	}
	if d, ok := errors.AsType[*source.Diagnostic](err); ok {
		located := *d
		err = f.parent.included(&located)
		if d.Code != source.MissingInclude {
			r.fail(err)
		}
		return err
	}
	h, err := template.ReadHeader(f.source)
	if err == nil && h.Dialect != template.Pongo2 && h.Dialect != "" {
		err = template.RefuseDialect(f.source, h.At)
	}
	if err != nil {
		r.fail(err)
	}
	f.start, f.autoescape, f.dir = h.Start, h.Autoescape, f.parent.dir
	if f.source.Path != "" {
		f.dir = filepath.Dir(f.source.Path)
	}
	return nil
}

// place returns the span of n bytes at a line and column of the guarded text, both counted from 1.
func (f *file) place(line, col, n int) source.Span {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(f.guarded[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	at += max(col-1, 0)
	i := sort.Search(len(f.offsets), func(i int) bool { return f.offsets[i].guarded > at }) - 1
	if i < 0 {
		return f.span(0, 0)
	}
	start := f.offsets[i].text + at - f.offsets[i].guarded
	if i+1 < len(f.offsets) {
		start = min(start, f.offsets[i+1].text)
	}
	start = min(start, len(f.text))
	return f.span(start, min(start+n, len(f.text)))
}

// nested matches an error that the library has put into the message of another one.
const nested = `(?s)^\[Error \(where: [^)]*\)(?: in (\d+))?(?: \| Line (\d+) Col (\d+)(?: near '.*?')?)?\] (.*)$`

// translated returns an error of the library with its place in the source.
func (r *run) translated(err error) error {
	var e *pongo2.Error
	if !errors.As(err, &e) {
		return err
	}
	message, id, line, col, n := e.OrigError.Error(), e.Filename, e.Line, e.Column, 1
	if e.Token != nil {
		id, n = e.Token.Filename, max(len(e.Token.Val), 1)
	}
	inner := regexp.MustCompile(nested)
	for m := inner.FindStringSubmatch(message); m != nil; m = inner.FindStringSubmatch(message) {
		message = m[4]
		if m[1] != "" && m[2] != "" {
			id, n = m[1], 1
			line, _ = strconv.Atoi(m[2])
			col, _ = strconv.Atoi(m[3])
		}
	}
	if r.missing != nil && strings.HasSuffix(message, "unable to resolve template") {
		return r.missing
	}
	code := source.BadValue
	if e.Sender == "lexer" || e.Sender == "parser" {
		code, message = source.Syntax, "template error: "+plainer(message)
	} else {
		message = plainer(message)
		if r.marks != 0 { // yesno has its argument in its message
			message = "pongo2 fails here" + r.detail("")
		}
	}
	f := r.files[id]
	if f == nil {
		return source.Errorf(r.at, code, "%s", message)
	}
	return f.included(source.Errorf(f.place(line, col, n), code, "%s", message))
}

// plainer returns a message of the library as the others are written: "Unexpected EOF." is "unexpected EOF".
func plainer(message string) string {
	message = strings.TrimSuffix(message, ".")
	if i := strings.IndexFunc(message, unicode.IsLetter); i == 0 && len(message) > 1 && unicode.IsLower(rune(message[1])) {
		message = strings.ToLower(message[:1]) + message[1:]
	}
	return message
}
