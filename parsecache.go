package yaytpl

import (
	"fmt"
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// A parseCache remembers what files parsed to, findings included: a file that is
// included a thousand times is parsed once.
type parseCache struct {
	parsed map[parseKey]parsed
}

type parseKey struct {
	file  *source.File
	front string
	opts  string
}

type parsed struct {
	docs     []*graph.Doc
	findings []*source.Diagnostic
}

func newParseCache() *parseCache { return &parseCache{parsed: map[parseKey]parsed{}} }

// parse returns what f parses to. Findings are returned the first time only, but
// for errors.
func (c *parseCache) parse(front frontend, f *source.File, o merge.Options) ([]*graph.Doc, []*source.Diagnostic) {
	key := parseKey{f, front.name, optionKey(o)}
	if have, ok := c.parsed[key]; ok {
		if have.docs == nil {
			return nil, have.findings
		}
		return have.docs, nil
	}
	docs, findings := front.parse(f, o)
	c.parsed[key] = parsed{docs, findings}
	return docs, findings
}

func optionKey(o merge.Options) string {
	key := fmt.Sprint(o.NoTemplates, o.NoExpressions, o.Lenient, o.Included, o.YAMLScalars)
	for _, name := range slices.Sorted(maps.Keys(o.Switch)) {
		key += fmt.Sprint(" ", name, o.Switch[name])
	}
	return key
}
