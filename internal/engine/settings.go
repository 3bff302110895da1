package engine

import (
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/pattern"
	"github.com/yaytpl/yaytpl/source"
)

// Settings hold for the files below a directory: the settings of a project file (spec: everyday, B1). They
// are made once, and shared by all projects that are opened with them.
type Settings struct {
	Dir                                         string // absolute
	TemplatesOff, DirectivesOff, ExpressionsOff []*pattern.Pattern
	Lists                                       *graph.Lists
	Err                                         error // of a setting that cannot be used
}

// NewSettings parses settings. The fields of the same names of [yaytpl.Settings] are their source.
// Err is one of code bad-value or usage.
func NewSettings(dir string, templatesOff, directivesOff, expressionsOff []string, lists []graph.ListRule) *Settings {
	s := &Settings{Dir: filepath.Clean(dir)}
	parse := func(texts []string) []*pattern.Pattern {
		var list []*pattern.Pattern
		for _, text := range texts {
			p, err := pattern.Parse(text)
			if err != nil {
				s.Err = source.Errorf(source.Span{}, source.BadValue, "%q is no pattern of files: %v", text, err)
				return nil
			}
			list = append(list, p)
		}
		return list
	}
	s.TemplatesOff, s.DirectivesOff, s.ExpressionsOff = parse(templatesOff), parse(directivesOff), parse(expressionsOff)
	if len(lists) > 0 {
		s.Lists = graph.NewLists(graph.Lists{Rules: lists})
	}
	return s
}

// below returns the path of a file relative to the directory of the settings, with "/" between its
// parts, and false for a file elsewhere.
func (s *Settings) below(path string) (string, bool) {
	rel, ok := strings.CutPrefix(path, strings.TrimSuffix(s.Dir, string(filepath.Separator))+string(filepath.Separator))
	return filepath.ToSlash(rel), ok
}

// ParseOptions returns the switches of the languages for the file at a path.
func (o Options) ParseOptions(path string) frontend.Options {
	parse := o.Parse
	s := o.Settings
	if s == nil || len(s.TemplatesOff)+len(s.DirectivesOff)+len(s.ExpressionsOff) == 0 {
		return parse
	}
	name, ok := s.below(path)
	if !ok {
		return parse
	}
	matches := func(list []*pattern.Pattern) bool {
		for _, p := range list {
			if p.Match(name) {
				return true
			}
		}
		return false
	}
	parse.NoTemplates = parse.NoTemplates || matches(s.TemplatesOff)
	parse.NoDirectives = parse.NoDirectives || matches(s.DirectivesOff)
	parse.NoExpressions = parse.NoExpressions || matches(s.ExpressionsOff)
	return parse
}

// ListRules returns the rules for lists to which no rule in a file applies, nil without any.
//
// Code: usage.
func (o Options) ListRules() (*graph.Lists, error) {
	lists, err := frontend.Lists(o.Lists)
	if err != nil || o.Settings == nil {
		return lists, err
	}
	return lists.Then(o.Settings.Lists), nil
}
