package engine

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/filters"
)

// A FilterDoc is the documentation of a filter, test, global, lookup or function.
type FilterDoc struct {
	Name    string
	Kind    string // filter, test, global, lookup or function
	Family  string
	Params  string // as in a call, "" for none
	Doc     string
	Example string // a template; for a function an expression object
	Result  string // of the example, as YAML
}

// Signature returns the name with its parameters.
func (d FilterDoc) Signature() string {
	if d.Params == "" {
		return d.Name
	}
	return d.Name + "(" + d.Params + ")"
}

// FilterHelp returns the documentation of everything that templates and expressions can call.
func FilterHelp() []FilterDoc {
	var all []FilterDoc
	for _, t := range []struct {
		kind  string
		funcs []filters.Func
	}{
		{"filter", filters.Filters()}, {"test", filters.Tests()},
		{"global", filters.Globals()}, {"function", filters.Functions()},
	} {
		for _, f := range t.funcs {
			params := make([]string, len(f.Params))
			for i, p := range f.Params {
				params[i] = p.String()
			}
			all = append(all, FilterDoc{
				Name: f.Name, Kind: t.kind, Family: f.Family, Params: strings.Join(params, ", "),
				Doc: f.Doc, Example: f.Example, Result: f.Result,
			})
		}
	}
	all = append(all, surroundingDocs("filter", "document", expr.EnvFilters())...)
	all = append(all, surroundingDocs("test", "files", expr.EnvTests())...)
	all = append(all, surroundingDocs("lookup", "lookups", expr.Lookups())...)
	return append(all, surroundingDocs("function", "expressions", expr.Functions())...)
}

// surroundingDocs returns the documentation of functions that read the document, files or the
// environment. The tests of the command run the examples in the directory /srv/site.
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
