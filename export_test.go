package yaytpl

import (
	"context"

	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// OpenSecret is Open of one file whose text came from an encrypted one.
func OpenSecret(ctx context.Context, path, text string, o Options) (*Project, error) {
	p, err := Open(ctx, []string{path}, o)
	if err != nil {
		return nil, err
	}
	docs, findings := merge.Parse(&source.File{Name: "secret.yaml.gpg", Path: path, Text: text, Secret: true}, merge.Options{})
	if len(findings) > 0 {
		return nil, findings[0]
	}
	p.docs = p.pair([]fileLayer{{name: "secret.yaml.gpg", docs: docs}})
	return p, nil
}
