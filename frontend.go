package yaytpl

import (
	"path"
	"strings"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// A frontend reads one language. Parsing is pure in (text, options): its results
// are cached and shared.
type frontend struct {
	name    string
	endings []string
	parse   func(f *source.File, o merge.Options) ([]*graph.Doc, []*source.Diagnostic)
}

// frontends returns the languages; the first is the one for files without a known
// ending.
func frontends() []frontend {
	json := func(f *source.File, o merge.Options) ([]*graph.Doc, []*source.Diagnostic) {
		o.JSON = true
		return merge.Parse(f, o)
	}
	return []frontend{
		{"yaml", []string{".yaml", ".yml"}, merge.Parse},
		{"json", []string{".json"}, json},
		{yay.Language, []string{".yay"}, parseYay},
	}
}

// parseYay reads a text of the Yay language. What the switches of YAML say does not
// apply to it.
func parseYay(f *source.File, o merge.Options) ([]*graph.Doc, []*source.Diagnostic) {
	tree, findings := yay.Parse(f, yay.Options{MaxDepth: o.MaxDepth, YAMLScalars: o.YAMLScalars})
	if tree == nil {
		return nil, findings
	}
	return []*graph.Doc{yay.Lower(tree)}, findings
}

// Languages returns the names that Options.Lang and the lang of an include take.
func Languages() []string {
	var names []string
	for _, f := range frontends() {
		names = append(names, f.name)
	}
	return names
}

// frontendFor returns the language of a file: the one asked for, or that of its
// ending, or YAML.
func frontendFor(f *source.File, lang string) (frontend, error) {
	all := frontends()
	if lang != "" {
		for _, front := range all {
			if front.name == lang {
				return front, nil
			}
		}
		return frontend{}, source.Errorf(source.Span{}, source.Usage, "unknown language %q; there are %s", lang, strings.Join(Languages(), ", "))
	}
	if front, ok := byEnding(f.Name); ok {
		return front, nil
	}
	return all[0], nil
}

func byEnding(name string) (frontend, bool) {
	if i := strings.IndexAny(name, "?#"); i >= 0 && strings.Contains(name, "://") {
		name = name[:i]
	}
	ending := strings.ToLower(path.Ext(crypto.PlainName(name)))
	for _, front := range frontends() {
		for _, e := range front.endings {
			if e == ending {
				return front, true
			}
		}
	}
	return frontend{}, false
}
