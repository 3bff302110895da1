package yaytpl

import (
	"context"

	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// OpenOverSecret is Open of a file over one whose text came from an encrypted file.
func OpenOverSecret(ctx context.Context, path, secret string, o Options) (*Project, error) {
	p, err := Open(ctx, []string{path}, o)
	if err != nil {
		return nil, err
	}
	docs, findings := merge.Parse(&source.File{Name: "secret.yaml.gpg", Path: path, Text: secret, Secret: true}, merge.Options{})
	if len(findings) > 0 {
		return nil, findings[0]
	}
	layers, err := p.openLayers([]string{path})
	if err != nil {
		return nil, err
	}
	p.docs = p.pair(append([]fileLayer{{name: "secret.yaml.gpg", docs: docs}}, layers...))
	return p, nil
}
