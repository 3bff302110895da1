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
	site := source.NewFile("all.yaml", "some: [b, c]\nall: [a, {+/some: }]\n")
	if err := os.WriteFile(filepath.Join(options.Dir, site.Name), []byte(site.Text), 0o600); err != nil {
		panic(err)
	}
	edited := source.NewFile("edited.json", `{"some": ["b", "c"], "all": ["a", "c"]}`)
	_, err := edit.Restore(context.Background(), site.Name, edited, options, edit.RestoreOptions{})
	for _, d := range source.Findings(err) {
		fmt.Println(d)
	}
	// Output:
	// all.yaml:2:6: all cannot be changed from ["a","b","c"] to ["a","c"] (list-not-appendable): items that a directive puts into a list can only be changed by expanding it [output]
}
