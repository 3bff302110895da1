package edit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleApply() {
	dir, err := os.MkdirTemp("", "edit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "site.yaml")
	if err := os.WriteFile(name, []byte("# The front.\nweb:\n  port: 80   # http\n  hosts: [a]\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	edited, err := edit.Apply(context.Background(), name, []edit.Edit{
		{Op: edit.Set, Path: "web.port", Value: value.Int(8080)},
		{Op: edit.Append, Path: "web.hosts", Value: value.String("b")},
	}, yaytpl.Options{}, edit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(edited.Files[0].Text)
	fmt.Println(edited.Save())
	// Output:
	// # The front.
	// web:
	//   port: 8080   # http
	//   hosts: [a, b]
	// <nil>
}

func ExampleApply_source() {
	dir, err := os.MkdirTemp("", "edit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"site.yaml": "web: {+include: web.yaml}\n", "web.yaml": "port: 80   # http\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}

	edited, err := edit.Apply(context.Background(), filepath.Join(dir, "site.yaml"), []edit.Edit{
		{Op: edit.Set, Path: "web.port", Value: value.Int(8080)},
	}, yaytpl.Options{}, edit.Options{To: edit.Source})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range edited.Files {
		fmt.Printf("%s %v\n%s", filepath.Base(f.Name), f.Changed(), f.Text)
	}
	// Output:
	// site.yaml false
	// web: {+include: web.yaml}
	// web.yaml true
	// port: 8080   # http
}

func ExampleParseList() {
	edits, err := edit.ParseList(source.NewFile("changes.yaml", `
- {op: set, path: web.port, value: 8080}
- {op: move, from: /web/host, path: /web/name}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range edits {
		fmt.Println(e.At, e.From, e.Path)
	}
	// Output:
	// changes.yaml:2:3  web.port
	// changes.yaml:3:3 /web/host /web/name
}

func ExampleApplyAll() {
	dir, err := os.MkdirTemp("", "edit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	var names []string
	for name, text := range map[string]string{"a.yaml": "image: app:1 # ours\n", "b.yaml": "image: db:1\n"} {
		names = append(names, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	slices.Sort(names)

	edited, err := edit.ApplyAll(context.Background(), names, []edit.Edit{
		{Op: edit.Set, Path: "image", Value: value.String("app:2")},
	}, yaytpl.Options{}, edit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range edited.Files {
		fmt.Print(f.Text)
	}
	// Output:
	// image: app:2 # ours
	// image: app:2
}
