package yaytpl

import (
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/lookup"
	"github.com/yaytpl/yaytpl/resource"
	"github.com/yaytpl/yaytpl/value"
)

// Programs are what programs of the mgmt language get from outside (spec: mcl, section 11).
type Programs struct {
	// Schema are files with the types of kinds of resources: "svc: {port: int}".
	Schema []string

	// Data are files whose document config.get reads, later ones over earlier ones. Without
	// them it reads the document that the program is part of.
	Data []string

	// Facts are files of facts, FactValues single ones, NAME=VALUE. The fact hostname replaces
	// the name of the machine.
	Facts, FactValues []string

	// Past is what programs remember of earlier evaluations of the same files, for $x{n} and os.system:
	// package watch has one. Nil remembers nothing.
	Past *Past
}

// A Past is what programs of the mgmt language remember of earlier evaluations. The zero value remembers
// nothing yet.
type Past = engine.Past

// engine converts p for a project with options.
func (p Programs) engine(o engine.Options) engine.Programs {
	out := engine.Programs{Schema: p.Schema, Data: p.Data, Past: p.Past}
	if len(p.Facts)+len(p.FactValues) > 0 {
		out.Facts = func() (value.Map, error) { return lookup.Facts(o, p.Facts, p.FactValues) }
	}
	return out
}

// Resources returns the graph of resources that the document is: that of a program of the mgmt language,
// or a map of this form in any notation.
//
// Codes: bad-document, duplicate-resource, unknown-resource, edge-cycle, and those of evaluation.
func (d *Document) Resources() (*resource.Graph, error) {
	v, err := d.Value()
	if err != nil {
		return nil, err
	}
	if err := d.Force(v); err != nil {
		return nil, err
	}
	return resource.Of(v)
}

// A FunctionDoc is the documentation of a function of the mgmt language.
type FunctionDoc = frontend.FunctionDoc

// ProgramHelp returns the documentation of the library of the mgmt language, sorted by name.
func ProgramHelp() []FunctionDoc { return frontend.ProgramHelp() }
