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
		{TypeConflict, "mgmt: two types that must be equal are not",
			[]string{"fmt", "site.mcl"}, []ExampleFile{{"site.mcl", "$port int = \"80\"\n"}}},
	}
}
