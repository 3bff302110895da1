package bind

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// A Segment is a part of a key with dots: port.0.name.
type Segment struct {
	Text    string
	Quoted  bool
	Index   int  // of digits without quotes
	IsIndex bool // the segment is written in digits
}

// maxSegments bounds the dots of a key.
const maxSegments = 1000

// SplitKey splits a key at its dots. Text in quotes is one segment; blanks around a segment
// do not count (spec: bindings, section 10.2).
//
//	site.port.0      site, port, 0 (an index)
//	"site.name".x    site.name, x
func SplitKey(key string) ([]Segment, error) {
	if !strings.ContainsAny(key, `."'`) { // nearly all keys
		text := strings.TrimSpace(key)
		if text == "" {
			return nil, fmt.Errorf("the key is empty")
		}
		return []Segment{segment(text)}, nil
	}
	var out []Segment
	rest := key
	for {
		s, after, err := cutSegment(rest)
		if err != nil {
			return nil, fmt.Errorf("bad key %q: %w", value.Clip(key, 80), err)
		}
		out = append(out, s)
		if len(out) > maxSegments {
			return nil, fmt.Errorf("the key has more than %d segments", maxSegments)
		}
		if after == "" {
			return out, nil
		}
		rest = after[1:]
	}
}

// cutSegment returns the first segment and the rest, which is empty or begins with a dot.
func cutSegment(s string) (Segment, string, error) {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return Segment{}, "", fmt.Errorf("a quote is not closed")
		}
		rest := strings.TrimLeftFunc(s[end+2:], unicode.IsSpace)
		if rest != "" && rest[0] != '.' {
			return Segment{}, "", fmt.Errorf("quotes enclose a whole segment")
		}
		if end == 0 {
			return Segment{}, "", fmt.Errorf("a segment is empty")
		}
		return Segment{Text: s[1 : end+1], Quoted: true}, rest, nil
	}
	end := strings.IndexByte(s, '.')
	rest := ""
	if end >= 0 {
		s, rest = s[:end], s[end:]
	}
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	switch {
	case s == "":
		return Segment{}, "", fmt.Errorf("a segment is empty")
	case strings.ContainsAny(s, `"'`):
		return Segment{}, "", fmt.Errorf("quotes enclose a whole segment")
	}
	return segment(s), rest, nil
}

func segment(text string) Segment {
	s := Segment{Text: text}
	digits := strings.TrimLeft(text, "+-")
	if digits == "" || len(text)-len(digits) > 1 || digits[0] < '0' || digits[0] > '9' {
		return s
	}
	if n, err := strconv.Atoi(text); err == nil {
		s.Index, s.IsIndex = n, true
	}
	return s
}

// A DigError says that a key goes into a value that has no parts.
type DigError struct {
	Segment Segment
	Value   value.Value
}

// Error names the segment and the kind of the value.
func (e *DigError) Error() string {
	if e.Value.Is(value.ListKind) {
		return fmt.Sprintf("'%s' is no index of the list", e.Segment.Text)
	}
	return fmt.Sprintf("'%s' cannot be found in %s", e.Segment.Text, value.Article(e.Value.Kind()))
}

// Dig follows segments into a value. It reports false where a part is missing.
//
// The error is a [*DigError], or the error of computing a value.
func Dig(v value.Value, path []Segment) (value.Value, bool, error) {
	for _, s := range path {
		marks := v.Marks()
		switch {
		case v.Is(value.ListKind):
			if !s.IsIndex {
				return value.Null, false, &DigError{s, v}
			}
			if s.Index < 0 || s.Index >= v.List().Len() {
				return value.Null, false, nil
			}
			item, err := v.List().At(s.Index)
			if err != nil {
				return value.Null, false, err
			}
			v = item
		case v.Is(value.MapKind):
			item, ok, err := digMap(v.Map(), s)
			if err != nil || !ok {
				return value.Null, false, err
			}
			v = item
		case v.IsNull():
			return v, false, nil
		default:
			return value.Null, false, &DigError{s, v}
		}
		v = v.Mark(marks)
	}
	return v, true, nil
}

// digMap looks up a segment in a map. Digits without quotes are a number first.
func digMap(m value.Map, s Segment) (value.Value, bool, error) {
	if s.IsIndex {
		k, _ := value.KeyOf(value.Int(int64(s.Index))) // an integer is a key
		return m.Get(k)
	}
	return m.Get(value.K(s.Text))
}

// startsUpper reports whether a key begins with the name of a type.
func startsUpper(key string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(strings.TrimSpace(key), "::"))
	return unicode.IsUpper(first)
}
