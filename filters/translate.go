package filters

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jmespath-community/go-jmespath/pkg/parsing"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// Errors of libraries in the words of users (spec: everyday, A7).

// notJSON returns the error of a text that is no JSON: what and where, if the parser of files
// finds it, otherwise the given reason.
//
//	{"a": 1,}   not JSON: JSON has no comma before "}", at character 8; remove it
func notJSON(text string, reason error) error {
	if len(text) <= maxExplained {
		if _, found := yaml.ParseJSON(source.NewFile("", text), yaml.ParseOptions{}); len(found) > 0 && found[0].Code == source.Syntax {
			return fmt.Errorf("not JSON: %s", withPlace(found[0]))
		}
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(reason, &syntax) {
		return fmt.Errorf("not JSON, at character %d", syntax.Offset)
	}
	return fmt.Errorf("not JSON: %w", reason)
}

// maxExplained bounds the texts that are parsed once more for a message.
const maxExplained = 1 << 20

// withPlace writes a finding about a text that is no file: its message, place and correction.
func withPlace(d *source.Diagnostic) string {
	message := d.Message
	if line, col := d.At.File.Position(int(d.At.Start)); line > 1 {
		message += fmt.Sprintf(", in line %d at character %d", line, col)
	} else {
		message += fmt.Sprintf(", at character %d", col)
	}
	if d.Hint != "" {
		message += "; " + d.Hint
	}
	return message
}

// badQuery returns the error of a JMESPath expression.
//
//	a[      JMESPath: the expression ends too early
//	a || )  JMESPath: ")" is not expected, at character 6
func badQuery(query string, written writtenQuery, err error) error {
	var syntax parsing.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("JMESPath: %s", queryReason(err.Error()))
	}
	at := written.offset(syntax.Offset)
	if at >= len(query) || at < 0 {
		return errors.New("JMESPath: the expression ends too early")
	}
	rest := strings.TrimSpace(query[at:])
	word := rest
	if i := strings.IndexAny(rest, " \t\n"); i > 0 {
		word = rest[:i]
	}
	return fmt.Errorf("JMESPath: %q is not expected, at character %d", source.Cut(word, 20), utf8.RuneCountInString(query[:at])+1)
}

// queryReason translates an error of running a query. The library prints values and types of
// its own.
func queryReason(text string) string {
	switch {
	case strings.HasPrefix(text, "invalid type for:"):
		return "an argument of a function has a wrong type"
	case strings.HasPrefix(text, "Unknown AST node"), text == "unknown type":
		return "the expression cannot be evaluated"
	case strings.HasPrefix(text, "could not compute length"):
		return "length needs a text, a list or a map"
	}
	return text
}
