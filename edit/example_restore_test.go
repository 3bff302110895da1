package edit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
)

// siteOnDisk returns options for a directory with a file that includes another one, and a
// function that removes it.
func siteOnDisk() (yaytpl.Options, func()) {
	dir, err := os.MkdirTemp("", "restore")
	if err != nil {
		panic(err)
	}
	for name, text := range map[string]string{
		"site.yaml": "# The front.\nweb:\n  +include: base.yaml\n  name: web   # ours\n",
		"base.yaml": "port: 80\nhosts: [a, b]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			panic(err)
		}
	}
	return yaytpl.Options{Dir: dir}, func() { _ = os.RemoveAll(dir) }
}

func ExampleRestore() {
	options, remove := siteOnDisk()
	defer remove()
	edited := source.NewFile("edited.json", `{"web": {"port": 8080, "hosts": ["a", "b"], "name": "web"}}`)
	result, err := edit.Restore(context.Background(), "site.yaml", edited, options, edit.RestoreOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(result.Files[0].Text)
	// Output:
	// # The front.
	// web:
	//   +include: base.yaml
	//   name: web   # ours
	//   port: 8080
}

func ExamplePreview() {
	options, remove := siteOnDisk()
	defer remove()
	edited := source.NewFile("edited.json", `{"web": {"port": 8080, "hosts": ["a", "b"], "name": "web"}}`)
	report, err := edit.Preview(context.Background(), "site.yaml", edited, options, edit.RestoreOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.WriteText(os.Stdout, false))
	// Output:
	// ~ web.port: 80 -> 8080
	//   defined   base.yaml:1:7
	//   override  add web.port in site.yaml
	//   source    edit base.yaml:1:7
	// <nil>
}

func ExampleConflictError() {
	options, remove := siteOnDisk()
	defer remove()
	edited := source.NewFile("edited.json", `{"web": {"port": 80, "hosts": ["b"], "name": "web"}}`)
	o := edit.RestoreOptions{Options: edit.Options{NoInline: true}}
	_, err := edit.Restore(context.Background(), "site.yaml", edited, options, o)
	for _, d := range source.Findings(err) {
		fmt.Println(d)
	}
	// Output:
	// base.yaml:2:8: web.hosts cannot be changed from ["a","b"] to ["b"] (list-not-appendable): a list from an include or a reference can only be appended to [output]
}
