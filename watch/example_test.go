package watch_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/watch"
)

func ExampleFiles() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "site.yaml")
	save := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	save("port: 80\n")
	for project, err := range watch.Files(context.Background(), []string{file}, yaytpl.Options{}) {
		if err != nil {
			log.Print(err) // the last project stays until the files are right again
			continue
		}
		if err := project.Render(os.Stdout, yaytpl.RenderOptions{}); err != nil {
			log.Print(err)
			continue
		}
		if _, err := project.Documents()[0].Get("port"); err != nil {
			fmt.Println("there is no port any more")
			break
		}
		save("name: shop\n") // as a user would, later
	}
	// Output:
	// port: 80
	// name: shop
	// there is no port any more
}
