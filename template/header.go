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
}

var defaultSyntax = syntax{
	variable: [2]string{"{{", "}}"},
	block:    [2]string{"{%", "%}"},
	comment:  [2]string{"{#", "#}"},
}

// cutHeader parses the header line of a text, if there is one, such as
//
//	#jinja2: variable_start_string: '[%', variable_end_string: '%]', trim_blocks: True
//
// and returns the offset at which the template begins.
func cutHeader(text string) (syn *syntax, start int, err *textError) {
	body := strings.TrimLeft(text, blanks)
	if !strings.HasPrefix(body, expr.TemplateHeader) {
		return &defaultSyntax, 0, nil
	}
	from := len(text) - len(body)
	end := strings.IndexByte(body, '\n')
	if end < 0 {
		end = len(body)
	}
	custom := defaultSyntax
	if err := custom.readHeader(body[len(expr.TemplateHeader):end]); err != nil {
		return nil, 0, &textError{from, from + end, err.Error()}
	}
	return &custom, min(from+end+1, len(text)), nil
}

// readHeader parses "option: literal, option: literal".
func (s *syntax) readHeader(line string) error {
	for strings.TrimLeft(line, blanks+",") != "" {
		key, rest, ok := strings.Cut(strings.TrimLeft(line, blanks+","), ":")
		if !ok {
			return fmt.Errorf("the header line needs \"option: value\", not %q", strings.TrimSpace(line))
		}
		v, n, ok := literalPrefix(rest)
		if !ok {
			return fmt.Errorf("the value of the option %q must be a Python literal", strings.TrimSpace(key))
		}
		line = rest[n:]
		if after := strings.TrimLeft(line, blanks); after != "" && after[0] != ',' {
			return fmt.Errorf("expected \",\" after the option %q", strings.TrimSpace(key))
		}
		if err := s.setOption(strings.TrimSpace(key), v); err != nil {
			return err
		}
	}
	return nil
}

// A headerOption is an option of the header line. field returns a pointer to the field
// that it sets, a *string or *bool, or nil for an option without effect.
type headerOption struct {
	name  string
	field func(*syntax) any
}

func ignored(*syntax) any { return nil }

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
	{"keep_trailing_newline", ignored}, // whitespace around a template is always stripped
	{"autoescape", ignored},            // HTML is never escaped
	{"optimized", ignored},
	{"cache_size", ignored},
	{"auto_reload", ignored},
}

// setOption sets the field of an option, or reports an unknown option or a wrong type.
func (s *syntax) setOption(key string, v value.Value) error {
	i := slices.IndexFunc(headerOptions, func(o headerOption) bool { return o.name == key })
	if i < 0 {
		var names []string
		for _, o := range headerOptions {
			names = append(names, o.name)
		}
		return fmt.Errorf("unknown option %q in the header line%s", key, didYouMean(key, names))
	}
	switch field := headerOptions[i].field(s).(type) {
	case *string:
		if !v.Is(value.StringKind) || v.Str() == "" && strings.HasSuffix(key, "_string") {
			return fmt.Errorf("the option %q needs a non-empty string", key)
		}
		if key == "newline_sequence" && !slices.Contains([]string{"\n", "\r\n", "\r"}, v.Str()) {
			return fmt.Errorf(`the option %q needs a line break: "\n", "\r\n" or "\r"`, key)
		}
		*field = v.Str()
	case *bool:
		if !v.Is(value.BoolKind) {
			return fmt.Errorf("the option %q needs True or False", key)
		}
		*field = v.Bool()
	}
	return nil
}
