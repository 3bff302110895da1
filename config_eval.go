package yaytpl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Eval returns the place of what an expression comes to that stands in the root of
// the configuration. Like every [Node] it is worked out when it is asked, and each
// time anew. If the newest file or text among the layers is in Yay, the expression is
// one of Yay, such as servers.web.ports[0] + 1. Otherwise it is in the language of
// [Document.Query]: a path such as ::servers::web::port, an expression object in YAML,
// or a template with {{ }}.
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
			d := x.config.now.doc
			if x.config.language() == yay.Language {
				v.root, v.err = d.evaluateYay(x.text)
			} else {
				v.root, v.err = d.evaluate(x.text)
			}
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

// language returns that of the newest layer that was read.
func (c *Config) language() string {
	for i := len(c.layers) - 1; i >= 0; i-- {
		for _, d := range c.layers[i].docs {
			if d.Lang != "" {
				return d.Lang
			}
		}
	}
	return ""
}

// evaluateYay returns the value of an expression in Yay.
func (d *Document) evaluateYay(text string) (value.Value, error) {
	f := source.NewFile("expression", text)
	o := &graph.Origin{Doc: &graph.Doc{File: f, Base: d.project.dir, Lang: yay.Language}}
	return yay.Evaluate(f, &graph.Place{Cell: d.running.Root(), Origin: o, At: f.Span(0, len(text)), Inside: true})
}

// evaluate returns the value of a query. A path that leads nowhere is
// no-matching.
func (d *Document) evaluate(text string) (value.Value, error) {
	matches, err := d.query(text)
	if err != nil {
		return value.Null, err
	}
	if len(matches) == 0 {
		f := source.NewFile("expression", text)
		return value.Null, source.Errorf(f.Span(0, len(text)), source.NoMatching, "%s leads nowhere", text)
	}
	return One(matches), nil
}
