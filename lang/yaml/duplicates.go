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
func uniqueKeys(entries []Entry, opts ParseOptions, found *findings) []Entry {
	var drop map[int]bool
	duplicates(entries, func(first, second int) {
		if s := duplicateSeverity(opts); found.full(s) {
			found.omit(s, entries[second].KeyNode.At) // finding the line would cost time
		} else {
			found.add(duplicate(entries[first], entries[second], opts))
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

func duplicateSeverity(opts ParseOptions) source.Severity {
	if opts.Lenient {
		return source.Warning
	}
	return source.Error
}

func duplicate(first, second Entry, opts ParseOptions) *source.Diagnostic {
	message := fmt.Sprintf("duplicate key %q; first at %s", second.Key.Text, first.KeyNode.At)
	d := source.Errorf(second.KeyNode.At, source.DuplicateKey, "%s", message)
	if d.Severity = duplicateSeverity(opts); opts.Lenient {
		d.Message += "; the last wins"
	}
	if second.Key.Text == "+include" {
		d.WithHint("name one of them +include-2")
	}
	return d.Note(first.KeyNode.At, "first here")
}
