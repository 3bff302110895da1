package yay

import (
	"math/big"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestArithmetic(t *testing.T) {
	checkResults(t, map[string]string{
		"2 + 3 * 4": "14", "(2 + 3) * 4": "20", "20 - 5 - 3": "12", "7 / 2": "3.5", "8 / 2": "4.0",
		"7 // 2": "3", "-7 // 2": "-4", "-7 % 3": "2", "7 % -3": "-2", "-7 // -2": "3", "7 // -1": "-7", "7 % -1": "0",
		"2 ** 3 ** 2": "512", "-2 ** 2": "-4", "2 ** -1": "0.5", "7.5 // 2": "3.0", "1.5 + 1": "2.5",
		"7.5 % 2": "1.5", "2.0 * 3": "6.0", "0.1 + 0.2": "0.30000000000000004", "1 - 0.5": "0.5",
		"yes + 1": "2", "yes * 3": "3", "-yes": "-1", "+yes": "1", "~yes": "-2", "-half": "-0.5", "+half": "0.5",
		"'3' * '4'": "12", "'1.5' * 2": "3.0", "'-3' - 1": "-4", "'+3' - 1": "2", "'007' * 1": "7", "'1e2' / 1": "100.0", "'.5' * 2": "1.0", "'5.' * 1": "5.0",
		"-'3'": "-3", "+'3'": "3", "~'3'": "-4", "padded + 0": "7", "-padded": "-7",
		"9223372036854775807 + 1":                      "9223372036854775808",
		"-9223372036854775807 - 2":                     "-9223372036854775809",
		"9223372036854775807 * 2":                      "18446744073709551614",
		"4294967296 * 4294967296":                      "18446744073709551616",
		"-1 * 9223372036854775807":                     "-9223372036854775807",
		"-(-9223372036854775807 - 1)":                  "9223372036854775808",
		"(-9223372036854775807 - 1) * -1":              "9223372036854775808",
		"(-9223372036854775807 - 1) // -1":             "9223372036854775808",
		"(-9223372036854775807 - 1) % -1":              "0",
		"2 ** 100":                                     "1267650600228229401496703205376",
		"2 ** 100 // 2 ** 98":                          "4",
		"2 ** 100 % 7":                                 "2",
		"'1267650600228229401496703205376' - 2 ** 100": "0",
		"9007199254740993 / 1":                         "9007199254740992.0",
		"2 ** 100 / 2 ** 99":                           "2.0",
		"0 ** 0":                                       "1",
		"0.0 * 1":                                      "0.0",
		"2 ** 0.5 > 1.41":                              "True",
	})
}

func TestBits(t *testing.T) {
	checkResults(t, map[string]string{
		"6 & 3": "2", "6 | 3": "7", "6 ^ 3": "5", "1 << 4": "16", "-1 >> 3": "-1", "17 >> 2": "4", "~5": "-6",
		"1 << 70": "1180591620717411303424", "(1 << 70) >> 70": "1", "0 << 10 ** 9": "0", "5 >> 10 ** 30": "0", "-5 >> 10 ** 30": "-1",
		"(1 << 70) | 1": "1180591620717411303425", "(1 << 70) & (1 << 70)": "1180591620717411303424", "(1 << 70) ^ (1 << 70)": "0", "~(1 << 70)": "-1180591620717411303425",
		"'6' & '3'": "2", "yes & 1": "1", "yes & yes": "True", "yes ^ yes": "False", "yes | (1 == 2)": "True", "1 | 2 == 3": "True",
	})
	checkFailures(t, []failure{
		{"1.5 & 1", source.WrongType, "1.5", []string{"integer", "1.5"}},
		{"1 | 1.5", source.WrongType, "1.5", []string{"integer"}},
		{"~1.5", source.WrongType, "1.5", []string{"integer"}},
		{"1 << -1", source.WrongType, "-1", []string{"integer", "negative"}},
		{"1 >> -1", source.WrongType, "-1", []string{"integer", "negative"}},
		{"1 << 'x'", source.WrongType, "'x'", []string{"number", `string "x"`}},
		{"1 << 10 ** 9", source.Limit, "1 << 10 ** 9", []string{"bits"}},
		{"1 << 10 ** 30", source.Limit, "1 << 10 ** 30", []string{"bits"}},
	})
}

func TestPlus(t *testing.T) {
	checkResults(t, map[string]string{
		`"x" + "y"`: "'xy'", "w + n": "'ab4'", "n + w": "'4ab'", `"1" + "2"`: "3", "n + 1": "5",
		"'a' + 1.0": "'a1.0'", "'a' + spelt": "'a1.50'", "spelt + 0": "1.5", "'a' + yes": "'aTrue'", "'a' + nothing": "'anull'",
		"nothing + 1": "'null1'", "'' + 1": "'1'", "'1' + ''": "'1'", "padded + 'x'": "'007x'", "'1_0' + 1": "'1_01'", "' 1' + 1": "' 11'",
		"'inf' + 1": "'inf1'", "'0x1F' + 1": "'0x1F1'",
	})
	checkFailures(t, []failure{
		{"l + 1", source.WrongType, "l", []string{"number", "string", "a list"}},
		{"1 + l", source.WrongType, "l", []string{"number", "string", "a list"}},
		{"w + m", source.WrongType, "m", []string{"string", "a mapping"}},
		{"l + l", source.WrongType, "l", []string{"string", "a list"}},
		{"'a' + make", source.WrongType, "make", []string{"string", "macro"}},
	})
}

func TestArithmeticFailures(t *testing.T) {
	cases := []failure{
		{"'x' - 'y'", source.WrongType, "'x'", []string{"number", "integer or float", `string "x"`}},
		{"1 - 'y'", source.WrongType, "'y'", []string{"number"}},
		{"'a' * 3", source.WrongType, "'a'", []string{"number"}},
		{"l * 2", source.WrongType, "l", []string{"number", "list"}},
		{"m % 2", source.WrongType, "m", []string{"number", "mapping"}},
		{"-w", source.WrongType, "w", []string{"number", `string "ab"`}},
		{"+l", source.WrongType, "l", []string{"number", "list"}},
		{"nothing * 2", source.WrongType, "nothing", []string{"number", "null"}},
		{"'%s' % 2", source.WrongType, "'%s'", []string{"number"}},
		{"(-8) ** 0.5", source.WrongType, "-8", []string{"number", "negative"}},
		{"2 ** 1000000000", source.Limit, "2 ** 1000000000", []string{"integer"}},
		{"2 ** 2 ** 100", source.Limit, "2 ** 2 ** 100", []string{"integer"}},
		{"(2 ** 600000) * (2 ** 600000)", source.Limit, "(2 ** 600000) * (2 ** 600000)", []string{"integer"}},
		{"10.0 ** 400", source.BadValue, "10.0 ** 400", []string{"too large"}},
		{"2 ** 5000 + 0.5", source.BadValue, "2 ** 5000 + 0.5", []string{"too large"}},
	}
	for _, op := range []string{"/", "//", "%"} {
		cases = append(cases,
			failure{"5 " + op + " 0", source.ZeroDivision, "0", []string{"zero"}},
			failure{"5 " + op + " zero", source.ZeroDivision, "zero", []string{"zero"}},
			failure{"5.5 " + op + " 0.0", source.ZeroDivision, "0.0", []string{"zero"}},
			failure{"5 " + op + " '0'", source.ZeroDivision, "'0'", []string{"zero"}},
			failure{"5 " + op + " (1 == 2)", source.ZeroDivision, "1 == 2", []string{"zero"}})
	}
	cases = append(cases, failure{"0 ** -1", source.ZeroDivision, "0", []string{"zero"}})
	checkFailures(t, cases)
}

func TestComparisons(t *testing.T) {
	checkResults(t, map[string]string{
		"1 < 2": "True", "2 <= 2": "True", "3 > 4": "False", "4 >= 4.0": "True", "'10' > 9": "True", "yes > 0": "True",
		"2 ** 70 > 2 ** 69": "True", "1.5 < 2 ** 70": "True",
		"(10.0 ** 308 * 10 - 10.0 ** 308 * 10) < 1": "False", "(10.0 ** 308 * 10 - 10.0 ** 308 * 10) >= 1": "False",
		"1 == 1.0": "True", `"1" == 1`: "False", "'a' == 'a'": "True", "1 != 2": "True", "1 <> 2": "True", "l == [10, 20, 30]": "True", "l == [10]": "False",
		"{'a': [1]} == {'a': [1.0]}": "True", "nothing == nothing": "True", "nothing == 0": "False", "yes == 1": "True", "yes == 2": "False", "yes == (1 == 1)": "True",
		"spelt == 1.5": "True", "m == alias": "True", "yes == 'True'": "False",
		"'a' in ['a', 'b']": "True", "'z' in ['a']": "False", "10 in l": "True", "10.0 in l": "True", "'10' in l": "False", "1 in [yes]": "True", "[1] in [[1]]": "True",
		"'port' in m": "True", "'nil' in m": "False", "1 in m": "False", "'80' in numbered": "True", "80 in numbered": "False", "'true' in numbered": "True",
		"'b' in 'abc'": "True", "'' in 'abc'": "True", "'x' not in 'abc'": "True", "'port' not in m": "False", "5 not in l": "True",
		"'a' in {'a': nowhere}": "True", "'b' in {'a': nowhere}": "False",
		"5 in range(10)": "True", "10 in range(10)": "False", "5 in range(0, 10, 2)": "False", "6.0 in range(0, 10, 2)": "True", "6.5 in range(10)": "False", "'5' in range(10)": "False",
		"3 in range(9, 0, -3)": "True", "0 in range(9, 0, -3)": "False", "9 in range(9, 0, -3)": "True", "1 in range(0)": "False", "499999999 in range(500000000)": "True", "2 ** 70 in range(5)": "False", "yes in range(3)": "True",
	})
	checkFailures(t, []failure{
		{"'x' < 'y'", source.WrongType, "'x'", []string{"number", "string"}},
		{"1 < 'y'", source.WrongType, "'y'", []string{"number", "string"}},
		{"l >= 1", source.WrongType, "l", []string{"number", "list"}},
		{"nothing > 1", source.WrongType, "nothing", []string{"number", "null"}},
		{"1 in 2", source.WrongType, "2", []string{"list", "mapping", "string", "integer"}},
		{"1 in 'abc'", source.WrongType, "1", []string{"string", "integer"}},
		{"l in m", source.WrongType, "l", []string{"string", "list"}},
		{"1 in [1 / 0]", source.ZeroDivision, "0", nil},
		{"[nowhere] == [1]", source.NoMatching, "nowhere", nil},
		{"nowhere == 1", source.NoMatching, "nowhere", nil},
		{"-1 in [i for i in range(10 ** 6)]", source.Limit, "i", []string{"steps"}},
	})
}

func TestLogic(t *testing.T) {
	checkResults(t, map[string]string{
		"1 and 2": "2", "0 and 2": "0", "1 or 2": "1", "0 or 2": "2", "0 and nowhere": "0", "1 or nowhere": "1",
		"'a' and 'b'": "'b'", "'' or 'b'": "'b'", "not 1": "False", "not 0": "True", "not ''": "True", "not 'false'": "False", "not nothing": "True",
		"w == 'ab' and n": "4", "0.0 or half": "0.5", "empty or l": "[10, 20, 30]", "not 1 == 2": "True", "1 and 0 or 3": "3",
	})
	checkFailures(t, []failure{
		{"l and 1", source.WrongType, "l", []string{"condition", "list"}},
		{"m or 1", source.WrongType, "m", []string{"condition", "mapping"}},
		{"not l", source.WrongType, "l", []string{"bool", "list"}},
		{"1 and nowhere", source.NoMatching, "nowhere", nil},
		{"0 or nowhere", source.NoMatching, "nowhere", nil},
	})
}

// TestLargeNumbersCost: operations on numbers of a million bits are not as cheap as
// others.
func TestLargeNumbersCost(t *testing.T) {
	for text, least := range map[string]int{"n * n": 0, "2 ** 1000000": 100_000, "huge * huge": 1000, "huge // 3 ** 10000": 100} {
		w := newWorld(t)
		w.maxSteps = 1 << 60
		w.values["huge"] = value.BigInt(new(big.Int).Lsh(big.NewInt(1), 100_000))
		if _, err := eval(parsed(t, text), w, nil); err != nil || w.steps < least || w.steps > 100*(least+1) {
			t.Errorf("%s takes %d steps, %v", text, w.steps, err)
		}
	}
}
