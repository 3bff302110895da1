package template

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// blanks are what whitespace control trims, and what is stripped around a template.
const blanks = " \t\r\n\f\v"

// A syntax is how the parts of a template are told apart. A syntax is not changed
// once it is in use.
type syntax struct {
	variable, block, comment   [2]string // start and end
	lineStatement, lineComment string    // prefixes; "" for none
	newline                    string    // what line breaks of the text become; "" leaves them
	trimBlocks, lstripBlocks   bool
}

var defaultSyntax = syntax{
	variable: [2]string{"{{", "}}"},
	block:    [2]string{"{%", "%}"},
	comment:  [2]string{"{#", "#}"},
}

// cutHeader reads the header line of a text, if it has one, such as
//
//	#jinja2: variable_start_string: '[%', variable_end_string: '%]', trim_blocks: True
//
// and returns where the template begins.
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

// readHeader reads "key: literal, key: literal".
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

func (s *syntax) setOption(key string, v value.Value) error {
	if text := s.textOption(key); text != nil {
		if !v.Is(value.StringKind) || v.Str() == "" && strings.HasSuffix(key, "_string") {
			return fmt.Errorf("the option %q needs a text that is not empty", key)
		}
		if key == "newline_sequence" && !isLineBreak(v.Str()) {
			return fmt.Errorf(`the option %q needs a line break: "\n", "\r\n" or "\r"`, key)
		}
		*text = v.Str()
		return nil
	}
	if flag := s.boolOption(key); flag != nil {
		if !v.Is(value.BoolKind) {
			return fmt.Errorf("the option %q needs True or False", key)
		}
		*flag = v.Bool()
		return nil
	}
	switch key {
	case "keep_trailing_newline", "autoescape", "optimized", "cache_size", "auto_reload":
		return nil // no meaning here: whitespace around a template is stripped, HTML is not escaped
	}
	return fmt.Errorf("unknown option %q in the header line%s", key, didYouMean(key, headerOptions))
}

func isLineBreak(s string) bool { return s == "\n" || s == "\r\n" || s == "\r" }

var headerOptions = []string{
	"variable_start_string", "variable_end_string", "block_start_string", "block_end_string",
	"comment_start_string", "comment_end_string", "line_statement_prefix", "line_comment_prefix",
	"newline_sequence", "trim_blocks", "lstrip_blocks", "keep_trailing_newline",
}

func (s *syntax) textOption(key string) *string {
	switch key {
	case "variable_start_string":
		return &s.variable[0]
	case "variable_end_string":
		return &s.variable[1]
	case "block_start_string":
		return &s.block[0]
	case "block_end_string":
		return &s.block[1]
	case "comment_start_string":
		return &s.comment[0]
	case "comment_end_string":
		return &s.comment[1]
	case "line_statement_prefix":
		return &s.lineStatement
	case "line_comment_prefix":
		return &s.lineComment
	case "newline_sequence":
		return &s.newline
	}
	return nil
}

func (s *syntax) boolOption(key string) *bool {
	switch key {
	case "trim_blocks":
		return &s.trimBlocks
	case "lstrip_blocks":
		return &s.lstripBlocks
	}
	return nil
}
