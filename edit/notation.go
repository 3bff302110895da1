package edit

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// This is the check that no edit copies an expression of Yay into YAML, where its text is a template with
// another meaning. Documents before and after an edit are compared unevaluated, and both have the same text:
//
//	in.yay     v: 1           main.yaml  +include: in.yay    the list written out for m[1] = 6:
//	           m:                                            m:
//	             - {{ v }}                                     - {+%: replace}
//	             - 5                                           - "{{ v }}"    (YAML knows ROOT.v and SELF.v)
//	                                                           - 6

// checkNotations returns an error if t has the text of an expression of Yay in a YAML file, at the place, or in
// the list, that had it in Yay.
//
// Code: output, with the reason expression.
func (x *session) checkNotations(t overlay.Texts, after *engine.Project) error {
	before, err := x.Project()
	if err != nil || !includesYay(before) || !slices.ContainsFunc(x.Patches(t), addsTemplates) {
		return nil
	}
	docs := after.Documents()
	for i, d := range before.Documents() {
		if i >= len(docs) {
			break
		}
		old, err := x.expressions(before, d, frontend.Yay)
		if err != nil || len(old) == 0 {
			continue
		}
		was := map[notedPlace]written{}
		for _, w := range old {
			was[w.place()] = w
		}
		now, err := x.expressions(after, docs[i], frontend.YAML)
		if err != nil {
			return err
		}
		for _, copied := range now {
			if original, ok := was[copied.place()]; ok {
				return source.Refuse(original.at, source.ResultOfExpr, "%s would be written in YAML, but it is an expression of Yay, and YAML templates have other names", copied.path).
					WithHint("--to=source edits %s itself", original.at.File.Name)
			}
		}
	}
	return nil
}

// includesYay reports whether files that are not Yay include some that are.
func includesYay(p *engine.Project) bool {
	return slices.ContainsFunc(p.Includes(), func(in *engine.Include) bool { return in.Doc != nil && in.Doc.Lang == frontend.Yay })
}

// addsTemplates reports whether a file has more templates, and may be YAML.
func addsTemplates(p overlay.Patch) bool {
	return source.LanguageOf(p.Name) != frontend.Yay && strings.Count(p.New, "{{") > strings.Count(p.Old, "{{")
}

// A notedPlace is an unevaluated text of a document: its path, in which an index of a list is any index.
type notedPlace struct{ path, text string }

// A written is such a text, and where it is written.
type written struct {
	path value.Path
	text string
	at   source.Span
}

func (w written) place() notedPlace { return notedPlace{anyIndex(w.path), w.text} }

// expressions returns the templates and expressions of a document of a project that files in a language set,
// in the order of the document.
func (x *session) expressions(p *engine.Project, d *engine.Document, lang string) ([]written, error) {
	v, err := overlay.Expanded(d)
	if err != nil {
		return nil, err
	}
	var found []written
	walkPaths(v, func(path value.Path, v value.Value, _ value.Marks) {
		if !v.Is(value.StringKind) || !unrender.IsEvaluated(v) {
			return
		}
		facts, err := factsAt(d, path)
		if err != nil {
			return // reported when the document is evaluated
		}
		for _, f := range facts {
			if f.Role == graph.Sets && x.languageOf(p, f.At.File) == lang {
				found = append(found, written{slices.Clone(path), v.Str(), f.At})
			}
		}
	})
	return found, nil
}

// anyIndex returns a path as text, without the indexes of lists.
func anyIndex(p value.Path) string {
	p = slices.Clone(p)
	for i, k := range p {
		if k.Kind == value.IntKind {
			p[i] = value.K("*")
		}
	}
	return p.Pointer()
}
