package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
)

// encryptFlags say for whom a file is encrypted, and where it goes.
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
		Short: "encrypt a file, or change who can open it",
		Long: `Encrypts a file and prints the result, or writes it with --out. KEY is a file with a
public key, or else what gpg knows one by: a number, an address. A FILE that ends in .gpg
or .asc is decrypted first, and -i puts the result in its place: so its recipients change.
FILE itself is never removed. - is standard input.`,
		Example: `  yaytpl encrypt -r ann.asc -r bob.asc secrets.yaml --out secrets.yaml.gpg
  yaytpl encrypt -i -r ann.asc secrets.yaml.gpg`,
		Args: exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.encrypt(c.Context(), &f, args[0]) },
	}
	own := newFlagGroup("Flags")
	own.set.StringArrayVarP(&f.recipients, "recipient", "r", nil, "encrypt for this `KEY` (repeatable)")
	own.set.BoolVarP(&f.symmetric, "symmetric", "c", false, "encrypt with a passphrase")
	own.set.BoolVarP(&f.armor, "armor", "a", false, "text instead of bytes; the default for .asc, for terminals, and for what was text")
	own.set.BoolVarP(&f.inPlace, "in-place", "i", false, "write FILE, which is encrypted already")
	own.set.StringVar(&f.out, "out", "", "write this `FILE`, which ends in .gpg or .asc")
	a.addFlags(c, append([]flagGroup{own}, f.groups()...)...)
	return c
}

func (a *app) encrypt(ctx context.Context, f *encryptFlags, name string) error {
	e, err := f.encryption(name)
	if err != nil {
		return err
	}
	o, err := f.read(a)
	if err != nil {
		return err
	}
	if e.Out == "" && a.isTerminal(a.out) || strings.HasSuffix(strings.ToLower(e.Out), ".asc") {
		e.To.Armored = true
	}
	a.startProgress("encrypting")
	return yaytpl.Encrypt(ctx, a.stdout, name, e, o)
}

// encryption returns what the flags come to.
func (f *encryptFlags) encryption(name string) (yaytpl.Encryption, error) {
	e := yaytpl.Encryption{Out: f.out, To: crypto.Recipients{Keys: f.recipients, Passphrase: f.symmetric, Armored: f.armor}}
	switch {
	case len(f.recipients) == 0 && !f.symmetric:
		return e, usageErrorf("encrypt needs a recipient").WithHint("-r KEY names one; -c encrypts with a passphrase")
	case f.inPlace && f.out != "":
		return e, usageErrorf("--in-place and --out exclude each other")
	case f.inPlace && name == "-":
		return e, usageErrorf("standard input cannot be written in place")
	case f.inPlace:
		e.Out = name
	}
	return e, nil
}
