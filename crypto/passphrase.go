package crypto

import (
	"bytes"
	"context"
	"errors"
)

// errWrong says that a passphrase does not open what it was tried on.
var errWrong = errors.New("wrong passphrase")

const (
	maxAsk            = 3
	maxPassphraseFile = 64 << 10
)

// passphrases are those of one run. A passphrase that was asked for is remembered
// and tried on what comes next.
type passphrases struct {
	config Config
	known  []string
	read   bool // the file or the given one is among known
	denied bool // the user had no right one
}

// given reports whether there is a passphrase that nobody needs to be asked for.
func (p *passphrases) given() bool {
	return p.config.PassphraseFile != "" || p.config.Passphrase != ""
}

// fixed returns the passphrase that was given.
func (p *passphrases) fixed() (string, error) {
	if !p.read {
		text := p.config.Passphrase
		if p.config.PassphraseFile != "" {
			var err error
			if text, err = firstLine(p.config, p.config.PassphraseFile); err != nil {
				return "", err
			}
		}
		p.known, p.read = append([]string{text}, p.known...), true
	}
	return p.known[0], nil
}

// try calls use with passphrases until one is right; use returns errWrong for those
// that are not. File is what is to be decrypted, what is what the passphrase opens.
func (p *passphrases) try(ctx context.Context, file, what string, use func(passphrase string) error) error {
	if p.given() {
		if _, err := p.fixed(); err != nil {
			return err
		}
	}
	for _, text := range p.known {
		if err := use(text); !errors.Is(err, errWrong) {
			return err
		}
	}
	switch {
	case p.given():
		return p.wrong(file, what)
	case p.config.Ask == nil:
		return failed("%s: %s needs a passphrase, and there is no terminal to ask at", cannotDecrypt(file), what).
			WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE gives it")
	case p.denied:
		return failed("%s: no right passphrase for %s was given", cannotDecrypt(file), what)
	}
	return p.askAndTry(ctx, file, what, use)
}

func (p *passphrases) askAndTry(ctx context.Context, file, what string, use func(string) error) error {
	p.denied = true
	question := "Passphrase of " + what
	for range maxAsk {
		text, err := p.ask(ctx, question)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return failed("%s: the passphrase of %s cannot be asked for: %s", cannotDecrypt(file), what, err)
		case text == "":
			return failed("%s: no passphrase of %s was given", cannotDecrypt(file), what)
		}
		if err := use(text); !errors.Is(err, errWrong) {
			p.denied = false
			p.known = append(p.known, text)
			return err
		}
		question = "That was wrong. Passphrase of " + what
	}
	return failed("%s: wrong passphrase of %s%s", cannotDecrypt(file), what, orDamaged(file, what))
}

// orDamaged is what cannot be told from a wrong passphrase if that opens the file
// itself.
func orDamaged(file, what string) string {
	if file == what {
		return ", or the file is damaged"
	}
	return ""
}

// ask asks once.
func (p *passphrases) ask(ctx context.Context, question string) (text string, err error) {
	p.config.Alone(func() { text, err = p.config.Ask(ctx, question) })
	return text, err
}

// forNew returns the passphrase for a file that is about to be made: one that was
// given or asked for already, or else one that the user types twice.
func (p *passphrases) forNew(ctx context.Context) (string, error) {
	const cannot = "cannot encrypt with a passphrase"
	switch {
	case p.given():
		text, err := p.fixed()
		if err == nil && text == "" {
			err = failed("%s: the one in %s is empty", cannot, p.where())
		}
		return text, err
	case len(p.known) > 0:
		return p.known[0], nil
	case p.config.Ask == nil:
		return "", failed("%s: there is none", cannot).WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE gives it")
	}
	first, err := p.ask(ctx, "New passphrase")
	again := ""
	if err == nil {
		again, err = p.ask(ctx, "New passphrase, again")
	}
	switch {
	case err != nil:
		return "", errors.Join(ctx.Err(), failed("%s: it cannot be asked for: %s", cannot, err))
	case first == "" || first != again:
		return "", failed("%s: it is empty, or was not typed the same way twice", cannot)
	}
	p.known = append(p.known, first)
	return first, nil
}

func (p *passphrases) where() string {
	if p.config.PassphraseFile != "" {
		return p.config.PassphraseFile
	}
	return PassphraseVariable
}

func (p *passphrases) wrong(file, what string) error {
	return failed("%s: the passphrase in %s is not that of %s%s", cannotDecrypt(file), p.where(), what, orDamaged(file, what)).
		WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE gives another")
}

// firstLine returns the first line of a file of the user's, without its end.
func firstLine(c Config, name string) (string, error) {
	data, err := readUserFile(c.path(name), maxPassphraseFile)
	if err != nil {
		return "", failed("cannot read the passphrase file %s: %s", name, err).
			WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE_FILE names it")
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r"))), nil
}
