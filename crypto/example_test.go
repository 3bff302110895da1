package crypto_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/yaytpl/yaytpl/crypto"
)

// Encrypt a text with a passphrase, and decrypt it.
func ExampleDecrypter() {
	d := crypto.New(crypto.Config{Mode: crypto.Native, Passphrase: "open sesame"})
	message, err := d.Encrypt(context.Background(), crypto.Recipients{Passphrase: true}, []byte("pin: 42\n"))
	if err != nil {
		log.Fatal(err)
	}
	text, err := d.Decrypt(context.Background(), "pin.yaml.gpg", message, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))
	// Output: pin: 42
}

// Print an encrypted file.
func ExampleDecrypter_Decrypt() {
	const name = "../fixtures/secrets/secrets.yaml.asc"
	data, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	d := crypto.New(crypto.Config{Mode: crypto.Native, KeyFile: "../fixtures/secrets/ann.key.asc"})
	text, err := d.Decrypt(context.Background(), name, data, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))
	// Output:
	// db:
	//   user: shop
	//   password: hunter2
}
