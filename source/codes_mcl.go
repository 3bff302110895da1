package source

// The codes of the mgmt language that no other language has (spec: mcl, section 13).
const (
	UnknownClass  Code = "unknown-class"
	UnknownModule Code = "unknown-module"

	DuplicateBind   Code = "duplicate-bind"
	DuplicateImport Code = "duplicate-import"
	BadImport       Code = "bad-import"
	BindCycle       Code = "bind-cycle"
	Recursion       Code = "recursion"
	BadCall         Code = "bad-call"

	TypeConflict  Code = "type-conflict"
	TypeAmbiguous Code = "type-ambiguous"
	UnknownField  Code = "unknown-field"
	UnknownMeta   Code = "unknown-meta"
	BadName       Code = "bad-name"

	Runtime Code = "runtime"
	Panic   Code = "panic"

	DuplicateResource Code = "duplicate-resource"
	UnknownResource   Code = "unknown-resource"
	EdgeCycle         Code = "edge-cycle"
	Unsupported       Code = "unsupported"
)

// programCodes returns the codes of the mgmt language, each with an example.
func programCodes() []CodeInfo {
	return []CodeInfo{
		{UnknownClass, "mgmt: no class of this name is in scope",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "class web {}\ninclude wbe\n"}}},
		{UnknownModule, "mgmt: no module or file of this name can be imported",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "import \"string\"\n"}}},
		{DuplicateBind, "mgmt: a name is defined twice in one block",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "$port = 80\n$port = 443\n"}}},
		{DuplicateImport, "mgmt: a module is imported twice in one block, or two have one prefix",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "import \"fmt\"\nimport \"fmt\" as f\n"}}},
		{BadImport, "mgmt: a path that cannot be imported, or a file that holds more than definitions",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "import \"lib.mcl\"\n"}, {"lib.mcl", "pkg \"nginx\" {}\n"}}},
		{BindCycle, "mgmt: binds whose values need each other",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "$a = $b\n$b = $a\nnote $a {}\n"}}},
		{Recursion, "mgmt: a function, class or file that uses itself",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "func down($n) { down($n - 1) }\nnote \"n\" {\n\tv => down(3),\n}\n"}}},
		{BadCall, "mgmt: a call with the wrong number of arguments, or a bad format of printf",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "import \"fmt\"\nnote \"n\" {\n\tv => fmt.printf(\"%d of %d\", 1),\n}\n"}}},
		{TypeConflict, "mgmt: two types that must be equal are not",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "$port = 80\nnote \"n\" {\n\tv => \"port ${port}\",\n}\n"}}},
		{TypeAmbiguous, "mgmt: nothing decides the type of an expression",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "note \"n\" {\n\tv => [],\n}\n"}}},
		{UnknownField, "mgmt: a struct or a kind of resources does not have the field",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "$s = struct{port => 80}\nnote \"n\" {\n\tv => $s->prot,\n}\n"}}},
		{UnknownMeta, "mgmt: no meta parameter has this name",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "note \"n\" {\n\tMeta:noopp => true,\n}\n"}}},
		{BadName, "mgmt: the name of a resource is empty",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "note \"\" {}\n"}}},
		{Runtime, "mgmt: a function or operator fails; `<|>` gives another value",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "$ports = [80]\nnote \"n\" {\n\tv => $ports[1],\n}\n"}}},
		{Panic, "mgmt: the program ends itself with panic",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "panic(\"no such environment\")\n"}}},
		{DuplicateResource, "mgmt: two resources have the same kind and name, but other parameters",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "note \"n\" {\n\tv => 1,\n}\nnote \"n\" {\n\tv => 2,\n}\n"}}},
		{UnknownResource, "mgmt: an edge leads to a resource that is not defined",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "pkg \"nginx\" {}\nPkg[\"nginx\"] -> Svc[\"nginx\"]\n"}}},
		{EdgeCycle, "mgmt: edges lead back to where they begin",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "pkg \"a\" {}\npkg \"b\" {}\nPkg[\"a\"] -> Pkg[\"b\"] -> Pkg[\"a\"]\n"}}},
		{Unsupported, "mgmt: needs a part of mgmt that a document does not have; a template has a dialect that the program does not import, or that what includes it does not have",
			[]string{"render", "site.mcl"}, []ExampleFile{{"site.mcl", "import \"world\"\n"}}},
	}
}
