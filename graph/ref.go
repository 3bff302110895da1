package graph

import "github.com/yaytpl/yaytpl/source"

// A Ref contributes what lies on another place: the layers found there are placed
// where the Ref stands, as if they had been written there.
type Ref struct {
	At   source.Span // the directive's key
	Key  string      // the directive as written, for messages
	From Start

	Up     int    // FromHere: levels up from the map that holds the Ref, 0 is itself
	Anchor string // FromAnchor, and FromFile if a name selects in the file
	File   string // FromFile: the name as written
	FileAt source.Span
	Lang   string          // FromFile: language, or "" to tell by name
	Named  string          // FromFile: a named root that File is relative to
	Switch map[string]bool // FromFile: options that override those of the file

	Path []string // pointer segments to walk from there

	Deep bool // FromFile: a file may include itself further down

	Optional bool // a missing target contributes nothing
	Raw      bool // the target's own directives are data
}

// A Start says where a Ref begins its walk.
type Start uint8

// The starts.
const (
	FromRoot   Start = iota // the document
	FromHere                // the map that holds the Ref, or an enclosing one
	FromAnchor              // a node with a name
	FromFile                // another file
)
