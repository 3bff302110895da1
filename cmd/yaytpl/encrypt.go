package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
	"golang.org/x/term"
)

// keyFlags are the flags of the keys for encrypted files.
type keyFlags struct {
	key            string
	public         []string
	known          []string // of the project
	passphraseFile string
	vault          []string
	eyaml          []string
	gpg            choice

	made *crypto.Decrypter // shared by all files of the run
}

func (f *keyFlags) group() flagGroup {
	fg := newFlagGroup("Encrypted files")
	f.gpg = oneOf("auto", crypto.Modes()...)
	fg.set.StringVar(&f.key, "key", "", "`FILE` with private keys (or YAYTPL_KEY; default: those of gpg)")
	fg.set.Var((*textList)(&f.public), "public-key", "`FILE` with public keys of recipients, to encrypt an edited file again (repeatable; default: those in --key and of gpg)")
	fg.set.StringVar(&f.passphraseFile, "passphrase-file", "", "`FILE` with the passphrase (or YAYTPL_PASSPHRASE_FILE)")
	fg.set.Var((*textList)(&f.vault), "vault-password-file", "`FILE` or id@FILE with a password of Ansible Vaults (repeatable; or ANSIBLE_VAULT_PASSWORD_FILE; default: values with the tag !vault stay encrypted)")
	fg.set.Var((*textList)(&f.eyaml), "eyaml-key", "`FILE` with private keys of hiera-eyaml (repeatable; default: those that hiera.yaml names)")
	fg.set.Var(&f.gpg, "gpg", "auto: yaytpl with --key or a passphrase, else gpg; native: yaytpl; command: gpg")
	return fg
}

// decrypter returns the decrypter of this run.
func (f *keyFlags) decrypter(a *app, allowExec bool) (*crypto.Decrypter, error) {
	if f.made != nil {
		return f.made, nil
	}
	if f.key != "" && f.gpg.is("command") {
		return nil, usageErrorf("--key and --gpg command exclude each other")
	}
	passphrase, _ := a.getenv(crypto.PassphraseVariable)
	vault := f.vault
	if file, _ := a.getenv(crypto.VaultVariable); len(vault) == 0 && file != "" {
		vault = []string{file}
	}
	f.made = crypto.New(crypto.Config{
		Mode: f.gpg.value, Dir: a.dir,
		KeyFile:            a.orVariable(f.key, "YAYTPL_KEY"),
		PublicKeys:         slices.Concat(f.public, f.known),
		PassphraseFile:     a.orVariable(f.passphraseFile, "YAYTPL_PASSPHRASE_FILE"),
		Passphrase:         passphrase,
		VaultPasswordFiles: vault, EyamlKeys: f.eyaml, AllowPrograms: allowExec,
		Ask: a.passphraseAsker(), Alone: a.alone,
		Getenv: a.getenv, Environ: a.environ,
	})
	return f.made, nil
}

func (a *app) orVariable(given, name string) string {
	if given == "" {
		given, _ = a.getenv(name)
	}
	return given
}

// passphraseAsker returns a function that asks for a passphrase at standard input, or, if that
// is not a terminal, at the terminal of the process. It returns nil without a terminal.
func (a *app) passphraseAsker() func(ctx context.Context, what string) (string, error) {
	if in, ok := openTerminal(a.in); ok {
		return func(ctx context.Context, what string) (string, error) { return a.askPassphrase(ctx, in, what) }
	}
	if _, ok := openTerminal(a.err); !ok {
		return nil // the user would not see the question
	}
	name := "/dev/tty" // the terminal that the process was started at
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	return func(ctx context.Context, what string) (string, error) {
		in, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return "", err
		}
		defer in.Close()
		return a.askPassphrase(ctx, in, what)
	}
}

// askPassphrase reads a line from a terminal without echo. When ctx ends, it restores the
// state of the terminal.
func (a *app) askPassphrase(ctx context.Context, in *os.File, what string) (string, error) {
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	type answer struct {
		text []byte
		err  error
	}
	fmt.Fprintf(a.err, "%s: ", strings.Map(withoutControls, what))
	answers := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		answers <- answer{text, err}
	}()
	select {
	case got := <-answers:
		fmt.Fprintln(a.err)
		return string(got.text), got.err
	case <-ctx.Done():
		fmt.Fprintln(a.err)
		_ = term.Restore(fd, before)
		return "", ctx.Err()
	}
}

func withoutControls(r rune) rune {
	if unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

// cryptFlags are the flags that decrypt and encrypt share.
type cryptFlags struct {
	keys  keyFlags
	bytes count
}

// groups returns the flags, after the groups of one command.
func (f *cryptFlags) groups(own ...flagGroup) []flagGroup {
	return append(own, f.keys.group(), f.bytes.group("size of the file, encrypted and decrypted (default 1G)"))
}

// read returns the options by which a file is read, and encrypted or decrypted.
func (f *cryptFlags) read(a *app) (yaytpl.Options, error) {
	var err error
	o := a.fileOptions(f.bytes)
	o.Decrypter, err = f.keys.decrypter(a, false)
	return o, err
}

func (a *app) decryptCommand() *cobra.Command {
	var crypt cryptFlags
	c := &cobra.Command{
		Use:   "decrypt FILE",
		Short: "print the text of an encrypted file",
		Long: `Prints the content of an OpenPGP file, byte for byte, after decrypting and verifying all of
it. - is standard input. Other commands decrypt files that end in .gpg or .asc themselves.`,
		Example: `  yaytpl decrypt secrets.yaml.gpg
  yaytpl decrypt --key ~/keys/ci.asc secrets.yaml.gpg`,
		Args: exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := crypt.read(a)
			if err != nil {
				return err
			}
			if err := noTargets("decrypt", args[0]); err != nil {
				return err
			}
			a.startProgress("decrypting")
			files := o.Engine(c.Context(), args[0]).Files()
			data, err := files.Bytes(args[0])
			if err != nil {
				return err
			}
			text, err := o.Decrypter.Decrypt(c.Context(), files.Shown(args[0]), data, o.Limits.WithDefaults().Bytes)
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(text)
			return err
		},
	}
	return a.withFlags(c, crypt.groups()...)
}

// encryptFlags are the flags of encrypt: the recipients and the output.
type encryptFlags struct {
	cryptFlags
	recipients []string
	symmetric  bool
	armor      bool
	inPlace    bool
	out        string
}

func (a *app) encryptCommand() *cobra.Command {
	var f encryptFlags
	c := &cobra.Command{
		Use:   "encrypt -r KEY FILE",
		Short: "encrypt a file, or change its recipients",
		Long: `Encrypts a file and prints the result, or writes it with --out. KEY is a file with a
public key, or a key ID or address that gpg knows; without -r the project file names the
recipients. A FILE that ends in .gpg or .asc is
decrypted first; with -i the result replaces it, which changes its recipients. FILE is
never removed. - is standard input.`,
		Example: `  yaytpl encrypt -r ann.asc -r bob.asc secrets.yaml --out secrets.yaml.gpg
  yaytpl encrypt -i -r ann.asc secrets.yaml.gpg`,
		Args: exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.encrypt(c.Context(), &f, args[0]) },
	}
	own := newFlagGroup("Flags")
	own.set.VarP((*textList)(&f.recipients), "recipient", "r", "encrypt for this `KEY` (repeatable)")
	own.set.BoolVarP(&f.symmetric, "symmetric", "c", false, "encrypt with a passphrase")
	own.set.BoolVarP(&f.armor, "armor", "a", false, "write ASCII armor; the default for .asc, for terminals, and for a FILE with armor")
	own.set.BoolVarP(&f.inPlace, "in-place", "i", false, "replace FILE, which must be encrypted already")
	own.set.StringVar(&f.out, "out", "", "write to this `FILE`, whose name ends in .gpg or .asc")
	return a.withFlags(c, f.groups(own)...)
}

func (a *app) encrypt(ctx context.Context, f *encryptFlags, name string) error {
	if err := noTargets("encrypt", name); err != nil {
		return err
	}
	if len(f.recipients) == 0 && !f.symmetric {
		s, err := (&workspaceFlags{}).search(a)
		if err != nil {
			return err
		}
		if s.Workspace != nil {
			f.recipients = s.Workspace.RecipientsOf(cmp.Or(f.out, name))
		}
	}
	out, to := f.out, crypto.Recipients{Keys: f.recipients, Passphrase: f.symmetric, Armored: f.armor}
	switch {
	case len(f.recipients) == 0 && !f.symmetric:
		return usageErrorf("encrypt needs a recipient").WithHint("-r KEY names one, as do the recipients of the project file; -c encrypts with a passphrase")
	case f.inPlace && f.out != "":
		return usageErrorf("--in-place and --out exclude each other")
	case f.inPlace && name == "-":
		return usageErrorf("standard input cannot be written in place")
	case f.inPlace:
		out = name
	}
	o, err := f.read(a)
	if err != nil {
		return err
	}
	if out == "" && a.isTerminal(a.out) || strings.HasSuffix(strings.ToLower(out), ".asc") {
		to.Armored = true
	}
	if out != "" && !crypto.Encrypted(out) {
		return usageErrorf("%s is not a name of an encrypted file", out).
			WithHint("a name that ends in .gpg or .asc; such files are decrypted when they are read")
	}
	a.startProgress("encrypting")
	files := o.Engine(ctx, name).Files()
	data, err := files.Bytes(name)
	if err != nil {
		return err
	}
	message, err := o.Decrypter.EncryptFile(ctx, files.Shown(name), data, to, o.Limits.WithDefaults().Bytes)
	if err != nil {
		return err
	}
	if out != "" {
		return files.Replace(out, message)
	}
	_, err = a.stdout.Write(message)
	return err
}
