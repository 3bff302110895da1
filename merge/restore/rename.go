package restore

import (
	"github.com/yaytpl/yaytpl/graph"
)

// findRenames finds entries that have gone while others have come with the same value:
// where there is one of each, the entry has another key.
func (x *mapEdit) findRenames() error {
	if x.opts.Plain || !x.old.isMap() {
		return nil
	}
	gone, err := x.goneEntries()
	if len(gone) == 0 || err != nil {
		return err
	}
	come, err := x.newEntries()
	x.renamed = renames(gone, come)
	return err
}

// goneEntries returns the entries that are not wanted and leave nothing behind, with what
// they were.
func (x *mapEdit) goneEntries() ([]keyed, error) {
	var gone []keyed
	for _, e := range x.m.entries {
		if _, hidden := e.node.(*graph.Delete); hidden {
			continue
		}
		want, err := x.want.get(e.key)
		if err != nil {
			return nil, err
		}
		below, err := x.base.get(e.key)
		if err != nil {
			return nil, err
		}
		old, err := x.old.get(e.key)
		if err != nil {
			return nil, err
		}
		if old.ok && !want.ok && !below.ok {
			gone = append(gone, keyed{e.key, old.v})
		}
	}
	return gone, nil
}

// newEntries returns what is wanted under keys that were not there before.
func (x *mapEdit) newEntries() ([]keyed, error) {
	var come []keyed
	for k := range x.want.v.Map().Keys() {
		old, err := x.old.get(k)
		if err != nil {
			return nil, err
		}
		below, err := x.base.get(k)
		if err != nil {
			return nil, err
		}
		want, err := x.want.get(k)
		if err != nil {
			return nil, err
		}
		if !old.ok && !below.ok {
			come = append(come, keyed{k, want.v})
		}
	}
	return come, nil
}
