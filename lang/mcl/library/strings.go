package library

import (
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// textFunctions returns the functions on texts.
func textFunctions() []*Func {
	return []*Func{
		{
			Name: "concat", Signatures: []string{"func(a str, b str) str"}, Doc: "joins two texts, as + does",
			Example: `concat("a", "b")`, Result: `"ab"`,
			Call: func(c *Call) (value.Value, error) { return c.join(c.Args...) },
		},
		{
			Name: "strings.to_lower", Signatures: []string{"func(a str) str"}, Doc: "the text with small letters",
			Example: `strings.to_lower("ÀB")`, Result: `"àb"`,
			Call: func(c *Call) (value.Value, error) { return c.textResult(strings.ToLower(c.text(0))) },
		},
		{
			Name: "strings.to_upper", Signatures: []string{"func(a str) str"}, Doc: "the text with capital letters",
			Example: `strings.to_upper("ab")`, Result: `"AB"`,
			Call: func(c *Call) (value.Value, error) { return c.textResult(strings.ToUpper(c.text(0))) },
		},
		{
			Name: "strings.trim_space", Signatures: []string{"func(a str) str"}, Doc: "the text without white space at its ends",
			Example: `strings.trim_space(" a \n")`, Result: `"a"`,
			Call: func(c *Call) (value.Value, error) { return c.textResult(strings.TrimSpace(c.text(0))) },
		},
		{
			Name: "strings.split", Signatures: []string{"func(a str, b str) []str"}, Doc: "the parts of a between each b, or its characters if b is empty",
			Example: `strings.split("a,b,,c", ",")`, Result: `["a", "b", "", "c"]`,
			Call: func(c *Call) (value.Value, error) {
				if err := c.Step(strings.Count(c.text(0), c.text(1))); err != nil {
					return value.Null, err
				}
				return c.each(strings.Split(c.text(0), c.text(1)))
			},
		},
		{
			Name: "strings.has_prefix", Signatures: []string{"func(s str, prefix str) bool"}, Doc: "whether s begins with prefix",
			Example: `strings.has_prefix("abc", "ab")`, Result: `true`,
			Call: func(c *Call) (value.Value, error) { return c.truth(strings.HasPrefix(c.text(0), c.text(1))) },
		},
		{
			Name: "strings.has_suffix", Signatures: []string{"func(s str, suffix str) bool"}, Doc: "whether s ends with suffix",
			Example: `strings.has_suffix("abc", "bc")`, Result: `true`,
			Call: func(c *Call) (value.Value, error) { return c.truth(strings.HasSuffix(c.text(0), c.text(1))) },
		},
		{
			Name: "strings.contains", Signatures: []string{"func(s str, substr str) bool"}, Doc: "whether s has substr in it",
			Example: `strings.contains("abc", "b")`, Result: `true`,
			Call: func(c *Call) (value.Value, error) { return c.truth(strings.Contains(c.text(0), c.text(1))) },
		},
		{
			Name: "strings.replace_all", Signatures: []string{"func(s str, old str, new str) str"}, Doc: "s with new in place of each old",
			Example: `strings.replace_all("aaa", "aa", "b")`, Result: `"ba"`,
			Call: replaceAll,
		},
		{
			Name: "strings.join_nonempty", Signatures: []string{"func(s []str, sep str) str"}, Doc: "joins the items that are not empty, with sep between them",
			Example: `strings.join_nonempty(["a", "", "b"], "-")`, Result: `"a-b"`,
			Call: joinNonempty,
		},
		{
			Name: "strings.left_pad", Signatures: []string{"func(s str, pad str, len int) str"}, Doc: "s with whole pads in front until it has len bytes or more",
			Example: `strings.left_pad("7", "0", 3)`, Result: `"007"`,
			Call: func(c *Call) (value.Value, error) { return c.pad(true) },
		},
		{
			Name: "strings.right_pad", Signatures: []string{"func(s str, pad str, len int) str"}, Doc: "s with whole pads after it until it has len bytes or more",
			Example: `strings.right_pad("7", "ab", 4)`, Result: `"7abab"`,
			Call: func(c *Call) (value.Value, error) { return c.pad(false) },
		},
		{
			Name: "strings.substr", Signatures: []string{"func(s str, low int, high int) str"}, Doc: "the bytes of s from low up to, not with, high",
			Example: `strings.substr("hello", 1, 3)`, Result: `"el"`,
			Call: substr,
		},
	}
}

// join joins texts; those that are not secret stay visible in the masked result.
func (c *Call) join(texts ...value.Value) (value.Value, error) {
	var b value.TextBuilder
	for _, t := range texts {
		if err := c.write(&b, t); err != nil {
			return value.Null, err
		}
	}
	return b.Value(), nil
}

// write appends a text to others.
func (c *Call) write(b *value.TextBuilder, text value.Value) error {
	if err := c.Grow(b.Len(), len(text.Str())); err != nil {
		return err
	}
	return b.WriteValue(text, text.Str())
}

// each returns texts as a list whose items have the marks of the arguments.
func (c *Call) each(texts []string) (value.Value, error) {
	marks, err := c.Marks()
	if err != nil {
		return value.Null, err
	}
	all := make(value.Slice, len(texts))
	for i, t := range texts {
		all[i] = value.String(t).Mark(marks)
	}
	return value.FromList(all).Mark(marks), c.Step(len(all))
}

func replaceAll(c *Call) (value.Value, error) {
	s, old, new := c.text(0), c.text(1), c.text(2)
	n := strings.Count(s, old)
	if err := c.room(len(s) + n*(len(new)-len(old))); err != nil {
		return value.Null, err
	}
	return c.textResult(strings.ReplaceAll(s, old, new))
}

func joinNonempty(c *Call) (value.Value, error) {
	var b value.TextBuilder
	some := false
	for item, err := range value.Items(c.Args[0].List()) {
		if err == nil && item.Str() == "" {
			continue
		}
		if err == nil && some {
			err = c.write(&b, c.Args[1])
		}
		if err == nil {
			err = c.write(&b, item)
		}
		if err != nil {
			return value.Null, err
		}
		some = true
	}
	return b.Value().Mark(c.Args[0].Marks()), nil
}

// pad puts whole pads in front of a text or after it. An empty pad adds nothing.
func (c *Call) pad(left bool) (value.Value, error) {
	s, pad := c.text(0), c.text(1)
	missing := c.int(2) - int64(len(s))
	if missing <= 0 || pad == "" {
		return c.textResult(s)
	}
	if missing > maxText {
		return value.Null, c.room(maxText + 1)
	}
	n := (int(missing) + len(pad) - 1) / len(pad)
	if err := c.room(len(s) + n*len(pad)); err != nil {
		return value.Null, err
	}
	pads := strings.Repeat(pad, n)
	if left {
		return c.textResult(pads + s)
	}
	return c.textResult(s + pads)
}

func substr(c *Call) (value.Value, error) {
	s, low, high := c.text(0), c.int(1), c.int(2)
	if low < 0 || high < low || high > int64(len(s)) {
		if c.hidden(0) || c.hidden(1) || c.hidden(2) {
			return value.Null, c.Fail("the bounds are outside of the text")
		}
		return value.Null, c.Fail("the bounds %d and %d are outside of the text, which has %d bytes", low, high, len(s))
	}
	part := s[low:high]
	if !utf8.ValidString(part) {
		return value.Null, c.Fail("the bounds %d and %d cut a character of the text", low, high)
	}
	return c.textResult(part)
}
