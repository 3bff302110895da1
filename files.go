package yaytpl

import (
	"context"

	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// Formatted is a file with its text in the standard layout of its language.
type Formatted struct {
	Name     string // as the user named it
	Text     string
	Changed  bool   // Text differs from the text of the file
	Language string // yay, bindings or mcl

	files *load.Files
	old   string
}

// Format reads a file and returns its text in the standard layout; the file is not written.
// "-" is standard input. It uses the options for the language, directories and limits. Files
// in Yay, bindings in .pp and programs of the mgmt language can be formatted.
//
// Codes: usage (another language, or an encrypted file), access, limit, and the codes of
// parsing.
func Format(ctx context.Context, name string, o Options) (*Formatted, error) {
	e := o.Engine(ctx, name)
	language, err := formattable(name, o.Lang)
	if err != nil {
		return nil, err
	}
	files := e.Files()
	data, err := files.Bytes(name)
	if err != nil {
		return nil, err
	}
	shown := name
	if name != "-" {
		shown = files.Shown(name)
	}
	old := string(data)
	text, findings := language.Format(source.NewFile(shown, old), e.Parse)
	if len(findings) > 0 {
		return nil, source.OneOrMany(findings)
	}
	return &Formatted{Name: name, Text: text, Changed: text != old, Language: language.Name, files: files, old: old}, nil
}

// formattable returns the language of a file, or an error if the file cannot be formatted.
func formattable(name, lang string) (frontend.Language, error) {
	if source.IsEncrypted(name) {
		return frontend.Language{}, source.Errorf(source.Span{}, source.Usage, "%s is encrypted, and encrypted files cannot be formatted", name).
			WithHint("yaytpl decrypt prints it")
	}
	l, err := frontend.For(&source.File{Name: name}, lang)
	if err == nil && l.Format == nil {
		err = source.Errorf(source.Span{}, source.Usage, "%s is %s, which has no formatter", name, l.Name).
			WithHint("Yay, bindings and the mgmt language can be formatted: .yay, .pp and .mcl, or any file with --lang yay, bindings or mcl")
	}
	return l, err
}

// Save writes the text to the file if it changed. A concurrent reader sees the old text or the
// new one. The permissions are kept.
//
// Codes: access; usage for standard input.
func (f *Formatted) Save() error {
	switch {
	case f.Name == "-":
		return source.Errorf(source.Span{}, source.Usage, "standard input cannot be written").
			WithHint("Formatted.Text is the result")
	case !f.Changed:
		return nil
	}
	return f.files.RewriteAll([]load.Rewrite{{Name: f.Name, Old: f.old, New: f.Text}})
}
