package filters

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

func versionTests() []Func {
	return family("version", Func{
		Name: "version", Aliases: []string{"version_compare"}, Call: with((*Ctx).text, versionTest),
		Params: []Param{
			req("version", Text), opt("operator", Text, value.String("eq")), opt("strict", Bool, value.Null),
			opt("version_type", Text, value.Null),
		},
		Doc:     "Compares version numbers with one of == != < <= > >= (eq ne lt le gt ge). version_type is loose, strict, semver or pep440.",
		Example: "{{ '1.10' is version('1.9', '>') }}", Result: "true",
	})
}

// versionOperators are the results of a comparison for which an operator holds.
var versionOperators = lazy.Value[map[string][]int]{Make: func() map[string][]int {
	equal, unequal, less, atMost, greater, atLeast := []int{0}, []int{-1, 1}, []int{-1}, []int{-1, 0}, []int{1}, []int{0, 1}
	return map[string][]int{
		"==": equal, "=": equal, "eq": equal, "!=": unequal, "<>": unequal, "ne": unequal,
		"<": less, "lt": less, "<=": atMost, "le": atMost, ">": greater, "gt": greater, ">=": atLeast, "ge": atLeast,
	}
}}

// versionTest is Ansible's test version. Each kind of version is parsed to a list of parts, and lists are compared
// part by part: a list that is the beginning of the other one comes first, as 1.2 before 1.2.1.
func versionTest(c *Ctx, s string, a Bound) (value.Value, error) {
	if err := c.step(8 * len(s)); err != nil { // its parts are split and compared
		return value.Null, err
	}
	if s == "" || a.Str("version") == "" {
		return value.Null, errors.New("the version is empty")
	}
	holds, ok := versionOperators.Get()[a.Str("operator")]
	if !ok {
		return value.Null, fmt.Errorf("unknown operator %q; == != < <= > >= are known", a.Str("operator"))
	}
	kind := a.Str("version_type")
	if strict := a.Get("strict"); !strict.IsNull() {
		if kind != "" {
			return value.Null, errors.New("wants either strict or version_type")
		}
		if strict.Bool() {
			kind = "strict"
		}
	}
	parse, ok := versionParsers.Get()[kind]
	if !ok {
		return value.Null, fmt.Errorf("unknown version_type %q", kind)
	}
	parsed, err := convert([]string{s, a.Str("version")}, parse)
	if err != nil {
		return value.Null, err
	}
	return value.Bool(slices.Contains(holds, slices.CompareFunc(parsed[0], parsed[1], versionPart.compare))), nil
}

// versionParsers are the parsers by version_type.
var versionParsers = lazy.Value[map[string]func(string) ([]versionPart, error)]{Make: func() map[string]func(string) ([]versionPart, error) {
	return map[string]func(string) ([]versionPart, error){
		"": looseVersion, "loose": looseVersion, "strict": strictVersion,
		"semver": semVersion, "semantic": semVersion, "pep440": pepVersion,
	}
}}

// A versionPart is a number or a word. Words come before numbers.
type versionPart struct {
	number string // digits without leading zeros, so of any size
	word   string
}

func versionNumber(digits string) versionPart {
	return versionPart{number: strings.TrimLeft(digits, "0")}
}

func (p versionPart) compare(q versionPart) int {
	if (p.word == "") != (q.word == "") {
		return cmp.Compare(len(q.word), len(p.word))
	}
	if n := cmp.Compare(len(p.number), len(q.number)); n != 0 {
		return n
	}
	return cmp.Or(strings.Compare(p.number, q.number), strings.Compare(p.word, q.word))
}

var versionPiece = lazy.Regexp{Text: `\d+|[a-z]+|[^\s.\da-z]+`}

// looseVersion parses any text as runs of digits and of other characters: 1.10rc2 is
// 1 10 rc 2.
func looseVersion(s string) ([]versionPart, error) {
	var out []versionPart
	for _, piece := range versionPiece.Get().FindAllString(s, -1) {
		if piece[0] >= '0' && piece[0] <= '9' {
			out = append(out, versionNumber(piece))
		} else {
			out = append(out, versionPart{word: piece})
		}
	}
	return out, nil
}

var semForm = lazy.Regexp{Text: `^v?(\d+)\.(\d+)(?:\.(\d+))?(?:-?([0-9A-Za-z][0-9A-Za-z.-]*))?(?:\+[0-9A-Za-z.-]+)?$`}

// semVersion parses MAJOR.MINOR.PATCH with an optional pre-release, which precedes the
// release.
func semVersion(s string) ([]versionPart, error) {
	m := semForm.Get().FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf("%q is not a version such as 1.2.3 or 1.2.3-rc.1", s)
	}
	out := []versionPart{versionNumber(m[1]), versionNumber(m[2]), versionNumber(m[3])}
	if m[4] == "" {
		return append(out, versionNumber("1")), nil
	}
	out = append(out, versionPart{})
	for id := range strings.SplitSeq(m[4], ".") {
		if _, err := strconv.ParseUint(id, 10, 64); err == nil {
			out = append(out, versionPart{number: "0"}, versionNumber(id))
		} else {
			out = append(out, versionPart{number: "1"}, versionPart{word: id})
		}
	}
	return out, nil
}

var strictForm = lazy.Regexp{Text: `^(\d+)\.(\d+)(?:\.(\d+))?(?:([ab])(\d+))?$`}

// strictVersion parses MAJOR.MINOR or MAJOR.MINOR.PATCH. An alpha or beta version, such as
// 1.2a1 or 1.2b2, precedes the release.
func strictVersion(s string) ([]versionPart, error) {
	m := strictForm.Get().FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf("%q is not a strict version such as 1.2, 1.2.3 or 1.2.3b1", s)
	}
	out := []versionPart{versionNumber(m[1]), versionNumber(m[2]), versionNumber(m[3])}
	if m[4] == "" {
		return append(out, versionNumber("1")), nil
	}
	return append(out, versionPart{word: m[4]}, versionNumber(m[5])), nil
}

var pepForm = lazy.Regexp{Text: `^v?(?:(\d+)!)?(\d+(?:\.\d+)*)[-_.]?(?:(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?[-_.]?(?:(post|rev|r)[-_.]?(\d*))?[-_.]?(?:dev[-_.]?(\d*))?(?:\+([a-z0-9.]+))?$`}

// pepVersion parses Python's versions: dev < a < b < rc < release < post.
func pepVersion(s string) ([]versionPart, error) {
	low := strings.ToLower(strings.TrimSpace(s))
	m := pepForm.Get().FindStringSubmatch(low)
	if m == nil {
		return nil, fmt.Errorf("%q is not a version by PEP 440", s)
	}
	number := versionNumber // for short
	release := strings.Split(m[2], ".")
	for len(release) > 1 && strings.Trim(release[len(release)-1], "0") == "" {
		release = release[:len(release)-1]
	}
	out := []versionPart{number(m[1])}
	for _, part := range release {
		out = append(out, number("1"), number(part))
	}
	dev := strings.Contains(low, "dev")
	pre := map[string]string{"a": "2", "alpha": "2", "b": "3", "beta": "3", "c": "4", "rc": "4", "pre": "4", "preview": "4"}[m[3]]
	switch {
	case pre == "" && dev && m[5] == "":
		pre = "1"
	case pre == "":
		pre = "5"
	}
	out = append(out, number(""), // ends the release, before any further part of it
		number(pre), number(m[4]), number(pick(m[5] == "", "", "1")), number(m[6]))
	if dev {
		out = append(out, number(""), number(m[7]))
	} else {
		out = append(out, number("1"))
	}
	local, err := looseVersion(m[8])
	return append(out, local...), err
}
