// Package library is the library of the mgmt language: a table of functions with their types.
//
//	Find("strings.split") --> Func --Scheme--> types, for inference
//	                               --Call----> a value, for evaluation
//
// A function gets evaluated arguments and returns a value or an error of code runtime, which "<|>"
// catches. What it asks of the machine goes through its [World], which the sandbox restricts. So a function
// is pure exactly if it does not ask the World (spec: mcl, section 8; spec: mcl-library).
//
// Read library.go and call.go (what all functions share), then the files by module: strings.go, numbers.go,
// lists.go and so on; past.go remembers earlier evaluations.
package library

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Func is a function of the library: a row of the table.
type Func struct {
	Name       string   // with its module: "strings.split"; without for a global one
	Alias      string   // the name that works without an import, of the dialect of 2018; or ""
	Signatures []string // as in "func(a str, b str) []str", told apart by the number of arguments
	Class      Class
	Rule       Rule
	Old        bool   // only in the dialect of 2018
	Remembers  bool   // World.Past has its results, for a call in a frame
	Doc        string // one sentence
	Example    string // an expression
	Result     string // what the example evaluates to, as an expression; "" if it varies

	Call func(c *Call) (value.Value, error)

	once    sync.Once
	schemes []*types.Scheme
}

// A Class tells on which inputs a function depends.
type Class uint8

// The classes.
const (
	Pure Class = iota // only on its arguments
	Host              // on the machine, asked through the World
	Time              // on the machine, and it changes by itself
)

// A Rule is what the signature of a function cannot say about its types.
type Rule uint8

// The rules.
const (
	BySignature  Rule = iota
	Len               // ?1 is str, a list or a map
	Numeric           // ?1 is int or float
	Printf            // the verbs of the format say the types of the arguments
	Comparable        // ?1 has no func in it
	Template          // the second argument has any type without func
	Variadic          // the last parameter may be repeated
	StructLookup      // the second argument names a field of the first
)

// A Call is one call of a function.
type Call struct {
	At     source.Span
	Args   []value.Value
	Types  []*types.Type // of the arguments
	Result *types.Type

	World *World
	Frame string // where the call is executed, for a function that remembers; see [Site]

	// Apply calls a function value. It does not keep args.
	Apply func(fn value.Value, args []value.Value) (value.Value, error)

	// Step counts n units of work.
	Step func(n int) error
}

// A World is what functions can ask of the machine, as far as the sandbox allows.
type World struct {
	// Ask returns the files, the environment and the programs for the questions of a call.
	Ask expr.Asking

	// Base is the directory of the program.
	Base string

	// Machine returns the properties of the machine for a call. A method fails where the sandbox
	// hides them.
	Machine func(at source.Span) Machine

	// Config returns the value at a path of the document that config.get reads, and where its parts
	// are set. The error for a path that it does not have is of code not-found.
	Config func(path string) (value.Value, Places, error)

	// Random returns the text of letters of a call of random1: one for each place in the source.
	Random map[source.Span]string

	// Past is what programs remember of earlier evaluations; it may be nil.
	Past *Past
}

// Places returns where the value at a path below a value is set, the zero span if that is not known.
type Places func(below value.Path) source.Span

// A Machine has the properties of a machine that programs may ask for.
type Machine interface {
	Hostname() (string, error)
	CPUs() (int, error)
	Uptime() (seconds int64, err error)
	Load() (x1, x5, x15 float64, err error)
	Args() ([]string, error)
	Home(user string) (string, error)
}

// Fail returns an error of code runtime at the call. It must not quote arguments with marks.
func (c *Call) Fail(format string, args ...any) error {
	return source.Errorf(c.At, source.Runtime, format, args...)
}

// Marks returns the marks of all arguments and of everything in them.
func (c *Call) Marks() (value.Marks, error) {
	var all value.Marks
	for _, a := range c.Args {
		m, err := value.DeepMarksCharged(a, c.Step)
		if err != nil {
			return 0, err
		}
		all |= m
	}
	return all, nil
}

// Scheme returns the type of the function with n arguments, nil if it does not take as many.
func (f *Func) Scheme(n int) *types.Scheme {
	f.once.Do(func() {
		for _, text := range f.Signatures {
			t, err := syntax.ParseType(text)
			if err != nil {
				panic(fmt.Sprintf("mcl: the signature of %s: %v", f.Name, err))
			}
			f.schemes = append(f.schemes, types.Signature(t))
		}
	})
	if i := f.overload(n); i >= 0 {
		return f.schemes[i]
	}
	return nil
}

// overload returns the index of the signature that n arguments choose, -1 if none does.
func (f *Func) overload(n int) int {
	return slices.IndexFunc(f.schemes, func(s *types.Scheme) bool {
		params := len(s.Type.Fields)
		return params == n || f.Rule == Variadic && n >= params-1 && n > 0
	})
}

// Signature returns the text of the signature that n arguments choose, of the first one if none does.
func (f *Func) Signature(n int) string {
	if f.Scheme(n) == nil {
		n = len(f.schemes[0].Type.Fields)
	}
	return f.Signatures[f.overload(n)]
}

// Counts returns the numbers of arguments that the function takes, for messages.
func (f *Func) Counts() string {
	f.Scheme(-1)
	var counts []string
	for _, s := range f.schemes {
		counts = append(counts, fmt.Sprint(len(s.Type.Fields)))
	}
	if f.Rule == Variadic {
		return "at least 1"
	}
	return strings.Join(counts, " or ")
}

// groups returns the functions by subject.
func groups() [][]*Func {
	return [][]*Func{
		textFunctions(), printFunctions(), numberFunctions(), listFunctions(), iterFunctions(), codeFunctions(),
		templateFunctions(), netFunctions(), hostFunctions(), oldFunctions(),
	}
}

// tables holds the functions by their names, and the global ones by the names that need no import.
var tables struct {
	once            sync.Once
	byName, globals map[string]*Func
}

// table returns the tables, which the first call makes.
func table() (byName, globals map[string]*Func) {
	tables.once.Do(func() {
		tables.byName, tables.globals = map[string]*Func{}, map[string]*Func{}
		for _, group := range groups() {
			for _, f := range group {
				tables.byName[f.Name] = f
				if !strings.Contains(f.Name, ".") {
					tables.globals[f.Name] = f
				}
				if f.Alias != "" {
					tables.globals[f.Alias] = f
				}
			}
		}
	})
	return tables.byName, tables.globals
}

// Find returns the function of a name with its module, nil if there is none.
func Find(name string) *Func {
	byName, _ := table()
	return byName[name]
}

// Global returns the function that a name without a module calls, nil if there is none.
func Global(name string) *Func {
	_, globals := table()
	return globals[name]
}

// Globals yields the names that Global knows, sorted.
func Globals() iter.Seq[string] {
	_, globals := table()
	return slices.Values(slices.Sorted(maps.Keys(globals)))
}

// All yields the functions, sorted by name.
func All() iter.Seq[*Func] {
	byName, _ := table()
	return func(yield func(*Func) bool) {
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			if !yield(byName[name]) {
				return
			}
		}
	}
}

// Module reports whether there is a module of a name, and whether upstream has one that is left out.
func Module(name string) (ok, leftOut bool) {
	byName, _ := table()
	for full := range byName {
		if module, _, dotted := strings.Cut(full, "."); dotted && module == name {
			return true, false
		}
	}
	first, _, _ := strings.Cut(name, "/")
	return false, slices.Contains(leftOutModules, first)
}

// Modules yields the names of the modules, sorted.
func Modules() []string {
	byName, _ := table()
	names := map[string]bool{}
	for full := range byName {
		if module, _, dotted := strings.Cut(full, "."); dotted {
			names[module] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// leftOutModules are the modules of upstream that need its cluster, the network, or Go's types (spec:
// mcl-library, section 5).
var leftOutModules = []string{"world", "local", "deploy", "value", "embedded", "golang", "example", "test", "util", "net", "sys", "exchange", "history"}

// Missing is the error of a function that a module does not have.
//
// Code: unknown-function.
func Missing(at source.Span, module, name string) *source.Diagnostic {
	d := source.Errorf(at, source.UnknownFunction, "there is no function %s.%s", module, name)
	if hint := instead.Get()[module+"."+name]; hint != "" {
		return d.WithHint("%s", hint)
	}
	if other := elsewhere(name); other != "" {
		return d.WithHint("there is %s", other)
	}
	return d.DidYouMean(name, func(yield func(string) bool) {
		for f := range All() {
			if m, n, _ := strings.Cut(f.Name, "."); m == module && !yield(n) {
				return
			}
		}
	})
}

// elsewhere returns a function of this name in another module, or without one; "" for none.
func elsewhere(name string) string {
	for f := range All() {
		if _, n, dotted := strings.Cut(f.Name, "."); dotted && n == name {
			return f.Name
		}
	}
	if f := Global(name); f != nil {
		return f.Name
	}
	return ""
}

// Hint returns the function to write in place of a missing global function, "" if none is known.
func Hint(name string) string { return instead.Get()[name] }

// noFacts says what to use in place of functions that ask the machine about itself.
const noFacts = "a program does not ask the machine about itself; --data gives it such facts, and config.get reads them"

// instead says what to use in place of functions that are left out.
var instead = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"listlookup":                    "$list[index] <|> default is the same",
		"list_lookup":                   "$list[index] is the same",
		"list_lookup_default":           "$list[index] <|> default is the same",
		"map_lookup":                    "$map[key] is the same",
		"map_lookup_default":            "$map[key] <|> default is the same",
		"lookup":                        "$list[index], or $map[key], is the same",
		"lookup_default":                "$list[index] <|> default, or $map[key] <|> default, is the same",
		"structlookup_optional":         "$struct->field <|> default is the same",
		"struct_lookup":                 "$struct->field is the same",
		"struct_lookup_optional":        "$struct->field <|> default is the same",
		"strings.join":                  "strings.join_nonempty(list, separator) joins the texts that are not empty; iter.reduce joins all",
		"strings.length":                "len(text) is its number of bytes",
		"strings.len":                   "len(text) is its number of bytes",
		"list.len":                      "len(list) is its number of items",
		"map.len":                       "len(map) is its number of entries",
		"map.get":                       "$map[key] <|> default is the value of a key",
		"list.get":                      "$list[index] <|> default is an item",
		"convert.to_str":                "fmt.printf(\"%v\", ...) makes text of any value",
		"convert.to_string":             "fmt.printf(\"%v\", ...) makes text of any value",
		"datetime.weekday_fast":         "datetime.weekday(datetime.now()) is the same",
		"encoding.decode_json_flexible": "decode_json takes the type from an annotation: $x []int = encoding.decode_json(...)",
		"history":                       "$x{1} is the value before the last change; there is no history by time",
		"schedule":                      "it needs the cluster of mgmt, which a document does not have",
		"kvlookup":                      "it needs the cluster of mgmt, which a document does not have",
		"exchange":                      "it needs the cluster of mgmt, which a document does not have",
		"math.fortytwo":                 "write 42",
		"net.interface_cidr":            noFacts,
		"net.macs":                      noFacts,
		"net.wired_interface":           noFacts,
		"os.family":                     noFacts,
		"os.is_family_archlinux":        noFacts,
		"os.is_family_debian":           noFacts,
		"os.is_family_redhat":           noFacts,
		"os.is_virtual":                 noFacts,
		"os.modinfo_loaded":             noFacts,
		"os.parse_distro_uid":           noFacts,
		"os.release":                    noFacts,
		"os.uid":                        noFacts,
		"os.user_exists":                noFacts,
		"os.exec":                       "os.system runs a command, with --allow-exec",
	}
}}
