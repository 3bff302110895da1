package crypto_test

import (
	"context"
	"fmt"
	"log"

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
