package yay

import (
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestAccess(t *testing.T) {
	checkResults(t, map[string]string{
		"m.port": "80", "m.inner.deep": "1", "m['port']": "80", "m['1']": "'one'",
		"l[0]": "10", "l['1']": "20", "l[n - 2]": "30", "[[1, 2], [3]][0][1]": "2", "range(5)[3]": "3",
		"numbered['80']": "'http'", "numbered['true']": "'t'", "alias.inner['deep']": "1",
		"[i * 2 for i in range(4)][3]": "6", "{'a b': 1}['a b']": "1", "l[2 ** 1]": "30",
	})
	checkFailures(t, []failure{
		{"m.prot", source.NoMatching, "prot", []string{`"prot" in m`, `did you mean "port"?`}},
		{"m.inner.dep", source.NoMatching, "dep", []string{"m.inner", `did you mean "deep"?`}},
		{"m['prot']", source.NoMatching, "'prot'", []string{`did you mean "port"?`}},
		{"m[1]", source.NoMatching, "1", []string{"key 1 in m", `m["1"]`}},
		{"m[2]", source.NoMatching, "2", []string{"key 2"}},
		{"m[1.5]", source.NoMatching, "1.5", []string{"key 1.5"}},
		{"numbered[80]", source.NoMatching, "80", []string{`["80"]`}},
		{"m[l]", source.WrongType, "l", []string{"string", "list"}},
		{"m[nothing]", source.WrongType, "nothing", []string{"string", "null"}},
		{"m[1, 2]", source.WrongType, "1, 2", []string{"string", "list"}},
		{"l[3]", source.NoMatching, "3", []string{"no such item 3 in l", "has 3"}},
		{"l[10 ** 30]", source.NoMatching, "10 ** 30", []string{"no such item"}},
		{"l[-1]", source.WrongType, "-1", []string{"integer", "negative"}},
		{"l['-1']", source.WrongType, "'-1'", []string{"integer", "negative"}},
		{"l['x']", source.WrongType, "'x'", []string{"integer", `string "x"`}},
		{"l[1.0]", source.WrongType, "1.0", []string{"integer", "number 1.0"}},
		{"l[yes]", source.WrongType, "yes", []string{"integer", "bool"}},
		{"l[0, 1]", source.WrongType, "0, 1", []string{"integer", "list"}},
		{"l.name", source.WrongType, "l", []string{"mapping", "list", "integer"}},
		{"n.name", source.WrongType, "n", []string{"mapping or a list", "integer"}},
		{"w.name", source.WrongType, "w", []string{"mapping", `string "ab"`}},
		{"nothing.name", source.WrongType, "nothing", []string{"mapping", "null"}},
		{"w[0]", source.WrongType, "w", []string{"mapping or a list", "string"}},
		{"n[nowhere]", source.WrongType, "n", []string{"mapping or a list"}},
		{"make.name", source.WrongType, "make", []string{"mapping", "macro"}},
		{"m.nil.deeper", source.NoMatching, "nil", nil},
	})
}

func TestSlices(t *testing.T) {
	checkResults(t, map[string]string{
		"range(8)[2:5]": "[2, 3, 4]", "range(8)[0:8:3]": "[0, 3, 6]", "range(8)[3:3]": "[]",
		"range(5)[2:]": "[2, 3, 4]", "range(5)[:2]": "[0, 1]", "range(5)[1:99]": "[1, 2, 3, 4]", "range(5)[:]": "[0, 1, 2, 3, 4]",
		"range(5)[-2:]": "[3, 4]", "range(5)[:-3]": "[0, 1]", "range(5)[::-1]": "[4, 3, 2, 1, 0]", "range(5)[3:0:-2]": "[3, 1]", "range(5)[-99:99]": "[0, 1, 2, 3, 4]",
		"range(5)[4:1]": "[]", "range(5)[1:4:-1]": "[]", "range(5)[::10 ** 30]": "[0]", "range(5)[::-10 ** 30]": "[4]", "range(5)[10 ** 30:]": "[]", "range(5)[-10 ** 30:]": "[0, 1, 2, 3, 4]",
		"[][0:1]": "[]", "[][::-1]": "[]", "l[1:][0]": "20", "l[-1:][0]": "30", "l['1':]": "[20, 30]", "len(range(400000000)[::2])": "200000000",
		"range(10)[::2][1:][::-1]": "[8, 6, 4, 2]", "[nowhere, 1][1:]": "[1]",
	})
	checkFailures(t, []failure{
		{"w[0:1]", source.WrongType, "w", []string{"list", "string"}},
		{"m[0:1]", source.WrongType, "m", []string{"list", "mapping"}},
		{"l[1.5:]", source.WrongType, "1.5", []string{"integer"}},
		{"l['x':]", source.WrongType, "'x'", []string{"integer", "string"}},
		{"l[::0]", source.WrongType, "0", []string{"integer", "0", "step"}},
		{"l[3:][0]", source.NoMatching, "0", []string{"has 0"}},
	})
}
