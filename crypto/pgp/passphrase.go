package pgp

import (
	"bytes"
	"context"
	"errors"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/crypto/internal/run"
)

// errWrong reports that a key or passphrase does not decrypt a message or a key.
var errWrong = errors.New("wrong passphrase")

const (
	maxAsk            = 3
	maxPassphraseFile = 64 << 10
)

// passphrases has the passphrases of one run. A passphrase that the user typed is tried on the
// next files and keys as well, before asking again.
type passphrases struct {
	config crypto.Config
	files  *run.Files
	known  []string
	read   bool // the configured passphrase is in known
	denied bool // the user did not type a right one, so that asking again is useless
}

// given reports whether the configuration has a passphrase, so that the user is not asked.
func (p *passphrases) given() bool {
	return p.config.PassphraseFile != "" || p.config.Passphrase != ""
}

// fixed returns the configured passphrase.
func (p *passphrases) fixed(ctx context.Context) (string, error) {
	if !p.read {
		text := p.config.Passphrase
		if p.config.PassphraseFile != "" {
			var err error
			if text, err = firstLine(ctx, p.files, p.config.PassphraseFile); err != nil {
				return "", err
			}
		}
		p.known, p.read = append([]string{text}, p.known...), true
	}
	return p.known[0], nil
}

// try calls use with one passphrase after another until one is right; use returns errWrong for
// a wrong one. The configured passphrase is tried, else the known ones, and then those that
// the user types. In messages, file is the file to decrypt, and what the protected thing: a
// key or the file itself.
func (p *passphrases) try(ctx context.Context, file, what string, use func(passphrase string) error) error {
	if p.config.PassphraseFile == "" {
		p.files.Note("env", crypto.PassphraseVariable)
	}
	if p.given() {
		if _, err := p.fixed(ctx); err != nil {
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
		return run.Failed("%s: the passphrase in %s does not unlock %s%s", run.CannotDecrypt(file), p.where(), what, orDamaged(file, what)).
			WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE gives another")
	case p.config.Ask == nil:
		return run.Failed("%s: %s needs a passphrase, and no terminal is available to ask for it", run.CannotDecrypt(file), what).
			WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE gives it")
	case p.denied:
		return run.Failed("%s: no correct passphrase for %s was given", run.CannotDecrypt(file), what)
	}
	return p.askAndTry(ctx, file, what, use)
}

// askAndTry asks the user for passphrases, at most maxAsk times, and tries them.
func (p *passphrases) askAndTry(ctx context.Context, file, what string, use func(string) error) error {
	p.denied = true
	question := "Passphrase of " + what
	for range maxAsk {
		text, err := p.ask(ctx, question)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return run.Failed("%s: the passphrase of %s cannot be asked for: %s", run.CannotDecrypt(file), what, err)
		case text == "":
			return run.Failed("%s: no passphrase of %s was given", run.CannotDecrypt(file), what)
		}
		if err := use(text); !errors.Is(err, errWrong) {
			p.denied = false
			p.known = append(p.known, text)
			return err
		}
		question = "Wrong passphrase. Passphrase of " + what
	}
	return run.Failed("%s: wrong passphrase of %s%s", run.CannotDecrypt(file), what, orDamaged(file, what))
}

// orDamaged returns the end of a message about a wrong passphrase. For a passphrase of the file
// itself the reason may also be damage.
func orDamaged(file, what string) string {
	if file == what {
		return ", or the file is damaged"
	}
	return ""
}

// ask asks the user one question.
func (p *passphrases) ask(ctx context.Context, question string) (text string, err error) {
	p.config.Alone(func() { text, err = p.config.Ask(ctx, question) })
	return text, err
}

// forNew returns the passphrase for a new file: the configured one, else the first one that
// the user typed in this run, else a new one that the user types twice.
func (p *passphrases) forNew(ctx context.Context) (string, error) {
	const cannot = "cannot encrypt with a passphrase"
	switch {
	case p.given():
		text, err := p.fixed(ctx)
		if err == nil && text == "" {
			err = run.Failed("%s: the passphrase in %s is empty", cannot, p.where())
		}
		return text, err
	case len(p.known) > 0:
		return p.known[0], nil
	case p.config.Ask == nil:
		return "", run.Failed("%s: no passphrase is configured", cannot).WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE gives it")
	}
	first, err := p.ask(ctx, "New passphrase")
	again := ""
	if err == nil {
		again, err = p.ask(ctx, "New passphrase, again")
	}
	switch {
	case err != nil:
		return "", errors.Join(ctx.Err(), run.Failed("%s: it cannot be asked for: %s", cannot, err))
	case first == "" || first != again:
		return "", run.Failed("%s: it is empty, or the two entries differ", cannot)
	}
	p.known = append(p.known, first)
	return first, nil
}

// where names the source of the configured passphrase.
func (p *passphrases) where() string {
	if p.config.PassphraseFile != "" {
		return p.config.PassphraseFile
	}
	return crypto.PassphraseVariable
}

// firstLine returns the first line of a file that the user named, without the line break.
func firstLine(ctx context.Context, files *run.Files, name string) (string, error) {
	data, err := files.Read(ctx, name, maxPassphraseFile)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", run.Failed("cannot read the passphrase file %s: %s", name, err).
			WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE_FILE names it")
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r"))), nil
}
