package yaml

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ParseOptions changes the input that [Parse], [ParseJSON], [ParseTOML] and [ParseEnv] accept. The
// zero value is safe for untrusted text. TOML has no lenient form.
type ParseOptions struct {
	// Lenient accepts, with warnings, what many other readers accept: the last of two equal keys
	// wins, and lines in brackets and quotes need no indentation.
	Lenient bool

	NoTemplates bool // read an unquoted {{ template }} as YAML does
	MaxDepth    int  // levels of nesting; 0 means 10,000, which is also the maximum
	MaxBytes    int  // length of the text; 0 means 1 GB
	MaxValues   int  // items of lists and entries of maps; 0 means 4,000,000, which is also the maximum
}

// The limits of one text. A value takes about 300 bytes until it is evaluated, a list or
// map up to twice as many, so that mostValues of them take 1 to 2 GB. Documents are
// limited since each is evaluated on its own: that takes far more memory than the four
// bytes of an empty one.
const (
	mostDepth       = 10_000
	defaultMaxBytes = 1 << 30
	mostValues      = 4_000_000
	maxDocuments    = 100_000
)

func (o ParseOptions) maxDepth() int { return limit(o.MaxDepth, mostDepth) }

func (o ParseOptions) maxBytes() int { return cmp.Or(max(o.MaxBytes, 0), defaultMaxBytes) }

func (o ParseOptions) maxValues() int { return limit(o.MaxValues, mostValues) }

// limit returns n, or most if n is not positive or exceeds it.
func limit(n, most int) int {
	if n <= 0 || n > most {
		return most
	}
	return n
}

// Parse parses the YAML documents of a file. An empty file has one document with a nil
// root. After a syntax error it returns the documents before the error.
//
// Codes: syntax, duplicate-key, bad-key, bad-value (a scalar that does not match its
// tag), limit.
func Parse(f *source.File, opts ParseOptions) ([]*Document, []*source.Diagnostic) {
	docs, found, _ := parse(f, opts)
	return docs, found
}

// parse is Parse. It also returns the message of a syntax error without words of the text.
func parse(f *source.File, opts ParseOptions) (docs []*Document, found []*source.Diagnostic, unquoted string) {
	if d := checkSize(f, opts); d != nil {
		return nil, []*source.Diagnostic{d}, ""
	}
	options := fileOptions(f.Text)
	if on, set := options["templates"]; set && !on {
		opts.NoTemplates = true
	}
	p := newTreeParser(f, opts)
	docs = p.documents()
	p.warnings()
	for _, d := range docs {
		d.Options = options
	}
	switch {
	case p.limit != nil:
		return nil, []*source.Diagnostic{p.limit}, ""
	case p.reason != "":
		d, unquoted := p.failure()
		return docs, p.found.all(d), unquoted
	}
	return docs, p.found.all(), ""
}

// checkSize returns the error for a text that is too long, or nil.
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
// It ignores other words: see Switches.
func fileOptions(text string) map[string]bool {
	var options map[string]bool
	switchWords(text, func(word string, _ int) {
		name, on, ok := cutSwitch(word)
		if !ok {
			return
		}
		if options == nil {
			options = map[string]bool{}
		}
		options[name] = on
	})
	return options
}

// cutSwitch reads a switch, such as templates=off.
func cutSwitch(word string) (name string, on, ok bool) {
	name, setting, _ := strings.Cut(word, "=")
	return name, setting == "on", setting == "on" || setting == "off"
}

// switchWords yields the words after "yaytpl:" in the first comment block of a text, with their offsets.
func switchWords(text string, yield func(word string, at int)) {
	inBlock := false
	for start := afterMark(text); start < len(text); {
		whole, _, _ := strings.Cut(text[start:], "\n")
		from := start
		start += len(whole) + len("\n")
		line := strings.TrimSpace(whole)
		comment, ok := strings.CutPrefix(line, "#")
		if !ok {
			if inBlock || line != "" && line[0] != '%' && line != "---" {
				return
			}
			continue
		}
		inBlock = true
		list, ok := strings.CutPrefix(strings.TrimSpace(comment), "yaytpl:")
		if !ok {
			continue
		}
		at := from + strings.LastIndex(whole, list)
		for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
			at += strings.Index(text[at:], word)
			yield(word, at)
			at += len(word)
		}
	}
}

// Switches checks the switches in the first comment block of a file. It returns warnings of names that are not among
// names, and of words that are no switches: after a typing error, something would stay on that was to be off.
func Switches(f *source.File, names []string) []*source.Diagnostic {
	var found []*source.Diagnostic
	switchWords(f.Text, func(word string, at int) {
		name, _, ok := cutSwitch(word)
		switch known := slices.Contains(names, name); {
		case len(found) == maxFindings || known && ok:
		case known:
			found = append(found, source.Warnf(f.Span(at, at+len(word)), source.Suspicious, "this switches nothing").
				WithHint("write %s=off or %s=on", name, name))
		case len(word) > len(name): // others may be prose
			found = append(found, source.Warnf(f.Span(at, at+len(name)), source.Suspicious, "unknown switch %q", name).
				WithHint("the switches are %s", strings.Join(names, ", ")))
		}
	})
	return found
}

// maxFindings is the most findings of each severity that are reported for one text.
const maxFindings = 100

// findings are the errors and warnings of one text in the order in which they were found.
// Each severity has its own limit, so that many warnings do not hide an error.
type findings struct {
	reported []*source.Diagnostic
	tallies  [source.Info + 1]tally // by severity
}

// A tally counts the findings of one severity.
type tally struct {
	reported, more int
	last           *source.Diagnostic // the last that is reported
	next           source.Span        // place of the first that is not
}

// add reports a finding, or counts it if its severity is full.
func (f *findings) add(d *source.Diagnostic) {
	if f.full(d.Severity) {
		f.omit(d.Severity, d.At)
		return
	}
	t := &f.tallies[d.Severity]
	t.reported++
	t.last = d
	f.reported = append(f.reported, d)
}

// full reports whether no more findings of a severity are reported. A caller can then call
// [findings.omit] instead of making one.
func (f *findings) full(s source.Severity) bool { return f.tallies[s].reported >= maxFindings }

// omit counts a finding that is not reported.
func (f *findings) omit(s source.Severity, at source.Span) {
	t := &f.tallies[s]
	if t.more++; t.more == 1 {
		t.next = at
	}
}

// all returns the findings, followed by others. The last one of each severity gets a note
// with the number of omitted ones.
func (f *findings) all(others ...*source.Diagnostic) []*source.Diagnostic {
	for s, t := range f.tallies {
		if word := source.Severity(s).String(); t.more > 1 {
			t.last.Note(t.next, "%d more %ss from here on are not reported", t.more, word)
		} else if t.more == 1 {
			t.last.Note(t.next, "one more %s is not reported", word)
		}
	}
	return append(f.reported, others...)
}

// fewKeys is the most keys for which comparing each pair is cheaper than a set.
const fewKeys = 16

// duplicates calls report for each entry whose key an earlier entry has, with the indexes
// of both.
func duplicates(entries []Entry, report func(first, second int)) {
	if len(entries) <= fewKeys {
		for i := range entries {
			for j := range i {
				a, b := &entries[i].Key, &entries[j].Key
				if len(a.Text) == len(b.Text) && *a == *b { // most have different lengths
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

// uniqueKeys reports duplicate keys and returns the entries without them. The last value
// of a key takes the place of the first: a, b, a becomes a, b.
func uniqueKeys(entries []Entry, opts ParseOptions, found *findings) []Entry {
	severity := source.Error
	if opts.Lenient {
		severity = source.Warning
	}
	var drop map[int]bool
	duplicates(entries, func(i, j int) {
		first, second := &entries[i], entries[j].KeyAt
		if found.full(severity) {
			found.omit(severity, second) // finding the line would cost time
		} else {
			d := source.Errorf(second, source.DuplicateKey, "duplicate key %q; first at %s", first.Key.Text, first.KeyAt)
			if d.Severity = severity; opts.Lenient {
				d.Message += "; the last wins"
			}
			switch {
			case first.Key.Text == "+include":
				d.WithHint("name one of them +include-2")
			case second.Start == second.End:
				d.WithHint(`in front of this ":" there is no key, which is the key null`)
			default:
				d.WithHint("remove one of them, or give it another name")
			}
			found.add(d.Note(first.KeyAt, "first here"))
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
