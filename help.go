package yaytpl

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/filters"
)

// A FilterDoc tells about one filter, test, lookup or function.
type FilterDoc struct {
	Name    string
	Kind    string // filter, test, global, lookup or function
	Family  string
	Params  string // as in a call, "" for none
	Doc     string
	Example string // a template; for a function an expression object
	Result  string // what the example comes to, as YAML
}

// Signature returns the name with its parameters.
func (d FilterDoc) Signature() string {
	if d.Params == "" {
		return d.Name
	}
	return d.Name + "(" + d.Params + ")"
}

// FilterHelp returns everything that templates and expressions can call.
func FilterHelp() []FilterDoc {
	var all []FilterDoc
	for _, t := range []struct {
		kind  string
		funcs []filters.Func
	}{
		{"filter", filters.Filters()}, {"test", filters.Tests()},
		{"global", filters.Globals()}, {"function", filters.Functions()},
	} {
		for i := range t.funcs {
			all = append(all, pureDoc(t.kind, &t.funcs[i]))
		}
	}
	all = append(all, surroundingDocs("filter", "document", expr.EnvFilters())...)
	all = append(all, surroundingDocs("lookup", "lookups", expr.Lookups())...)
	return append(all, surroundingDocs("function", "expressions", expr.Functions())...)
}

func pureDoc(kind string, f *filters.Func) FilterDoc {
	params := make([]string, len(f.Params))
	for i, p := range f.Params {
		params[i] = p.String()
	}
	return FilterDoc{
		Name: f.Name, Kind: kind, Family: f.Family, Params: strings.Join(params, ", "),
		Doc: f.Doc, Example: f.Example, Result: f.Result,
	}
}

// surroundingDocs describes what looks at the document or the world, in which the
// tests of the command try the examples: a directory /srv/site.
func surroundingDocs(kind, family string, docs []expr.Doc) []FilterDoc {
	var all []FilterDoc
	for _, d := range docs {
		example := d.Example
		if kind != "function" {
			example = "{{ " + example + " }}"
		}
		all = append(all, FilterDoc{Name: d.Name, Kind: kind, Family: family, Doc: d.Doc, Example: example, Result: d.Result})
	}
	return all
}
