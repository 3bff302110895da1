package docpath_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/source"
)

func TestParseAssignment(t *testing.T) {
	type a = docpath.Assignment
	tests := []struct {
		text string
		want a
	}{
		{"a=1", a{Path: "a", Text: "1"}},
		{"a=", a{Path: "a"}},
		{"a==b", a{Path: "a", Text: "=b"}},
		{"a=b:=c", a{Path: "a", Text: "b:=c"}},
		{"a+=1", a{Path: "a", Append: true, Text: "1"}},
		{"a:=x: 1", a{Path: "a", YAML: true, Text: "x: 1"}},
		{"a+:=[1]", a{Path: "a", Append: true, YAML: true, Text: "[1]"}},
		{"a=@v.yaml", a{Path: "a", File: "v.yaml"}},
		{"a:=@v.yaml", a{Path: "a", YAML: true, File: "v.yaml"}},
		{"a+=@-", a{Path: "a", Append: true, File: "-"}},
		{"a+:=@x=y", a{Path: "a", Append: true, YAML: true, File: "x=y"}},
		{"a= @x", a{Path: "a", Text: " @x"}},
		{"a[k=v].b=c", a{Path: "a[k=v].b", Text: "c"}},
		{`"a=b"=c`, a{Path: `"a=b"`, Text: "c"}},
		{`a["x:="]:=c`, a{Path: `a["x:="]`, YAML: true, Text: "c"}},
		{`"a-"=c`, a{Path: `"a-"`, Text: "c"}},
		{`a\-=c`, a{Path: `a\-`, Text: "c"}},
		{"a.*=c", a{Path: "a.*", Text: "c"}},
		{"a[*]=c", a{Path: "a[*]", Text: "c"}},
		{"*=c", a{Path: "*", Text: "c"}},
		{"-=c", a{Path: "-", Text: "c"}},
		{"a-b=c", a{Path: "a-b", Text: "c"}},
		{".=c", a{Path: ".", Text: "c"}},
		{"::=c", a{Path: "::", Text: "c"}},
		{"::a::b:=c", a{Path: "::a::b", YAML: true, Text: "c"}},
		{"/a/b=c", a{Path: "/a/b", Text: "c"}},
		{"/l/-=c", a{Path: "/l/-", Text: "c"}},
		{"/a/=c", a{Path: "/a/", Text: "c"}},
	}
	for _, test := range tests {
		if got, err := docpath.ParseAssignment(test.text); err != nil || got != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{
		"", "a", "=x", ":=x", "+=x", "+:=x", "a=@", "a:=@", `"a=x`, "a[b=x", "l-=[b]", "l*=2", "l++=b", "l::=b", "l:+=b", "l-:=b", "l?=b", "l<=b", "l>=b", "l!=b", "l~=b", "l|=b", "l@=b", "l%=2", "::a::b::=c", "/a/b-=c",
	} {
		got, err := docpath.ParseAssignment(text)
		if d := source.AsDiagnostic(err, source.Span{}, source.Internal); err == nil || d.Code != source.Usage {
			t.Errorf("%s: %+v, %v, want usage", text, got, err)
		}
	}
}

func TestParseText(t *testing.T) {
	got, err := docpath.ParseText("a+=@x")
	if want := (docpath.Assignment{Path: "a", Append: true, Text: "@x"}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := docpath.ParseText("a:=x"); err == nil || !strings.Contains(err.Error(), `no operator ":="`) {
		t.Errorf("%v, want usage", err)
	}
}

// Messages about assignments do not quote values.
func TestAssignmentsAreNotQuoted(t *testing.T) {
	for _, text := range []string{"=s3cret", `"a=s3cret`, "l-=s3cret", "[=s3cret", ":=s3cret"} {
		if _, err := docpath.ParseAssignment(text); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
