// Package frontend knows the languages that configuration is written in, and remembers
// what files parsed to.
//
//	source.File --For--> Language --Cache.Parse--> documents, findings
//
// Parsing depends on the text and the options alone: it opens no file and evaluates
// nothing. That is why its results can be kept, and shared between evaluations.
package frontend

import (
	"path"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// A Language is one that configuration is written in.
type Language struct {
	Name    string
	endings []string // of file names
	parse   func(f *source.File, o merge.Options) ([]*graph.Doc, []*source.Diagnostic)
}

// The names of languages that have no package that says them.
const (
	YAML = "yaml"
	JSON = "json"
)

// languages returns all of them; the first is that of files without a known ending.
func languages() []Language {
	json := func(f *source.File, o merge.Options) ([]*graph.Doc, []*source.Diagnostic) {
		o.JSON = true
		return merge.Parse(f, o)
	}
	return []Language{
		{YAML, []string{".yaml", ".yml"}, merge.Parse},
		{JSON, []string{".json"}, json},
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

// Names returns the names of the languages.
func Names() []string {
	var names []string
	for _, l := range languages() {
		names = append(names, l.Name)
	}
	return names
}

// For returns the language of a file: the one of that name or, if name is empty, that of
// its ending, or YAML.
//
// Code: usage for a name that there is not.
func For(f *source.File, name string) (Language, error) {
	if name == "" {
		if l, ok := ByEnding(f.Name); ok {
			return l, nil
		}
		return languages()[0], nil
	}
	for _, l := range languages() {
		if l.Name == name {
			return l, nil
		}
	}
	return Language{}, source.Errorf(source.Span{}, source.Usage, "unknown language %q; there are %s", name, strings.Join(Names(), ", "))
}

// ByEnding returns the language that the name or URL of a file tells, if it tells one.
// An ending of encrypted files does not count.
func ByEnding(name string) (Language, bool) {
	if i := strings.IndexAny(name, "?#"); i >= 0 && strings.Contains(name, "://") {
		name = name[:i]
	}
	ending := strings.ToLower(path.Ext(crypto.PlainName(name)))
	for _, l := range languages() {
		if slices.Contains(l.endings, ending) {
			return l, true
		}
	}
	return Language{}, false
}
