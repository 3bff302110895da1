package filters

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// is returns a test without arguments that calls f, which looks at no items of v.
func is(name, doc, example string, f func(v value.Value) bool) Func {
	return asks(name, doc, example, func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) {
		return value.Bool(f(in)), nil
	})
}

// asks returns a test without arguments. The call notes the items that it looks at.
func asks(name, doc, example string, call call) Func {
	return moving(row(name, doc, "{{ "+example+" }}", "true", call))
}

func ofKind(kinds ...value.Kind) func(value.Value) bool {
	return func(v value.Value) bool { return slices.ContainsFunc(kinds, v.Is) }
}

// kindTests follow Jinja, where true is a number, and a text or a map is a sequence and iterable.
func kindTests() []Func {
	sequence := ofKind(value.StringKind, value.ListKind, value.MapKind)
	undefined := is("undefined", "Whether the value is undefined.", "ghost is undefined", ofKind(value.UndefinedKind))
	defined := is("defined", "Whether the value is defined.", "1 is defined", func(v value.Value) bool { return !v.Is(value.UndefinedKind) })
	nan := is("nan", "Whether the value is the float NaN.", "('nan' | float) is nan", func(v value.Value) bool {
		return v.Is(value.FloatKind) && v.Float() != v.Float()
	})
	nan.Aliases = []string{"isnan"}
	encrypted := is("vault_encrypted", "Whether the value is of an encrypted file, or has the tag !vault.", "('a' is vault_encrypted) == false", func(v value.Value) bool { return v.Marks()&value.Secret != 0 })
	for _, f := range []*Func{&defined, &undefined} {
		f.input, f.flow = takesUndefined, chooses // a secret may have decided whether it is defined
	}
	return family("kinds",
		defined, undefined,
		is("boolean", "Whether the value is true or false.", "true is boolean", ofKind(value.BoolKind)),
		is("callable", "Whether the value is a function.", "(1 is callable) == false", ofKind(value.FuncKind)),
		is("false", "Whether the value is false itself.", "false is false", func(v value.Value) bool { return v.Is(value.BoolKind) && !v.Bool() }),
		is("true", "Whether the value is true itself.", "true is true", func(v value.Value) bool { return v.Is(value.BoolKind) && v.Bool() }),
		is("float", "Whether the value is a float.", "1.0 is float", ofKind(value.FloatKind)),
		nan,
		is("integer", "Whether the value is an integer.", "1 is integer", ofKind(value.IntKind)),
		is("number", "Whether the value is a number.", "1.5 is number", ofKind(value.IntKind, value.FloatKind, value.BoolKind)),
		is("string", "Whether the value is a text.", "'a' is string", ofKind(value.StringKind)),
		is("mapping", "Whether the value is a map.", "{} is mapping", ofKind(value.MapKind)),
		is("sequence", "Whether the value has items: a list, map or text.", "[] is sequence", sequence),
		is("iterable", "Whether a loop can iterate over the value.", "[] is iterable", sequence),
		is("none", "Whether the value is null.", "none is none", value.Value.IsNull),
		encrypted,
		is("escaped", "Whether the value is HTML: escaped, or made by safe, tojson, or a macro under autoescape.", "'a' | safe is escaped", value.Value.IsHTML),
		asks("filter", "Whether a filter of this name exists.", "'upper' is filter", func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
			_, ok := LookupFilter(in.Str())
			around, has := c.Caller.(interface{ HasFilter(name string) bool })
			return value.Bool(ok || has && around.HasFilter(in.Str())), nil
		}),
		asks("test", "Whether a test of this name exists.", "'odd' is test", func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
			_, ok := LookupTest(in.Str())
			around, has := c.Caller.(interface{ HasTest(name string) bool })
			return value.Bool(ok || has && around.HasTest(in.Str())), nil
		}),
	)
}

// An operation computes a value from two.
type operation func(c *Ctx, a, b value.Value) (value.Value, error)

// compares returns a test of the value and an argument.
func compares(name, parameter, doc, example string, op operation, aliases ...string) Func {
	f := moving(row(name, doc, "{{ "+example+" }}", "true",
		func(c *Ctx, in value.Value, a Bound) (value.Value, error) { return op(c, in, a.Get(parameter)) }, req(parameter, Any)))
	f.Aliases = aliases
	return f
}

func compareTests() []Func {
	return family("compare",
		compares("eq", "other", "Whether two values are equal.", "1 is eq 1.0", equal, "==", "equalto"),
		compares("ne", "other", "Whether two values differ.", "1 is ne 2", unequal, "!="),
		compares("gt", "other", "Whether the value is greater.", "2 is gt 1", ordered(value.OpGreater), ">", "greaterthan"),
		compares("ge", "other", "Whether the value is greater or equal.", "2 is ge 2", ordered(value.OpGreaterEqual), ">="),
		compares("lt", "other", "Whether the value is less.", "1 is lt 2", ordered(value.OpLess), "<", "lessthan"),
		compares("le", "other", "Whether the value is less or equal.", "2 is le 2", ordered(value.OpLessEqual), "<="),
		compares("sameas", "other", "Whether both values are equal and of the same type.", "(1 is sameas 1.0) == false", sameAs),
		compares("divisibleby", "num", "Whether a number is a multiple of another.", "4 is divisibleby 2", divisibleBy),
		asks("even", "Whether a number is a multiple of two.", "4 is even", parity(0)),
		asks("odd", "Whether a number is not a multiple of two.", "3 is odd", parity(1)),
	)
}

// sameAs is Jinja's sameas for values without identity: equal and of the same kind.
func sameAs(c *Ctx, a, b value.Value) (value.Value, error) {
	if a.Kind() != b.Kind() {
		return value.False, nil
	}
	return equal(c, a, b)
}

func divisibleBy(c *Ctx, a, b value.Value) (value.Value, error) {
	if _, err := c.number(a); err != nil {
		return value.Null, err
	}
	rest, err := value.Mod(a, b)
	return value.Bool(!value.Truthy(rest)), err
}

// parity returns a test for the remainder of a division by two.
func parity(want int64) func(*Ctx, value.Value, Bound) (value.Value, error) {
	return with((*Ctx).number, func(c *Ctx, n value.Value, _ Bound) (value.Value, error) {
		rest, err := value.Mod(n, value.Int(2))
		if err != nil {
			return value.Null, err
		}
		return equal(c, rest, value.Int(want))
	})
}

func equal(c *Ctx, a, b value.Value) (value.Value, error) {
	same, err := c.equal(a, b)
	return value.Bool(same), err
}

func unequal(c *Ctx, a, b value.Value) (value.Value, error) {
	same, err := c.equal(a, b)
	return value.Bool(!same), err
}

func ordered(op string) operation {
	return func(c *Ctx, a, b value.Value) (value.Value, error) {
		holds, err := c.comparison().Ordered(op, a, b)
		return value.Bool(holds), err
	}
}

func textTests() []Func {
	flags := []Param{opt("ignorecase", Bool, value.False), opt("multiline", Bool, value.False)}
	pattern := append([]Param{req("pattern", Text)}, flags...)
	return family("text",
		is("lower", "Whether the text has letters and all are lower case.", "'ab' is lower", func(v value.Value) bool { return isLower(v.Str()) }),
		is("upper", "Whether the text has letters and all are upper case.", "'AB' is upper", func(v value.Value) bool { return isUpper(v.Str()) }),
		row("match", "Whether a regular expression matches at the beginning of the text.",
			"{{ 'abc' is match('a') }}", "true", matching(startMatch), pattern...),
		row("search", "Whether a regular expression matches somewhere in the text.",
			"{{ 'abc' is search('bc') }}", "true", matching(anyMatch), pattern...),
		row("regex", "Whether a regular expression matches; match_type is search, match or fullmatch.",
			"{{ 'abc' is regex('^a.c$') }}", "true",
			matching(anyMatch), append(append([]Param{}, pattern...), opt("match_type", Text, value.String("search")))...),
		Func{
			Name: "abs", Aliases: []string{"is_abs"}, Call: with((*Ctx).text, func(_ *Ctx, s string, _ Bound) (value.Value, error) {
				return value.Bool(strings.HasPrefix(s, "/")), nil
			}),
			Doc: "Whether the path begins at the root.", Example: "{{ '/etc' is abs }}", Result: "true",
		},
		ofURL("url", "Whether the text is a URL with a host, or of a file, with one of the schemes if given.", "'https://h/p' is url", isURL),
		ofURL("uri", "Whether the text is a URI: a URL, or a scheme followed by more.", "'mailto:a@b' is uri", isURI),
		is("urn", "Whether the text is a URN.", "'urn:isbn:123' is urn", func(v value.Value) bool { return urlScheme(v.Str()) == "urn" }),
	)
}

// ofURL returns a test of a text with the schemes that it may have.
func ofURL(name, doc, example string, holds func(s, scheme string) bool) Func {
	return moving(row(name, doc, "{{ "+example+" }}", "true",
		func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
			scheme := urlScheme(in.Str())
			if !in.Is(value.StringKind) || !holds(in.Str(), scheme) || !value.Truthy(a.Get("schemes")) {
				return value.Bool(in.Is(value.StringKind) && holds(in.Str(), scheme)), nil
			}
			return c.contains(a.Get("schemes"), value.String(scheme))
		}, opt("schemes", Any, value.Null)))
}

// urlScheme returns the scheme of a URL in lower case, or "".
func urlScheme(s string) string {
	scheme, _, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || !isScheme(scheme) {
		return ""
	}
	return strings.ToLower(scheme)
}

func isURL(s, scheme string) bool {
	_, after, ok := strings.Cut(s, "//")
	return scheme == "file" || scheme != "" && ok && strings.HasPrefix(s[len(scheme)+1:], "//") && after != "" && strings.IndexByte("/?#", after[0]) < 0
}

func isURI(s, scheme string) bool { return scheme != "" && len(s) > len(scheme)+1 }

// Places where a pattern has to match.
const (
	anyMatch   = "search"
	startMatch = "match"
	fullMatch  = "fullmatch"
)

// matching returns a test whether a pattern matches at a place. The argument match_type
// overrides the place.
func matching(where string) call {
	return with((*Ctx).text, func(c *Ctx, s string, a Bound) (value.Value, error) {
		text := a.Str("pattern")
		switch cmp.Or(a.Str("match_type"), where) {
		case startMatch:
			text = `\A(?:` + text + `)`
		case fullMatch:
			text = `\A(?:` + text + `)\Z`
		}
		p, err := patterns.compile(patternKey{text, a.Bool("ignorecase"), a.Bool("multiline")})
		if err != nil {
			return value.Null, err
		}
		found, err := p.find(c, s, 1)
		return value.Bool(len(found) > 0), err
	})
}

func collectionTests() []Func {
	swapped := func(op operation) operation {
		return func(c *Ctx, a, b value.Value) (value.Value, error) { return op(c, b, a) }
	}
	return family("collections",
		compares("in", "seq", "Whether the value is an item of a list, a key of a map or a part of a text.", "2 is in [1, 2]", swapped((*Ctx).contains)),
		compares("contains", "other", "Whether a list contains an item, a map a key or a text another text.", "[1, 2] is contains(2)", (*Ctx).contains),
		compares("subset", "other", "Whether all items are in the other list.", "[1] is subset([1, 2])", swapped((*Ctx).includes), "issubset"),
		compares("superset", "other", "Whether all items of the other list are in this one.", "[1, 2] is superset([1])", (*Ctx).includes, "issuperset"),
		asks("all", "Whether all items are true.", "[true, 1] is all",
			func(c *Ctx, in value.Value, _ Bound) (value.Value, error) { return c.everyItem(in, true) }),
		asks("any", "Whether any item is true.", "[false, 1] is any",
			func(c *Ctx, in value.Value, _ Bound) (value.Value, error) { return c.everyItem(in, false) }),
		truthTest("truthy", "Whether the value counts as true; with convert_bool texts such as 'no' count as false.", "'a' is truthy", true),
		truthTest("falsy", "Whether the value counts as false, with convert_bool also texts such as 'no'.", "'no' is falsy(convert_bool=true)", false),
	)
}

// contains is Python's "in": a part of a text, a key of a map, an item of a list. A value that cannot be a key is in no
// map.
func (c *Ctx) contains(container, v value.Value) (value.Value, error) {
	switch container.Kind() {
	case value.StringKind:
		if !v.Is(value.StringKind) {
			return value.Null, fmt.Errorf("a text cannot contain %s", value.Article(v.Kind()))
		}
		return value.Bool(strings.Contains(container.Str(), v.Str())), c.read(len(container.Str()))
	case value.MapKind:
		if err := c.step(value.TextSteps(v)); err != nil {
			return value.Null, err
		}
		k, ok := value.KeyOf(v)
		if !ok {
			return value.False, nil
		}
		_, ok, err := container.Map().Get(k)
		return value.Bool(ok), err
	}
	items, err := c.items(container)
	if err != nil {
		return value.Null, err
	}
	for _, item := range items {
		if same, err := c.equal(item, v); same || err != nil {
			return value.Bool(same), err
		}
	}
	return value.False, nil
}

func (c *Ctx) includes(big, small value.Value) (value.Value, error) {
	x, err := c.items(big)
	if err != nil {
		return value.Null, err
	}
	y, err := c.items(small)
	if err != nil {
		return value.Null, err
	}
	missing, err := difference(c, y, x)
	return value.Bool(len(missing) == 0), err
}

// everyItem reports whether all items are true; if all is false, whether any is.
func (c *Ctx) everyItem(in value.Value, all bool) (value.Value, error) {
	items, err := c.items(in)
	for _, item := range items {
		c.look(item)
		if value.Truthy(item) != all {
			return value.Bool(!all), err
		}
	}
	return value.Bool(all), err
}

func truthTest(name, doc, example string, want bool) Func {
	return moving(row(name, doc, "{{ "+example+" }}", "true",
		func(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
			truth := value.Truthy(in)
			if a.Bool("convert_bool") && in.Is(value.StringKind) {
				truth = !slices.Contains([]string{"no", "off", "false", "0", "n", "f", ""}, strings.ToLower(in.Str())) // as in Ansible
			}
			return value.Bool(truth == want), nil
		}, opt("convert_bool", Bool, value.False)))
}
