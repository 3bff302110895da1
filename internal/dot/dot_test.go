package dot_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/dot"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// layers returns YAML texts as layers, and their value if they have no expressions.
func layers(t *testing.T, texts ...string) ([]graph.RootLayer, *graph.Eval) {
	t.Helper()
	var all []graph.RootLayer
	for _, text := range texts {
		docs, findings := merge.Parse(source.NewFile("a.yaml", text), merge.Options{})
		if len(findings) > 0 {
			t.Fatal(findings[0])
		}
		all = append(all, graph.RootLayer{Doc: docs[0], Name: "a.yaml"})
	}
	return all, graph.New(context.Background(), all, graph.Options{Forms: merge.Forms})
}

// drawn returns the lines of a drawing without the lines that every graph has.
func drawn(out bytes.Buffer) string {
	text := strings.TrimSuffix(out.String(), "}\n")
	_, text, _ = strings.Cut(text, "sans-serif\"];\n")
	return strings.ReplaceAll(text, "  n", "n")
}

func TestValues(t *testing.T) {
	_, e := layers(t, "a: {b: 1, l: [x]}\n", "a: {b: 2}\n+?/a: \n")
	reads := dot.Listen(e)
	v, _, err := e.Root().Value()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := dot.Values(&out, v, reads); err != nil {
		t.Fatal(err)
	}
	want := `n0 [label="document"];
n0 -> n1;
n1 [label="a"];
n1 -> n2;
n2 [label="b: 2"];
n1 -> n3;
n3 [label="l"];
n3 -> n4;
n4 [label="0: x"];
n0 -> n5;
n5 [label="b: 2"];
n0 -> n6;
n6 [label="l"];
n6 -> n7;
n7 [label="0: x"];
`
	if got := drawn(out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLabels: Graphviz writes an escape that it does not know without its backslash.
func TestLabels(t *testing.T) {
	_, e := layers(t, `{"tab\tkey": 1, "quote\"\\": 2, "bell\u0007\u007f": 3, "ö\u00a0": 4}`)
	v, _, err := e.Root().Value()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := dot.Values(&out, v, dot.Listen(e)); err != nil {
		t.Fatal(err)
	}
	for _, escape := range []string{`\t`, `\x`, `\u`, `\a`} {
		if strings.Contains(out.String(), escape) {
			t.Errorf("%s in\n%s", escape, &out)
		}
	}
	for _, want := range []string{"tab␉key", `quote\"\\`, "bell␇␡", "ö\u00a0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
}

func TestNodes(t *testing.T) {
	all, _ := layers(t, "a: 1\n", "{+/nowhere: , b: ['{{ c }}'], eval: {sensitive: pw}, t: \"{{ 'pw' | sensitive }}\"}\n")
	var out bytes.Buffer
	if err := dot.Nodes(&out, all); err != nil {
		t.Fatal(err)
	}
	want := `n0 [label="map"];
n1 [label="list"];
n2 [label="'{{ c }}'"];
n1 -> n2 [label="0"];
n0 -> n1 [label="b"];
n3 [label="map"];
n4 [label="<<REDACTED>>"];
n3 -> n4 [label="sensitive"];
n0 -> n3 [label="eval"];
n5 [label="<<REDACTED>>"];
n0 -> n5 [label="t"];
n6 [label="+/nowhere"];
n0 -> n6 [style=dotted, label="predecessor"];
n7 [label="map"];
n8 [label="1"];
n7 -> n8 [label="a"];
n0 -> n7 [style=dotted, label="predecessor"];
`
	if got := drawn(out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestIncludes(t *testing.T) {
	main, base := source.NewFile("main.yaml", ""), source.NewFile("base.yaml", "")
	var out bytes.Buffer
	dot.Includes(&out, []*source.File{main, source.NewFile("alone.yaml", "")}, []dot.Include{{From: main, To: base, Key: "+include"}, {From: base, To: main, Key: "+?include"}})
	want := `n0 [label="main.yaml"];
n1 [label="alone.yaml"];
n2 [label="base.yaml"];
n0 -> n2 [label="+include"];
n2 -> n0 [label="+?include"];
`
	if got := drawn(out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTooManyBoxes(t *testing.T) {
	all, e := layers(t, "["+strings.Repeat("1,", 100_000)+"1]\n")
	var out bytes.Buffer
	v, _, err := e.Root().Value()
	if err != nil {
		t.Fatal(err)
	}
	if err := dot.Values(&out, v, dot.Listen(e)); !errors.Is(err, source.ErrLimit) {
		t.Errorf("Values: %v, want a limit", err)
	}
	if err := dot.Nodes(&out, all); !errors.Is(err, source.ErrLimit) {
		t.Errorf("Nodes: %v, want a limit", err)
	}
}
