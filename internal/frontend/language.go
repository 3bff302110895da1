// Package frontend is the table of the languages that configuration is written in, and a
// cache of parsed files.
//
//	source.File --For--> Language --Cache.Parse--> documents, findings
//	                                                    |
//	                     Host --NewRuntimes--> Runtimes, for an evaluation of them
//
// Parsing depends on the text and the options only: it opens no file and evaluates
// nothing. That is why its results can be kept, and shared between evaluations. Everything
// that differs by language is in the table or in [Runtimes]: the engine names no language.
//
// Read language.go, then runtime.go, mcl.go (what programs of the mgmt language need) and cache.go.
package frontend

import (
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/bigfile"
	"github.com/yaytpl/yaytpl/lang/bind/notation"
	"github.com/yaytpl/yaytpl/lang/mcl"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Language is a notation of configuration: a row of the table of languages. The endings of its file
// names are in the table of package source, which packages below this one ask as well.
type Language struct {
	Name string

	// Rule joins a document of the language with the layers below it.
	Rule *graph.Rule

	// Runtime returns the state of the language during one evaluation. It is nil for a
	// language whose nodes use the state of YAML.
	Runtime func(Host) any

	// Format returns a text in the standard layout of the language, or nothing and why it
	// cannot be parsed. It is nil for a language without such a layout.
	Format func(f *source.File, o Options) (string, []*source.Diagnostic)

	// Evaluate returns the value of an expression of the language at a place. It is nil
	// where an expression is a query.
	Evaluate func(f *source.File, at *graph.Context) (value.Value, error)

	// Text returns a big file of plain data whose places are looked up in its text, or nil
	// if it has to be parsed. The field is nil for a language that is always parsed.
	Text func(f *source.File, o Options) *bigfile.Text

	// ReadOnly is set for a language whose texts are read as data and never edited.
	ReadOnly bool

	parse func(f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic)
	trees yaml.Parser // of a text that is plain data; nil for languages with semantics of their own
}

// The names of the languages.
const (
	YAML = merge.Language
	JSON = "json"
	TOML = "toml"
	Env  = "env" // .env files
	Yay  = yay.Language

	// Bindings is the language of .pp files. What they give depends on the facts of a node, so
	// a file that the user names becomes a document where the facts are known: see
	// engine.Options.
	Bindings = "bindings"
	MCL      = mcl.Language
)

// languages returns the table; the first row is the language of files without a known
// ending.
func languages() []Language {
	table.once.Do(func() { table.rows = rows() })
	return table.rows
}

// table has the rows once they are asked for. They refer to functions that ask for them.
var table struct {
	once sync.Once
	rows []Language
}

func rows() []Language {
	return []Language{
		{Name: YAML, Rule: graph.MergeRule, Runtime: yamlRuntime, Text: yamlText, parse: parseYAML, trees: yaml.Parse},
		data(TOML, yaml.ParseTOML, true),
		data(Env, yaml.ParseEnv, false),
		{Name: JSON, Rule: graph.MergeRule, Text: jsonText, parse: parseJSON, trees: yaml.ParseJSON},
		{Name: Yay, Rule: graph.StackRule, Runtime: yayRuntime, Format: formatYay, Evaluate: yay.Evaluate, parse: parseYay},
		{Name: Bindings, Rule: graph.MergeRule, Format: formatPP, parse: refuseBindings},
		{Name: MCL, Rule: graph.MergeRule, Runtime: mclRuntime, Format: formatProgram, parse: parseMCL},
	}
}

// data returns the row of a language whose texts are data: their trees are lowered as trees of YAML are.
func data(name string, trees yaml.Parser, readOnly bool) Language {
	parse := func(f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic) {
		y := o.yaml()
		y.Lang, y.Trees = name, trees
		return merge.Parse(f, y)
	}
	return Language{Name: name, Rule: graph.MergeRule, ReadOnly: readOnly, parse: parse, trees: trees}
}

// Options are the switches of the languages. Each language reads those that it has.
type Options struct {
	NoTemplates   bool // YAML: templates are text
	NoExpressions bool // YAML: expression objects are data
	NoDirectives  bool // YAML: keys such as +include are data
	Lenient       bool // YAML: a duplicate key is a warning, and the last one counts
	Sparse        bool // YAML: places of a big file are looked up in its text
	Vaults        bool // YAML: values with the tag !vault are decrypted when they are evaluated
	YAMLScalars   bool // Yay: plain scalars are read as in YAML

	// Included is set for the text of an include: the comment with its switches does not
	// become a comment of the document.
	Included bool

	// Switch overrides the switches in the first comment of the file.
	Switch map[string]bool
}

// yaml returns the options of package merge.
func (o Options) yaml() merge.Options {
	return merge.Options{ParseOptions: o.trees(), NoExpressions: o.NoExpressions, NoDirectives: o.NoDirectives, Vaults: o.Vaults, Included: o.Included, Switch: o.Switch}
}

// trees returns the options of package yaml.
func (o Options) trees() yaml.ParseOptions {
	return yaml.ParseOptions{Lenient: o.Lenient, NoTemplates: o.NoTemplates}
}

func parseYAML(f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic) {
	return merge.Parse(f, o.yaml())
}

func yamlText(f *source.File, o Options) *bigfile.Text {
	if !o.Sparse || o.Vaults {
		return nil
	}
	return bigfile.YAML(f, o.trees())
}

func jsonText(f *source.File, o Options) *bigfile.Text {
	return bigfile.JSON(f, o.trees())
}

func parseJSON(f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic) {
	y := o.yaml()
	y.JSON = true
	return merge.Parse(f, y)
}

func parseYay(f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic) {
	tree, findings := yay.Parse(f, yay.Options{YAMLScalars: o.YAMLScalars})
	if tree == nil {
		return nil, findings
	}
	return []*graph.Doc{yay.Lower(tree)}, findings
}

// refuseBindings returns the error for bindings in the place of a document, such as an include.
func refuseBindings(f *source.File, _ Options) ([]*graph.Doc, []*source.Diagnostic) {
	return nil, []*source.Diagnostic{source.Errorf(f.Span(0, 0), source.BadDocument, "%s has bindings, and is no document", f.Name).
		WithHint("with --bindings %s, lookup('KEY') gives their values", f.Name)}
}

func formatYay(f *source.File, o Options) (string, []*source.Diagnostic) {
	tree, findings := yay.Parse(f, yay.Options{YAMLScalars: o.YAMLScalars})
	if tree == nil {
		return "", findings
	}
	return yay.Format(tree), nil
}

func formatPP(f *source.File, _ Options) (string, []*source.Diagnostic) {
	text, d := notation.Format(f)
	if d != nil {
		return "", []*source.Diagnostic{d}
	}
	return text, nil
}

// ParseValue parses a text that is one value in a form, as a document of YAML. The switches
// of the options apply. tag is the tag of a map or list.
func ParseValue(f *source.File, form yaml.Form, o Options) (doc *graph.Doc, tag string, findings []*source.Diagnostic) {
	parse, err := treeParser(f, form)
	if err != nil {
		return nil, "", []*source.Diagnostic{err}
	}
	isJSON := f.Path != "" && form == yaml.YAMLForm && source.LanguageOf(f.Name) == JSON
	return merge.ParseValue(f, parse, merge.Options{ParseOptions: o.trees(), NoExpressions: o.NoExpressions, Vaults: o.Vaults, JSON: isJSON})
}

// treeParser returns the parser of a text that is one value in a form. A file that is to be read as YAML is
// read in the language of its ending; one without plain data is an error of code bad-document.
func treeParser(f *source.File, form yaml.Form) (yaml.OneParser, *source.Diagnostic) {
	l, ok := ByEnding(f.Name)
	switch {
	case f.Path == "" || form != yaml.YAMLForm || !ok:
		return form.Parse, nil
	case l.trees == nil:
		return nil, source.Errorf(f.Span(0, 0), source.BadDocument, "a value is read from YAML, JSON, TOML or .env, not from a file in the language %s", l.Name)
	}
	return l.trees.One, nil
}

// RuleOf returns the rule by which documents of a language join the layers below them. The
// data of a program, which has no language, joins as YAML does.
func RuleOf(language string) *graph.Rule {
	for _, l := range languages() {
		if l.Name == language {
			return l.Rule
		}
	}
	return graph.MergeRule
}

// Tree returns the tree of a text in a form, nil if it is null.
//
// Codes: the codes of parsing.
func Tree(f *source.File, form yaml.Form) (*yaml.Node, error) {
	parse, bad := treeParser(f, form)
	if bad != nil {
		return nil, bad
	}
	doc, findings := parse(f, yaml.ParseOptions{})
	if d := source.FirstError(findings); d != nil {
		return nil, d
	}
	return doc.Root, nil
}

// Data returns the value of a text in a form. Nothing in it is evaluated. The value of an
// encrypted file is secret.
//
// Codes: the codes of parsing.
func Data(f *source.File, form yaml.Form) (value.Value, error) {
	root, err := Tree(f, form)
	if err != nil {
		return value.Null, err
	}
	v, err := root.ToValue()
	if f.Secret {
		v = v.Mark(value.Secret)
	}
	return v, err
}

// Lists parses rules for lists, such as "args=replace".
//
// Code: usage.
func Lists(rules []string) (*graph.Lists, error) { return merge.ParseLists(rules) }

// ListRule parses the rule of one list.
//
// Code: usage.
func ListRule(key, policy string) (graph.ListRule, error) { return merge.ParseListRule(key, policy) }

// Names returns the names of the languages.
func Names() []string {
	var names []string
	for _, l := range languages() {
		names = append(names, l.Name)
	}
	return names
}

// For returns the language of a file: the one called name or, if name is empty, the one that the ending
// of the file selects, or YAML.
//
// Code: usage for an unknown name.
func For(f *source.File, name string) (Language, error) {
	if name == "" {
		if l, ok := ByEnding(f.Name); ok {
			return l, nil
		}
		return languages()[0], nil
	}
	for _, l := range languages() {
		if l.Name == name {
			return l, nil
		}
	}
	d := source.Errorf(source.Span{}, source.Usage, "unknown language %q; there are %s", name, strings.Join(Names(), ", "))
	return Language{}, d.DidYouMean(name, slices.Values(Names()))
}

// ByEnding returns the language for the ending of a file name or URL, and false for an unknown
// ending. The ending of site.yaml.gpg is .yaml.
func ByEnding(name string) (Language, bool) {
	language := source.LanguageOf(name)
	for _, l := range languages() {
		if l.Name == language {
			return l, true
		}
	}
	return Language{}, false
}
