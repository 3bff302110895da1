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
	files := filesFor(ctx, o, name)
	f, err := openForEdit(ctx, files, name, o)
	if err != nil {
		return nil, err
	}
	edited := source.NewFile(files.Shown(name), f.Text)
	edited.Secret = f.Encrypted()
	return edited, nil
}
