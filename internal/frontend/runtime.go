package frontend

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// A Host gives the runtimes of the languages access to an open project.
type Host struct {
	Dir     string // of the main document
	Library expr.Library
	Options expr.Options

	// World returns the files, the environment and the programs for the expressions of a
	// file, by the directories of the main document and of the file.
	World func(documentDir, fileDir string) expr.Asking

	// Open opens a file that a place includes, relative to a directory or URL. The error for a
	// file that does not exist is [io/fs.ErrNotExist].
	Open func(name, base string, at source.Span) (*source.File, error)

	// Near returns the name of a file that the name of a missing one, relative to base, may
	// have meant, "" for none. from is the path of the file that has the name.
	Near func(name, base, from string) string

	Classes map[string]Class // native classes, by name

	// Parse returns the documents of a file in a language.
	Parse func(f *source.File, language string) ([]*graph.Doc, error)

	Programs Programs
}

// A Class makes instances of a native class of a Go program.
type Class = yay.Class

// Runtimes hold the state of each language during one evaluation. The runtime of YAML also
// gives the scopes of queries and text templates.
type Runtimes struct {
	*merge.Runtime
	All map[string]any // by language, for [graph.Options.Runtimes]
}

// NewRuntimes returns the runtimes of all languages. [Runtimes.Bind] connects them with the
// evaluation.
func NewRuntimes(h Host) Runtimes {
	all := map[string]any{}
	for _, l := range languages() {
		if l.Runtime != nil {
			all[l.Name] = l.Runtime(h)
		}
	}
	return Runtimes{all[YAML].(*merge.Runtime), all}
}

func yamlRuntime(h Host) any {
	return &merge.Runtime{Host: h.World, Dir: h.Dir, Library: h.Library, Options: h.Options}
}

func yayRuntime(h Host) any {
	return &yay.Runtime{Lint: h.Options.Lint, Injector: h.Options.Injector, Dir: h.Dir, Open: h.Open, Near: h.Near, Classes: h.Classes}
}

// Forms are the forms of maps that all languages share: expression objects.
var Forms graph.Forms = merge.Forms
