package source

import "errors"

// A Code names a kind of finding. Codes are stable: users match on them.
type Code string

// The codes. Each stands in the table of [Codes] with what it means and an
// example; a test runs every example and expects exactly that code.
const (
	// Text and structure.
	Syntax       Code = "syntax"        // a text that its language does not allow
	DuplicateKey Code = "duplicate-key" // one key twice in one map
	BadDocument  Code = "bad-document"  // not a map where a map is needed
	BadTag       Code = "bad-tag"       // a tag that the output form cannot express
	BadKey       Code = "bad-key"       // a map or list as a key, or two keys with one text in JSON

	// Merge directives (spec: merge, section 10).
	MissingInclude   Code = "missing-include"
	RecursiveInclude Code = "recursive-include"
	MergeConflict    Code = "merge-conflict"
	BadPointer       Code = "bad-pointer"
	BadInclude       Code = "bad-include"

	// Expressions and templates.
	Undefined     Code = "undefined"
	BadExpression Code = "bad-expression"
	BadType       Code = "bad-type"  // an operand or argument of the wrong type
	BadValue      Code = "bad-value" // right type, impossible value: division by zero, bad date
	Cycle         Code = "cycle"
	Paradox       Code = "paradox"
	NotFound      Code = "not-found" // a path that the document does not have

	// Yay (spec: yay, section 8).
	Indent       Code = "indent"        // an indentation that nothing began
	NoMatching   Code = "no-matching"   // a name, key, item, case, macro or class that is not there
	WrongType    Code = "type"          // a value of the wrong kind
	ZeroDivision Code = "zero-division" // a division by zero

	// Edits of a finished document (spec: roundtrip, section 4); both are warnings.
	Inlined         Code = "inlined"          // a directive went, and what it brought is written out
	TemplateRemoved Code = "template-removed" // what was removed stays: something is built on it

	// The world outside.
	Access     Code = "access"     // cannot be read or written
	Decryption Code = "decryption" // cannot be decrypted or encrypted: a key, a passphrase, damage
	Forbidden  Code = "forbidden"  // the sandbox refuses it
	Limit      Code = "limit"      // steps, depth, bytes, files
	Timeout    Code = "timeout"
	Usage      Code = "usage"    // wrong use of the command
	Output     Code = "output"   // the result has no spelling in the form asked for
	Internal   Code = "internal" // a bug in yaytpl

	// Findings of check.
	Suspicious Code = "suspicious" // allowed, and probably not meant
)

// Classes of codes, for errors.Is.
var (
	ErrMissing = errors.New("missing")       // undefined, no-matching, missing-include, not-found
	ErrCycle   = errors.New("cycle")         // cycle, paradox, recursive-include
	ErrLimit   = errors.New("limit")         // a limit or the time-out decided
	ErrAccess  = errors.New("cannot access") // a file or a key cannot be read or written
)

// class returns the class of a code, or nil.
func (c Code) class() error {
	switch c {
	case Undefined, NoMatching, MissingInclude, NotFound:
		return ErrMissing
	case Cycle, Paradox, RecursiveInclude:
		return ErrCycle
	case Limit, Timeout:
		return ErrLimit
	case Access, Decryption:
		return ErrAccess
	}
	return nil
}
