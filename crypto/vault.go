package crypto

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/crypto/internal/run"
	"github.com/yaytpl/yaytpl/internal/program"
	"github.com/yaytpl/yaytpl/source"
)

// # Ansible Vault
//
// A vault is a text that ansible-vault has encrypted with a password: a whole file, or a value with the
// tag !vault. Its first line says how; version 1.2 adds the name of the password, its id.
//
//	$ANSIBLE_VAULT;1.2;AES256;prod
//	6130...
//
// The other lines are a text in hexadecimal digits, which has three lines in hexadecimal digits: a salt,
// the HMAC-SHA256 of the message, and the message. PBKDF2 makes the keys of both and the counter of
// AES-CTR from password and salt.

const (
	vaultHead   = "$ANSIBLE_VAULT;"
	vaultRounds = 10_000
	vaultKey    = 32

	// VaultVariable is the environment variable that names the file with the password of vaults if
	// Config does not.
	VaultVariable = "ANSIBLE_VAULT_PASSWORD_FILE"

	maxVaultPassword = 64 << 10
	vaultProgramTime = time.Minute
)

// IsVault reports whether a text is encrypted by ansible-vault.
func IsVault(text string) bool { return strings.HasPrefix(text, vaultHead) }

// A vault is a parsed vault.
type vault struct {
	id                    string
	salt, digest, message []byte
}

// parseVault reads the lines of a vault. Blanks at their ends do not count.
func parseVault(name, text string) (vault, error) {
	var v vault
	head, body, _ := strings.Cut(text, "\n")
	fields := strings.Split(strings.TrimSpace(head), ";")
	switch {
	case len(fields) < 3 || fields[1] != "1.1" && fields[1] != "1.2":
		return v, run.Failed("%s: not supported: the vault is of another version than 1.1 and 1.2", run.CannotDecrypt(name))
	case fields[2] != "AES256":
		return v, run.Failed("%s: not supported: the vault is encrypted with another cipher than AES256", run.CannotDecrypt(name)).
			WithHint("ansible-vault rekey encrypts it again")
	case fields[1] == "1.2" && len(fields) > 3:
		v.id = fields[3]
	}
	inner, err := hex.DecodeString(strings.Join(strings.Fields(body), ""))
	parts := bytes.Split(inner, []byte("\n"))
	if err != nil || len(parts) != 3 {
		return v, damagedVault(name)
	}
	for i, to := range []*[]byte{&v.salt, &v.digest, &v.message} {
		if *to, err = hex.DecodeString(string(parts[i])); err != nil {
			return v, damagedVault(name)
		}
	}
	if len(v.digest) != sha256.Size || len(v.message) == 0 || len(v.message)%aes.BlockSize != 0 {
		return v, damagedVault(name)
	}
	return v, nil
}

func damagedVault(name string) error {
	return run.Failed("%s is damaged: the text of the vault is incomplete or was changed", name).
		WithHint("restore it from a copy, or encrypt it again with ansible-vault")
}

// errWrong reports that a password does not open a vault.
var errWrong = errors.New("wrong password")

// open returns the text of the vault, or errWrong for a wrong password.
func (v vault) open(name string, password []byte) ([]byte, error) {
	keys, err := pbkdf2.Key(sha256.New, string(password), v.salt, vaultRounds, 2*vaultKey+aes.BlockSize)
	if err != nil {
		return nil, run.Failed("%s: %s", run.CannotDecrypt(name), err)
	}
	digest := hmac.New(sha256.New, keys[vaultKey:2*vaultKey])
	digest.Write(v.message)
	if !hmac.Equal(digest.Sum(nil), v.digest) {
		return nil, errWrong
	}
	block, err := aes.NewCipher(keys[:vaultKey])
	if err != nil {
		return nil, run.Failed("%s: %s", run.CannotDecrypt(name), err)
	}
	text := make([]byte, len(v.message))
	cipher.NewCTR(block, keys[2*vaultKey:]).XORKeyStream(text, v.message)
	// The message is padded to full blocks with bytes that say how many there are.
	n := int(text[len(text)-1])
	if n == 0 || n > aes.BlockSize || bytes.Count(text[len(text)-n:], []byte{byte(n)}) != n {
		return nil, damagedVault(name)
	}
	return text[:len(text)-n], nil
}

// A vaultPassword is a password of vaults.
type vaultPassword struct {
	id, file string
	text     []byte
}

// shown names the password in messages.
func (p vaultPassword) shown() string {
	switch {
	case p.file == "":
		return fmt.Sprintf("the password with the id %q", p.id)
	case p.id == "":
		return p.file
	}
	return p.id + "@" + p.file
}

// HasVaultPasswords reports whether the run has passwords of vaults. Without, values with the tag !vault
// stay as they are.
func (d *Decrypter) HasVaultPasswords() bool {
	return len(d.config.VaultPasswordFiles)+len(d.config.VaultPasswords) > 0
}

// decryptVault returns the text of a vault. The passwords with the id of the vault are tried first, then
// the others.
func (d *Decrypter) decryptVault(ctx context.Context, name, text string) ([]byte, error) {
	if !d.HasVaultPasswords() {
		return nil, run.Failed("%s is encrypted by ansible-vault, and no password is given", name).
			WithHint("--vault-password-file FILE gives it")
	}
	v, err := parseVault(name, text)
	if err != nil {
		return nil, err
	}
	if err := d.readVaultPasswords(ctx); err != nil {
		return nil, err
	}
	var tried []string
	for _, same := range []bool{true, false} {
		for _, p := range d.vault {
			if (p.id == v.id) != same {
				continue
			}
			plain, err := v.open(name, p.text)
			if !errors.Is(err, errWrong) {
				return plain, err
			}
			tried = append(tried, p.shown())
		}
	}
	return nil, wrongVaultPassword(name, v.id, tried, slices.ContainsFunc(d.vault, func(p vaultPassword) bool { return p.id == v.id }))
}

func wrongVaultPassword(name, id string, tried []string, known bool) error {
	d := run.Failed("%s: wrong password in %s, or the vault is damaged", run.CannotDecrypt(name), strings.Join(tried, ", "))
	if id == "" {
		return d.WithHint("--vault-password-file FILE gives another; it may be given several times")
	}
	if known {
		d.Message += fmt.Sprintf("; its id is %q", id)
	} else {
		d.Message += fmt.Sprintf("; no password with its id %q is given", id)
	}
	return d.WithHint("--vault-password-file %s@FILE gives the password", id)
}

// readVaultPasswords reads the files with passwords, once.
func (d *Decrypter) readVaultPasswords(ctx context.Context) error {
	if d.vault != nil {
		return nil
	}
	var all []vaultPassword
	for _, given := range d.config.VaultPasswordFiles {
		p := vaultPassword{file: given}
		if id, file, ok := strings.Cut(given, "@"); ok && id != "" && !strings.ContainsAny(id, `/\`) {
			p.id, p.file = id, file
		}
		text, err := d.readVaultPassword(ctx, p.file)
		if err != nil {
			return err
		}
		if p.text = bytes.TrimSpace(text); len(p.text) == 0 {
			return run.Failed("the file %s has no password of vaults: it is empty", p.file)
		}
		all = append(all, p)
	}
	for _, id := range slices.Sorted(maps.Keys(d.config.VaultPasswords)) {
		all = append(all, vaultPassword{id: id, text: []byte(d.config.VaultPasswords[id])})
	}
	d.vault = all
	return nil
}

// readVaultPassword reads a file with a password. As Ansible does, it takes an executable file for a
// program that prints the password; running it needs permission.
func (d *Decrypter) readVaultPassword(ctx context.Context, name string) ([]byte, error) {
	path := d.files.Path(name)
	if runnable(runtime.GOOS, path) {
		if !d.config.AllowPrograms {
			return nil, source.Errorf(source.Span{}, source.Forbidden, "%s must not be run to get a password: the file is executable (--allow-exec)", name).
				WithHint("--allow-exec allows it; chmod -x %s makes it the text of the password", name)
		}
		return d.runVaultProgram(ctx, name, path)
	}
	data, err := d.files.Read(ctx, name, maxVaultPassword)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, run.Failed("cannot read the password file %s: %s", name, err).WithHint("--vault-password-file FILE or id@FILE names it")
	}
	return data, nil
}

// runnable reports whether a file is a program by its permissions, which Windows does not have.
func runnable(system, path string) bool {
	info, err := os.Stat(path)
	return err == nil && system != "windows" && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

func (d *Decrypter) runVaultProgram(ctx context.Context, name, path string) ([]byte, error) {
	path, err := filepath.Abs(path)
	d.files.Note("program", path)
	if err != nil {
		return nil, run.Failed("the program %s cannot be run: %s", name, run.PlainCause(err))
	}
	ctx, cancel := context.WithTimeout(ctx, vaultProgramTime)
	defer cancel()
	out := &program.Output{Limit: maxVaultPassword, Full: cancel}
	cmd := program.Command(ctx, path)
	cmd.Dir, cmd.Stdout, cmd.WaitDelay = d.config.Dir, out, time.Second
	d.config.Alone(func() { err = cmd.Run() })
	switch {
	case out.Over():
		return nil, run.Failed("the program %s prints more than %d bytes, which are no password", name, maxVaultPassword)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, run.Failed("time is up while the program %s runs to print a password", name)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, run.Failed("the program %s for the password of vaults failed: %s", name, run.PlainCause(err))
	}
	return out.Bytes(), nil
}
