package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
)

// A failure is what the parser says of the place where it stopped. Many of them are only the
// consequence of a mistake before that place, which a diagnosis may find.
type failure struct {
	message, hint string
	sure          bool // the mistake is where the parser stopped
}

// failures are the reasons for which the lexer and the tree parser stop. "%d" in a hint is the
// least indentation of the line.
var failures = lazy.Value[map[string]failure]{Make: func() map[string]failure {
	return map[string]failure{
		"tab":                          {"a tab in the indentation", "YAML allows only spaces there", true},
		"open bracket":                 {"a bracket is never closed", "close it before this line", false},
		"comment without a blank":      {`a comment needs a blank before its "#"`, `write " #"`, true},
		"indicator after a value":      {"a list or a key cannot begin here", "begin it on a line of its own", false},
		"no key":                       {"this does not fit into the map around it", "check the indentation, and the line above", false},
		"no item":                      {"this does not fit into the list around it", "check the indentation, and the line above", false},
		"no colon":                     {`missing ":" after a key`, "write the key and its colon on one line", false},
		"no comma":                     {"missing comma before this", `write "," after the value before it`, false},
		"no value":                     {"a value is missing here, or begins with a wrong character", "", false},
		"flow indentation":             {"this line is in brackets, and not indented deeper than the key or item of the brackets", "indent it by %d or more; --lenient reads it as it is", false},
		"quote indentation":            {"this line continues a text in quotes, and is not indented deeper than its key or item", "indent it by %d or more, or close the quote before it; --lenient reads it as it is", false},
		"text after an end":            {`text after "..."`, "begin the next document on the next line", true},
		"text after a document":        {"after the end of a document the next one begins with \"---\"", "", false},
		"properties":                   {"a value has one anchor and one tag", "remove this one", true},
		"alias with properties":        {"an alias has no anchor and no tag of its own", "remove it", true},
		"property at the margin":       {"this anchor or tag belongs to no key and to no value", "indent it by %d or more, or write it on the line of its key", true},
		"after a marker":               {`a list or a map cannot begin on the line of "---"`, "begin it on the next line", true},
		"name":                         {"an anchor or alias needs a name without spaces and ,[]{}", "quote the text if it is not an anchor or alias", false},
		"tag":                          {"a bad tag", `a tag is "!" and a name, as in !Ref`, false},
		"unknown prefix":               {"unknown prefix of a tag", `a tag has one "!" in front, as in !Ref; %TAG defines other prefixes`, false},
		"long key":                     {fmt.Sprintf("a key of more than %d characters", maxKeyLength), `write "? " in front of it, and its ":" on the next line`, true},
		"key of several lines":         {"a key of several lines", `write it on one line, or write "? " in front of it`, true},
		"collection after a key":       {"a list or a map cannot begin after a key on its line", "begin it on the next line", true},
		"character":                    {"a plain text cannot begin with this character", "quote the text", false},
		"marker in quotes":             {`"---" or "..." inside of a text in quotes`, "close the quote before it", false},
		"escape":                       {"double quotes have no such escape", "write the backslash twice, or use single quotes", false},
		"open quote":                   {"the quote is never closed", "", false},
		"block header":                 {"a bad header of a block text", `after "|" or ">" may come a digit from 1 to 9, "+" or "-", and a comment`, false},
		"indentation of a block":       {"this empty line has more spaces than the first line of the block text", "remove its spaces", true},
		"directive without a name":     {`a line that begins with "%" is a directive, and this one has no name`, "quote the text", true},
		"directive without a document": {`a line that begins with "%" is a directive, and must be followed by "---"`, "quote the text if it is no directive", true},
		"bad version":                  {"a bad version", "write %YAML 1.2, or omit the line", true},
		"unknown version":              {"unknown version of YAML", "write %YAML 1.2, or omit the line", true},
		"second version":               {"the same directive twice", "remove one", true},
		"bad %TAG":                     {"a bad %TAG", "write a handle and a prefix, as in %TAG !e! tag:example.com,2000:", true},
		"second prefix":                {"the same handle of tags twice", "remove one", true},
	}
}}

// failure returns the error for the place where the parser stopped, and its message without words of the
// text.
func (p *treeParser) failure() (d *source.Diagnostic, unquoted string) {
	f := p.file
	switch p.reason {
	case "characters":
		d = badCharacter(f)
		return d, d.Message
	case "unknown alias":
		return p.unknownAlias(), "no anchor of this name comes before this alias"
	}
	own := p.ownProblem()
	at := own
	if !own.sure {
		if d := diagnose(f, p.opts); d != nil && d.start <= lineEnd(p.src, own.end) {
			at = d
		}
	}
	line, _ := f.Position(p.failedAt)
	d = source.Errorf(f.Span(at.start, at.end), source.Syntax, "%s", at.message)
	d.Hint = at.hint
	if unquoted = at.message; at.quotes {
		unquoted = own.message
	}
	if hint := templateHint(f, at.start, line); hint != "" && !at.sure && (at.hint == "" || strings.HasPrefix(at.hint, "quote") || !strings.HasPrefix(hint, "quote")) {
		d.Hint = hint
	}
	if at.note != "" {
		d.Note(f.Span(at.noteAt, at.noteAt+1), "%s", at.note)
	}
	return d, unquoted
}

// warnings reports the lines in brackets and quotes that a lenient parser read though they are
// not indented enough.
func (p *treeParser) warnings() {
	for _, s := range p.shallows {
		at := p.file.Span(s.at, max(s.at, s.at+len(strings.TrimRight(p.src[s.at:lineEnd(p.src, s.at)], " \t"))))
		p.found.add(source.Warnf(at, source.Syntax, "%s", failures.Get()[s.reason].message).WithHint("indent it by %d or more", s.least))
	}
}

// ownProblem returns the problem of the place where the parser stopped.
func (p *treeParser) ownProblem() *problem {
	known, ok := failures.Get()[p.reason]
	if !ok {
		known = failure{message: "this is not valid YAML", hint: "check the indentation, brackets and quotes of this line and the one above"}
	}
	hint := known.hint
	if strings.Contains(hint, "%d") {
		hint = fmt.Sprintf(hint, p.indent+1)
	}
	message := known.message
	start, end := p.failedAt, p.failed
	switch {
	case p.reason == "escape" && strings.HasPrefix(p.src[start:], `\'`):
		hint = "a single quote needs no backslash here"
	case p.reason == "character" && p.flow > 0 && strings.HasPrefix(p.src[start:], "-"):
		return &problem{start: start, end: start + 1, message: `"-" is not allowed in brackets`, hint: `separate the items with ","; quote it if it is a text`, sure: true}
	case p.reason == "character" && start < len(p.src):
		r, _ := utf8.DecodeRuneInString(p.src[start:])
		message = fmt.Sprintf("a plain text cannot begin with %q", string(r))
		if r == '%' && start == strings.LastIndexByte(p.src[:start], '\n')+1 {
			message = `a line that begins with "%" is a directive, and is not allowed inside of a document`
			hint = `quote the text; or, if it is a directive, write "..." before it`
		}
	}
	if end <= start {
		end = max(start, start+len(strings.TrimRight(p.src[start:lineEnd(p.src, start)], " \t")))
	}
	return &problem{start: start, end: end, message: message, hint: hint, sure: known.sure}
}
