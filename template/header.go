package template

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// A syntax holds the delimiters of a template and its rules for whitespace. It is
// immutable once in use.
type syntax struct {
	variable, block, comment   [2]string // start and end
	lineStatement, lineComment string    // prefixes; "" for none
	newline                    string    // replaces line breaks in text; "" keeps them
	trimBlocks, lstripBlocks   bool
	autoescape                 bool
	keepCRLF                   tristate // whether CR and CRLF stay as they are
	lastBreak                  tristate // whether the line break at the end of a file stays
}

// A tristate is an option that may be unset.
type tristate uint8

const (
	unset tristate = iota
	yes
	no
)

var defaultSyntax = syntax{
	variable: [2]string{"{{", "}}"},
	block:    [2]string{"{%", "%}"},
	comment:  [2]string{"{#", "#}"},
}

// cutHeader parses the header line of a text, if there is one, such as
//
//	#jinja2: variable_start_string: '[%', variable_end_string: '%]', trim_blocks: True
//
// and returns the offset at which the template begins. Without a header line the syntax is
// the inherited one, from the file which includes this one. Options that a header line does not
// set come from base.
func cutHeader(text string, inherited, base *syntax) (syn *syntax, start int, err *textError) {
	body := strings.TrimLeft(text, blanks)
	if !strings.HasPrefix(body, expr.TemplateHeader) {
		return inherited, 0, nil
	}
	from := len(text) - len(body)
	end := len(text)
	if n := strings.IndexByte(body, '\n'); n >= 0 {
		end = from + n
	}
	own := *base
	h := headerParser{text: text[:end], pos: from + len(expr.TemplateHeader), syn: &own}
	if err := h.read(); err != nil {
		return nil, 0, err
	}
	return &own, min(end+1, len(text)), nil
}

// withSettings returns a syntax with options.
func withSettings(base *syntax, settings []value.Named) (*syntax, error) {
	if len(settings) == 0 {
		return base, nil
	}
	own := *base
	for _, o := range settings {
		if _, err := own.setOption(o.Name, o.Value); err != nil {
			return nil, err
		}
	}
	return &own, nil
}

// A headerParser parses "option: literal, option: literal".
type headerParser struct {
	text string // up to the end of the line
	pos  int
	syn  *syntax
	seen []string // the options so far
}

// skip moves past the given characters.
func (h *headerParser) skip(chars string) {
	h.pos = len(h.text) - len(strings.TrimLeft(h.text[h.pos:], chars))
}

func (h *headerParser) read() *textError {
	for {
		if h.skip(blanks + ","); h.pos == len(h.text) {
			return nil
		}
		if err := h.option(); err != nil {
			return err
		}
		if h.skip(blanks); h.pos < len(h.text) && h.text[h.pos] != ',' {
			return h.errorf(h.pos, len(strings.TrimRight(h.text, blanks)), `expected "," before the next option`)
		}
	}
}

// option parses one option and sets its field.
func (h *headerParser) option() *textError {
	start := h.pos
	n := strings.IndexByte(h.text[start:], ':')
	if n < 0 {
		rest := strings.TrimRight(h.text[start:], blanks)
		return h.errorf(start, start+len(rest), "the header line needs \"option: value\", not %q", rest)
	}
	key := strings.TrimRight(h.text[start:start+n], blanks)
	h.pos = start + n + 1
	h.skip(blanks)
	v, size, ok := literalPrefix(h.text[h.pos:])
	if !ok {
		end := len(strings.TrimRight(h.text, blanks))
		if i := strings.IndexByte(h.text[h.pos:], ','); i >= 0 {
			end = h.pos + i
		}
		return h.errorf(min(h.pos, end), end, "the value of the option %q must be a Python literal", key)
	}
	if slices.Contains(h.seen, key) {
		return h.errorf(start, start+len(key), "the option %q is set twice in the header line", key)
	}
	h.seen = append(h.seen, key)
	from := h.pos
	h.pos += size
	atKey, err := h.syn.setOption(key, v)
	switch {
	case err == nil:
		return nil
	case atKey:
		return h.errorf(start, start+len(key), "%s", err)
	}
	return h.errorf(from, len(strings.TrimRight(h.text[:h.pos], blanks)), "%s", err)
}

func (h *headerParser) errorf(start, end int, format string, args ...any) *textError {
	return &textError{start, end, fmt.Sprintf(format, args...)}
}

// A headerOption is an option of the header line. field returns a pointer to the field
// that it sets, a *string, *bool or *tristate, or nil for an option that changes no text.
type headerOption struct {
	name  string
	field func(*syntax) any
}

func speed(*syntax) any { return nil }

var headerOptions = []headerOption{
	{"variable_start_string", func(s *syntax) any { return &s.variable[0] }},
	{"variable_end_string", func(s *syntax) any { return &s.variable[1] }},
	{"block_start_string", func(s *syntax) any { return &s.block[0] }},
	{"block_end_string", func(s *syntax) any { return &s.block[1] }},
	{"comment_start_string", func(s *syntax) any { return &s.comment[0] }},
	{"comment_end_string", func(s *syntax) any { return &s.comment[1] }},
	{"line_statement_prefix", func(s *syntax) any { return &s.lineStatement }},
	{"line_comment_prefix", func(s *syntax) any { return &s.lineComment }},
	{"newline_sequence", func(s *syntax) any { return &s.newline }},
	{"trim_blocks", func(s *syntax) any { return &s.trimBlocks }},
	{"lstrip_blocks", func(s *syntax) any { return &s.lstripBlocks }},
	{"keep_trailing_newline", func(s *syntax) any { return &s.lastBreak }},
	{"keep_crlf", func(s *syntax) any { return &s.keepCRLF }},
	{"autoescape", func(s *syntax) any { return &s.autoescape }},
	{"optimized", speed},
	{"cache_size", speed},
	{"auto_reload", speed},
}

// setOption sets the field of an option, or reports an unknown option, for which atKey is
// true, or a wrong type.
func (s *syntax) setOption(key string, v value.Value) (atKey bool, err error) {
	i := slices.IndexFunc(headerOptions, func(o headerOption) bool { return o.name == key })
	if i < 0 {
		var names []string
		for _, o := range headerOptions {
			names = append(names, o.name)
		}
		return true, fmt.Errorf("unknown option %q in the header line%s", key, didYouMean(key, names))
	}
	switch field := headerOptions[i].field(s).(type) {
	case *string:
		optional := strings.HasSuffix(key, "_prefix")
		switch {
		case optional && v.IsNull():
			*field = ""
			return false, nil
		case !v.Is(value.StringKind) || v.Str() == "" && !optional:
			return false, fmt.Errorf("the option %q needs a non-empty string", key)
		case key == "newline_sequence" && !slices.Contains([]string{"\n", "\r\n", "\r"}, v.Str()):
			return false, fmt.Errorf(`the option %q needs a line break: "\n", "\r\n" or "\r"`, key)
		}
		*field = v.Str()
	case *bool:
		if !v.Is(value.BoolKind) {
			return false, fmt.Errorf("the option %q needs True or False", key)
		}
		*field = v.Bool()
	case *tristate:
		if !v.Is(value.BoolKind) {
			return false, fmt.Errorf("the option %q needs True or False", key)
		}
		if *field = no; v.Bool() {
			*field = yes
		}
	}
	return false, nil
}
