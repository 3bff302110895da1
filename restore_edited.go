package yaytpl

import (
	"context"

	"github.com/yaytpl/yaytpl/source"
)

// ReadEdited reads an edited document for [RestoreFile]. One that is encrypted is
// decrypted, and never quoted by messages. "-" is standard input.
//
// Codes: access, decryption, limit.
func ReadEdited(ctx context.Context, name string, o Options) (*source.File, error) {
	e := o.Engine(ctx, name)
	files := e.Files()
	f, err := openForEdit(ctx, files, name, e)
	if err != nil {
		return nil, err
	}
	edited := source.NewFile(files.Shown(name), f.Text)
	edited.Secret = f.Encrypted()
	return edited, nil
}
