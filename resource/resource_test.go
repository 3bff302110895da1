package resource_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/resource"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// resources returns the graph of a document.
func resources(name, text string) (*resource.Graph, error) {
	p, err := yaytpl.Open(context.Background(), []string{"-"}, yaytpl.Options{Stdin: strings.NewReader(text), Lang: name})
	if err != nil {
		return nil, err
	}
	d, err := p.Only(0)
	if err != nil {
		return nil, err
	}
	return d.Resources()
}

func Example() {
	g, err := resources("mcl", `
pkg "nginx" {}
svc "nginx" {
	state => "running",
	Depend => Pkg["nginx"],
	Listen => File["/etc/nginx.conf"],
}
file "/etc/nginx.conf" {
	Depend => Pkg["nginx"],
}
`)
	if err != nil {
		log.Fatal(err)
	}
	for r := range g.Order() {
		fmt.Println(r.ID)
	}
	for _, e := range g.Edges {
		fmt.Println(e.From, "->", e.To, e.Notify)
	}
	svc, _ := g.Find(resource.ID{Kind: "svc", Name: "nginx"})
	state, _, _ := svc.Params.Get(value.K("state"))
	fmt.Println(state.Str())
	// Output:
	// Pkg[nginx]
	// File[/etc/nginx.conf]
	// Svc[nginx]
	// File[/etc/nginx.conf] -> Svc[nginx] true
	// Pkg[nginx] -> File[/etc/nginx.conf] false
	// Pkg[nginx] -> Svc[nginx] false
	// running
}

func TestID(t *testing.T) {
	for _, c := range []struct {
		id   resource.ID
		text string
	}{
		{resource.ID{"file", "/etc/motd"}, "File[/etc/motd]"},
		{resource.ID{"http:server", "x"}, "Http:Server[x]"},
		{resource.ID{"note", "a[1]]"}, "Note[a[1]]]"},
		{resource.ID{"note", "a [ b"}, "Note[a [ b]"},
	} {
		if got := c.id.String(); got != c.text {
			t.Errorf("%v is written %s, want %s", c.id, got, c.text)
		}
		if got, ok := resource.ParseID(c.text); !ok || got != c.id {
			t.Errorf("%s is parsed as %v, %v", c.text, got, ok)
		}
	}
	for _, text := range []string{"", "Note", "Note[", "Note[]", "[x]", "Note[x", "Note x]"} {
		if id, ok := resource.ParseID(text); ok {
			t.Errorf("%q is parsed as %v", text, id)
		}
	}
}

func TestOfData(t *testing.T) {
	for _, c := range []struct {
		text string
		want source.Code
	}{
		{"{}", ""},
		{"resources: [{kind: a, name: x}, {kind: a, name: y}]\nedges: [{from: 'A[x]', to: 'A[y]'}]", ""},
		{"[]", source.BadDocument},
		{"resources: {}", source.BadDocument},
		{"resources: [1]", source.BadDocument},
		{"resources: [{kind: a}]", source.BadDocument},
		{"resources: [{kind: a, name: 1}]", source.BadDocument},
		{"resources: [{kind: a, name: x, params: []}]", source.BadDocument},
		{"resources: [{kind: a, name: x}]\nedges: [{from: x, to: 'A[x]'}]", source.BadDocument},
		{"resources: [{kind: a, name: x}, {kind: a, name: x}]", source.DuplicateResource},
		{"resources: [{kind: a, name: x}]\nedges: [{from: 'A[x]', to: 'A[y]'}]", source.UnknownResource},
		{"resources: [{kind: a, name: x}]\nedges: [{from: 'A[x]', to: 'A[x]'}]", source.EdgeCycle},
		{"resources: [{kind: a, name: x}, {kind: a, name: y}]\nedges: [{from: 'A[x]', to: 'A[y]'}, {from: 'A[y]', to: 'A[x]'}]", source.EdgeCycle},
	} {
		_, err := resources("yaml", c.text)
		var got source.Code
		if d := (*source.Diagnostic)(nil); errors.As(err, &d) {
			got = d.Code
		}
		if got != c.want {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
