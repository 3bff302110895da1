package filters

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// changers are methods of Python that change their object. They are errors with a hint,
// since values are immutable.
var changers = [...]struct {
	kind          value.Kind
	name, instead string
}{
	{value.ListKind, "append", "l + [x]"},
	{value.ListKind, "extend", "l + other"},
	{value.ListKind, "insert", "l[:i] + [x] + l[i:]"},
	{value.ListKind, "remove", "l | difference([x])"},
	{value.ListKind, "pop", "l[:-1]"},
	{value.ListKind, "sort", "l | sort"},
	{value.ListKind, "reverse", "l | reverse"},
	{value.ListKind, "clear", "[]"},
	{value.MapKind, "update", "m | combine(other)"},
	{value.MapKind, "setdefault", "m | combine(other)"},
	{value.MapKind, "pop", "m | dict2items | rejectattr('key', 'eq', k) | items2dict"},
	{value.MapKind, "popitem", "m | dict2items"},
	{value.MapKind, "clear", "{}"},
}

// CallMethod calls a method of a value. The bool is false if values of its kind have no
// method of that name. Keys of a map are not methods.
func CallMethod(c *Ctx, recv value.Value, name string, args value.Args) (value.Value, bool, error) {
	if recv.Is(value.UndefinedKind) {
		return value.Null, true, reason(recv)
	}
	for i := range changers {
		if c := &changers[i]; c.kind == recv.Kind() && c.name == name {
			return value.Null, true, fmt.Errorf("method %q would change the value, but values are immutable; use %s", name, c.instead)
		}
	}
	t, ok := tables().methods[recv.Kind()]
	if !ok {
		return value.Null, false, nil
	}
	f, ok := t.lookup(name)
	if !ok {
		return value.Null, false, nil
	}
	v, err := f.Apply(c, recv, args)
	return v, true, err
}

// Methods returns the methods of values of a kind.
func Methods(of value.Kind) []Func {
	if t, ok := tables().methods[of]; ok {
		return t.all
	}
	return nil
}

// dictMethods are the methods of Python's dict that change nothing.
func dictMethods() []Func {
	return family("methods",
		moving(row("items", "Returns the [key, value] pairs of a map.",
			"{{ {'a': 1}.items() }}", `[["a", 1]]`, dictPairs)),
		moving(row("keys", "Returns the keys of a map.",
			"{{ {'a': 1}.keys() }}", `["a"]`, toList)),
		moving(row("values", "Returns the values of a map.",
			"{{ {'a': 1}.values() }}", "[1]",
			func(c *Ctx, in value.Value, _ Bound) (value.Value, error) { return listOf(c.valuesOf(in)) })),
		moving(row("get", "Returns the value under a key, or the default.",
			"{{ {'a': 1}.get('b', 2) }}", "2", dictGet, req("key", Any), opt("default", Any, value.Null))),
		moving(row("copy", "Returns the map itself, since maps cannot change.",
			"{{ {'a': 1}.copy() }}", `{"a": 1}`, itself)),
	)
}

// dictGet is dict.get. It counts the length of the key, which is hashed.
func dictGet(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if err := c.step(value.TextSteps(a.Get("key"))); err != nil {
		return value.Null, err
	}
	k, err := value.KeyFor(a.Get("key"))
	if err != nil {
		return value.Null, err
	}
	v, ok, err := in.Map().Get(k)
	if err != nil || ok {
		return v, err
	}
	return a.Get("default"), nil
}

func listMethods() []Func {
	return family("methods",
		row("index", "Returns the index of the first item that equals a value.",
			"{{ [3, 4].index(4) }}", "1",
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
				at, err := c.positions(in, a.Get("value"))
				if err != nil || len(at) == 0 {
					return value.Null, cmp.Or(err, errors.New("the list does not contain the value"))
				}
				return value.Int(int64(at[0])), nil
			}, req("value", Any)),
		row("count", "Counts the items that equal a value.",
			"{{ [3, 4, 3].count(3) }}", "2",
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
				at, err := c.positions(in, a.Get("value"))
				return value.Int(int64(len(at))), err
			}, req("value", Any)),
		moving(row("copy", "Returns the list itself, since lists cannot change.",
			"{{ [1].copy() }}", "[1]", itself)),
	)
}

// positions returns the indexes of the items that equal v.
func (c *Ctx) positions(list, v value.Value) ([]int, error) {
	items, err := c.listItems(list)
	var out []int
	for i, item := range items {
		same, err := c.equal(item, v)
		if err != nil {
			return nil, err
		}
		if same {
			out = append(out, i)
		}
	}
	return out, err
}

func numberMethods() []Func {
	return family("methods",
		row("bit_length", "Returns the number of bits of an integer.",
			"{{ (255).bit_length() }}", "8",
			func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
				if !in.Is(value.IntKind) {
					return value.Null, value.Wants("an integer", in.Kind())
				}
				return value.Int(int64(in.BigInt().BitLen())), nil
			}),
		row("is_integer", "Whether a number is whole.",
			"{{ (1.0).is_integer() }}", "true",
			func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
				f := in.Float()
				return value.Bool(in.Is(value.IntKind) || f == math.Trunc(f) && !math.IsInf(f, 0)), nil
			}),
	)
}

// stringMethods are the methods of Python's str, and methods of dates, which are texts here (dates.go).
func stringMethods() []Func {
	return slices.Concat(caseMethods(), cutMethods(), findMethods(), padMethods(), momentMethods(), predicateMethods())
}

// method returns a method of texts.
func method(name, doc, example, result string, params []Param, f func(c *Ctx, s string, a Bound) (value.Value, error)) Func {
	return row(name, doc, "{{ "+example+" }}", result, with((*Ctx).receiver, f), params...)
}

// receiver returns the text of a string, and counts the work of reading it.
func (c *Ctx) receiver(v value.Value) (string, error) { return v.Str(), c.read(len(v.Str())) }

func textMethod(name, doc, example, result string, f func(string) string) Func {
	return method(name, doc, example, result, nil, func(_ *Ctx, s string, _ Bound) (value.Value, error) {
		return value.String(f(s)), nil
	})
}

func caseMethods() []Func {
	return family("methods",
		textMethod("upper", "Converts to upper case.", "'ab'.upper()", `"AB"`, upperText),
		textMethod("lower", "Converts to lower case.", "'AB'.lower()", `"ab"`, strings.ToLower),
		textMethod("casefold", "Converts to lower case for comparisons.", "'AB'.casefold()", `"ab"`, func(s string) string {
			return strings.ReplaceAll(strings.ToLower(s), "ß", "ss")
		}),
		textMethod("capitalize", "Converts the first letter to upper case and the others to lower case.", "'aB'.capitalize()", `"Ab"`, capitalize),
		textMethod("title", "Converts the first letter of every word to upper case and the others to lower case.", "\"it's ab\".title()", `"It'S Ab"`, pythonTitle),
		textMethod("swapcase", "Swaps upper and lower case.", "'aB'.swapcase()", `"Ab"`, swapCase),
	)
}

// pythonTitle is str.title, for which a word begins after every character that is not a
// letter: It'S.
func pythonTitle(s string) string {
	inWord := false
	return strings.Map(func(r rune) rune {
		was := inWord
		inWord = unicode.IsLetter(r)
		switch {
		case !inWord:
			return r
		case was:
			return unicode.ToLower(r)
		}
		return unicode.ToTitle(r)
	}, s)
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func cutMethods() []Func {
	chars := []Param{opt("chars", Text, value.Null)}
	splits := []Param{opt("sep", Text, value.Null), opt("maxsplit", Int, value.Int(-1))}
	return family("methods",
		method("strip", "Removes white space, or the given characters, from both ends.", "' a '.strip()", `"a"`, chars, strip(both)),
		method("lstrip", "Removes white space, or the given characters, from the beginning.", "'xxa'.lstrip('x')", `"a"`, chars, strip(left)),
		method("rstrip", "Removes white space, or the given characters, from the end.", "'a/'.rstrip('/')", `"a"`, chars, strip(right)),
		method("split", "Splits a text at separators, by default runs of white space.", "'a,b,c'.split(',', 1)", `["a", "b,c"]`, splits,
			splitText),
		method("rsplit", "Splits a text at separators, from the right.", "'a,b,c'.rsplit(',', 1)", `["a,b", "c"]`, splits, splitRight),
		method("splitlines", "Splits a text into lines.", "'a\\nb'.splitlines()", `["a", "b"]`, []Param{opt("keepends", Bool, value.False)},
			splitLinesOf),
		method("partition", "Splits a text at the first separator: [before, separator, after].", "'a=b=c'.partition('=')", `["a", "=", "b=c"]`, []Param{req("sep", Text)},
			partition(strings.Index, func(s string) []string { return []string{s, "", ""} })),
		method("rpartition", "Splits a text at the last separator: [before, separator, after].", "'a=b=c'.rpartition('=')", `["a=b", "=", "c"]`, []Param{req("sep", Text)},
			partition(strings.LastIndex, func(s string) []string { return []string{"", "", s} })),
		method("removeprefix", "Removes a text from the beginning.", "'v1'.removeprefix('v')", `"1"`, []Param{req("prefix", Text)},
			func(_ *Ctx, s string, a Bound) (value.Value, error) {
				return value.String(strings.TrimPrefix(s, a.Str("prefix"))), nil
			}),
		method("removesuffix", "Removes a text from the end.", "'a.go'.removesuffix('.go')", `"a"`, []Param{req("suffix", Text)},
			func(_ *Ctx, s string, a Bound) (value.Value, error) {
				return value.String(strings.TrimSuffix(s, a.Str("suffix"))), nil
			}),
		method("replace", "Replaces a text everywhere, or the first count times.", "'aaa'.replace('a', 'b', 2)", `"bba"`,
			[]Param{req("old", Text), req("new", Text), opt("count", Int, value.Int(-1))},
			replaceText),
	)
}

// splitRight is str.rsplit: maxsplit counts from the right, and the first part keeps the rest of the text.
//
//	'a,b,c'.rsplit(',', 1)     ['a,b', 'c']
func splitRight(c *Ctx, s string, a Bound) (value.Value, error) {
	limit := a.Int("maxsplit")
	if limit < 0 {
		return splitText(c, s, a)
	}
	limit = min(limit, c.maxItems())
	if a.Get("sep").IsNull() {
		return c.textList(fieldsRight(s, limit))
	}
	sep := a.Str("sep")
	if sep == "" {
		return value.Null, errEmptySeparator
	}
	var parts []string
	for len(parts) < limit {
		i := strings.LastIndex(s, sep)
		if i < 0 {
			break
		}
		parts = append(parts, s[i+len(sep):])
		s = s[:i]
	}
	parts = append(parts, s)
	slices.Reverse(parts)
	return c.textList(parts)
}

// fieldsRight is fields from the right, for rsplit without a separator.
func fieldsRight(s string, limit int) []string {
	var parts []string
	for s = strings.TrimRightFunc(s, unicode.IsSpace); s != ""; s = strings.TrimRightFunc(s, unicode.IsSpace) {
		i := strings.LastIndexFunc(s, unicode.IsSpace)
		if i < 0 || len(parts) == limit {
			parts = append(parts, s)
			break
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		parts = append(parts, s[i+n:])
		s = s[:i]
	}
	slices.Reverse(parts)
	return parts
}

// partition splits a text at the separator that index finds. If there is none, whole
// returns the parts.
func partition(index func(s, sub string) int, whole func(s string) []string) func(*Ctx, string, Bound) (value.Value, error) {
	return func(c *Ctx, s string, a Bound) (value.Value, error) {
		sep := a.Str("sep")
		if sep == "" {
			return value.Null, errEmptySeparator
		}
		if i := index(s, sep); i >= 0 {
			return c.textList([]string{s[:i], sep, s[i+len(sep):]})
		}
		return c.textList(whole(s))
	}
}

// findMethods search texts. Indexes count characters, not bytes, as everywhere in the language.
func findMethods() []Func {
	where := []Param{req("sub", Text), opt("start", Int, value.Null), opt("end", Int, value.Null)}
	affix := []Param{req("affix", Any), opt("start", Int, value.Null), opt("end", Int, value.Null)}
	return family("methods",
		method("find", "Returns the index of a text, or -1.", "'abc'.find('c')", "2", where, finder(strings.Index, nil)),
		method("rfind", "Returns the index of the last occurrence of a text, or -1.", "'aba'.rfind('a')", "2", where, finder(strings.LastIndex, nil)),
		method("index", "Returns the index of a text; a missing one is an error.", "'abc'.index('b')", "1", where, finder(strings.Index, errNotFound)),
		method("rindex", "Returns the index of the last occurrence of a text; a missing one is an error.", "'aba'.rindex('a')", "2", where, finder(strings.LastIndex, errNotFound)),
		method("count", "Counts the occurrences of a text.", "'banana'.count('an')", "2", where,
			func(_ *Ctx, s string, a Bound) (value.Value, error) {
				part, _, ok := window(s, a)
				if !ok {
					return value.Int(0), nil
				}
				return value.Int(int64(strings.Count(part, a.Str("sub")))), nil
			}),
		method("startswith", "Whether the text begins with another, or one of a list.", "'abc'.startswith('ab')", "true", affix, hasAffix(strings.HasPrefix)),
		method("endswith", "Whether the text ends with another, or one of a list.", "'abc'.endswith(['x', 'c'])", "true", affix, hasAffix(strings.HasSuffix)),
		joining(method("join", "Joins the items of a list with the text between them.", "'-'.join(['a', 'b'])", `"a-b"`, []Param{req("iterable", Items)}, joinTexts)),
		joining(row("format", "Replaces {} {0} {name} {0[key]} {:>5} by the arguments.",
			"{{ '{}-{n:03d}'.format('a', n=7) }}", `"a-007"`, formatArgs, variadic("args", Any), keywords("named"))),
		joining(row("format_map", "Replaces {name} by the value of that key of a map.",
			"{{ '{a}'.format_map({'a': 1}) }}", `"1"`, formatMap, req("mapping", Map))),
	)
}

// window returns the characters of s from start to end, which count as in a slice of
// Python, and the index of the first one.
func window(s string, a Bound) (part string, from int, ok bool) {
	if a.Get("start").IsNull() && a.Get("end").IsNull() {
		return s, 0, true
	}
	r := []rune(s)
	bound := func(name string, def int) int {
		if a.Get(name).IsNull() {
			return def
		}
		i := a.Int(name)
		if i < 0 {
			i += len(r)
		}
		return max(i, 0)
	}
	from, to := bound("start", 0), min(bound("end", len(r)), len(r))
	if from > to {
		return "", 0, false
	}
	return string(r[from:to]), from, true
}

var errNotFound = errors.New("the text is not found")

// finder searches for a text with index. If it finds none, the result is -1 with the
// error missing, which may be nil.
func finder(index func(s, sub string) int, missing error) func(*Ctx, string, Bound) (value.Value, error) {
	return func(_ *Ctx, s string, a Bound) (value.Value, error) {
		part, from, ok := window(s, a)
		i := -1
		if ok {
			i = index(part, a.Str("sub"))
		}
		if i < 0 {
			return value.Int(-1), missing
		}
		return value.Int(int64(from + utf8.RuneCountInString(part[:i]))), nil
	}
}

// hasAffix returns startswith or endswith, for one affix or any of a list, where Python takes a tuple.
func hasAffix(has func(s, affix string) bool) func(*Ctx, string, Bound) (value.Value, error) {
	return func(c *Ctx, s string, a Bound) (value.Value, error) {
		s, _, ok := window(s, a)
		affixes, err := c.oneOrMany(a.Get("affix"))
		if err != nil {
			return value.Null, err
		}
		for _, affix := range affixes {
			if !affix.Is(value.StringKind) {
				return value.Null, value.Wants("a string", affix.Kind())
			}
			if ok && has(s, affix.Str()) {
				return value.True, nil
			}
		}
		return value.False, nil
	}
}

// joinTexts is str.join, which unlike the filter join refuses items that are no texts.
func joinTexts(c *Ctx, s string, a Bound) (value.Value, error) {
	items, err := c.items(a.Get("iterable"))
	if err != nil {
		return value.Null, err
	}
	for i, item := range items {
		if !item.Is(value.StringKind) {
			return value.Null, fmt.Errorf("item %d is %s, not a string; the filter join accepts any value", i, value.Article(item.Kind()))
		}
	}
	v, err := c.joinValues(items, value.String(s))
	return v.Mark(a.Get("iterable").Marks()), err
}

func formatArgs(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	return c.format(in, value.Args{Pos: a.rest, Named: a.named})
}

// formatMap is str.format_map: the entries of a map are the named arguments.
func formatMap(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	entries, err := c.entries(a.Get("mapping"))
	if err != nil {
		return value.Null, err
	}
	var args value.Args
	for _, e := range entries {
		args.Named = append(args.Named, value.Named{Name: e.key.Text, Value: e.val})
	}
	return c.format(in, args)
}

func padMethods() []Func {
	width := []Param{req("width", Int), opt("fillchar", Text, value.String(" "))}
	padding := func(where side) func(*Ctx, string, Bound) (value.Value, error) {
		return func(c *Ctx, s string, a Bound) (value.Value, error) {
			if utf8.RuneCountInString(a.Str("fillchar")) != 1 {
				return value.Null, errors.New("fillchar must be one character")
			}
			out, err := c.pad(s, a.Int("width"), a.Str("fillchar"), where)
			return value.String(out), err
		}
	}
	return family("methods",
		method("center", "Centers the text in a field.", "'a'.center(3, '-')", `"-a-"`, width, padding(both)),
		method("ljust", "Aligns the text at the left of a field.", "'a'.ljust(3, '.')", `"a.."`, width, padding(right)),
		method("rjust", "Aligns the text at the right of a field.", "'a'.rjust(3, '.')", `"..a"`, width, padding(left)),
		method("zfill", "Fills the text with zeros after its sign.", "'-7'.zfill(4)", `"-007"`, []Param{req("width", Int)},
			func(c *Ctx, s string, a Bound) (value.Value, error) {
				sign := s[:len(s)-len(strings.TrimLeft(s, "+-"))]
				sign = sign[:min(len(sign), 1)]
				digits, err := c.pad(s[len(sign):], a.Int("width")-len(sign), "0", left)
				return value.String(sign + digits), err
			}),
		method("expandtabs", "Replaces tabs by blanks up to the next multiple of the tab size.", "'a\\tb'.expandtabs(4)", `"a   b"`,
			[]Param{opt("tabsize", Int, value.Int(8))}, expandTabs),
	)
}

// expandTabs is str.expandtabs. The column starts again after each line end; a tab size of 0 drops tabs.
func expandTabs(c *Ctx, s string, a Bound) (value.Value, error) {
	size := max(a.Int("tabsize"), 0)
	if err := c.reserveProduct(strings.Count(s, "\t"), size); err != nil {
		return value.Null, err
	}
	var b strings.Builder
	column := 0
	for _, r := range s {
		switch {
		case r == '\t' && size > 0:
			n := size - column%size
			b.WriteString(strings.Repeat(" ", n))
			column += n
			continue
		case r == '\t':
			continue
		case r == '\n' || r == '\r':
			column = -1
		}
		b.WriteRune(r)
		column++
	}
	return value.String(b.String()), nil
}

// predicateMethods are false for the empty text, except for isprintable and isascii, as in Python.
func predicateMethods() []Func {
	every := func(name, doc, example string, f func(rune) bool) Func {
		return method(name, doc, example, "true", nil, func(_ *Ctx, s string, _ Bound) (value.Value, error) {
			all := strings.IndexFunc(s, func(r rune) bool { return !f(r) }) < 0
			return value.Bool(s != "" && all), nil
		})
	}
	whole := func(name, doc, example string, f func(string) bool) Func {
		return method(name, doc, example, "true", nil, func(_ *Ctx, s string, _ Bound) (value.Value, error) {
			return value.Bool(f(s)), nil
		})
	}
	return family("methods",
		every("isdigit", "Whether all characters are digits, including superscripts and subscripts.", "'1²'.isdigit()", isDigit),
		every("isdecimal", "Whether all characters are decimal digits.", "'12'.isdecimal()", unicode.IsDigit),
		every("isnumeric", "Whether all characters are numeric.", "'½'.isnumeric()", unicode.IsNumber),
		every("isalpha", "Whether all characters are letters.", "'ab'.isalpha()", unicode.IsLetter),
		every("isalnum", "Whether all characters are letters or digits.", "'a1'.isalnum()", func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }),
		every("isspace", "Whether all characters are white space.", "' '.isspace()", unicode.IsSpace),
		whole("isprintable", "Whether all characters are printable.", "'a b'.isprintable()", func(s string) bool {
			return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
		}),
		whole("isascii", "Whether all characters are ASCII.", "'ab'.isascii()", func(s string) bool {
			return strings.IndexFunc(s, func(r rune) bool { return r > 0x7f }) < 0
		}),
		whole("isupper", "Whether the text has letters and all are upper case.", "'AB'.isupper()", isUpper),
		whole("islower", "Whether the text has letters and all are lower case.", "'ab'.islower()", isLower),
		whole("istitle", "Whether each word begins with an upper case letter.", "'Ab Cd'.istitle()", func(s string) bool {
			return s == pythonTitle(s) && strings.IndexFunc(s, unicode.IsLetter) >= 0
		}),
		whole("isidentifier", "Whether the text is a valid name in Python.", "'a_1'.isidentifier()", isIdentifier),
	)
}

// isDigit reports whether r is a digit. It accepts superscript and subscript digits,
// which unicode.IsDigit does not.
func isDigit(r rune) bool {
	return unicode.IsDigit(r) || strings.ContainsRune("²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", r)
}

// isIdentifier reports whether s is a name of Python, whose letters may be of any script.
func isIdentifier(s string) bool {
	for i, r := range s {
		if !isWordRune(r) || i == 0 && unicode.IsNumber(r) {
			return false
		}
	}
	return s != ""
}
