package crypto_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

// An eyamlRow is a value that hiera-eyaml or OpenSSL made: see testdata/eyaml/README.md.
type eyamlRow struct{ By, Text, Data, Error string }

func eyamlRows(t testing.TB) []eyamlRow {
	t.Helper()
	f, err := os.Open("testdata/eyaml/rows.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []eyamlRow
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r eyamlRow
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

func withEyamlKeys(names ...string) *crypto.Decrypter {
	return crypto.New(crypto.Config{Dir: "testdata/eyaml", EyamlKeys: names})
}

// checkEyaml compares the outcome of a decryption with a text or the part of an error.
func checkEyaml(t *testing.T, what string, got []byte, err error, want, wantError string) {
	t.Helper()
	d := (*source.Diagnostic)(nil)
	switch {
	case wantError == "" && (err != nil || string(got) != want):
		t.Errorf("%s: got %q, %v; want %q", what, got, err, want)
	case wantError != "" && (!errors.As(err, &d) || d.Code != source.Decryption || !strings.Contains(d.Message, wantError) || d.Hint == ""):
		t.Errorf("%s: got %q, %v; want an error with %q and a hint", what, got, err, wantError)
	}
}

func TestEyaml(t *testing.T) {
	rows := eyamlRows(t)
	for _, names := range [][]string{{"a.pem"}, {"a8.pem"}, {"b.pem", "a.pem"}} {
		d := withEyamlKeys(names...)
		for _, r := range rows {
			want := r.Error
			if len(names) > 1 && strings.HasSuffix(r.By, "b.crt") {
				want = "" // encrypted for b
			}
			got, err := d.DecryptEyaml(t.Context(), r.Data)
			checkEyaml(t, r.By, got, err, r.Text, want)
		}
	}
	if len(rows) < 30 {
		t.Errorf("only %d rows", len(rows))
	}
}

func TestEyamlKeys(t *testing.T) {
	value := eyamlRows(t)[0]
	for _, tt := range []struct{ names, err string }{
		{"a.pem", ""},
		{"b.pem a8.pem", ""},
		{"b.pem", "no private key in b.pem fits, or the value is damaged"},
		{"", "no private key is given"},
		{"none.pem", "cannot read the key file none.pem"},
		{"a.crt", "a.crt has no private key: it holds a certificate"},
		{"rows.jsonl", "rows.jsonl is no private key in PEM form"},
		{"small.pem", "has less than 1024 bits"},
		{"ec.pem", "needs an RSA key"},
		{"ec8.pem", "needs an RSA key"},
		{"locked.pem", "has a passphrase"},
		{"locked8.pem", "has a passphrase"},
	} {
		got, err := withEyamlKeys(strings.Fields(tt.names)...).DecryptEyaml(t.Context(), value.Data)
		checkEyaml(t, tt.names, got, err, value.Text, tt.err)
	}
	pem, err := os.ReadFile("testdata/eyaml/a.pem")
	must(t, err)
	got, err := withEyamlKeys().DecryptEyaml(t.Context(), value.Data, crypto.EyamlKey{Name: "keys/a", PEM: string(pem)})
	checkEyaml(t, "another key", got, err, value.Text, "")
	_, err = withEyamlKeys().DecryptEyaml(t.Context(), value.Data, crypto.EyamlKey{Name: "keys/a", PEM: "x"})
	checkEyaml(t, "another key", nil, err, "", "keys/a is no private key")
	if withEyamlKeys().HasEyamlKeys() || !withEyamlKeys("a.pem").HasEyamlKeys() {
		t.Error("HasEyamlKeys")
	}
}

// TestEyamlDamaged: a changed value gives an error, which is the same for all changes of what is
// secret. The last 34 bytes are IV and content, which have no integrity check.
func TestEyamlDamaged(t *testing.T) {
	d := withEyamlKeys("a.pem")
	value := eyamlRows(t)[0]
	data, err := base64.StdEncoding.DecodeString(value.Data)
	must(t, err)
	secret := map[string]bool{}
	for i := range data {
		changed := append([]byte{}, data...)
		changed[i] ^= 0x11
		got, err := d.DecryptEyaml(t.Context(), base64.StdEncoding.EncodeToString(changed))
		switch {
		case err == nil && string(got) != value.Text && i < len(data)-34:
			t.Errorf("byte %d: got %q", i, got)
		case err != nil && i >= len(data)-16:
			secret[err.Error()] = true
		}
	}
	if len(secret) > 1 {
		t.Errorf("changes of the content can be told apart: %v", secret)
	}
	for n := range len(data) {
		if _, err := d.DecryptEyaml(t.Context(), base64.StdEncoding.EncodeToString(data[:n])); err == nil {
			t.Errorf("the first %d bytes are decrypted", n)
		}
	}
	for _, text := range []string{"", "=", "*", "a", "MIIB", "ENC", strings.Repeat("M", 1000)} {
		_, err := d.DecryptEyaml(t.Context(), text)
		checkEyaml(t, text, nil, err, "", "is damaged")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.DecryptEyaml(ctx, value.Data); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestEyamlGPG(t *testing.T) {
	d := withEyamlKeys("a.pem")
	_, err := d.DecryptEyamlGPG(t.Context(), "bm8gbWVzc2FnZQ==", 1000)
	checkEyaml(t, "no message", nil, err, "", "not an encrypted OpenPGP message")
	_, err = d.DecryptEyamlGPG(t.Context(), "*", 1000)
	checkEyaml(t, "no base64", nil, err, "", "not base64")
}

// FuzzEyaml: any message gives a text or an error with a hint.
func FuzzEyaml(f *testing.F) {
	for _, r := range eyamlRows(f) {
		if data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(r.Data), "")); err == nil && len(data) < 1000 {
			f.Add(data)
		}
	}
	d := withEyamlKeys("a.pem")
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := d.DecryptEyaml(t.Context(), base64.StdEncoding.EncodeToString(data))
		bad := (*source.Diagnostic)(nil)
		if err != nil && (!errors.As(err, &bad) || bad.Code != source.Decryption || bad.Hint == "") {
			t.Errorf("got %q, %v", got, err)
		}
	})
}
