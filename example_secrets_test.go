package yaytpl_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/yaytpl/yaytpl"
)

// Read an encrypted file with a key file. Its values are secret: results hide them if
// they are asked to.
func ExampleNewDecrypter() {
	keys := yaytpl.Keys{Mode: "native", KeyFile: "fixtures/secrets/ann.key.asc"}
	p, err := yaytpl.Open(context.Background(), []string{"fixtures/secrets/secrets.yaml.gpg"}, yaytpl.Options{
		Decrypter: yaytpl.NewDecrypter(keys),
	})
	if err != nil {
		log.Fatal(err)
	}
	v, err := p.Documents()[0].Get("db.password")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Str())
	if err := p.Render(os.Stdout, yaytpl.RenderOptions{Redact: true}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// hunter2
	// db:
	//   user: "*****"
	//   password: "*****"
}

// Print an encrypted file.
func ExampleDecrypt() {
	keys := yaytpl.Keys{Mode: "native", KeyFile: "fixtures/secrets/ann.key.asc"}
	o := yaytpl.Options{Decrypter: yaytpl.NewDecrypter(keys)}
	if err := yaytpl.Decrypt(context.Background(), os.Stdout, "fixtures/secrets/secrets.yaml.asc", o); err != nil {
		log.Fatal(err)
	}
	// Output:
	// db:
	//   user: shop
	//   password: hunter2
}
