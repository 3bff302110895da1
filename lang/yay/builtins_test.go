package yay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestRange(t *testing.T) {
	checkResults(t, map[string]string{
		"range(3)": "[0, 1, 2]", "range(2, n + 2)": "[2, 3, 4, 5]", "range(0, 10, 4)": "[0, 4, 8]", "range(5, 0, -2)": "[5, 3, 1]",
		"range(0)": "[]", "range(-3)": "[]", "range(3, 3)": "[]", "range(5, 0)": "[]", "range(0, 5, -1)": "[]", "range('3')": "[0, 1, 2]", "range(yes)": "[0]",
		"range(0, 3, 5)": "[0]", "len(range(10 ** 8))": "100000000", "range(10 ** 8)[99999999]": "99999999",
		"range(-9223372036854775807, 9223372036854775807, 9223372036854775807)": "[-9223372036854775807, 0]",
	})
	checkFailures(t, []failure{
		{"range(10 ** 9)", source.Limit, "range(10 ** 9)", []string{"range", "1000000000"}},
		{"range(-9223372036854775807, 9223372036854775807)", source.Limit, "range(-9223372036854775807, 9223372036854775807)", []string{"range"}},
		{"range(10 ** 30)", source.Limit, "10 ** 30", []string{"large"}},
		{"range(1.5)", source.WrongType, "1.5", []string{"integer"}},
		{"range('x')", source.WrongType, "'x'", []string{"integer", "string"}},
		{"range(1, l)", source.WrongType, "l", []string{"integer", "list"}},
		{"range(1, 2, 0)", source.WrongType, "0", []string{"integer", "step"}},
		{"range()", source.WrongType, "range()", []string{"range does not take", "range(stop)"}},
		{"range(1, 2, 3, 4)", source.WrongType, "4", []string{"range does not take", "4"}},
		{"range(stop=3)", source.WrongType, "stop", []string{"by name"}},
		{"[i for i in range(10 ** 8)]", source.Limit, "i", []string{"steps"}},
	})
}

func TestTextFunctions(t *testing.T) {
	checkResults(t, map[string]string{
		`replace("deep blue sea", " ", "-")`: "'deep-blue-sea'", `replace("deep blue sea", "deep ", "")`: "'blue sea'", `replace("1-2", "-", "")`: "'12'",
		"replace('ab', '', '-')": "'-a-b-'", "replace(121, 1, 3)": "'323'", "replace(spelt, '.', ',')": "'1,50'",
		"str(spelt)": "'1.50'", "str(4)": "'4'", "str(yes)": "'True'", "str('x')": "'x'", "str(nothing)": "'null'", "str(2.0)": "'2.0'", "str(1 / 3)": "'0.3333333333333333'", "str(10.0 ** 20)": "'1e+20'", "str(2 ** 70)": "'1180591620717411303424'",
		"int('12')": "12", "int(1.9)": "1", "int(-1.9)": "-1", "int(yes)": "1", "int(padded)": "7", "int('-5')": "-5", "int(10.0 ** 20)": "100000000000000000000",
		"float(2)": "2.0", "float('1.5')": "1.5", "float('3')": "3.0", "float(yes)": "1.0", "float(spelt)": "1.5",
		"lower('AbC')": "'abc'", "upper('abc')": "'ABC'", "lower(5)": "'5'",
		"join(words, ', ')": "'b, a'", "join(words)": "'ba'", "join([1, 2.0, yes], '-')": "'1-2.0-True'", "join([], 'x')": "''", "join(m, ',')": "'1,inner,name,port'", "join([spelt, padded], ' ')": "'1.50 007'",
		"split('a b  c')": "['a', 'b', 'c']", "split('a,b,,c', ',')": "['a', 'b', '', 'c']", "split('')": "[]", "split('', ',')": "['']", "split(1.5, '.')": "['1', '5']",
	})
	checkFailures(t, []failure{
		{"replace('a', 'b')", source.WrongType, "replace('a', 'b')", []string{"replace does not take", "2", "replace(text, old, new)"}},
		{"replace('a', 'b', 'c', 'd')", source.WrongType, "'d'", []string{"replace does not take"}},
		{"replace(l, 'b', 'c')", source.WrongType, "l", []string{"string", "list"}},
		{"replace('a', m, 'c')", source.WrongType, "m", []string{"string", "mapping"}},
		{"replace('aaaaaaaaaa', 'a', '" + strings.Repeat("x", 200) + "')", source.Limit, "replace('aaaaaaaaaa', 'a', '" + strings.Repeat("x", 200) + "')", []string{"1000 bytes"}},
		{"str(l)", source.WrongType, "l", []string{"string", "list"}},
		{"int('1.5')", source.WrongType, "'1.5'", []string{"integer", "string"}},
		{"int('x')", source.WrongType, "'x'", []string{"integer", `"x"`}},
		{"int(nothing)", source.WrongType, "nothing", []string{"integer", "null"}},
		{"int(10.0 ** 308 * 10)", source.WrongType, "10.0 ** 308 * 10", []string{"number"}},
		{"int(x)", source.NoMatching, "x", nil},
		{"int('" + strings.Repeat("9", 6000) + "')", source.Limit, "'" + strings.Repeat("9", 6000) + "'", []string{"digits"}},
		{"float('x')", source.WrongType, "'x'", []string{"number", "string"}},
		{"float(2 ** 5000)", source.BadValue, "2 ** 5000", []string{"too large"}},
		{"lower(l)", source.WrongType, "l", []string{"string", "list"}},
		{"upper(m)", source.WrongType, "m", []string{"string", "mapping"}},
		{"join(', ', words)", source.WrongType, "', '", []string{"list", "string", "join(list, separator)"}},
		{"join(words, l)", source.WrongType, "l", []string{"string", "list"}},
		{"join([l])", source.WrongType, "[l]", []string{"string", "list"}},
		{"join(range(100000000), ',')", source.Limit, "range(100000000)", []string{"bytes"}},
		{"split('" + strings.Repeat("a ", 40) + "')", source.Limit, "split('" + strings.Repeat("a ", 40) + "')", []string{"31 items"}},
		{"split('" + strings.Repeat("a,", 40) + "', ',')", source.Limit, "split('" + strings.Repeat("a,", 40) + "', ',')", []string{"31 items"}},
		{"split('a', '')", source.WrongType, "''", []string{"empty"}},
		{"split(l)", source.WrongType, "l", []string{"string", "list"}},
	})
}

func TestSub(t *testing.T) {
	checkResults(t, map[string]string{
		`sub("[0-9]+", "#", "b12c3")`:            "'b#c#'",
		`sub("(a)(b)", "\\2\\1", "ab-ab")`:       "'ba-ba'",
		`sub("(?P<x>a)", "<\\g<x>\\g<1>>", "a")`: "'<aa>'",
		`sub("a", "\\g<0>\\g<0>", "ba")`:         "'baa'",
		`sub("a", "\\\\", "a")`:                  `'\\'`,
		`sub("a", "x\\ty\\n", "a")`:              `'x\ty\n'`,
		`sub("a", "\\.", "a")`:                   `'\\.'`,
		`sub("a|(b)", "[\\1]", "ab")`:            "'[][b]'",
		`sub("^", "> ", "a")`:                    "'> a'",
		`sub("x*", "-", "abc")`:                  "'-a-b-c-'",
		`sub("(?i)A", "$1", "aA")`:               "'$1$1'",
		`sub(1, 2, 121)`:                         "'222'",
		`sub("(1)(2)(3)(4)(5)(6)(7)(8)(9)(a)(b)", "\\11\\10", "123456789ab")`: "'ba'",
	})
	checkFailures(t, []failure{
		{`sub("(", "", "a")`, source.WrongType, `"("`, []string{"regular expression", "missing closing"}},
		{`sub("a(?=b)", "", "a")`, source.WrongType, `"a(?=b)"`, []string{"regular expression", "(?=", "RE2"}},
		{`sub("(?<!a)b", "", "a")`, source.WrongType, `"(?<!a)b"`, []string{"regular expression", "RE2"}},
		{`sub("(a)\\1", "", "a")`, source.WrongType, `"(a)\\1"`, []string{"escape", "RE2"}},
		{`sub("a", "\\1", "a")`, source.WrongType, `"\\1"`, []string{"replacement", "group", `"1"`}},
		{`sub("a", "\\g<x>", "a")`, source.WrongType, `"\\g<x>"`, []string{"group", `"x"`}},
		{`sub("a", "\\gx", "a")`, source.WrongType, `"\\gx"`, []string{"\\g<name>"}},
		{`sub("a", "\\", "a")`, source.WrongType, `"\\"`, []string{"backslash"}},
		{`sub("a", "\\q", "a")`, source.WrongType, `"\\q"`, []string{"escape"}},
		{`sub("a", l, "a")`, source.WrongType, "l", []string{"string", "list"}},
		{`sub("a", "b")`, source.WrongType, `sub("a", "b")`, []string{"sub does not take", "sub(pattern, replacement, text)"}},
		{`sub("a", "` + strings.Repeat("y", 400) + `", "aaa")`, source.Limit, `sub("a", "` + strings.Repeat("y", 400) + `", "aaa")`, []string{"1000 bytes"}},
		{`sub("", "", "` + strings.Repeat("y", 40) + `")`, source.Limit, `sub("", "", "` + strings.Repeat("y", 40) + `")`, []string{"25 matches"}},
		{`sub("x{1001}", "", "a")`, source.WrongType, `"x{1001}"`, []string{"repeat"}},
	})
}

func TestPatternsAreRemembered(t *testing.T) {
	var c patternCache
	first, err := c.compile("a+")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxPatterns {
		if _, err := c.compile(fmt.Sprintf("x%d", i)); err != nil {
			t.Fatal(err)
		}
		if len(c.done) > maxPatterns {
			t.Fatalf("%d patterns are kept", len(c.done))
		}
	}
	if again, _ := c.compile("a+"); again == first {
		t.Error("a pattern outlived the cache")
	}
	again, _ := c.compile("a+")
	if once, _ := c.compile("a+"); once != again {
		t.Error("a pattern is compiled twice")
	}
}

func TestListFunctions(t *testing.T) {
	checkResults(t, map[string]string{
		"sum(l)": "60", "sum([1, 2, 3.5])": "6.5", "sum([])": "0", "sum(['1', 2])": "3", "sum(range(101))": "5050", "sum([yes, yes])": "2", "sum([2 ** 62, 2 ** 62])": "9223372036854775808",
		"len(l)": "3", "len(m)": "4", "len('caf\\u00e9')": "4", "len([])": "0", "len({})": "0",
		"min(l)": "10", "max(l)": "30", "min(3, 1, 2)": "1", "max(1, 2.5)": "2.5", "min(words)": "'a'", "max('a', 'b')": "'b'", "min(m)": "'1'", "min([5])": "5", "max([1, yes])": "1", "max(1, 2)": "2",
		"sorted([3, 1, 2])": "[1, 2, 3]", "sorted(words)": "['a', 'b']", "sorted(m)": "['1', 'inner', 'name', 'port']", "sorted([])": "[]", "sorted([2, 1.5, yes])": "[True, 1.5, 2]", "sorted(['10', '9'])": "['10', '9']",
		"keys(m)": "['1', 'inner', 'name', 'port']", "keys({})": "[]", "keys({'b': nowhere, 'a': 1})": "['a', 'b']",
	})
	checkFailures(t, []failure{
		{"sum(1)", source.WrongType, "1", []string{"list", "integer"}},
		{"sum(m)", source.WrongType, "m", []string{"list", "mapping"}},
		{"sum(words)", source.WrongType, "words", []string{"number", `string "b"`}},
		{"sum([l])", source.WrongType, "[l]", []string{"number", "list"}},
		{"sum(range(10 ** 8))", source.Limit, "sum(range(10 ** 8))", []string{"steps"}},
		{"sum([10.0 ** 308, 2 ** 5000])", source.BadValue, "[10.0 ** 308, 2 ** 5000]", []string{"too large"}},
		{"len(5)", source.WrongType, "5", []string{"list", "integer"}},
		{"len()", source.WrongType, "len()", []string{"len does not take"}},
		{"min([])", source.WrongType, "[]", []string{"list", "empty"}},
		{"min(5)", source.WrongType, "5", []string{"list", "integer"}},
		{"min()", source.WrongType, "min()", []string{"min does not take"}},
		{"max(1, 'a')", source.WrongType, "'a'", []string{"number", "string"}},
		{"max([1, l])", source.WrongType, "[1, l]", []string{"numbers", "list"}},
		{"sorted([1, 'a'])", source.WrongType, "[1, 'a']", []string{"number", "string"}},
		{"sorted([m])", source.WrongType, "[m]", []string{"mapping"}},
		{"sorted(5)", source.WrongType, "5", []string{"list"}},
		{"keys(l)", source.WrongType, "l", []string{"mapping", "list"}},
		{"sum([nowhere])", source.NoMatching, "nowhere", nil},
	})
	checkResults(t, map[string]string{"sum([nowhere]) else 0": "0", "len(nowhere) else 0": "0"})
}

// TestRangeIsLazy: the items of a range are computed when they are asked for.
func TestRangeIsLazy(t *testing.T) {
	w := newWorld(t)
	v, err := eval(parsed(t, "range(500000000)"), w, nil)
	if err != nil || v.List().Len() != 500_000_000 || w.steps > 10 {
		t.Errorf("%d items, %d steps, %v", v.List().Len(), w.steps, err)
	}
	if last, err := v.List().At(499_999_999); err != nil || last.BigInt().Int64() != 499_999_999 {
		t.Errorf("the last item is %v, %v", last.BigInt(), err)
	}
}

// TestMarks: results have the marks of their arguments.
func TestMarks(t *testing.T) {
	for _, text := range []string{
		"pin", "pin + 1", "1 + pin", "-pin", "+pin", "~pin", "not pin", "pin == 1", "1 < pin", "pin in l", "pin and 1", "0 or pin", "pin * 0",
		"pin & 1", "pin << 1", "secret + 'x'", "'x' + secret", "l[pin - 1234]", "vault.password", "vault['password']", "m[secret] else secret", "l[pin:]", "l[:pin]", "l[::pin]",
		"{secret: 1}", "[x for x in split(secret)]", "[x for x in range(pin)][0]", "{k: 1 for k in [secret]}", "vault.password else 1", "secret if 1 else 2", "vault['pass' + 'word']",
		"range(pin)", "replace(secret, 'a', 'b')", "replace('a', 'a', secret)", "sub('a', 'b', secret)", "sub('a', secret, 'b')", "sum([pin])", "len(secret)",
		"min([pin, 1])", "max(pin, 1)", "sorted([pin])[0]", "str(pin)", "str(secret)", "int(pin)", "float(pin)", "lower(secret)", "upper(secret)", "join([secret, 'a'])", "join(['a', 'b'], secret)",
		"split(secret)", "split(secret)[0]", "keys(vault)", "keys(vault)[0]", "[k for k in vault][0]", "len(vault)",
	} {
		w := newWorld(t)
		_, v, err := w.result(t, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if v.Marks() != value.Secret {
			t.Errorf("%s has the marks %d", text, v.Marks())
		}
	}
}

// TestMarksOfEveryFunction: none may forget them.
func TestMarksOfEveryFunction(t *testing.T) {
	for _, b := range Builtins() {
		for _, arg := range []string{"sensitive", "[sensitive]", "{sensitive: 1}", "7 if 0 else number"} {
			w := newWorld(t)
			w.values["number"] = value.Int(3).Mark(value.Sensitive)
			args := arg + strings.Repeat(", 'x'", b.least-1)
			v, err := eval(parsed(t, b.Name+"("+args+")"), w, nil)
			if err != nil {
				continue // not of the kind that the function takes
			}
			if marks, err := value.DeepMarks(v); marks&value.Sensitive == 0 && !(b.Name == "len" && arg == "[sensitive]") || err != nil {
				t.Errorf("%s(%s) has the marks %d, %v", b.Name, args, marks, err)
			}
		}
	}
}

// TestSecretsStayOutOfMessages: no error shows a secret operand.
func TestSecretsStayOutOfMessages(t *testing.T) {
	for _, text := range []string{
		"secret - 1", "1 / secret", "-secret", "~secret", "secret < 1", "secret.x", "secret[0]", "l[secret]", "m[secret]", "l[pin]", "m[pin]", "range(secret)", "int(secret)", "float(secret)",
		"sub('(' + secret, '', '')", "sub('a', secret + '\\\\9', 'a')", "sum([secret])", "1 << secret", "secret & 1", "secret()", "[i for i in secret]", "[a for a, b in [secret]]",
		"max(secret, 1)", "sorted([secret, 1])", "join(secret)", "split('a', secret[0:0])", "sensitive - 1", "m[sensitive]", "vault.password - 1", "vault.password.x", "1 in secret", "l[secret:]",
	} {
		w := newWorld(t)
		_, _, err := w.result(t, text)
		d := source.AsDiagnostic(err, source.Span{}, "")
		if d == nil {
			t.Errorf("%s does not fail", text)
			continue
		}
		for _, word := range []string{"hunter2", "s3same", "1234"} {
			if strings.Contains(d.Message+d.Hint, word) {
				t.Errorf("%s: %q (%s) shows %q", text, d.Message, d.Hint, word)
			}
		}
	}
}

// TestSecretSources: literals in a secret file are not shown either.
func TestSecretSources(t *testing.T) {
	for _, text := range []string{"'hunter2' - 1", "m['hunter2']", "l[12345]", "sub('(hunter2', '', '')", "sub('a', 'hunter2\\\\9', '')", "int('hunter2')", "'hunter2'.x", "max('hunter2', 1)"} {
		f := source.NewFile("main.yay", text)
		f.Secret = true
		n, err := parseExpression(f, source.Span{File: f, End: uint32(len(text))})
		if err != nil {
			t.Fatal(err)
		}
		_, err = eval(n, newWorld(t), nil)
		d := source.AsDiagnostic(err, source.Span{}, "")
		if d == nil || strings.Contains(d.Message+d.Hint, "hunter2") || strings.Contains(d.Message+d.Hint, "12345") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
