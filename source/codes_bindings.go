package source

// The codes of layered bindings and Hiera (spec: bindings, section 12).
const (
	UnknownCategory   Code = "unknown-category"
	ReservedCategory  Code = "reserved-category"
	BadCategory       Code = "bad-category"
	DuplicateCategory Code = "duplicate-category"
	CategoryValue     Code = "category-value"

	DuplicateSection  Code = "duplicate-section"
	DuplicateLayer    Code = "duplicate-layer"
	DuplicateBindings Code = "duplicate-bindings"
	BindingsName      Code = "bindings-name"
	BindingsNotFound  Code = "bindings-not-found"
	UnknownScheme     Code = "unknown-scheme"
	BadURI            Code = "bad-uri"

	UnknownEnvironment Code = "unknown-environment"
	BadEnvironment     Code = "bad-environment"

	InjectionNotAllowed   Code = "injection-not-allowed"
	BindingConflict       Code = "binding-conflict"
	AbstractNotOverridden Code = "abstract-not-overridden"
	OverrideMissing       Code = "override-missing"
	FinalOverridden       Code = "final-overridden"
	AbstractWithValue     Code = "abstract-with-value"
	MissingValue          Code = "missing-value"
	MissingKey            Code = "missing-key"
	ReservedName          Code = "reserved-name"
	AbstractParameters    Code = "abstract-parameters"
	TypeMismatch          Code = "type-mismatch"
	UnknownType           Code = "unknown-type"
	RebindMissing         Code = "rebind-missing"

	MultibindType            Code = "multibind-type"
	DuplicateMultibindID     Code = "duplicate-multibind-id"
	ContributionUnnamed      Code = "contribution-unnamed"
	DuplicateContribution    Code = "duplicate-contribution"
	BadCombinator            Code = "bad-combinator"
	MapRequired              Code = "map-required"
	MissingParameter         Code = "missing-parameter"
	DuplicateParameterSource Code = "duplicate-parameter-source"

	ProducerEmpty     Code = "producer-empty"
	UnknownProducer   Code = "unknown-producer"
	UndefinedVariable Code = "undefined-variable"
	UnknownFunction   Code = "unknown-function"
	LookupCycle       Code = "lookup-cycle"

	MergeType               Code = "merge-type"
	BadInterpolation        Code = "bad-interpolation"
	BadHieraConfig          Code = "bad-hiera-config"
	UnsupportedHieraFeature Code = "unsupported-hiera-feature"

	// Findings of check.
	ShadowedConflict       Code = "shadowed-conflict"
	PotentialConflict      Code = "potential-conflict"
	UnusedBindings         Code = "unused-bindings"
	OrphanContribution     Code = "orphan-contribution"
	DeadBinding            Code = "dead-binding"
	RenamedStillBound      Code = "renamed-still-bound"
	BoundTwice             Code = "bound-twice"
	UndefinedInterpolation Code = "undefined-interpolation"
	Encrypted              Code = "encrypted"
	MixedHieraLayer        Code = "mixed-hiera-layer"
	CaseOnlyDifference     Code = "case-only-difference"
	UnusedENC              Code = "unused-enc"
	UnknownKey             Code = "unknown-key"
)

// lookupColour is the command of most examples of bindings.
var (
	lookupColour = []string{"lookup", "site.pp", "colour"}
	lookupHiera  = []string{"lookup", "hiera.yaml", "colour"}
	checkSite    = []string{"check", "--bindings", "site.pp"}
)

func siteFile(text string, more ...ExampleFile) []ExampleFile {
	return append([]ExampleFile{{"site.pp", text}}, more...)
}

// defaults returns a site file with one set of bindings.
func defaults(text string) []ExampleFile {
	return siteFile("bindings default {\n" + text + "}\n")
}

func hieraFiles(common string, config string) []ExampleFile {
	return []ExampleFile{{"hiera.yaml", "version: 5\n" + config}, {"data/common.yaml", common}}
}

// bindingCodes returns the codes of bindings, each with an example.
func bindingCodes() []CodeInfo {
	return append(compositionCodes(), valueCodes()...)
}

// compositionCodes are the codes of sites, layers and conflicts.
func compositionCodes() []CodeInfo {
	return []CodeInfo{
		{UnknownCategory, "bindings: a condition tests a category that the site does not list",
			lookupColour, defaults("  when rol db { bind colour to blue }\n")},
		{ReservedCategory, "bindings: the category common is always there and cannot be listed",
			lookupColour, siteFile("site { categories { common => true } }\n")},
		{BadCategory, "bindings: the categories node and environment are listed in another way than they can be",
			lookupColour, siteFile("site { categories { environment => \"dev\" } }\n")},
		{DuplicateCategory, "bindings: a category is listed twice",
			lookupColour, siteFile("site {\n  categories {\n    role => $facts['role'],\n    role => \"db\"\n  }\n}\n")},
		{CategoryValue, "bindings: the value of a category is no text, number or boolean",
			lookupColour, siteFile("site { categories { role => [web, db] } }\n")},

		{DuplicateSection, "bindings: a site has a section twice",
			lookupColour, siteFile("site {\n  categories { role => db }\n  categories { rack => r1 }\n}\n")},
		{DuplicateLayer, "bindings: two layers have one name",
			lookupColour, siteFile("site {\n  layers => [\n    layer { top: include => \"confdir:/a?\" },\n    layer { top: include => \"confdir:/b?\" }\n  ]\n}\n")},
		{DuplicateBindings, "bindings: the bindings of one name are there twice",
			lookupColour, siteFile("", ExampleFile{"bindings/default.pp", "bindings default { }\n"}, ExampleFile{"bindings/default.yaml", "bindings: {default: []}\n"})},
		{BindingsName, "bindings: a file has other bindings than its name promises",
			lookupColour, siteFile("", ExampleFile{"bindings/default.pp", "bindings defualt { }\n"})},
		{BindingsNotFound, "bindings: a layer includes bindings that do not exist",
			lookupColour, siteFile("site { layers => [ layer { top: include => \"confdir:/web\" } ] }\n")},
		{UnknownScheme, "bindings: a layer includes a URI with an unknown scheme",
			lookupColour, siteFile("site { layers => [ layer { top: include => \"ldap:/web\" } ] }\n")},
		{BadURI, "bindings: a layer includes a text that is no URI of bindings",
			lookupColour, siteFile("site { layers => [ layer { top: include => \"confdir:/../web\" } ] }\n")},

		{UnknownEnvironment, "bindings: the chosen environment is not declared",
			[]string{"lookup", "--environment", "dve", "site.pp", "colour"},
			siteFile("site { environment { dev: } }\n")},
		{BadEnvironment, "bindings: an environment is declared twice, or with attributes that it cannot have",
			lookupColour, siteFile("site { environment { dev: envdri => \"dev\" } }\n")},

		{InjectionNotAllowed, "bindings: a key is looked up where the bindings are not composed yet",
			lookupColour, siteFile("site { categories { role => inject(\"role\") } }\n")},
		{BindingConflict, "bindings: a key is bound twice in one layer at equal precedence",
			lookupColour, defaults("  bind colour to blue\n  bind colour to red\n")},
		{AbstractNotOverridden, "bindings: an abstract binding is overridden by no other one",
			lookupColour, defaults("  bind abstract String, cellar\n")},
		{OverrideMissing, "bindings: a binding must override another one, and there is none",
			lookupColour, defaults("  bind override colour to blue\n")},
		{FinalOverridden, "bindings: a final binding is overridden",
			lookupColour, siteFile("bindings default {\n  bind colour to blue\n}\nbindings inn::default {\n  bind final colour to red\n}\n")},
		{AbstractWithValue, "bindings: an abstract binding has a value",
			lookupColour, defaults("  bind abstract colour to blue\n")},
		{MissingValue, "bindings: a binding has no value",
			lookupColour, defaults("  bind colour\n")},
		{MissingKey, "bindings: a binding has no key",
			lookupColour, defaults("  bind to blue\n")},
		{ReservedName, "bindings: a name begins with a slash, as only names do that operations make",
			lookupColour, defaults("  bind \"/colour\" to blue\n")},
		{AbstractParameters, "bindings: parameters are declared abstract",
			lookupColour, defaults("  bind abstract parameters ntp to { enable => true }\n")},
		{TypeMismatch, "bindings: a value is not of the type that is declared or asked for",
			lookupColour, defaults("  bind Integer, colour to blue\n")},
		{UnknownType, "bindings: a type has a name that is nearly that of a built-in one, or nothing converts to it",
			lookupColour, defaults("  bind Sting, colour to blue\n")},
		{RebindMissing, "bindings: what is renamed or rebound is not bound",
			lookupColour, defaults("  rebind colour\n")},
	}
}

// valueCodes are the codes of values, Hiera and check.
func valueCodes() []CodeInfo {
	return []CodeInfo{
		{MultibindType, "bindings: the type of a multibind is no Array and no Hash",
			lookupColour, defaults("  multibind String, colour\n")},
		{DuplicateMultibindID, "bindings: two multibinds have one ID",
			lookupColour, defaults("  multibind Array[String], colour as c\n  multibind Array[String], shade as c\n")},
		{ContributionUnnamed, "bindings: a contribution to a Hash has no name",
			lookupColour, defaults("  multibind Hash[String], colour as c\n  bind to blue in c\n")},
		{DuplicateContribution, "bindings: a name is contributed to a Hash twice",
			lookupColour, defaults("  multibind Hash[String], colour as c\n  bind door to blue in c\n  bind door to red in c\n")},
		{BadCombinator, "bindings: the option that combines contributions is no lambda with the right number of parameters, and no known name",
			lookupColour, defaults("  multibind Array[String], colour as c { combinator => |$x| { $x } }\n")},
		{MapRequired, "bindings: nothing says which parameters are taken from another instance",
			lookupColour, defaults("  bind parameters Web[one] to Sql[one]\n")},
		{MissingParameter, "bindings: a parameter that is taken from another instance is not bound",
			lookupColour, defaults("  bind parameters Sql[one] to { user => ida }\n  bind parameters Web[one] to Sql[one] { map => { name => usr } }\n")},
		{DuplicateParameterSource, "bindings: the parameters of an instance are taken from two instances of one type",
			lookupColour, defaults("  bind parameters Sql[a] to { user => ida }\n  bind parameters Sql[b] to { port => 1 }\n  bind parameters Web[one] to Sql[a]\n  bind parameters Web[one] to Sql[b]\n")},

		{ProducerEmpty, "bindings: a binding that is not optional gives no value",
			lookupColour, defaults("  bind colour to undef\n")},
		{UnknownProducer, "bindings: a producer is no function of the program",
			lookupColour, defaults("  bind colour to producer paint\n")},
		{UndefinedVariable, "bindings: a variable is no bound variable, no variable of the site and no fact",
			lookupColour, defaults("  bind colour to \"dark ${shade}\"\n")},
		{UnknownFunction, "bindings: an expression calls a function that does not exist",
			lookupColour, defaults("  bind colour to paint(\"blue\")\n")},
		{LookupCycle, "bindings, Hiera: a key needs its own value",
			lookupHiera, hieraFiles("colour: \"%{lookup('shade')}\"\nshade: \"%{lookup('colour')}\"\n", "")},

		{MergeType, "bindings, Hiera: a value cannot be merged by the strategy that is asked for",
			[]string{"lookup", "--merge", "hash", "hiera.yaml", "colour"}, append(hieraFiles("colour: blue\n", "hierarchy: [{name: all, paths: [site.yaml, common.yaml]}]\n"),
				ExampleFile{"data/site.yaml", "colour: {door: red}\n"})},
		{BadInterpolation, "Hiera: %{...} in data or in a path is malformed",
			lookupHiera, hieraFiles("colour: \"dark %{fetch('shade')}\"\n", "")},
		{BadHieraConfig, "Hiera: hiera.yaml or a data file is not what it must be",
			lookupHiera, hieraFiles("colour: blue\n", "hierarchy:\n- {path: common.yaml}\n")},
		{UnsupportedHieraFeature, "Hiera: a level needs a function that only Puppet can run",
			lookupHiera, hieraFiles("colour: blue\n", "hierarchy:\n- {name: vault, lookup_key: vault_lookup, uri: \"https://vault\"}\n")},

		{ShadowedConflict, "bindings: a key is bound twice at equal precedence, below the binding that counts",
			checkSite, siteFile("bindings default {\n  bind colour to blue\n}\nbindings inn::default {\n  bind colour to red\n}\nbindings bar::default {\n  bind colour to green\n}\n")},
		{PotentialConflict, "bindings: a key is bound twice under conditions that can hold together",
			checkSite, siteFile("site { categories { role => $facts['role'] } }\nbindings default {\n  when role web { bind colour to blue }\n  when role [web, db] { bind colour to red }\n}\n")},
		{UnusedBindings, "bindings: no layer includes a set of the site file",
			checkSite, siteFile("site { layers => [ layer { top: include => \"confdir:/default\" } ] }\nbindings default { }\nbindings spare { bind colour to blue }\n")},
		{OrphanContribution, "bindings: no multibind has the ID that a binding contributes to",
			checkSite, defaults("  multibind Array[String], colours\n  bind to blue in colors\n")},
		{DeadBinding, "bindings: a binding under a condition is always overridden by one without",
			checkSite, siteFile("bindings default {\n  bind colour to blue\n}\nbindings inn::default {\n  when environment production { bind colour to red }\n}\n")},
		{RenamedStillBound, "bindings: a key is renamed, and a higher layer still binds it",
			checkSite, siteFile("bindings default {\n  bind colour to blue\n}\nbindings inn::default {\n  bind colour to red\n}\nbindings bar::default {\n  bind renamed colour as shade\n}\n")},
		{BoundTwice, "bindings: a class parameter is bound, and the name that stands for it too",
			checkSite, defaults("  bind \"ntp::port\" to 123\n  bind parameters ntp to { port => 124 }\n")},
		{UndefinedInterpolation, "Hiera: %{...} names an unknown fact or key, and the text is empty there",
			[]string{"check", "--bindings", "hiera.yaml"}, hieraFiles("colour: \"dark %{shade}\"\n", "")},
		{Encrypted, "Hiera: a text stays encrypted by hiera-eyaml, since there is no key for it or its level does not decrypt",
			lookupHiera, hieraFiles("colour: ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAx]\n", "")},
		{MixedHieraLayer, "bindings: a layer has bindings and a hierarchy of Hiera",
			checkSite, siteFile("site {\n  layers => [ layer { top: include => [\"confdir:/default\", \"hiera:/\"] } ]\n}\nbindings default { }\n", hieraFiles("colour: blue\n", "")...)},
		{CaseOnlyDifference, "bindings: two names differ in the case of letters only",
			checkSite, defaults("  bind colour to blue\n  bind \"Colour\" to red\n")},
		{UnusedENC, "bindings: the classes and parameters of --enc are in no layer",
			[]string{"check", "--enc", "node.yaml", "--bindings", "site.pp"}, siteFile("bindings default { }\n", ExampleFile{"node.yaml", "classes: [ntp]\n"})},
		{UnknownKey, "a file of settings has a key that has no meaning; or a newer layer adds a key that older layers do not have",
			[]string{"check", "--bindings", "hiera.yaml"}, hieraFiles("colour: blue\n", "hierachy: []\n")},
	}
}
