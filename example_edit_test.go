package yaytpl_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleEditFile() {
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

	edited, err := yaytpl.EditFile(context.Background(), name, []yaytpl.Edit{
		{Op: yaytpl.SetValue, Path: "web.port", Value: value.Int(8080)},
		{Op: yaytpl.AppendValue, Path: "web.hosts", Value: value.String("b")},
	}, yaytpl.Options{}, yaytpl.EditOptions{})
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
