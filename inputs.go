package yaytpl

import "github.com/yaytpl/yaytpl/internal/load"

// An Input is something that a result depends on (spec: everyday, B9): its kind, its name, the places
// that ask for it, and a hash of the answer.
type Input = load.Input

// An InputKind is a kind of inputs.
type InputKind = load.InputKind

// The kinds, in the order of [Project.Inputs].
const (
	FileInput    = load.FileInput
	AbsentInput  = load.AbsentInput
	GlobInput    = load.GlobInput
	URLInput     = load.URLInput
	EnvInput     = load.EnvInput
	ProgramInput = load.ProgramInput
	ClockInput   = load.ClockInput
	RandomInput  = load.RandomInput
)

// An Inputs collects the inputs of everything that is opened with it: see [Options.Inputs].
type Inputs = load.Inputs

// Inputs returns everything that the answers given so far depend on, by kind and name. After
// [Project.Render] these are the inputs of the whole result. They are those of the project and not of
// one document, since documents share the files that are read.
func (p *Project) Inputs() []Input { return p.opts.Inputs.All() }

// Inputs returns everything that the answers given so far depend on, by kind and name.
func (b *Bindings) Inputs() []Input { return b.opts.Inputs.All() }
