package edit

import (
	"context"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/source"
)

// ReadDocument reads an edited document for [RestoreFile]. One that is encrypted is
// decrypted, and never quoted by messages. "-" is standard input.
//
// Codes: access, decryption, limit.
func ReadDocument(ctx context.Context, name string, o yaytpl.Options) (*source.File, error) {
	e := o.Engine(ctx, name)
	files := e.Files()
	f, err := overlay.Open(ctx, files, name, e)
	if err != nil {
		return nil, err
	}
	edited := source.NewFile(files.Shown(name), f.Text)
	edited.Secret = f.Encrypted()
	return edited, nil
}
