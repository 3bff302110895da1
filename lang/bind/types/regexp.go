package types

import (
	"fmt"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/yaytpl/yaytpl/value"
)

// A Regexp is a regular expression in Ruby's dialect: "^" and "$" match at the lines of a
// text, \A and \z at its ends, \h is a hexadecimal digit.
//
// The standard library runs it in linear time where it can. Look-around and back references
// need a backtracking engine, which gives up after a time.
type Regexp struct {
	source string
	fast   *value.Regexp
	slow   *regexp2.Regexp
}

// matchTimeout ends catastrophic patterns such as (a+)+b.
const matchTimeout = time.Second

// CompileRegexp compiles an expression.
func CompileRegexp(source string) (*Regexp, error) {
	r := &Regexp{source: source}
	text := translate(source)
	if fast, err := value.CompileRegexp("(?m)" + text); err == nil {
		r.fast = fast
		return r, nil
	}
	slow, err := regexp2.Compile(text, regexp2.Multiline)
	if err != nil {
		return nil, fmt.Errorf("bad regular expression /%s/", source)
	}
	slow.MatchTimeout = matchTimeout
	r.slow = slow
	return r, nil
}

// translate replaces the escapes that only Ruby has: \h, \H, \Z and (?<name> are written
// alike or have an equivalent in both engines.
func translate(source string) string {
	if !strings.ContainsRune(source, '\\') {
		return source
	}
	var b strings.Builder
	inClass := false
	for i := 0; i < len(source); i++ {
		c := source[i]
		if c != '\\' || i+1 == len(source) {
			inClass = c == '[' || inClass && c != ']'
			b.WriteByte(c)
			continue
		}
		i++
		switch {
		case source[i] == 'h' && inClass:
			b.WriteString("0-9a-fA-F")
		case source[i] == 'h':
			b.WriteString("[0-9a-fA-F]")
		case source[i] == 'H' && !inClass:
			b.WriteString("[^0-9a-fA-F]")
		case source[i] == 'Z' && !inClass:
			b.WriteString(`(?:\n?\z)`)
		case source[i] == '/':
			b.WriteByte('/')
		default:
			b.WriteString(source[i-1 : i+1])
		}
	}
	return b.String()
}

// A Step counts n steps of work and returns an error once there are too many.
type Step func(n int) error

// timeOfStep is how long a step takes.
const timeOfStep = 20 * time.Nanosecond

// Match reports whether the expression matches somewhere in s. It fails if that takes too
// long, and counts its work: the work of the fast engine is known before, the work of the slow one is its time.
func (r *Regexp) Match(s string, step Step) (bool, error) {
	if r.fast != nil {
		if err := step(r.fast.Steps(len(s))); err != nil {
			return false, err
		}
		return r.fast.MatchString(s), nil
	}
	began := time.Now()
	ok, err := r.slow.MatchString(s)
	if err != nil {
		return false, fmt.Errorf("the regular expression /%s/ takes too long on this text", r.source)
	}
	return ok, step(int(time.Since(began) / timeOfStep))
}

// String returns the expression as it was written.
func (r *Regexp) String() string { return r.source }
