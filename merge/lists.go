package merge

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// lists reads "+lists", the rules for the lists at or below the map:
//
//	+lists: {containers: by name, spec.args: replace, "*": append}
func (m *mapping) lists(e *yaml.Entry) {
	n := e.Value
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	if n.Kind != yaml.MapNode {
		m.badDirective(n, "+lists needs a map of lists and their policies").WithHint("such as {containers: by name}")
		return
	}
	lists := graph.Lists{Before: len(m.own.Entries), Rules: make([]graph.ListRule, 0, len(n.Entries))}
	for i := range n.Entries {
		rule := &n.Entries[i]
		if rule.IsMerge() {
			m.badDirective(rule.KeyNode(), "+lists cannot merge other maps with <<")
			return
		}
		word, ok := wordOf(rule.Value)
		if !ok {
			m.badDirective(rule.Value, "the policy of a list is a text").WithHint(policyHint)
			return
		}
		policy, ok := parsePolicy(word)
		if !ok {
			m.badDirective(rule.Value, "unknown policy %q for lists", m.shown(word)).WithHint(policyHint).
				DidYouMean(word, slices.Values(policyNames[:]))
			return
		}
		lists.Rules = append(lists.Rules, graph.ListRule{Key: rule.Key.Text, Policy: policy, At: rule.KeyAt})
	}
	written := graph.Entry{Key: e.Key, KeyAt: e.KeyAt, Node: m.lowering.node(e.Value), Note: e.Annotation()}
	lists.Written = &written
	m.own.Lists, m.doc.Lists = graph.NewLists(lists), true
}

const policyHint = "the policies are union, append, replace and by FIELD"

var policyNames = [...]string{"union", "append", "replace", "by FIELD"}

// parsePolicy parses the policy of a list: union, append, replace or "by FIELD".
func parsePolicy(word string) (graph.ListPolicy, bool) {
	switch word {
	case "union":
		return graph.ListPolicy{Kind: graph.UnionPolicy}, true
	case "append":
		return graph.ListPolicy{Kind: graph.AppendPolicy}, true
	case "replace":
		return graph.ListPolicy{Kind: graph.ReplacePolicy}, true
	}
	field, by := strings.CutPrefix(word, "by ")
	field = strings.TrimSpace(field)
	return graph.ListPolicy{Kind: graph.ByField, Field: field}, by && field != ""
}

// ParseLists parses rules of the form KEY=POLICY from a command line, such as "args=replace".
// Of equal keys the last one counts.
//
// Code: usage.
func ParseLists(rules []string) (*graph.Lists, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	var lists graph.Lists
	for _, text := range rules {
		key, word, ok := strings.Cut(text, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, source.Errorf(source.Span{}, source.Usage, "a rule for lists needs KEY=POLICY, got %q", text).
				WithHint(policyHint)
		}
		rule, err := ParseListRule(key, strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		lists.Rules = append(lists.Rules, rule)
	}
	return graph.NewLists(lists), nil
}

// ParseListRule parses the policy of the lists that a key names.
//
// Code: usage.
func ParseListRule(key, word string) (graph.ListRule, error) {
	policy, ok := parsePolicy(word)
	if !ok {
		return graph.ListRule{}, source.Errorf(source.Span{}, source.Usage, "unknown policy %q for the lists %s", word, key).
			WithHint(policyHint).DidYouMean(word, slices.Values(policyNames[:]))
	}
	return graph.ListRule{Key: key, Policy: policy}, nil
}
