package yaml

import (
	"fmt"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// fewKeys is up to how many keys comparing each with each is cheaper than a set.
const fewKeys = 8

// duplicates calls report for each entry whose key an earlier entry has.
func duplicates(entries []Entry, report func(first, second int)) {
	if len(entries) <= fewKeys {
		for i := range entries {
			for j := range i {
				if entries[i].Key == entries[j].Key {
					report(j, i)
					break
				}
			}
		}
		return
	}
	seen := make(map[value.Key]int, len(entries))
	for i := range entries {
		if j, ok := seen[entries[i].Key]; ok {
			report(j, i)
		} else {
			seen[entries[i].Key] = i
		}
	}
}

// uniqueKeys reports duplicate keys and returns the entries without them: the
// last of each key stays, at the place of the first.
func (c *converter) uniqueKeys(entries []Entry) []Entry {
	var drop map[int]bool
	duplicates(entries, func(first, second int) {
		if len(c.diags) < maxFindings { // finding the line costs time
			c.report(duplicate(entries[first], entries[second], c.opts))
		}
		if drop == nil {
			drop = map[int]bool{}
		}
		drop[second] = true
		entries[first].Value = entries[second].Value
	})
	if drop == nil {
		return entries
	}
	kept := entries[:0]
	for i, e := range entries {
		if !drop[i] {
			kept = append(kept, e)
		}
	}
	return kept
}

func duplicate(first, second Entry, opts ParseOptions) *source.Diagnostic {
	message := fmt.Sprintf("duplicate key %q; first at %s", second.Key.Text, first.KeyNode.At)
	d := source.Errorf(second.KeyNode.At, source.DuplicateKey, "%s", message)
	if opts.Lenient {
		d.Severity = source.Warning
		d.Message += "; the last wins"
	}
	if second.Key.Text == "+include" {
		d.WithHint("name one of them +include-2")
	}
	return d.Note(first.KeyNode.At, "first here")
}
