package engine

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Programs are what programs of the mgmt language get from outside.
type Programs struct {
	Schema []string // files with the types of kinds of resources
	Data   []string // files whose document config.get reads; none is the document around the program

	// Facts returns the facts of the node, of which hostname replaces the name of the machine.
	// It may be nil.
	Facts func() (value.Map, error)

	Past *Past // what they remember of earlier evaluations; may be nil
}

// A Past is what programs remember of earlier evaluations.
type Past = frontend.Past

// programs returns the options of the languages of programs.
func (p *Project) programs() frontend.Programs {
	o := p.opts.Programs
	out := frontend.Programs{Schema: p.schema, Machine: p.machine, Past: o.Past}
	if len(o.Data) > 0 {
		out.Data = p.data
	}
	return out
}

// machine returns the properties of the machine for a place that asks for them.
func (p *Project) machine(at source.Span) frontend.Machine { return p.files.Machine(p.hostname, at) }

// hostname returns the fact hostname, "" if there is none.
func (p *Project) hostname() (string, error) {
	if p.opts.Programs.Facts == nil {
		return "", nil
	}
	facts, err := p.opts.Programs.Facts()
	if err != nil {
		return "", err
	}
	v, ok, err := facts.Get(value.K("hostname"))
	if err == nil && ok && !v.Is(value.StringKind) {
		err = source.Errorf(source.Span{}, source.BadType, "the fact hostname is %s, not a text", value.Article(v.Kind()))
	}
	return v.Str(), err
}

// schema returns the types of the kinds of resources; of a field in several files the last one counts.
func (p *Project) schema() (frontend.Schema, error) {
	all := frontend.Schema{}
	for _, name := range p.opts.Programs.Schema {
		f, err := Read(p.files, name)
		if err != nil {
			d := *source.AsDiagnostic(err, source.Span{}, source.Access)
			d.Message = "the schema of resources: " + d.Message
			return nil, &d
		}
		if err := frontend.AddSchema(all, f); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// data returns the root of the document of the files of Programs.Data.
func (p *Project) data() (*graph.Cell, error) {
	if p.dataDoc == nil {
		o := p.opts
		files := o.Programs.Data
		o.Programs.Data, o.Values, o.Defines, o.Assignments, o.EnvPrefix, o.Lang = nil, nil, nil, nil, "", ""
		o.Programs.Past = o.Programs.Past.Part("data")
		other, err := Open(p.ctx, files, o)
		if err != nil {
			return nil, err
		}
		if p.dataDoc, err = other.Only(0); err != nil {
			return nil, err
		}
	}
	e, err := p.dataDoc.Eval()
	if err != nil {
		return nil, err
	}
	return e.Root(), nil
}
