package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Options are the switches for a text. The zero value reads everything.
type Options struct {
	NoTemplates   bool
	NoExpressions bool
	NoDirectives  bool
	NoLiteral     bool // results of templates stay text
	Lenient       bool // a duplicate key is a warning: the last one counts
	JSON          bool // the text is JSON
	MaxDepth      int  // nesting; 0 means the default of lang/yaml
	YAMLScalars   bool // Yay: plain scalars are read as in YAML

	// Included says that the text is to be part of another document: the comment
	// that holds its switches does not go there.
	Included bool

	// Switch overrides what the file says about itself in its first comment.
	Switch map[string]bool
}

// Parse reads a text into one document for each that it holds. Findings of
// severity error mean that the documents must not be used.
func Parse(f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic) {
	p := yaml.ParseOptions{Lenient: o.Lenient, NoTemplates: o.NoTemplates, MaxDepth: o.MaxDepth}
	parse := yaml.Parse
	if o.JSON {
		parse = yaml.ParseJSON
	}
	trees, findings := parse(f, p)
	if firstError(findings) != nil {
		return nil, findings
	}
	docs := make([]*graph.Doc, len(trees))
	for i, t := range trees {
		l := newLowering(f, o.forFile(t.Options))
		docs[i] = l.document(t)
		if i == 0 {
			findings = append(findings, unknownSwitches(f, t.Options)...)
		}
		findings = append(findings, l.findings...)
	}
	return docs, findings
}

// forFile applies the switches that the file has for itself, then those of the
// include that brought it.
func (o Options) forFile(file map[string]bool) Options {
	for _, s := range []map[string]bool{file, o.Switch} {
		for name, on := range s {
			switch name {
			case "templates":
				o.NoTemplates = o.NoTemplates || !on
			case "expressions":
				o.NoExpressions = o.NoExpressions || !on
			case "directives":
				o.NoDirectives = o.NoDirectives || !on
			case literals:
				o.NoLiteral = o.NoLiteral || !on
			}
		}
	}
	return o
}

// switchNames are the words of the comment "# yaytpl: templates=off" and of the map
// form of an include.
var switchNames = [...]string{"templates", "expressions", "directives", literals}

const literals = "literals"

// unknownSwitches notes words in that comment that switch nothing: a slip there
// would leave on what was to be off.
func unknownSwitches(f *source.File, have map[string]bool) []*source.Diagnostic {
	var found []*source.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if slices.Contains(switchNames[:], name) {
			continue
		}
		at := strings.Index(f.Text, name+"=")
		found = append(found, source.Warnf(f.Span(at, at+len(name)), source.Suspicious, "there is no switch %q", name).
			WithHint("there are %s", strings.Join(switchNames[:], ", ")))
	}
	return found
}

// Data reads a text of one document as plain data: nothing in it is evaluated.
func Data(f *source.File) (value.Value, error) {
	trees, findings := yaml.Parse(f, yaml.ParseOptions{})
	if err := firstError(findings); err != nil || len(trees) == 0 {
		return value.Null, err
	}
	return trees[0].Root.ToValue()
}
