package yaml

import (
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EncodeOptions changes how values are written. The zero value is the usual case.
type EncodeOptions struct {
	Reveal     bool // write sensitive values as they are, not as <<REDACTED>>
	Redact     bool // mask secret values: see value.Masked
	NoComments bool // YAML: omit comments
	DropTags   bool // omit tags that are not YAML's own
	MaxBytes   int  // most bytes that may be written; 0 means 256 MB

	Head, Foot string // YAML: comments before and after the first document
	Tag        string // the tag of the first document, if that is a list or map: see value.Annotation

	// Memo keeps texts for the next result. It may be nil.
	Memo *Memo

	// Marks collects the marks of the values that are written, also of those that are masked. It may be
	// nil.
	Marks *value.Marks

	Compact bool // JSON: on one line
	Indent  int  // JSON: blanks per level; 0 means 2
}

const defaultMaxOutput = 256 << 20

// An output is the shared part of the encoders: a buffered writer with a limit. After the
// first failure it drops everything, and end returns the failure.
type output struct {
	EncodeOptions
	w      io.Writer
	buf    []byte // what is not written to w yet
	before string // the last bytes that were written to w: see endsInEmptyLine
	left   int
	err    error
	broken bool       // w returned an error
	path   value.Path // of the value that is being written
	kept   *capture   // gets what is written, for EncodeOptions.Memo; nil for no copy
}

func newOutput(w io.Writer, opts EncodeOptions) *output {
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = defaultMaxOutput
	}
	return &output{EncodeOptions: opts, w: w, buf: buffers.Get().(*[bufferSize]byte)[:0], left: opts.MaxBytes}
}

// buffers are the buffers of outputs: a stream has one for each of its documents.
var buffers = sync.Pool{New: func() any { return new([bufferSize]byte) }}

const bufferSize = 32 << 10

// end flushes and returns the first failure. The output must not be used any more.
func (o *output) end() error {
	o.flush()
	buffers.Put((*[bufferSize]byte)(o.buf[:bufferSize]))
	o.buf = nil
	return o.err
}

// flush writes the buffer, also after a failure: it has what was written before.
func (o *output) flush() {
	if len(o.buf) > 0 && !o.broken {
		_, err := o.w.Write(o.buf)
		o.wrote(err)
	}
	o.before = o.ending()
	o.buf = o.buf[:0]
}

// ending returns the last two bytes of the output.
func (o *output) ending() string {
	text := o.before + string(o.buf[max(len(o.buf)-2, 0):])
	return text[max(len(text)-2, 0):]
}

// endsInEmptyLine reports whether the last line of the output is empty.
func (o *output) endsInEmptyLine() bool { return o.ending() == "\n\n" }

// wrote records the error of the writer.
func (o *output) wrote(err error) {
	if err == nil {
		return
	}
	o.broken = true
	if o.err == nil {
		o.err = source.AsDiagnostic(err, source.Span{}, source.Access)
	}
}

// write writes s, unless there was a failure or it exceeds the limit.
func (o *output) write(s string) {
	if o.err != nil {
		return
	}
	if o.left -= len(s); o.left < 0 {
		o.fail(source.Limit, "the output is longer than the limit of %d bytes (--max-bytes)", o.MaxBytes)
		return
	}
	if len(s) > bufferSize-len(o.buf) {
		o.writeLong(s)
	} else {
		o.buf = append(o.buf, s...)
	}
	if o.kept != nil {
		o.kept.text.WriteString(s)
	}
}

// writeLong writes a text for which the buffer has no room.
func (o *output) writeLong(s string) {
	n := copy(o.buf[len(o.buf):bufferSize], s)
	o.buf = o.buf[:len(o.buf)+n]
	if o.flush(); len(s)-n <= bufferSize {
		o.buf = append(o.buf, s[n:]...)
	} else if !o.broken {
		_, err := io.WriteString(o.w, s[n:])
		o.wrote(err)
		o.before = s[len(s)-2:]
	}
}

const blanks = "                                                                "

// indent writes n blanks.
func (o *output) indent(n int) {
	for n > len(blanks) {
		o.write(blanks)
		n -= len(blanks)
	}
	o.write(blanks[:max(n, 0)])
}

// fail records a failure at the current path, since a computed value has no place in a
// source text.
func (o *output) fail(code source.Code, format string, args ...any) {
	if o.err != nil {
		return
	}
	d := source.Errorf(source.Span{}, code, format, args...)
	if len(o.path) > 0 && code != source.Limit {
		d.Message = o.path.String() + ": " + d.Message
	}
	if len(o.path) > 0 && code != source.Limit || code == source.BadTag {
		d.Cause = &PathError{append(value.Path{}, o.path...)}
	}
	o.err = d
}

// A PathError is the cause of an error about one value of the output. Callers that have
// the document can find the source of the value with it.
type PathError struct{ Path value.Path }

// Error returns the path.
func (e *PathError) Error() string { return "at " + e.Path.String() }

// enter moves to a child and reports whether it may be written; leave moves back.
func (o *output) enter(k value.Key) bool {
	o.path = append(o.path, k)
	if len(o.path) > mostDepth && o.err == nil {
		d := source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep", mostDepth)
		d.Cause = ErrDepth
		o.err = d
	}
	return o.err == nil
}

// ErrDepth is the cause of the error for a value that is nested too deeply: usually it
// contains itself.
var ErrDepth = errors.New("nested too deeply")

func (o *output) leave() { o.path = o.path[:len(o.path)-1] }

// shown returns v without private keys, or a mask if its marks and the options hide it.
func (o *output) shown(v value.Value) value.Value {
	m := v.Marks()
	if m != 0 && o.EncodeOptions.Marks != nil {
		*o.EncodeOptions.Marks |= m
	}
	if (m&value.Sensitive == 0 || o.Reveal) && (m&value.Secret == 0 || !o.Redact) {
		return value.Public(v)
	}
	masked, _ := value.Masked(v)
	return value.String(masked)
}

// unwritable records that v is not data: it is a function or undefined.
func (o *output) unwritable(v value.Value) {
	if reason := v.Reason(); reason != nil {
		if o.err == nil {
			o.err = reason
		}
		return
	}
	o.fail(source.Output, "%s cannot be written", value.Article(v.Kind()))
}

// items calls emit for each item of a list.
func (o *output) items(l value.List, emit func(i int, v value.Value)) {
	lazy, _ := l.(value.Releasing)
	for i := range l.Len() {
		if !o.enter(value.Index(i)) {
			return
		}
		v, err := l.At(i)
		if err != nil {
			o.setErr(err)
			return
		}
		emit(i, o.shown(v))
		o.leave()
		if lazy != nil {
			lazy.Release(i) // the encoder does not read it again
		}
	}
}

// inBrackets writes a list on one line, with commas between its items.
func (o *output) inBrackets(l value.List, item func(value.Value, value.Annotation)) {
	o.write("[")
	o.items(l, func(i int, v value.Value) {
		if i > 0 {
			o.write(", ")
		}
		item(v, annotationOf(l, i))
	})
	o.write("]")
}

// entries calls emit for each entry of a map.
func (o *output) entries(m value.Map, emit func(i int, k value.Key, v value.Value)) {
	i := -1
	for k := range m.Keys() {
		i++
		if !o.enter(k) {
			return
		}
		v, ok, err := m.Get(k)
		if err != nil {
			o.setErr(err)
			return
		}
		if ok {
			emit(i, k, o.shown(v))
		}
		o.leave()
	}
}

// setErr records the error of a computed value.
func (o *output) setErr(err error) {
	if o.err == nil {
		o.err = err
	}
}

// spelling returns the text of a null, boolean or number: as the source spells it, if it has one.
func spelling(v value.Value) string {
	if s := v.Source(); s != nil && s.Spelling != "" && !s.Foreign {
		return s.Spelling
	}
	return canonical(v)
}

// root returns the annotation of v, a whole document.
func (o *output) root(v value.Value) value.Annotation {
	if v.IsScalar() {
		return value.Annotation{}
	}
	return value.Annotation{Tag: o.Tag}
}

// annotationOf returns the annotation of item i of a list or map, which may be empty.
func annotationOf(collection any, i int) value.Annotation {
	if a, ok := collection.(value.Annotated); ok {
		if note := a.AnnotationAt(i); note != nil {
			return *note
		}
	}
	return value.Annotation{}
}

// refusesTag fails if v has a tag, which JSON and TOML cannot express.
func (o *output) refusesTag(v value.Value, a value.Annotation) bool {
	tag := a.Tag
	if s := v.Source(); s != nil && s.Tag != "!!binary" {
		tag = s.Tag
	}
	if tag == "" || o.DropTags {
		return false
	}
	o.fail(source.BadTag, "the tag %s cannot be written in this form; --drop-tags omits tags", tag)
	return true
}

// twinKeys returns the texts that several keys of a map have: 80 and "80". Only a map with
// keys that are not strings has any.
func twinKeys(m value.Map) map[string]bool {
	var others []value.Key
	for k := range m.Keys() {
		if k.Kind != value.StringKind {
			others = append(others, k)
		}
	}
	if others == nil {
		return nil
	}
	count := map[string]int{}
	for k := range m.Keys() {
		count[k.Text]++
	}
	twins := map[string]bool{}
	for _, k := range others {
		twins[k.Text] = count[k.Text] > 1
	}
	return twins
}

// EncodeText writes a scalar without quotes, and a list of scalars with one on each line.
//
// Codes: output (a map, a list in a list, a function), limit. Errors of computed
// lists are returned as they are.
func EncodeText(w io.Writer, v value.Value, opts EncodeOptions) error {
	o := newOutput(w, opts)
	v = o.shown(v)
	if v.Is(value.ListKind) {
		o.items(v.List(), func(_ int, item value.Value) { o.textLine(item) })
	} else {
		o.textLine(v)
	}
	return o.end()
}

func (o *output) textLine(v value.Value) {
	switch {
	case v.IsScalar():
		o.write(bareText(v))
		o.write("\n")
	case v.Is(value.ListKind), v.Is(value.MapKind):
		o.fail(source.Output, "a %s has no text form; use yaml or json", v.Kind())
	default:
		o.unwritable(v)
	}
}

// bareText returns the text of a scalar without quotes.
func bareText(v value.Value) string {
	if v.Is(value.StringKind) {
		return v.Str()
	}
	return spelling(v)
}

// EncodeEnv writes the scalars in a map or list as NAME=VALUE lines for a shell.
// A name is the path in capitals, joined by underscores, list items by index:
// {a: {b: [1]}} is A_B_0=1. Null is an empty value.
//
// Codes: output (the root is a scalar, an empty key, two paths with one name, a NUL in a text,
// a function), limit. Errors of computed lists and maps are returned as they are.
func EncodeEnv(w io.Writer, v value.Value, opts EncodeOptions) error {
	e := &envEncoder{output: newOutput(w, opts), names: map[string]string{}}
	v = e.shown(v)
	if v.IsScalar() && !v.IsNull() {
		e.fail(source.Output, "%s has no name; the env form needs a map or a list", value.Article(v.Kind()))
	}
	if !v.IsNull() {
		e.value(v)
	}
	return e.end()
}

type envEncoder struct {
	*output
	names map[string]string // the path of each name
	parts []string          // of the current name
}

// maxEnvNames bounds the names that an encoder remembers.
const maxEnvNames = 1 << 20

// value writes the lines of a value.
func (e *envEncoder) value(v value.Value) {
	switch v.Kind() {
	case value.MapKind:
		e.entries(v.Map(), func(_ int, k value.Key, v value.Value) {
			if k.Text == "" {
				e.fail(source.Output, "an empty key is no name of a shell variable")
				return
			}
			e.child(k, v)
		})
		return
	case value.ListKind:
		e.items(v.List(), func(i int, v value.Value) { e.child(value.Index(i), v) })
		return
	case value.FuncKind, value.UndefinedKind:
		e.unwritable(v)
		return
	}
	name := strings.Join(e.parts, "_")
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	if other, taken := e.names[name]; taken {
		e.fail(source.Output, "the name %s is also that of %s", name, other)
		return
	}
	if len(e.names) >= maxEnvNames {
		e.fail(source.Limit, "the env form has at most %d variables", maxEnvNames)
		return
	}
	e.names[name] = e.path.String()
	text := ""
	if !v.IsNull() {
		text = bareText(v)
	}
	if strings.IndexByte(text, 0) >= 0 {
		e.fail(source.Output, "a shell variable cannot hold a NUL")
		return
	}
	e.write(name + "=" + shellQuote(text) + "\n")
}

// child writes the lines of an entry or item. The name is joined where it is written: a document of a few MB may be
// so deep that the names of all levels would not fit into memory.
func (e *envEncoder) child(k value.Key, v value.Value) {
	e.parts = append(e.parts, envName(k.Text))
	e.value(v)
	e.parts = e.parts[:len(e.parts)-1]
}

// envName returns a key as a part of a name.
func envName(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, key)
}

// shellQuote quotes a text if needed, so that a POSIX shell and readers of .env files read it.
func shellQuote(s string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:,@%+="
	switch {
	case strings.Trim(s, plain) == "":
		return s
	case strings.IndexByte(s, '\'') < 0:
		return "'" + s + "'"
	}
	return `"` + shellEscapes.Get().Replace(s) + `"`
}

// shellEscapes are the escapes in double quotes. In single quotes a single quote would be '\”, which readers of .env
// files do not know.
var shellEscapes = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")
}}
