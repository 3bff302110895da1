package yaytpl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// Finish a document and print it.
func ExampleOpen() {
	p, err := yaytpl.Open(context.Background(), []string{"fixtures/quickstart/site.yaml"}, yaytpl.Options{
		Defines: []string{"environment=staging"},
	})
	if err != nil {
		log.Fatal(err)
	}
	v, err := p.Documents()[0].Get("settings")
	if err != nil {
		log.Fatal(err)
	}
	if err := p.WriteValue(os.Stdout, v, yaytpl.RenderOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// replicas: 1
	// log_level: debug
	// tls:
	//   issuer: self-signed
}

// site opens a text that is in no file.
func site(text string) *yaytpl.Project {
	p, err := yaytpl.Open(context.Background(), []string{"site.yaml"}, yaytpl.Options{
		Dir:     "/srv",
		Overlay: map[string]string{"/srv/site.yaml": text},
	})
	if err != nil {
		log.Fatal(err)
	}
	return p
}

// Write all documents of a project.
func ExampleProject_Render() {
	p := site("name: shop\nurl: https://{{ name }}.example.org\n")
	if err := p.Render(os.Stdout, yaytpl.RenderOptions{Form: "json", Compact: true}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"name":"shop","url":"https://shop.example.org"}
}

// List what a result depends on: a change of anything else does not change it.
func ExampleProject_Inputs() {
	p := site("user: {get_env: SHOP_USER}\n+?include: local.yaml\n")
	if err := p.Render(io.Discard, yaytpl.RenderOptions{}); err != nil {
		log.Fatal(err)
	}
	for _, in := range p.Inputs() {
		fmt.Println(in.Kind, in.Name, in.At)
	}
	// Output:
	// file /srv/site.yaml []
	// absent /srv/local.yaml [site.yaml:2:12]
	// env SHOP_USER [site.yaml:1:7]
}

// Only what a path needs is evaluated: the error elsewhere does not matter.
func ExampleDocument_Get() {
	d := site("web: {ports: [80, 443]}\nbroken: '{{ nothing }}'\n").Documents()[0]
	v, err := d.Get("web.ports[1]")
	if err != nil {
		log.Fatal(err)
	}
	port, _ := v.Int()
	fmt.Println(port)

	_, err = d.Get("web.prots")
	fmt.Println(err)
	fmt.Println(errors.Is(err, source.ErrMissing))
	// Output:
	// 443
	// no "prots" in web [not-found]
	// true
}

// Find every place that a path leads to.
func ExampleDocument_Query() {
	d := site("servers:\n  web: {role: front, ip: 10.0.0.1}\n  db: {role: back, ip: 10.0.0.2}\n").Documents()[0]
	matches, err := d.Query("::servers::*::[role=back]::ip")
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range matches {
		fmt.Println(v.Str())
	}
	// Output:
	// 10.0.0.2
}

// Explain the origin of a value.
func ExampleDocument_Explain() {
	d := site("base: {port: 80}\nsize: 2\nweb:\n  +/base:\n  port: '{{ size * 4040 }}'\n").Documents()[0]
	x, err := d.Explain("web.port")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range x.Facts {
		fmt.Println(f.Role, f.At)
	}
	// Output:
	// set site.yaml:5:9
	// over site.yaml:1:14
	// uses site.yaml:2:7
}

// Find errors, and text that is allowed but probably not intended.
func ExampleProject_Check() {
	p := site("port: 80\nurl: 'http://localhost:{{ prot }}'\nversion: \"{{ '1' }}.{{ '10' }}\"\n")
	for _, finding := range p.Check() {
		fmt.Println(finding.At, finding.Severity, finding.Message)
	}
	// Output:
	// site.yaml:3:11 warning the text of this template becomes the number 1.10
	// site.yaml:2:27 error "prot" is undefined
}

// Compare a document with a JSON Schema. Violations have the place of the value.
func ExampleSchemaRule() {
	o := yaytpl.Options{
		Dir: "/srv",
		Overlay: map[string]string{
			"/srv/site.yaml":  "+include: base.yaml\nname: shop\n",
			"/srv/base.yaml":  "port: eighty\n",
			"/srv/types.yaml": "properties: {port: {type: integer}}\n",
		},
		Schemas: []yaytpl.SchemaRule{{Schema: "types.yaml", Files: "*.yaml"}},
	}
	p, err := yaytpl.Open(context.Background(), []string{"site.yaml"}, o)
	if err != nil {
		log.Fatal(err)
	}
	for _, finding := range p.Check() {
		fmt.Println(finding.At, finding.Message)
	}
	// Output:
	// base.yaml:1:7 port is a text; the schema allows an integer
}

// Get a finished document as a node of gopkg.in/yaml.v3: a program decodes it, or edits and writes it.
func ExampleDocument_YAML() {
	p := site("# The shop.\nmode: 0644 # of its files\nport: \"{{ 8000 + 80 }}\"\nday: 2026-11-28\n")
	doc, err := p.Documents()[0].YAML()
	if err != nil {
		log.Fatal(err)
	}
	for i, n := range doc.Content[0].Content {
		if i%2 == 1 {
			fmt.Printf("%d %s %s %q\n", n.Line, n.Tag, n.Value, n.LineComment)
		}
	}
	var shop struct {
		Mode, Port int
		Day        string
	}
	if err := doc.Decode(&shop); err != nil {
		log.Fatal(err)
	}
	fmt.Println(shop)
	// Output:
	// 2 !!int 644 "# of its files"
	// 3 !!int 8080 ""
	// 4 !!str 2026-11-28 ""
	// {644 8080 2026-11-28}
}
