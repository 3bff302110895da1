package yaytpl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/bigfile"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// A fileLayer is a file that the user named, with its documents.
type fileLayer struct {
	name string
	docs []*graph.Doc
}

// openLayers reads the files, then the values files, then the definitions.
func (p *Project) openLayers(files []string) ([]fileLayer, error) {
	var layers []fileLayer
	for _, list := range [][]string{files, p.opts.Values} {
		for _, name := range list {
			l, err := p.openLayer(name)
			if err != nil {
				return nil, err
			}
			layers = append(layers, l)
		}
	}
	return p.withDefines(layers, p.opts.Defines)
}

// withDefines puts definitions over layers.
func (p *Project) withDefines(layers []fileLayer, defines []string) ([]fileLayer, error) {
	for _, text := range defines {
		doc, err := p.define(text, layers)
		if err != nil {
			return nil, err
		}
		layers = append(layers, fileLayer{doc.File.Name, []*graph.Doc{doc}})
	}
	return layers, nil
}

// openText opens a single big file without parsing it.
func (p *Project) openText(files []string) (*Document, error) {
	if len(files) != 1 || len(p.opts.Values)+len(p.opts.Defines) > 0 {
		return nil, nil
	}
	f, err := p.read(files[0])
	if err != nil {
		return nil, err
	}
	language, err := frontend.For(f, p.opts.Lang)
	if err != nil {
		return nil, nil // whoever parses it will say why
	}
	var text *bigfile.Text
	o := yaml.ParseOptions{Lenient: p.opts.Lenient, NoTemplates: p.opts.NoTemplates}
	switch {
	case language.Name == frontend.JSON:
		text = bigfile.JSON(f, o)
	case language.Name == frontend.YAML && p.opts.Sparse:
		text = bigfile.YAML(f, o)
	}
	if text == nil {
		return nil, nil
	}
	p.dir = p.directory(f)
	return &Document{project: p, text: text}, nil
}

func (p *Project) openLayer(name string) (fileLayer, error) {
	f, err := p.read(name)
	if err != nil {
		return fileLayer{}, err
	}
	if p.dir == "" {
		p.dir = p.directory(f)
	}
	docs, err := p.parse(f, p.opts.Lang, nil)
	return fileLayer{name, docs}, err
}

func (p *Project) read(name string) (*source.File, error) {
	if name == "-" {
		return p.files.OpenStdin()
	}
	return p.files.Open(name, "")
}

// pair makes one document for each position: layers pair by position, and a layer
// of one document applies to all (design: decisions, "several documents").
func (p *Project) pair(layers []fileLayer) []*Document {
	n := 1
	for _, l := range layers {
		n = max(n, len(l.docs))
	}
	docs := make([]*Document, n)
	for i := range docs {
		d := &Document{project: p, index: i}
		for _, l := range layers {
			switch {
			case len(l.docs) == 1:
				d.layers = append(d.layers, rootLayer(l.docs[0], l.name))
			case i < len(l.docs):
				d.layers = append(d.layers, rootLayer(l.docs[i], l.name))
			}
		}
		docs[i] = d
	}
	return docs
}

// rootLayer makes a document a layer, which joins those below it by the rule of its
// own language.
func rootLayer(doc *graph.Doc, name string) graph.RootLayer {
	l := graph.RootLayer{Doc: doc, Name: name}
	if doc.Lang == yay.Language {
		l.Rule = graph.StackRule
	}
	return l
}

// parse reads a text in its language; ref is the include that names it, or nil.
// Findings that are no errors go to Warn.
func (p *Project) parse(f *source.File, lang string, ref *graph.Ref) ([]*graph.Doc, error) {
	language, err := frontend.For(f, lang)
	if err != nil {
		return nil, err
	}
	o := merge.Options{
		NoTemplates: p.opts.NoTemplates, NoExpressions: p.opts.NoExpressions,
		Lenient: p.opts.Lenient, YAMLScalars: p.opts.YAMLScalars,
	}
	if ref != nil {
		o.Included, o.Switch = true, ref.Switch
	}
	docs, findings := p.cache.Parse(language, f, o)
	var errs []*source.Diagnostic
	for _, d := range findings {
		d = show.Finding(d, f)
		if d.Severity == source.Error {
			errs = append(errs, d)
		} else {
			p.opts.Warn(d)
		}
	}
	if len(errs) > 0 {
		return nil, source.OneOrMany(errs)
	}
	return docs, nil
}
