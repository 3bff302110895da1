package yaml

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	yamlv3 "gopkg.in/yaml.v3"
)

// ParseOptions changes what [Parse] and [ParseJSON] accept. The zero value is
// safe for text that nobody has read.
type ParseOptions struct {
	Lenient     bool // of two equal keys the last wins, with a warning
	NoTemplates bool // an unquoted {{ template }} is what YAML says it is
	MaxDepth    int  // nesting; 0 means 10,000, which is also the most
	MaxBytes    int  // length of the text; 0 means 1 GB
	MaxValues   int  // items of lists and entries of maps; 0 means 4,000,000, which is also the most
}

// The most that is read of one text. A value takes some 300 bytes until it is evaluated,
// a list or map up to twice as much: the most of them take between 1 and 2 GB. Each
// document is evaluated for itself, which takes far more memory than the four bytes that
// an empty one is written with.
const (
	mostDepth       = 10_000
	defaultMaxBytes = 1 << 30
	mostValues      = 4_000_000
	maxDocuments    = 100_000
)

func (o ParseOptions) maxDepth() int {
	if o.MaxDepth <= 0 || o.MaxDepth > mostDepth {
		return mostDepth
	}
	return o.MaxDepth
}

func (o ParseOptions) maxBytes() int {
	if o.MaxBytes <= 0 {
		return defaultMaxBytes
	}
	return o.MaxBytes
}

func (o ParseOptions) maxValues() int {
	if o.MaxValues <= 0 || o.MaxValues > mostValues {
		return mostValues
	}
	return o.MaxValues
}

// Parse reads the YAML documents of a file. A file without any has one document
// with a nil root. With a syntax error the documents before it are returned.
//
// Codes: syntax, duplicate-key, bad-key, bad-value (a tag that the text does not
// fit), limit.
func Parse(f *source.File, opts ParseOptions) ([]*Document, []*source.Diagnostic) {
	if d := checkSize(f, opts); d != nil {
		return nil, []*source.Diagnostic{d}
	}
	options := fileOptions(f.Text)
	if on, set := options["templates"]; set && !on {
		opts.NoTemplates = true
	}
	docs, limit, reason := parseCommon(f, opts)
	var diags []*source.Diagnostic
	switch {
	case limit != nil:
		return nil, []*source.Diagnostic{limit}
	case reason != "":
		docs, diags = parseAny(f, opts)
	}
	for _, d := range docs {
		d.Options = options
	}
	return docs, diags
}

// parseAny parses a text by means of the library, and finds what is wrong in it.
func parseAny(f *source.File, opts ParseOptions) ([]*Document, []*source.Diagnostic) {
	s := newScanner(f.Text, opts)
	s.run()
	switch {
	case s.tooDeep >= 0:
		return nil, []*source.Diagnostic{tooDeep(f, s.tooDeep, opts)}
	case s.tooMany >= 0:
		return nil, []*source.Diagnostic{tooManyValues(f, s.tooMany, opts)}
	}
	return convertAll(f, s, opts)
}

func checkSize(f *source.File, opts ParseOptions) *source.Diagnostic {
	if len(f.Text) > opts.maxBytes() {
		return source.Errorf(f.Span(0, 0), source.Limit, "%d bytes are more than the limit of %d", len(f.Text), opts.maxBytes())
	}
	return nil
}

func tooDeep(f *source.File, at int, opts ParseOptions) *source.Diagnostic {
	return source.Errorf(f.Span(at, at+1), source.Limit, "nested more than %d deep", opts.maxDepth())
}

func tooManyValues(f *source.File, at int, opts ParseOptions) *source.Diagnostic {
	return source.Errorf(f.Span(at, at), source.Limit, "the text has more than %d values", opts.maxValues())
}

func tooManyDocuments(f *source.File, at int) *source.Diagnostic {
	return source.Errorf(f.Span(at, at), source.Limit, "the text has more than %d documents", maxDocuments)
}

// convertAll lets the library decode one document after the other.
func convertAll(f *source.File, s *scanner, opts ParseOptions) ([]*Document, []*source.Diagnostic) {
	text := applyEdits(f.Text, s.edits)
	c := newConverter(f, text, s.edits, opts)
	dec := yamlv3.NewDecoder(strings.NewReader(text))
	var docs []*Document
	for {
		n, err := decodeNext(dec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return docs, c.found.all(explain(f, text, err, opts))
		}
		d := c.document(n)
		if len(docs) == maxDocuments {
			return nil, []*source.Diagnostic{tooManyDocuments(f, int(d.At.Start))}
		}
		docs = append(docs, d)
	}
	if len(docs) == 0 {
		docs = append(docs, &Document{At: f.Span(0, len(f.Text))})
	}
	return docs, c.found.all()
}

// decodeNext reads a document. The library's few unforeseen panics become errors.
func decodeNext(dec *yamlv3.Decoder) (n *yamlv3.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("this text is not understood: %v", r)
		}
	}()
	n = &yamlv3.Node{}
	return n, dec.Decode(n)
}

// applyEdits puts the stand-in bytes in.
func applyEdits(text string, edits []edit) string {
	if len(edits) == 0 {
		return text
	}
	b := []byte(text)
	for _, e := range edits {
		for i := e.start; i < e.end; i++ {
			b[i] = e.with
		}
	}
	return string(b)
}
