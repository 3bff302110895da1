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
		{Syntax, "the text is not what its language allows",
			renderMain, mainFile("a: [1, 2\n")},
		{DuplicateKey, "a map has the same key twice",
			renderMain, mainFile("a: 1\nb: 2\na: 3\n")},
		{BadDocument, "a document is not a map where a map is needed",
			renderMain, mainFile("+include: list.yaml\na: 1\n", ExampleFile{"list.yaml", "- 1\n"})},
		{BadTag, "the form of the result has no way to write a tag",
			[]string{"render", "-o", "json", "main.yaml"}, mainFile("a: !Ref bucket\n")},
		{BadKey, "a key is a list or a map, or two keys are the same in the form of the result",
			renderMain, mainFile("? [a, b]\n: 1\n")},

		{MissingInclude, "an include names a file, a place or an anchor that is not there",
			renderMain, mainFile("+include: missing.yaml\n")},
		{RecursiveInclude, "an include needs itself",
			renderMain, mainFile("+include: main.yaml\n")},
		{MergeConflict, "what a directive brings cannot be merged with the keys beside it, or must not be",
			renderMain, mainFile("version: 3\nimage:\n  +/version:\n  name: app\n")},
		{BadPointer, "a pointer such as +/a/b has an escape that is none",
			renderMain, mainFile("\"+/a~\":\n")},
		{BadInclude, "an include is not written as one",
			renderMain, mainFile("+include: [a.yaml]\n")},

		{Undefined, "a template uses a name that nothing defines",
			renderMain, mainFile("port: \"{{ prot }}\"\n")},
		{BadExpression, "an expression object or a template is not well-formed",
			renderMain, mainFile("a: {eval: {no_such_function: 1}}\n")},
		{BadType, "an operand or an argument has the wrong type",
			renderMain, mainFile("a: \"{{ 1 + [] }}\"\n")},
		{BadValue, "an operand or an argument has the right type and a value that cannot be",
			renderMain, mainFile("a: \"{{ 1 / 0 }}\"\n")},
		{Cycle, "a value needs itself",
			renderMain, mainFile("a: \"{{ b }}\"\nb: \"{{ a }}\"\n")},
		{Paradox, "a choice changes what it was chosen by, so that no choice is right",
			renderMain, mainFile("+include: \"{{ 'without.yaml' if ROOT.a is defined else 'with.yaml' }}\"\n",
				ExampleFile{"with.yaml", "a: 1\n"}, ExampleFile{"without.yaml", "b: 1\n"})},
		{NotFound, "the document has nothing at the path that was asked for",
			[]string{"get", "main.yaml", "a.c"}, mainFile("a: {b: 1}\n")},

		{Indent, "a line of Yay is indented as no line around it",
			renderYay, mainYay("web:\n    port: 80\n  host: quay\n")},
		{NoMatching, "Yay: a name, a key, an item, a case, a macro or a class is not there",
			renderYay, mainYay("port: 80\nurl: quay/{{ prt }}\n")},
		{WrongType, "Yay: a value is not of the kind that is needed",
			renderYay, mainYay("port: 80\nnext: {{ \"x\" - port }}\n")},
		{ZeroDivision, "Yay: a division by zero",
			renderYay, mainYay("share: {{ 100 / 0 }}\n")},

		{Inlined, "an edited document has not all that a directive brought: the directive went, and what is left is written out",
			restoreEdited, mainFile("web: &web {port: 80, host: quay}\ndb:\n  <<: *web\n  name: main\n",
				edited("web: {port: 80, host: quay}\ndb: {port: 80, name: main}\n"))},
		{TemplateRemoved, "an edited document has no longer what others are built on: it stays",
			restoreEdited, mainFile("base: {port: 80}\nweb:\n  +/base:\n  name: quay\n",
				edited("web: {port: 80, name: quay}\n"))},

		{Access, "a file cannot be read or written",
			[]string{"render", "missing.yaml"}, nil},
		{Decryption, "an encrypted file cannot be decrypted, or a text not encrypted: a key or a passphrase is missing or wrong, or the file is damaged",
			[]string{"render", "secrets.yaml.gpg"}, []ExampleFile{{"secrets.yaml.gpg", "password: hunter2\n"}}},
		{Forbidden, "the input wants something that was not allowed; the message names the flag that allows it",
			renderMain, mainFile("+include: ../outside.yaml\n")},
		{Limit, "a limit was reached: steps, depth, bytes or files",
			[]string{"render", "--max-steps", "1000", "main.yaml"}, mainFile("a: \"{% for i in range(100000) %}{{ i }}{% endfor %}\"\n")},
		{Timeout, "the time that --timeout gives was over",
			[]string{"render", "--timeout", "1ms", "main.yaml"}, mainFile("a: \"{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}\"\n")},
		{Usage, "the command was used in a wrong way",
			[]string{"rendr", "main.yaml"}, nil},
		{Output, "the result has no spelling in the form that was asked for",
			[]string{"render", "-o", "json", "main.yaml"}, mainFile("a: .inf\n")},
		{Internal, "a bug in yaytpl: please report it", nil, nil},

		{Suspicious, "allowed, and probably not what was meant",
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
