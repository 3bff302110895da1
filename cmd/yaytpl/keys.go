package main

import "github.com/yaytpl/yaytpl/crypto"

// keyFlags say where the keys of encrypted files come from.
type keyFlags struct {
	key            string
	passphraseFile string
	gpg            choice

	made *crypto.Decrypter // one for the whole run
}

func (f *keyFlags) group() flagGroup {
	fg := newFlagGroup("Encrypted files")
	f.gpg = oneOf("auto", crypto.Modes()...)
	fg.set.StringVar(&f.key, "key", "", "a `FILE` with private keys (or YAYTPL_KEY); without it, gpg has them")
	fg.set.StringVar(&f.passphraseFile, "passphrase-file", "", "a `FILE` with the passphrase (or YAYTPL_PASSPHRASE_FILE)")
	fg.set.Var(&f.gpg, "gpg", "who decrypts: yaytpl with --key or a passphrase, else gpg; yaytpl; gpg")
	return fg
}

// decrypter returns what opens the encrypted files of this run.
func (f *keyFlags) decrypter(a *app) (*crypto.Decrypter, error) {
	if f.made != nil {
		return f.made, nil
	}
	if f.key != "" && f.gpg.is("command") {
		return nil, usageErrorf("--key and --gpg command exclude each other")
	}
	passphrase, _ := a.getenv(crypto.PassphraseVariable)
	f.made = crypto.New(crypto.Config{
		Mode: f.gpg.value, Dir: a.dir,
		KeyFile:        a.orVariable(f.key, "YAYTPL_KEY"),
		PassphraseFile: a.orVariable(f.passphraseFile, "YAYTPL_PASSPHRASE_FILE"),
		Passphrase:     passphrase,
		Ask:            a.passphraseAsker(), Alone: a.alone,
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
