package config

import (
	"github.com/yaytpl/yaytpl/graph"
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
			v.root, v.err = x.config.now.now.doc.Evaluate(x.text, x.config.language())
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
		for _, d := range c.layers[i].Docs {
			if d.Lang != "" {
				return d.Lang
			}
		}
	}
	return ""
}
