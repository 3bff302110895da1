package yaytpl_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
)

// Read an encrypted file with a key file. Its values are secret: results hide them if
// they are asked to.
func ExampleOptions_decrypter() {
	keys := crypto.Config{Mode: "native", KeyFile: "fixtures/secrets/ann.key.asc"}
	p, err := yaytpl.Open(context.Background(), []string{"fixtures/secrets/secrets.yaml.gpg"}, yaytpl.Options{
		Decrypter: crypto.New(keys),
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
