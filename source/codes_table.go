package source

// CodeInfo explains a code.
type CodeInfo struct {
	Code    Code
	Meaning string

	// Args are the arguments of a run of the command that ends with the code, and
	// Files the files that it reads. A code without them has no cause that a user
	// could write down.
	Args  []string
	Files []ExampleFile
}

// An ExampleFile is a file of an example.
type ExampleFile struct{ Name, Text string }

// Codes returns all codes with an example of each, in the order of their
// definition.
func Codes() []CodeInfo {
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
			renderMain, mainFile("+include: [a.yaml]\n")},

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
		{Output, "the result cannot be written in the requested form, or an edit cannot be written",
			[]string{"render", "-o", "json", "main.yaml"}, mainFile("a: .inf\n")},
		{Internal, "a bug in yaytpl: please report it", nil, nil},

		{Suspicious, "allowed, but probably a mistake",
			[]string{"check", "main.yaml"}, mainFile("+inclde: base.yaml\n")},
	}
}

var renderYay = []string{"render", "main.yay"}

func mainYay(text string) []ExampleFile { return []ExampleFile{{"main.yay", text}} }

var restoreEdited = []string{"restore", "main.yaml", "edited.yaml"}

func edited(text string) ExampleFile { return ExampleFile{"edited.yaml", text} }

var renderMain = []string{"render", "main.yaml"}

func mainFile(text string, others ...ExampleFile) []ExampleFile {
	return append([]ExampleFile{{"main.yaml", text}}, others...)
}
