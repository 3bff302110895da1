package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"

	late "github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Options of lookups
//
// Options are named arguments. Some lookups also take them within a term, as Ansible does:
//
//	lookup('csvfile', 'Ann', file='people.csv', delimiter=',')
//	lookup('csvfile', 'Ann file=people.csv delimiter=,')
//
// There they hold for the terms that follow as well. An option that is null counts as missing.

// option returns an option, and false if it is missing. With several options of a name the last one
// counts.
func (c lookupCall) option(names ...string) (value.Value, bool) {
	for i := len(c.options) - 1; i >= 0; i-- {
		for _, name := range names {
			if o := c.options[i]; o.Name == name {
				return o.Value, !o.Value.IsNull()
			}
		}
	}
	return value.Null, false
}

// textOption returns an option that is a text.
func (c lookupCall) textOption(name, otherwise string) (string, error) {
	v, ok := c.option(name)
	if !ok {
		return otherwise, nil
	}
	if v.Is(value.ListKind) || v.Is(value.MapKind) {
		return "", c.errorf(source.BadType, "the option %q of lookup %q is a string, not %s", name, c.name, value.Article(v.Kind()))
	}
	return value.Text(v)
}

// truthWord returns the truth value that a text spells, and false if it spells none.
func truthWord(text string) (on, ok bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "t", "y", "1", "1.0":
		return true, true
	case "false", "no", "off", "f", "n", "0", "0.0":
		return false, true
	}
	return false, false
}

// defaults returns the option "default": the items of a list, or one value.
func (c lookupCall) defaults() ([]value.Value, error) {
	v, ok := c.option("default")
	if !ok {
		return nil, nil
	}
	if v.Is(value.ListKind) {
		return listItems(v)
	}
	return []value.Value{v}, nil
}

// flag returns an option that is a truth value: a boolean, 1, 0, or a text of [truthWord].
func (c lookupCall) flag(otherwise bool, names ...string) (bool, error) {
	v, ok := c.option(names...)
	if !ok {
		return otherwise, nil
	}
	return c.truth(names[0], v)
}

func (c lookupCall) truth(name string, v value.Value) (bool, error) {
	if v.Is(value.BoolKind) {
		return v.Bool(), nil
	}
	if v.Is(value.StringKind) || v.IsNumber() {
		text, err := value.Text(v)
		if on, ok := truthWord(text); ok || err != nil {
			return on, err
		}
		return false, c.errorf(source.BadValue, "the option %q of lookup %q is true or false, not %q", name, c.name, text)
	}
	return false, c.errorf(source.BadType, "the option %q of lookup %q is true or false, not %s", name, c.name, value.Article(v.Kind()))
}

// split returns the texts of an option that is a text, split at some characters, or a list of such
// texts.
func (c lookupCall) split(name string, v value.Value, at string) ([]string, error) {
	items, trim := []value.Value{v}, true
	if v.Is(value.ListKind) {
		var err error
		if items, err = c.flatten(items, value.Null); err != nil {
			return nil, err
		}
		trim = false
	}
	var all []string
	for _, item := range items {
		if err := Raise(item); err != nil {
			return nil, err
		}
		if !item.Is(value.StringKind) {
			return nil, c.errorf(source.BadType, "the option %q of lookup %q is a string or a list of strings, not %s", name, c.name, value.Article(item.Kind()))
		}
		if err := c.Step(1 + len(item.Str())); err != nil {
			return nil, located(c.at, source.Limit, err, 0)
		}
		for part := range strings.FieldsFuncSeq(item.Str(), func(r rune) bool { return strings.ContainsRune(at, r) }) {
			if trim {
				part = strings.TrimSpace(part)
			}
			all = append(all, part)
		}
	}
	return all, nil
}

// termWords splits a term into words at blanks that are not in quotes, as Ansible does: "a  b 'c d'" is
// "a ", "b" and "'c d'". Further blanks and line breaks stay at the end of the word before them, so
// that joinWords restores the text. ok is false if a quote is not closed.
func termWords(term string) (list []string, ok bool) {
	var word strings.Builder
	var quote, before byte
	end := func() {
		if word.Len() > 0 {
			list = append(list, word.String())
			word.Reset()
		}
	}
	for i := range len(term) {
		c := term[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\n'):
			within := word.Len() > 0
			if end(); len(list) == 0 {
				break
			}
			if !within || c == '\n' {
				list[len(list)-1] += string(c)
			}
			if c == ' ' && (i+1 == len(term) || term[i+1] == '\n') { // joinWords adds none here
				list[len(list)-1] += " "
			}
		default:
			word.WriteByte(c)
			if (c == '"' || c == '\'') && before != '\\' {
				if quote == 0 {
					quote = c
				} else if quote == c {
					quote = 0
				}
			}
		}
		before = c
	}
	end()
	return list, quote == 0
}

// joinWords is the text that termWords has split.
func joinWords(list []string) string {
	text := ""
	for _, w := range list {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += " "
		}
		text += w
	}
	return text
}

// escapeSequence is what a word of a term may have for a character.
var escapeSequence = late.Regexp{Text: `\\U[0-9a-fA-F]{8}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[\\'"abfnrtv]`}

func unescaped(word string) string {
	return escapeSequence.Get().ReplaceAllStringFunc(word, func(s string) string {
		if i := strings.IndexByte(`\'"abfnrtv`, s[1]); len(s) == 2 && i >= 0 {
			return "\\'\"\a\b\f\n\r\t\v"[i : i+1]
		}
		n, err := strconv.ParseUint(s[2:], 16, 32)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return s
		}
		return string(rune(n))
	})
}

// unquoted returns a text without the quotes around it.
func unquoted(s string) string {
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] && s[n-2] != '\\' {
		return s[1 : n-1]
	}
	return s
}

// A setting is an option within a term.
type setting struct{ name, text string }

// inTerm splits a term into the text without its options, and the options:
// "Ann Lee file=people.csv" is the text "Ann Lee" with the option file. An equals sign after a backslash
// makes no option.
func (c lookupCall) inTerm(term string) (text string, options []setting, err error) {
	if err := c.Step(1 + len(term)); err != nil {
		return "", nil, located(c.at, source.Limit, err, 0)
	}
	list, ok := termWords(term)
	if !ok {
		return "", nil, c.errorf(source.BadValue, "the term of lookup %q has a quote that is not closed: %s", c.name, term)
	}
	var rest []string
	for _, w := range list {
		at := -1
		for i := 1; i < len(w) && at < 0; i++ {
			if w[i] == '=' && w[i-1] != '\\' {
				at = i
			}
		}
		switch {
		case at > 0:
			options = append(options, setting{strings.TrimSpace(w[:at]), unescaped(unquoted(strings.TrimSpace(w[at+1:])))})
		case strings.Contains(w, "="):
			rest = append(rest, strings.ReplaceAll(unescaped(w), `\=`, "="))
		default:
			rest = append(rest, w)
		}
	}
	return joinWords(rest), options, nil
}

// with adds options of a term, which the plugin must know.
func (c *lookupCall) with(options []setting) error {
	for _, o := range options {
		if err := c.known(o.name); err != nil {
			return err
		}
		c.options = append(c.options[:len(c.options):len(c.options)], value.Named{Name: o.name, Value: value.String(o.text)})
	}
	return nil
}
