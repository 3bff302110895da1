package yaytpl

import (
	"context"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// OpenSecret is Open of one file whose text is text and came from an encrypted one.
func OpenSecret(ctx context.Context, path, text string, o Options) (*Project, error) {
	return openWithSecret(ctx, path, text, o, false)
}

// OpenOverSecret is Open of a file over one whose text came from an encrypted file.
func OpenOverSecret(ctx context.Context, path, secret string, o Options) (*Project, error) {
	return openWithSecret(ctx, path, secret, o, true)
}

func openWithSecret(ctx context.Context, path, text string, o Options, over bool) (*Project, error) {
	p, err := Open(ctx, []string{path}, o)
	if err != nil {
		return nil, err
	}
	docs, findings := merge.Parse(&source.File{Name: "secret.yaml.gpg", Path: path, Text: text, Secret: true}, merge.Options{})
	if len(findings) > 0 {
		return nil, findings[0]
	}
	layers := []engine.Layer{{Name: "secret.yaml.gpg", Docs: docs}}
	if over {
		above, err := p.engine.OpenLayers([]string{path})
		if err != nil {
			return nil, err
		}
		layers = append(layers, above...)
	}
	p.docs = nil
	pairs, err := p.engine.Pair(layers)
	if err != nil {
		return nil, err
	}
	for _, d := range pairs {
		p.docs = append(p.docs, &Document{p, d})
	}
	return p, nil
}
