package yaytpl

import (
	"context"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
)

// Formatted is a file with its text in the standard layout of its language.
type Formatted struct {
	Name    string // as the user named it
	Text    string
	Changed bool // the file has another text

	files *load.Files
	old   string
}

// Format reads a file and lays its text out anew; the file stays as it is. "-" is
// standard input. Of the options, those about the language, directories and limits
// count. Only files of the Yay language can be formatted.
//
// Codes: usage (another language, or an encrypted file), access, limit, and what
// parsing finds.
func Format(ctx context.Context, name string, o Options) (*Formatted, error) {
	files := filesFor(ctx, o, name)
	if err := canFormat(name, o.Lang); err != nil {
		return nil, err
	}
	data, err := files.Bytes(name)
	if err != nil {
		return nil, err
	}
	shown := name
	if name != "-" {
		shown = files.Shown(name)
	}
	old := string(data)
	tree, findings := yay.Parse(source.NewFile(shown, old), yay.Options{YAMLScalars: o.YAMLScalars})
	if tree == nil {
		return nil, source.OneOrMany(findings)
	}
	text := yay.Format(tree)
	return &Formatted{Name: name, Text: text, Changed: text != old, files: files, old: old}, nil
}

// canFormat returns an error if there is no formatter for a file.
func canFormat(name, lang string) error {
	if crypto.Encrypted(name) {
		return source.Errorf(source.Span{}, source.Usage, "%s is encrypted: its text cannot be formatted", name).
			WithHint("yaytpl decrypt prints it")
	}
	language, err := frontend.For(&source.File{Name: name}, lang)
	if err != nil {
		return err
	}
	if language.Name != yay.Language {
		return source.Errorf(source.Span{}, source.Usage, "%s is %s, which cannot be formatted yet", name, language.Name).
			WithHint("there is a layout for .yay; --lang yay says that a file is of this language")
	}
	return nil
}

// Save writes the text into the file, if that has another one. A reader sees the old
// text or the new one, and the permissions stay.
//
// Codes: access; usage for standard input, which is no place for it.
func (f *Formatted) Save() error {
	switch {
	case f.Name == "-":
		return source.Errorf(source.Span{}, source.Usage, "standard input cannot be written").
			WithHint("Formatted.Text is what it comes to")
	case !f.Changed:
		return nil
	}
	return f.files.RewriteAll([]load.Rewrite{{Name: f.Name, Old: f.old, New: f.Text}})
}
