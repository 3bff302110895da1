package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/lint"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// spelled returns references as ROOT:KEYS@TEXT, in the order of the text.
func spelled(found []lint.Reference) string {
	slices.SortStableFunc(found, func(a, b lint.Reference) int { return int(a.At.Start) - int(b.At.Start) })
	roots := map[expr.Root]string{expr.RootName: "name", expr.RootDoc: "doc", expr.RootSelf: "self", expr.RootNearest: "near", expr.RootUnknown: "?"}
	var all []string
	for _, r := range found {
		keys := strings.ReplaceAll(strings.Join(r.Keys, "."), expr.AnyKey, "*")
		all = append(all, fmt.Sprintf("%s:%s@%s", roots[r.From], keys, r.At.Text()))
	}
	return strings.Join(all, " ")
}

func TestReferences(t *testing.T) {
	tests := []struct{ text, want string }{
		{`a: "{{ b.c }}"`, "name:b@b name:b.c@c"},
		{`a: "{{ ROOT['b'].c }} {{ SELF.d }}"`, "doc:b@'b' doc:b.c@c self:d@d"},
		{`a: "{% set b = 1 %}{{ b.c + d }}"`, "?:c@c name:d@d"},
		{`a: "{% for x in y %}{{ x.z }}{% endfor %}"`, "name:y@y ?:z@z"},
		{`a: "{{ b | map(attribute='c') }}"`, "name:b@b ?:c@'c'"},
		{`a: "{{ b[c].d }}"`, "name:b@b name:c@c name:b.*.d@d"},
		{`a: {eval: "::b::*::c[d=1]"}`, "doc:b@b doc:b.*.c@c ?:d@d"},
		{`a: {eval: "b::.parent::c"}`, "near:b@b ?:c@c"},
		{`a: {eval: "$v::c", vars: {v: {eval: d}}}`, "?:c@c near:d@d"},
		{`a: {eval: "::b", foreach: "{{ item.c }} {{ d }}"}`, "doc:b@b ?:c@c name:d@d"},
		{`a: {+/b/c: }`, "doc:b@b doc:b.c@c"},
		{`a: {b: {+../c: }}`, "doc:a.c@c"},
		{`a: {"+/b~1c": }`, "doc:b/c@b~1c"},
		{`a: "{{ b"`, ""},
		{`{+private: [a, "x-*", 'b c'], a: 1}`, "self:a@a self:x-*@\"x-*\" self:b c@'b c'"},
		{`+lists: {a: append, "*": replace, "b.c": replace}`, `self:a@a self:b.c@"b.c" self:b@b self:b.c@c`},
		{`x: {+lists: {b.c: by name}}`, "self:b.c@b.c self:b@b self:b.c@c self:b.c.name@name"},
	}
	for _, test := range tests {
		docs, _ := merge.Parse(source.NewFile("a.yaml", test.text), merge.Options{})
		found, _ := lint.References(docs, nil)
		if got := spelled(found); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.text, got, test.want)
		}
	}
	f := source.NewFile("a.yay", "p: 1\n% set q = p\nfor x in l:\n  - {{ x.n }} {{ p }}\nw:\n  u: {{ here.v }} {{ q }}\n")
	tree, _ := yay.Parse(f, yay.Options{})
	found, _ := lint.References([]*graph.Doc{yay.Lower(tree)}, nil)
	if got, want := spelled(found), "name:p@p name:l@l ?:n@n name:p@p self:v@v"; got != want {
		t.Errorf("Yay: %s, want %s", got, want)
	}
}
