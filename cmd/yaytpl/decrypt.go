package main

import (
	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
)

// cryptFlags are those of decrypt and encrypt.
type cryptFlags struct {
	keys  keyFlags
	bytes count
}

func (f *cryptFlags) groups() []flagGroup {
	limits := newFlagGroup("Limits")
	f.bytes.units = true
	limits.set.Var(&f.bytes, "max-bytes", "size of the file, and of its text (default 1G)")
	return []flagGroup{f.keys.group(), limits}
}

func (f *cryptFlags) read(a *app) (yaytpl.Options, error) {
	d, err := f.keys.decrypter(a)
	o := yaytpl.Options{Dir: a.dir, Stdin: a.in, Getenv: a.getenv, Environ: a.environ, Decrypter: d}
	o.Limits.Bytes = f.bytes.n
	return o, err
}

func (a *app) decryptCommand() *cobra.Command {
	var crypt cryptFlags
	c := &cobra.Command{
		Use:   "decrypt FILE",
		Short: "print the text of an encrypted file",
		Long: `Prints what is in an OpenPGP file, byte for byte, once all of it was decrypted and
checked. - is standard input. Other commands decrypt files that end in .gpg or .asc
by themselves.`,
		Example: `  yaytpl decrypt secrets.yaml.gpg
  yaytpl decrypt --key ~/keys/ci.asc secrets.yaml.gpg`,
		Args: exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := crypt.read(a)
			if err != nil {
				return err
			}
			a.startProgress("decrypting")
			return yaytpl.Decrypt(c.Context(), a.stdout, args[0], o)
		},
	}
	a.addFlags(c, crypt.groups()...)
	return c
}
