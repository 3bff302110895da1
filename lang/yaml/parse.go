package yaml

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
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

// fileOptions reads the switches in the first comment block of a text:
//
//	# yaytpl: templates=off literals=off
//
// It ignores unknown words: the linter reports them.
func fileOptions(text string) map[string]bool {
	var options map[string]bool
	inBlock := false
	for line := range strings.SplitSeq(text[behindMark(text):], "\n") {
		line = strings.TrimSpace(line)
		comment, ok := strings.CutPrefix(line, "#")
		if !ok {
			if inBlock || line != "" && line[0] != '%' && line != "---" {
				break
			}
			continue
		}
		inBlock = true
		list, ok := strings.CutPrefix(strings.TrimSpace(comment), "yaytpl:")
		if !ok {
			continue
		}
		for _, word := range strings.Fields(strings.ReplaceAll(list, ",", " ")) {
			name, val, ok := strings.Cut(word, "=")
			if !ok || val != "on" && val != "off" {
				continue
			}
			if options == nil {
				options = map[string]bool{}
			}
			options[name] = val == "on"
		}
	}
	return options
}

// maxFindings bounds what is told about one text, of each severity.
const maxFindings = 100

// findings are what is told about one text, in the order in which it was found. Errors
// and warnings are limited apart: many warnings must not hide that a text is wrong.
type findings struct {
	told    []*source.Diagnostic
	limited [source.Info + 1]limited // by severity
}

// limited counts findings of one severity.
type limited struct {
	told, more int
	last       *source.Diagnostic // that is told
	next       source.Span        // of the first that is not
}

func (f *findings) add(d *source.Diagnostic) {
	if f.full(d.Severity) {
		f.omit(d.Severity, d.At)
		return
	}
	l := &f.limited[d.Severity]
	l.told++
	l.last = d
	f.told = append(f.told, d)
}

// full reports whether no more findings of a severity are told. Who would make one may
// as well [findings.omit] it.
func (f *findings) full(s source.Severity) bool { return f.limited[s].told >= maxFindings }

// omit counts a finding that is not told.
func (f *findings) omit(s source.Severity, at source.Span) {
	l := &f.limited[s]
	if l.more++; l.more == 1 {
		l.next = at
	}
}

// all returns what is told, and other findings behind it. The last one of a severity
// says how many more there are.
func (f *findings) all(others ...*source.Diagnostic) []*source.Diagnostic {
	for s, l := range f.limited {
		if word := source.Severity(s).String(); l.more > 1 {
			l.last.Note(l.next, "%d more %ss from here on are not told", l.more, word)
		} else if l.more == 1 {
			l.last.Note(l.next, "one more %s is not told", word)
		}
	}
	return append(f.told, others...)
}

// fewKeys is up to how many keys comparing each with each is cheaper than a set.
const fewKeys = 8

// duplicates calls report for each entry whose key an earlier entry has.
func duplicates(entries []Entry, report func(first, second int)) {
	if len(entries) <= fewKeys {
		for i := range entries {
			for j := range i {
				if entries[i].Key == entries[j].Key {
					report(j, i)
					break
				}
			}
		}
		return
	}
	seen := make(map[value.Key]int, len(entries))
	for i := range entries {
		if j, ok := seen[entries[i].Key]; ok {
			report(j, i)
		} else {
			seen[entries[i].Key] = i
		}
	}
}

// uniqueKeys reports duplicate keys and returns the entries without them: the
// last of each key stays, at the place of the first.
func uniqueKeys(entries []Entry, opts ParseOptions, found *findings) []Entry {
	severity := source.Error
	if opts.Lenient {
		severity = source.Warning
	}
	var drop map[int]bool
	duplicates(entries, func(i, j int) {
		first, second := &entries[i], entries[j].KeyNode.At
		if found.full(severity) {
			found.omit(severity, second) // finding the line would cost time
		} else {
			d := source.Errorf(second, source.DuplicateKey, "duplicate key %q; first at %s", first.Key.Text, first.KeyNode.At)
			if d.Severity = severity; opts.Lenient {
				d.Message += "; the last wins"
			}
			if first.Key.Text == "+include" {
				d.WithHint("name one of them +include-2")
			}
			found.add(d.Note(first.KeyNode.At, "first here"))
		}
		if drop == nil {
			drop = map[int]bool{}
		}
		drop[j] = true
		first.Value = entries[j].Value
	})
	if drop == nil {
		return entries
	}
	kept := entries[:0]
	for i, e := range entries {
		if !drop[i] {
			kept = append(kept, e)
		}
	}
	return kept
}
