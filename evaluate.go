package yaytpl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Eval returns the place of what an expression comes to that stands in the root of
// the configuration. Like every [Node] it is worked out when it is asked, and each
// time anew. The expression is in the language of [Document.Query]: a path such as
// ::servers::web::port, an expression object in YAML, or a template with {{ }}.
func (c *Config) Eval(expression string) Node { return Node{in: &evaluated{c, expression}} }

// An evaluated is what an expression comes to.
type evaluated struct {
	config *Config
	text   string
}

// look implements [tree].
func (x *evaluated) look(f func(view) error) error {
	return x.config.look(func(v view) error {
		if v.err == nil {
			v.root, v.err = x.config.now.doc.evaluate(x.text)
			v.at = graph.CellOf(v.root)
		}
		return f(v)
	})
}

func (x *evaluated) path(below value.Path) string {
	switch {
	case len(below) == 0:
		return x.text
	case below[0].Kind == value.IntKind:
		return "(" + x.text + ")" + below.String()
	}
	return "(" + x.text + ")." + below.String()
}

// evaluate returns the value of an expression. A path that leads nowhere is
// no-matching.
func (d *Document) evaluate(text string) (value.Value, error) {
	matches, err := d.Query(text)
	if err != nil {
		return value.Null, err
	}
	if len(matches) == 0 {
		f := source.NewFile("expression", text)
		return value.Null, source.Errorf(f.Span(0, len(text)), source.NoMatching, "%s leads nowhere", text)
	}
	return One(matches), nil
}
