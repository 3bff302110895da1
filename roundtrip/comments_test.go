package roundtrip_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestComment: comments above, behind and below entries and items.
func TestComment(t *testing.T) {
	at := func(keys ...string) value.Path {
		var p value.Path
		for _, k := range keys {
			if len(k) == 1 && k[0] >= '0' && k[0] <= '9' {
				p = append(p, value.Key{Text: k, Kind: value.IntKind})
			} else {
				p = append(p, value.K(k))
			}
		}
		return p
	}
	head, line, foot := roundtrip.HeadComment, roundtrip.LineComment, roundtrip.FootComment
	tests := []struct {
		text string
		edit roundtrip.CommentEdit
		want string // "" if it is refused
	}{
		{"a: 1\n", roundtrip.CommentEdit{Path: at("a"), Part: line, Text: "# x"}, "a: 1 # x\n"},
		{"a: 1   # y\n", roundtrip.CommentEdit{Path: at("a"), Part: line, Text: "# x"}, "a: 1   # x\n"},
		{"a: 1   # y\n", roundtrip.CommentEdit{Path: at("a"), Part: line}, "a: 1\n"},
		{"a: 'x # y'\n", roundtrip.CommentEdit{Path: at("a"), Part: line, Text: "# x"}, "a: 'x # y' # x\n"},
		{"a: |-\n  # y\n", roundtrip.CommentEdit{Path: at("a"), Part: line, Text: "# x"}, "a: |- # x\n  # y\n"},
		{"a:\n  b: 1\n", roundtrip.CommentEdit{Path: at("a"), Part: line, Text: "# x"}, "a: # x\n  b: 1\n"},
		{"a: {b: 1}\n", roundtrip.CommentEdit{Path: at("a"), Part: line, Text: "# x"}, "a: {b: 1} # x\n"},
		{"a: {b: 1}\n", roundtrip.CommentEdit{Path: at("a", "b"), Part: line, Text: "# x"}, "a: {b: 1 # x\n  }\n"},
		{"a: {b: 1, c: 2}\n", roundtrip.CommentEdit{Path: at("a", "b"), Part: line, Text: "# x"}, "a: {b: 1, # x\n  c: 2}\n"},
		{"a: {b: 1, c: 2}\n", roundtrip.CommentEdit{Path: at("a", "c"), Part: head, Text: "# x"}, "a: {b: 1,\n  # x\n  c: 2}\n"},
		{"a: [\n  1, # y\n  2\n  ]\n", roundtrip.CommentEdit{Path: at("a", "0"), Part: line, Text: "# x"}, "a: [\n  1, # x\n  2\n  ]\n"},
		{"a: [\n  1,\n  2\n  ]\n", roundtrip.CommentEdit{Path: at("a", "1"), Part: head, Text: "# x"}, "a: [\n  1,\n  # x\n  2\n  ]\n"},
		{"a: &b\n  c: 1\n", roundtrip.CommentEdit{Path: at("a"), Part: line, Text: "# x"}, "a: &b # x\n  c: 1\n"},
		{"a:\n  - 1\n  - 2\n", roundtrip.CommentEdit{Path: at("a", "1"), Part: line, Text: "# x"}, "a:\n  - 1\n  - 2 # x\n"},
		{"a:\n  - 1\n  - 2\n", roundtrip.CommentEdit{Path: at("a", "1"), Part: head, Text: "# x\n# y"}, "a:\n  - 1\n  # x\n  # y\n  - 2\n"},
		{"a: 1\nb: 2\n", roundtrip.CommentEdit{Path: at("b"), Part: head, Text: "# x"}, "a: 1\n# x\nb: 2\n"},
		{"a: 1\n#  y\n# z\nb: 2\n", roundtrip.CommentEdit{Path: at("b"), Part: head, Text: "#  y\n# x"}, "a: 1\n#  y\n# x\nb: 2\n"},
		{"a: 1\n# y\n# z\nb: 2\n", roundtrip.CommentEdit{Path: at("b"), Part: head, Text: "# z"}, "a: 1\n# z\nb: 2\n"},
		{"a: 1\n# y\nb: 2\n", roundtrip.CommentEdit{Path: at("b"), Part: head}, "a: 1\nb: 2\n"},
		{"a: 1\r\nb: 2\r\n", roundtrip.CommentEdit{Path: at("b"), Part: head, Text: "# x"}, "a: 1\r\n# x\r\nb: 2\r\n"},
		{"a:\n  b: 1", roundtrip.CommentEdit{Path: at("a", "b"), Part: foot, Text: "# x"}, "a:\n  b: 1\n  # x"},
		{"a: 1\n", roundtrip.CommentEdit{Part: head, Text: "# x"}, "# x\n\na: 1\n"},
		{"# y\n\na: 1\n", roundtrip.CommentEdit{Part: head, Text: "# x"}, "# x\n\na: 1\n"},
		{"# y\n\na: 1\n", roundtrip.CommentEdit{Part: head}, "a: 1\n"},
		{"a: 1\n", roundtrip.CommentEdit{Path: at("b"), Part: line, Text: "# x"}, ""},
		{"- - 1\n", roundtrip.CommentEdit{Path: at("0", "0"), Part: head, Text: "# x"}, ""},
	}
	for _, tt := range tests {
		text, err := roundtrip.Parse(source.NewFile("a.yaml", tt.text), roundtrip.Syntax{})
		if err != nil {
			t.Fatal(err)
		}
		got, refused := text.Comment(0, []roundtrip.CommentEdit{tt.edit})
		if (len(refused) > 0) != (tt.want == "") || tt.want != "" && got != tt.want {
			t.Errorf("%q: %q, refused %v, want %q", tt.text, got, refused, tt.want)
		}
	}
}

// FuzzComment: no comment makes the editor fail, and an edit that is made can be read again.
func FuzzComment(f *testing.F) {
	f.Add("a: 1 # x\n# y\nb:\n  - 1\n  # z\n  - {c: 2}\n", "b", byte(0), "# n")
	f.Add("\uFEFF# y\n# top\na: 1\n", "", byte(0), "# x")
	f.Add("# top\n\na: |\n  x\n", "", byte(1), "")
	f.Fuzz(func(t *testing.T, text, key string, part byte, comment string) {
		parsed, err := roundtrip.Parse(source.NewFile("a.yaml", text), roundtrip.Syntax{})
		if err != nil || len(parsed.Docs) == 0 {
			return
		}
		var path value.Path
		if key != "" {
			path = value.Path{value.K(key)}
		}
		parsed.Comment(0, []roundtrip.CommentEdit{{Path: path, Part: roundtrip.CommentPart(part % 3), Text: comment}})
	})
}
