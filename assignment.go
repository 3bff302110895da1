package yaytpl

import (
	"context"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Form says how a text that is one value is read.
type Form = yaml.Form

// The forms.
const (
	TypedForm = yaml.TypedForm // VALUE of a command line: see [yaml.Form.Parse]
	TextForm  = yaml.TextForm  // text, whatever it looks like
	YAMLForm  = yaml.YAMLForm  // any YAML of one document
)

// An Assignment assigns a value to a path: as a layer above all files in [Options], or as an
// edit. The value is Data or, if that is nil, what Form makes of the text of File or, if that
// is empty, of Text.
//
//	yaytpl.Assignment{Path: "web.port", Text: "8080"}                           a number
//	yaytpl.Assignment{Path: "web.tag", Form: yaytpl.TextForm, Text: "1.10"}       text
//	yaytpl.Assignment{Path: "tls.key", Form: yaytpl.TextForm, File: "key.pem"}    text of a file
//	yaytpl.Assignment{Path: "web.hosts", Append: true, Form: yaytpl.YAMLForm, Text: "[a, b]"}
type Assignment struct {
	Path   string
	Append bool         // appends to the list at Path: a layer the items of a list, an edit one item
	Form   Form         // how the text is read
	Text   string       // a text with "{{" is a template, as in a file
	File   string       // "-" is standard input; the roots do not apply, since no document chose it
	Data   *value.Value // nothing in it is evaluated
	At     source.Span  // where Data was written; it may be zero
	Layer  string       // the name of the layer in an explanation; "" is -D PATH
}

// ParseAssignment parses an assignment as the command line has it:
//
//	PATH=VALUE   sets          PATH+=VALUE   appends
//	PATH:=YAML   any YAML      PATH+:=YAML
//	PATH=@FILE   text of FILE  PATH+=@FILE
//	PATH:=@FILE  YAML of FILE  PATH+:=@FILE
//
// VALUE is read in [TypedForm]. Since it may name a file, text must come from a caller that
// may read all files.
//
// Code: usage.
func ParseAssignment(text string) (Assignment, error) {
	a, err := engine.ParseAssignment(text)
	return Assignment(a), err
}

// ParseTextAssignment parses PATH=TEXT or PATH+=TEXT, where TEXT is text, whatever it looks
// like.
//
// Code: usage.
func ParseTextAssignment(text string) (Assignment, error) {
	a, err := engine.ParseText(text)
	return Assignment(a), err
}

// Value returns the value of an assignment as data: nothing in it is evaluated. The value of an
// encrypted file is secret.
//
// Codes: access and other codes of reading a file; usage for a text that is not what it begins as;
// the codes of parsing YAML.
func (a Assignment) Value(ctx context.Context, o Options) (value.Value, error) {
	if a.Data != nil {
		return *a.Data, nil
	}
	f, err := engine.Assignment(a).Source(o.Engine(ctx).Files())
	if err != nil {
		return value.Null, err
	}
	v, err := frontend.Data(f, a.Form)
	if d, ok := err.(*source.Diagnostic); ok {
		err = show.Finding(d, f)
	}
	return v, err
}

// ParseValue parses a text as YAML data and evaluates nothing in it.
func ParseValue(text string) (value.Value, error) {
	return frontend.Data(source.NewFile("value", text), yaml.YAMLForm)
}

// Typed reads VALUE, which somebody typed on a command line, in [TypedForm]. A text that is a
// template is evaluated in the root of the document; nothing else is.
//
// Codes: usage for a value that is not what it begins as, the codes of parsing YAML, and the codes of
// evaluation.
func (d *Document) Typed(text string) (value.Value, error) {
	v, err := frontend.Data(source.NewFile("value", text), yaml.TypedForm)
	if err != nil || !v.Is(value.StringKind) || v.Str() != text || !expr.IsTemplate(text) || d.project.opts.NoTemplates {
		return v, err
	}
	matches, err := d.Query(text)
	if err != nil {
		return v, err
	}
	return One(matches), d.Force(One(matches))
}
