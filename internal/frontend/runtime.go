package frontend

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// A Host is what the runtimes of the languages need of an open project.
type Host struct {
	Dir     string // of the main document
	Library expr.Library
	Options expr.Options

	// World returns the files, the environment and the programs for the expressions of a
	// file, by the directories of the main document and of the file.
	World func(documentDir, fileDir string) expr.Host

	// Open opens an included file, relative to a directory or URL. The error for a file
	// that does not exist is [io/fs.ErrNotExist].
	Open func(name, base string) (*source.File, error)

	Classes map[string]Class // native classes, by name
}

// A Class makes instances of a native class of a Go program.
type Class = yay.Class

// Runtimes hold the state of each language during one evaluation. They are the User of a
// [graph.Eval]; [Runtimes.Bind] connects the two. The methods of [merge.Runtime] give the
// scopes of queries and text templates.
type Runtimes struct {
	*merge.Runtime
	yay *yay.Runtime
}

// NewRuntimes returns the runtimes of all languages.
func NewRuntimes(h Host) *Runtimes {
	return &Runtimes{
		&merge.Runtime{Host: h.World, Dir: h.Dir, Library: h.Library, Options: h.Options},
		&yay.Runtime{Lint: h.Options.Lint, Dir: h.Dir, Open: h.Open, Classes: h.Classes},
	}
}

// YayRuntime implements [yay.Host].
func (r *Runtimes) YayRuntime() *yay.Runtime { return r.yay }

// Forms are the forms of maps that all languages share: expression objects.
var Forms graph.Forms = merge.Forms
