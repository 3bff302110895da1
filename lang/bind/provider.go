package bind

import (
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Provider is a source of data whose keys are found on demand, such as the levels of a
// hierarchy of Hiera. A layer holds it next to sets. One provider belongs to one table.
type Provider interface {
	// Owns reports whether the provider may have the key.
	Owns(name string) bool

	// Find returns all levels for a key, the highest first.
	Find(s *Scope, name string) ([]Level, error)

	// Default returns the levels that count if no layer has the key.
	Default(s *Scope, name string) ([]Level, error)

	// Rules returns the options of keys, the lowest level's first; of the default levels if
	// fallback is set.
	Rules(s *Scope, fallback bool) ([]KeyRule, error)

	// Names returns the keys of all levels.
	Names(s *Scope) ([]string, error)
}

// A Level is one source of a provider for one key: a file of a hierarchy.
type Level struct {
	Name string // of the level of the hierarchy
	File string
	At   source.Span // of the key in the file, or of the level

	// Value is the value of the key, nil if the level has none.
	Value Expr

	// Missing says that there is no such file.
	Missing bool

	// Group numbers the levels that are merged with each other before the levels of other groups.
	Group int

	// Marks are the marks of the facts that chose the file.
	Marks value.Marks

	// Category is the category whose rank the level has, "" for common.
	Category string
}

// A KeyRule has the options of one key, or of the keys that match a pattern.
type KeyRule struct {
	Key     string
	Pattern *types.Regexp
	At      source.Span

	Merge   *Strategy
	MergeAt source.Span

	Convert     *types.Type
	ConvertArgs []value.Value
	ConvertAt   source.Span

	// Bad is the error of the options, reported if the rule applies.
	Bad error
}

// JoinRules puts higher rules over lower ones: a higher rule replaces the lower one with the
// same key and keeps its place, as the merge of their maps does.
func JoinRules(lower, higher []KeyRule) []KeyRule {
	at := make(map[string]int, len(lower))
	out := append([]KeyRule(nil), lower...)
	for i, r := range out {
		at[r.Key] = i
	}
	for _, r := range higher {
		if i, ok := at[r.Key]; ok {
			out[i] = r
			continue
		}
		at[r.Key] = len(out)
		out = append(out, r)
	}
	return out
}

// ruleFor returns the rule of a key: the exact one before patterns, of which the first that
// matches counts.
func ruleFor(rules []KeyRule, name string, step types.Step) (*KeyRule, error) {
	for i := range rules {
		if r := &rules[i]; r.Pattern == nil && r.Key == name {
			return r, r.Bad
		}
	}
	for i := range rules {
		r := &rules[i]
		if r.Pattern == nil {
			continue
		}
		ok, err := r.Pattern.Match(name, step)
		if err != nil {
			return nil, source.AsDiagnostic(err, r.At, source.Limit)
		}
		if ok {
			return r, r.Bad
		}
	}
	return nil, nil
}
