package graph

// The features that an evaluation needs. A document without them does not pay for them: each is false until a document
// that has it is read, and then stays true.
type features struct {
	forms        Forms
	strictCycles bool

	lists    *Lists // rules for lists to which no rule in a document applies, or nil
	policies bool   // there are such rules, or a document with rules: policy.go
	private  bool   // there is a document with private keys: private.go
	names    map[*Private]*nameSet
	omits    bool // there is a document with values that may be absent: omit.go
}

// heed notes which rules a document has.
func (f *features) heed(doc *Doc) {
	f.policies = f.policies || doc.Lists
	f.private = f.private || doc.Private
	f.omits = f.omits || doc.Omits
}
