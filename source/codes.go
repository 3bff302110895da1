package source

import (
	"errors"
	"slices"
)

// A Code names a kind of finding. Codes are stable: users match on them.
type Code string

// The codes. The table of [Codes] has a meaning and an example for each; a test runs every
// example and expects exactly that code.
const (
	// Text and structure.
	Syntax       Code = "syntax"        // a text that its language does not allow
	DuplicateKey Code = "duplicate-key" // one key twice in one map
	BadDocument  Code = "bad-document"  // a list or scalar where a map is needed
	BadTag       Code = "bad-tag"       // a tag that the output form cannot express
	BadKey       Code = "bad-key"       // a map or list as a key, or two keys with one text in JSON

	// Merge directives (spec: merge, section 10).
	MissingInclude   Code = "missing-include"
	RecursiveInclude Code = "recursive-include"
	MergeConflict    Code = "merge-conflict"
	BadPointer       Code = "bad-pointer"
	BadInclude       Code = "bad-include"
	UnknownDirective Code = "unknown-directive"
	BadDirective     Code = "bad-directive"

	// Expressions and templates.
	Undefined     Code = "undefined"
	BadExpression Code = "bad-expression"
	BadType       Code = "bad-type"  // an operand or argument of the wrong type
	BadValue      Code = "bad-value" // right type, impossible value: division by zero, bad date
	Cycle         Code = "cycle"
	Paradox       Code = "paradox"
	NotFound      Code = "not-found" // a path that the document does not have
	NoMatch       Code = "no-match"  // a query without a match; a warning unless a match is required

	// Yay (spec: yay, section 8).
	Indent       Code = "indent"        // an indentation that matches no line around it
	NoMatching   Code = "no-matching"   // a missing name, key, item, case, macro or class
	WrongType    Code = "type"          // a value of the wrong kind
	ZeroDivision Code = "zero-division" // a division by zero

	// Edits of a finished document (spec: roundtrip, section 4; everyday, A5); all are warnings.
	Inlined         Code = "inlined"          // a directive was removed, and its result is written out
	TemplateRemoved Code = "template-removed" // a removed value stays: another is built on it
	Reference       Code = "reference"        // a key was renamed, and this has its old name

	// The world outside.
	Access     Code = "access"     // cannot be read or written
	Decryption Code = "decryption" // cannot be decrypted or encrypted: a key, a passphrase, damage
	Forbidden  Code = "forbidden"  // refused by the sandbox
	Limit      Code = "limit"      // steps, depth, bytes, files
	Timeout    Code = "timeout"
	Usage      Code = "usage"       // wrong use of the command
	BadProject Code = "bad-project" // a mistake in the project file
	Output     Code = "output"      // the output form cannot express the result, or a file cannot get it
	Changed    Code = "changed"     // a file that differs from the result; a warning
	Internal   Code = "internal"    // a bug in yaytpl

	// Secrets (spec: everyday, A2).
	SecretInClear Code = "secret-in-clear" // an edit would write a secret into a file that is not encrypted
	Redacted      Code = "redacted"        // a mask would be taken for a value; a warning where it is only shown

	// Findings of check.
	Schema     Code = "schema"     // a document violates its JSON Schema
	Suspicious Code = "suspicious" // allowed, but probably not intended
	WholeList  Code = "whole-list" // a test after the key of a list, which tests the list as a whole

	// Findings about layers (spec: everyday, A3 and B8); they are warnings.
	KindChange        Code = "kind-change"
	NullIgnored       Code = "null-ignored"
	ListRepeat        Code = "list-repeat"
	ListTwin          Code = "list-twin"
	WhiteoutUnmatched Code = "whiteout-unmatched"
)

// Classes of codes, for errors.Is.
var (
	ErrMissing = errors.New("missing")       // undefined, no-match, no-matching, missing-include, not-found, unknown names
	ErrCycle   = errors.New("cycle")         // cycle, paradox, recursive-include, recursion, cycles of binds and edges
	ErrLimit   = errors.New("limit")         // a limit or the timeout was exceeded
	ErrAccess  = errors.New("cannot access") // a file or a key cannot be read or written
	ErrMemory  = errors.New("memory")        // the limit of memory, which counts what others do in the process
)

// class returns the class of a code, or nil.
func (c Code) class() error {
	switch c {
	case Undefined, NoMatch, NoMatching, MissingInclude, NotFound, BindingsNotFound,
		UndefinedVariable, UnknownFunction, UnknownClass, UnknownModule, UnknownField, UnknownMeta, UnknownResource:
		return ErrMissing
	case Cycle, Paradox, RecursiveInclude, LookupCycle, BindCycle, Recursion, EdgeCycle:
		return ErrCycle
	case Limit, Timeout:
		return ErrLimit
	case Access, Decryption:
		return ErrAccess
	}
	return nil
}

// CodeInfo explains a code.
type CodeInfo struct {
	Code    Code
	Meaning string

	// Args are the arguments of a command that fails with the code, Files the files that it
	// reads. A code without Args cannot be caused by the input.
	Args  []string
	Files []ExampleFile
}

// An ExampleFile is a file of an example.
type ExampleFile struct{ Name, Text string }

// Codes returns all codes, each with an example, in the order of their definition.
func Codes() []CodeInfo {
	return slices.Concat(documentCodes(), bindingCodes(), programCodes())
}

// documentCodes returns the codes of all but bindings and the mgmt language.
func documentCodes() []CodeInfo {
	return []CodeInfo{
		{Syntax, "the text violates the syntax of its language",
			renderMain, mainFile("a: [1, 2\n")},
		{DuplicateKey, "a map has the same key twice",
			renderMain, mainFile("a: 1\nb: 2\na: 3\n")},
		{BadDocument, "a document is not a map where a map is required",
			renderMain, mainFile("+include: list.yaml\na: 1\n", ExampleFile{"list.yaml", "- 1\n"})},
		{BadTag, "the form of the result cannot express a tag",
			[]string{"render", "-o", "json", "main.yaml"}, mainFile("a: !Ref bucket\n")},
		{BadKey, "a key is a list or a map, or two keys are equal in the form of the result",
			renderMain, mainFile("? [a, b]\n: 1\n")},

		{MissingInclude, "an include or a pointer names a missing file, place or anchor",
			renderMain, mainFile("+include: missing.yaml\n")},
		{RecursiveInclude, "an include or a pointer includes itself",
			renderMain, mainFile("+include: main.yaml\n")},
		{MergeConflict, "the value of a directive cannot be merged with the keys next to it, or must not be",
			renderMain, mainFile("version: 3\nimage:\n  +/version:\n  name: app\n")},
		{BadPointer, "a pointer such as +/a/b has an invalid escape",
			renderMain, mainFile("\"+/a~\":\n")},
		{BadInclude, "the value of an include or of +& is invalid, or the included file has several documents",
			renderMain, mainFile("+include: []\n")},
		{UnknownDirective, "a merge strategy, or a key, is a directive with a spelling mistake",
			renderMain, mainFile("a: 1\nx: {+%: whitout}\n")},
		{BadDirective, "the value of a directive is not one that it takes",
			renderMain, mainFile("+lists: {args: repalce}\nargs: [a]\n")},

		{Undefined, "a template uses an undefined name",
			renderMain, mainFile("port: \"{{ prot }}\"\n")},
		{BadExpression, "an expression object or a template is not well-formed",
			renderMain, mainFile("a: {eval: {no_such_function: 1}}\n")},
		{BadType, "an operand or an argument has the wrong type",
			renderMain, mainFile("a: \"{{ 1 + [] }}\"\n")},
		{BadValue, "an operand or an argument has the right type and an invalid value",
			renderMain, mainFile("a: \"{{ 1 / 0 }}\"\n")},
		{Cycle, "a value depends on itself",
			renderMain, mainFile("a: \"{{ b }}\"\nb: \"{{ a }}\"\n")},
		{Paradox, "an include or a condition changes the value that decides it, so that no decision is consistent",
			renderMain, mainFile("+include: \"{{ 'without.yaml' if ROOT.a is defined else 'with.yaml' }}\"\n",
				ExampleFile{"with.yaml", "a: 1\n"}, ExampleFile{"without.yaml", "b: 1\n"})},
		{NotFound, "the document has no value at the path",
			[]string{"get", "main.yaml", "a.c"}, mainFile("a: {b: 1}\n")},
		{NoMatch, "a query matches nothing; a warning, without -e",
			[]string{"query", "-e", "main.yaml", "::srver"}, mainFile("server: 1\n")},

		{Indent, "Yay: the indentation of a line matches no block around it",
			renderYay, mainYay("web:\n    port: 80\n  host: quay\n")},
		{NoMatching, "Yay: a name, key, item, case, macro or class is missing",
			renderYay, mainYay("port: 80\nurl: quay/{{ prt }}\n")},
		{WrongType, "Yay: a value has the wrong type",
			renderYay, mainYay("port: 80\nnext: {{ \"x\" - port }}\n")},
		{ZeroDivision, "Yay: a division by zero",
			renderYay, mainYay("share: {{ 100 / 0 }}\n")},

		{Inlined, "an edited document lacks values of a directive: the directive was replaced by the remaining values",
			restoreEdited, mainFile("web: &web {port: 80, host: quay}\ndb:\n  <<: *web\n  name: main\n",
				edited("web: {port: 80, host: quay}\ndb: {port: 80, name: main}\n"))},
		{TemplateRemoved, "an edited document lacks a value that others are built on: the value was kept",
			restoreEdited, mainFile("base: {port: 80}\nweb:\n  +/base:\n  name: quay\n",
				edited("web: {port: 80, name: quay}\n"))},
		{Reference, "a key was renamed, and a template, an expression or a pointer still has its old name",
			[]string{"rename", "main.yaml", "port", "web_port"}, mainFile("port: 80\nurl: \"http://quay:{{ port }}/\"\n")},

		{Access, "a file cannot be read or written",
			[]string{"render", "missing.yaml"}, nil},
		{Decryption, "a file cannot be decrypted or encrypted: a key or a passphrase is missing or wrong, or the file is damaged",
			[]string{"render", "secrets.yaml.gpg"}, []ExampleFile{{"secrets.yaml.gpg", "password: hunter2\n"}}},
		{Forbidden, "the input needs an access that is not allowed; the message names the flag that allows it",
			renderMain, mainFile("+include: ../outside.yaml\n")},
		{Limit, "a limit was exceeded: steps, depth, bytes or files",
			[]string{"render", "--max-steps", "1000", "main.yaml"}, mainFile("a: \"{% for i in range(100000) %}{{ i }}{% endfor %}\"\n")},
		{Timeout, "the run took longer than --timeout",
			[]string{"render", "--timeout", "1ms", "main.yaml"}, mainFile("a: \"{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}\"\n")},
		{Usage, "the command line is invalid",
			[]string{"rendr", "main.yaml"}, nil},
		{BadProject, "the project file has an unknown key, a value of a wrong kind, or a path that leads out of the project",
			[]string{"render", "@prod"}, []ExampleFile{{"yaytpl.yaml", "yaytpl: 1\ntargets:\n  prod: {file: [site.yaml]}\n"}}},
		{Output, "the result cannot be written in the requested form, or an edit cannot be written",
			[]string{"render", "-o", "json", "main.yaml"}, mainFile("a: .inf\n")},
		{Changed, "a file differs from the result that --out would write",
			[]string{"render", "--out", "out.yaml", "--check", "main.yaml"}, mainFile("a: 1\n", ExampleFile{"out.yaml", "a: 2\n"})},
		{Internal, "a bug in yaytpl: please report it", nil, nil},

		{SecretInClear, "an edit would write a secret into a file that is not encrypted",
			[]string{"set", "main.yaml", "password", "other"}, mainFile("password: {eval: {sensitive: hunter2}}\n")},
		{Redacted, "the result would have <<REDACTED>> where a program reads a value; a warning in other forms",
			[]string{"get", "main.yaml", "password"}, mainFile("password: {eval: {sensitive: hunter2}}\n")},

		{Schema, "the finished document violates its JSON Schema",
			[]string{"check", "--json-schema", "service.json", "main.yaml"}, mainFile("port: eighty\n", ExampleFile{"service.json", `{"properties": {"port": {"type": "integer"}}}` + "\n"})},
		{Suspicious, "allowed, but probably a mistake",
			[]string{"check", "main.yaml"}, mainFile("a: {evl: ::b}\nb: 1\n")},
		{WholeList, "a test of a path is on a list as a whole",
			[]string{"query", "main.yaml", "::a[b=1]"}, mainFile("a: [{b: 1}, {b: 2}]\n")},

		{KindChange, "a layer overrides a value by one of another kind",
			checkLayers, base("server: {port: 80}\n", "server: none\n")},
		{NullIgnored, "a null over a map adds nothing",
			checkLayers, base("tls: {version: 2}\n", "tls: null\n")},
		{ListRepeat, "a list drops an item that the older list has already",
			checkLayers, base("args: [-v, \"1\"]\n", "args: [-w, \"1\"]\n")},
		{ListTwin, "two maps of a joined list have the same name, id or key",
			checkLayers, base("env: [{name: A, value: x}]\n", "env: [{name: A, value: y}]\n")},
		{WhiteoutUnmatched, "a whiteout in a list matches no item of the older list",
			checkLayers, base("env: [{name: A, value: x}]\n", "env: [{name: A, +%: whiteout}]\n")},
	}
}

var renderYay = []string{"render", "main.yay"}

func mainYay(text string) []ExampleFile { return []ExampleFile{{"main.yay", text}} }

var checkLayers = []string{"check", "--layers", "base.yaml", "main.yaml"}

// base returns the files of two layers.
func base(older, newer string) []ExampleFile {
	return []ExampleFile{{"base.yaml", older}, {"main.yaml", newer}}
}

var restoreEdited = []string{"restore", "main.yaml", "edited.yaml"}

func edited(text string) ExampleFile { return ExampleFile{"edited.yaml", text} }

var renderMain = []string{"render", "main.yaml"}

func mainFile(text string, others ...ExampleFile) []ExampleFile {
	return append([]ExampleFile{{"main.yaml", text}}, others...)
}
