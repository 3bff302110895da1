package edit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleAssign() {
	ctx := context.Background()
	o := yaytpl.Options{Dir: "/site", Overlay: map[string]string{
		"/site/site.yaml": "tag: 1.9\nmotd: hello\n",
		"/site/motd.txt":  "hello: world\n# 1\n",
	}}
	var edits []edit.Edit
	for _, a := range []yaytpl.Assignment{
		{Path: "tag", Text: "1.10"},
		{Path: "motd", Form: yaytpl.TextForm, File: "motd.txt"},
		{Path: "hosts", Append: true, Form: yaytpl.TextForm, Text: "22:22"},
	} {
		e, err := edit.Assign(ctx, a, o)
		if err != nil {
			fmt.Println(err)
			return
		}
		edits = append(edits, e)
	}
	res, err := edit.Apply(ctx, "site.yaml", edits, o, edit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(res.Files[0].Text)
	// Output:
	// tag: 1.10
	// motd: |
	//   hello: world
	//   # 1
	// hosts:
	//   - "22:22"
}

// TestParseNamesNoFile: a text of a program cannot name a file.
func TestParseNamesNoFile(t *testing.T) {
	e, err := edit.Parse("a+=@secret.txt")
	if s := e.Value.Str(); err != nil || s != "@secret.txt" || e.Op != edit.Append || e.Path != "a" {
		t.Errorf("%+v %q, %v", e.Op, s, err)
	}
	if _, err := edit.Parse("a:=@secret.txt"); err == nil || !strings.Contains(err.Error(), "syntax") {
		t.Errorf("%v, want a syntax error: @ begins no YAML", err)
	}
}

// TestAssignData: data is written as it is.
func TestAssignData(t *testing.T) {
	v := value.ListOf(value.String("yes"), value.Int(1))
	e, err := edit.Assign(t.Context(), yaytpl.Assignment{Path: "a", Data: &v}, yaytpl.Options{})
	if err != nil || !value.IsSame(e.Value, v) {
		t.Errorf("%v, %v", e.Value.Kind(), err)
	}
}

// TestLostAnchors: only anchors without an alias are reported.
func TestLostAnchors(t *testing.T) {
	o := yaytpl.Options{Dir: "/site", Overlay: map[string]string{"/site/a.yaml": "a: 1\n"}}
	for text, want := range map[string]int{"a=[&x 1, *x]": 0, "a=&x 1": 1, "a=[&x 1, &y {b: &z 2}, *y]": 2, "a=&x": 0} {
		e, err := edit.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		res, err := edit.Apply(t.Context(), "a.yaml", []edit.Edit{e}, o, edit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, d := range res.Warnings {
			if d.Code == source.Suspicious && strings.Contains(d.Message, "anchor") {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d warnings, want %d", text, n, want)
		}
	}
}
