package crypto_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

// vaultText is "hunter2\n", encrypted by ansible-vault with the password "pass".
const vaultText = `$ANSIBLE_VAULT;1.1;AES256
36653533333862303534316333666638343562386639626435313932613731653231383533376534
6366393339613533663666643932373733643033386263610a333635633333613833643636623432
34356263376538383065353966663234363635386237653363613231336539643435353262636364
3762376261323336380a353962633939653534656662613032343863666164303064323666633037
6466`

// labelled is the same with the id dev.
const labelled = `$ANSIBLE_VAULT;1.2;AES256;dev
30626137653138393833653063643637633731613432396361623636303438633030386633336263
6434636364386431333165643439383238373730653434620a366133353433616562393261326237
35373766326231623161303439613132633266333463316332653564633064653030383334383633
3736613938383837630a303835366333383765313963323635383561346239366437353466323738
6662`

func withPasswords(t *testing.T, files map[string]string, names ...string) *crypto.Decrypter {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return crypto.New(crypto.Config{Dir: dir, VaultPasswordFiles: names})
}

func TestVault(t *testing.T) {
	files := map[string]string{"right": " pass\r\n", "wrong": "other\n", "empty": "\n"}
	for _, tt := range []struct {
		text, names, want string
	}{
		{vaultText, "right", "hunter2\n"},
		{vaultText + "\n\n", "right", "hunter2\n"},
		{strings.ReplaceAll(vaultText, "\n", " \r\n  "), "right", "hunter2\n"},
		{vaultText, "wrong right", "hunter2\n"},
		{vaultText, "a@wrong b@right", "hunter2\n"},
		{labelled, "right", "hunter2\n"},
		{labelled, "dev@right x@wrong", "hunter2\n"},
		{vaultText, "wrong", "wrong password in wrong, or the vault is damaged"},
		{labelled, "wrong dev@wrong", `wrong password in dev@wrong, wrong, or the vault is damaged; its id is "dev"`},
		{labelled, "x@wrong", `no password with its id "dev" is given`},
		{vaultText, "", "no password is given"},
		{vaultText, "empty", "it is empty"},
		{vaultText, "no-such-file", "cannot read the password file no-such-file"},
		{vaultText[:len(vaultText)-2], "right", "is damaged"},
		{vaultText[:200], "right", "is damaged"},
		{"$ANSIBLE_VAULT;1.1;AES256\nzz", "right", "is damaged"},
		{"$ANSIBLE_VAULT;1.0;AES\n00", "right", "another version"},
		{"$ANSIBLE_VAULT;1.1;AES\n00", "right", "another cipher"},
		{"$ANSIBLE_VAULT;", "right", "another version"},
	} {
		d := withPasswords(t, files, strings.Fields(tt.names)...)
		got, err := d.Decrypt(t.Context(), "x", []byte(tt.text), limit)
		if err == nil && string(got) != tt.want || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %q: %q, %v, want %q", tt.text[:min(30, len(tt.text))], tt.names, got, err, tt.want)
		}
		var found *source.Diagnostic
		if err != nil && (!errors.As(err, &found) || found.Code != source.Decryption) {
			t.Errorf("%v is no error of decryption", err)
		}
	}
}

func TestVaultPasswordsOfPrograms(t *testing.T) {
	d := crypto.New(crypto.Config{VaultPasswords: map[string]string{"": "other", "dev": "pass"}})
	if got, err := d.Decrypt(t.Context(), "x", []byte(vaultText), limit); err != nil || string(got) != "hunter2\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := d.Decrypt(t.Context(), "x", []byte(vaultText), 1); !errors.Is(err, source.ErrLimit) {
		t.Errorf("got %v for a text that is too long", err)
	}
}

// TestVaultProgram: an executable file is a program, which needs permission.
func TestVaultProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no permission to run")
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "program"), []byte("#!/bin/sh\necho pass\n"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "fails"), []byte("#!/bin/sh\necho secret\nexit 3\n"), 0o700))
	for _, tt := range []struct {
		name  string
		allow bool
		want  string
	}{
		{"program", true, ""},
		{"program", false, "--allow-exec"},
		{"fails", true, "exit status 3"},
	} {
		d := crypto.New(crypto.Config{Dir: dir, VaultPasswordFiles: []string{tt.name}, AllowPrograms: tt.allow})
		_, err := d.Decrypt(t.Context(), "x", []byte(vaultText), limit)
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func FuzzVault(f *testing.F) {
	for _, text := range []string{vaultText, labelled, "$ANSIBLE_VAULT;1.2;AES256;x\n300a300a30", "$ANSIBLE_VAULT;1.1;AES256\n"} {
		f.Add(text)
	}
	d := crypto.New(crypto.Config{VaultPasswords: map[string]string{"": "pass"}})
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := d.Decrypt(t.Context(), "x", []byte(text), limit); err == nil && crypto.IsVault(text) && string(got) != "hunter2\n" {
			t.Fatalf("a changed vault is accepted: %q", got)
		}
	})
}
