// Package schema validates values by JSON Schema, drafts 7 and 2020-12.
//
// It reports every violation with its path in the value and its place in the schema, in words for
// people. Everything that a schema can make grow is counted: [Options.Charge] is called for the work,
// a schema that refers to itself for the same value is refused, and regular expressions have a
// limit of size and of time. So a hostile schema ends in an error of code limit.
//
//	schema.go    a schema as a tree of nodes, and the errors of a bad one
//	refs.go      $ref, $id, $anchor: which node a reference names
//	validate.go  nodes against values; collections.go has the keywords of lists and maps, compare.go
//	             types of values, equality, enum and const
//	violation.go messages
//	pattern.go   regular expressions of ECMA 262
//
// Formats and the content of texts (format, contentMediaType) are not checked, as the drafts allow.
package schema

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Document is the text of a schema as data.
type Document struct {
	URI  string      // names the document, as file:///dir/s.json; relative references start there. "" for none
	Data value.Value // a map, true or false

	// Place returns the place of a part in the text, or the zero span. It may be nil.
	Place func(path value.Path) source.Span
}

// Options say what a schema may use.
type Options struct {
	// Open returns the document of a reference that no part of the schema has. ref is the reference as it
	// is written at the place at, without its fragment, uri what it means in the document from, where
	// $id may have changed the base. The same document has the same URI each time. Nil refuses such
	// references.
	Open func(ref, uri string, at source.Span, from *Document) (*Document, error)

	// Charge counts steps. It may be nil.
	Charge func(steps int) error
}

// A Schema validates values. It does not change, and is safe for concurrent use as far as its Charge is.
type Schema struct {
	root   *node
	charge func(steps int) error
	tracks bool // some part asks which keys and items others have evaluated
}

// A node is one schema: a map of keywords, true or false.
type node struct {
	doc *Document
	at  value.Path // of the schema in the document
	in  *resource  // the schema with the nearest $id around

	never   bool // false
	types   types
	sets    []allowed // of enum and const
	limits  map[string]value.Value
	pattern *pattern

	prefix                []*node // by the position of an item
	items, contains       *node
	moreItems             *node // additionalItems, where items is a list
	listed                bool  // items is a list
	least, most           int   // of contains; most is -1 for any number
	unique                bool
	unevaluatedItems      *node
	properties            map[string]*node
	patterns              []patterned
	additional, names     *node
	required              []string
	demands               map[string][]string // keys that a key requires
	demanded              map[string]*node    // schemas of the map that a key requires
	unevaluatedProperties *node

	allOf, anyOf, oneOf        []*node
	not, when, then, otherwise *node

	ref, dynamic *reference
	alone        bool // $ref hides the other keywords, as up to draft 7

	checks int // of one value by this node and the nodes that it applies to the same value; 0: not counted
}

// A patterned is a schema for the keys that match a pattern.
type patterned struct {
	pattern *pattern
	node    *node
}

// types is a set of types.
type types uint8

// The types.
const (
	isArray types = 1 << iota
	isBoolean
	isInteger
	isNull
	isNumber
	isObject
	isString
)

// typeNames are the types, in the order of their bits.
var typeNames = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// The costs of work, in steps, and limits. A limit of steps that is usual, 5*10^8, takes some seconds.
const (
	stepsOfCheck = 48      // of one node for one value
	stepsOfPart  = 16      // of reading one part of a schema
	bytesOfStep  = 16      // of texts that are read
	maxChecks    = 100_000 // of one value, by all nodes that apply to it
	maxDepth     = 5_000   // nested values and nodes
	maxNesting   = 1_000   // of the text of a schema
)

// Compile reads a schema with all documents that it refers to.
//
// Codes: bad-value for a bad schema, limit, the codes of Open.
func Compile(d *Document, o Options) (*Schema, error) {
	c := compiler{options: o, nodes: map[nodeKey]*node{}, resources: map[string]*resource{}, documents: map[string]*Document{}}
	if c.options.Charge == nil {
		c.options.Charge = free
	}
	root, err := c.document(d)
	if err != nil {
		return nil, err
	}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	for _, n := range c.order {
		if _, err := c.count(n, 0); err != nil {
			return nil, err
		}
	}
	return &Schema{root: root, charge: c.options.Charge, tracks: c.tracks}, nil
}

// Charging returns the schema with another counter of steps, which may be nil.
func (s *Schema) Charging(charge func(steps int) error) *Schema {
	if charge == nil {
		charge = free
	}
	other := *s
	other.charge = charge
	return &other
}

func free(int) error { return nil }

// A compiler reads schemas.
type compiler struct {
	options   Options
	nodes     map[nodeKey]*node
	order     []*node // in the order of the text
	resources map[string]*resource
	documents map[string]*Document
	pending   []*reference
	tracks    bool
	patterns  patternSet
}

type nodeKey struct {
	doc *Document
	at  string // JSON pointer
}

// fail returns the error of a part of a schema.
func (c *compiler) fail(d *Document, at value.Path, code source.Code, format string, args ...any) error {
	e := source.Errorf(d.place(at), code, format, args...)
	if e.At.IsZero() {
		e.Message = "#" + at.Pointer() + ": " + e.Message
	}
	return e
}

// takes returns the error of a keyword with a value of another type, such as minLength with a text. The
// last key of at is the keyword, or a key of its map.
func (c *compiler) takes(d *Document, at value.Path, what string) error {
	return c.fail(d, at, source.BadValue, "%s takes %s", at[len(at)-1].Text, what)
}

// place returns the place of a part.
func (d *Document) place(at value.Path) source.Span {
	if d.Place == nil {
		return source.Span{}
	}
	return d.Place(at)
}

// node returns the schema at a place, whose data is v.
func (c *compiler) node(d *Document, at value.Path, v value.Value, in *resource) (*node, error) {
	key := nodeKey{d, at.Pointer()}
	if n := c.nodes[key]; n != nil {
		return n, nil
	}
	if err := c.options.Charge(stepsOfPart); err != nil {
		return nil, err
	}
	n := &node{doc: d, at: at, in: in, least: 1, most: -1}
	switch {
	case len(at) > maxNesting:
		return nil, c.fail(d, nil, source.Limit, "the schema is nested more than %d deep", maxNesting)
	case v.Is(value.BoolKind):
		n.never = !v.Bool()
	case !v.Is(value.MapKind):
		return nil, c.fail(d, at, source.BadValue, "a schema is a map, true or false")
	}
	c.nodes[key] = n
	c.order = append(c.order, n)
	if !v.Is(value.MapKind) {
		return n, nil
	}
	if err := c.identify(n, v.Map()); err != nil {
		return nil, err
	}
	err := eachEntry(v.Map(), func(k value.Key, part value.Value) error { return c.keyword(n, k.Text, part) })
	if err != nil {
		return nil, err
	}
	n.alone = n.alone && n.ref != nil
	if n.listed {
		n.items = n.moreItems
	}
	return n, nil
}

// below returns the path of a part.
func (n *node) below(keys ...value.Key) value.Path { return append(slices.Clip(n.at), keys...) }

// part returns where the schema of a keyword is kept, nil for another keyword.
func (n *node) part(word string) **node {
	switch word {
	case "additionalItems":
		return &n.moreItems
	case "contains":
		return &n.contains
	case "unevaluatedItems":
		return &n.unevaluatedItems
	case "unevaluatedProperties":
		return &n.unevaluatedProperties
	case "additionalProperties":
		return &n.additional
	case "propertyNames":
		return &n.names
	case "not":
		return &n.not
	case "if":
		return &n.when
	case "then":
		return &n.then
	case "else":
		return &n.otherwise
	}
	return nil
}

// keyword reads one keyword of n.
func (c *compiler) keyword(n *node, word string, v value.Value) error {
	at := n.below(value.K(word))
	var err error
	if to := n.part(word); to != nil {
		c.tracks = c.tracks || strings.HasPrefix(word, "unevaluated")
		*to, err = c.node(n.doc, at, v, n.in)
		return err
	}
	switch word {
	case "type":
		n.types, err = c.types(n.doc, at, v)
	case "enum":
		var values []value.Value
		if values, err = c.list(n.doc, at, v, "a list of values"); err == nil {
			err = c.allow(n, word, values)
		}
	case "const":
		err = c.allow(n, word, []value.Value{v})
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		err = c.limit(n, word, v, false)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		err = c.limit(n, word, v, true)
	case "pattern":
		n.pattern, err = c.regexp(n.doc, at, v)
	case "uniqueItems":
		if !v.Is(value.BoolKind) {
			return c.takes(n.doc, at, "true or false")
		}
		n.unique = v.Bool()
	case "items":
		if n.listed = v.Is(value.ListKind); n.listed {
			n.prefix, err = c.nodesOf(n, at, v)
		} else {
			n.items, err = c.node(n.doc, at, v, n.in)
		}
	case "prefixItems":
		n.prefix, err = c.nodesOf(n, at, v)
	case "properties":
		n.properties, err = c.named(n, at, v)
	case "patternProperties":
		err = c.patterned(n, at, v)
	case "required":
		n.required, err = c.texts(n.doc, at, v)
	case "dependentRequired", "dependentSchemas", "dependencies":
		err = c.dependencies(n, word, at, v)
	case "allOf":
		n.allOf, err = c.nodesOf(n, at, v)
	case "anyOf":
		n.anyOf, err = c.nodesOf(n, at, v)
	case "oneOf":
		n.oneOf, err = c.nodesOf(n, at, v)
	case "$defs", "definitions":
		_, err = c.named(n, at, v)
	case "$ref":
		n.ref, err = c.reference(n, at, v)
	case "$dynamicRef":
		n.dynamic, err = c.reference(n, at, v)
	case "$recursiveRef":
		return c.fail(n.doc, at, source.BadValue, "$recursiveRef is not supported")
	}
	return err
}

// types reads the value of type.
func (c *compiler) types(d *Document, at value.Path, v value.Value) (types, error) {
	names := []value.Value{v}
	if v.Is(value.ListKind) {
		var err error
		if names, err = value.ItemsOf(v.List()); err != nil {
			return 0, err
		}
	}
	var all types
	for _, name := range names {
		if !name.Is(value.StringKind) {
			return 0, c.fail(d, at, source.BadValue, "a type is a text, or a list of texts")
		}
		i := slices.Index(typeNames, name.Str())
		if i >= 0 {
			all |= 1 << i
			continue
		}
		problem := "unknown type " + quote(name.Str())
		if near := source.Suggest(name.Str(), slices.Values(typeNames)); near != "" {
			problem += "; did you mean " + quote(near) + "?"
		} else {
			problem += "; types are " + strings.Join(typeNames, ", ")
		}
		return 0, c.fail(d, at, source.BadValue, "%s", problem)
	}
	return all, nil
}

// list reads a list of values.
func (c *compiler) list(d *Document, at value.Path, v value.Value, what string) ([]value.Value, error) {
	if !v.Is(value.ListKind) {
		return nil, c.takes(d, at, what)
	}
	if err := c.options.Charge(stepsOfPart * v.List().Len()); err != nil {
		return nil, err
	}
	return value.ItemsOf(v.List())
}

// texts reads a list of texts.
func (c *compiler) texts(d *Document, at value.Path, v value.Value) ([]string, error) {
	items, err := c.list(d, at, v, "a list of texts")
	texts := make([]string, len(items))
	for i, item := range items {
		if !item.Is(value.StringKind) {
			return nil, c.takes(d, at, "a list of texts")
		}
		texts[i] = item.Str()
	}
	return texts, err
}

// limit reads a keyword whose value is a number; with count a whole one that is not negative.
func (c *compiler) limit(n *node, word string, v value.Value, count bool) error {
	at := n.below(value.K(word))
	number := v.Is(value.IntKind) || v.Is(value.FloatKind)
	switch {
	case count && (!number || !isWhole(v) || sign(v) < 0):
		return c.takes(n.doc, at, "a whole number that is not negative")
	case v.Is(value.BoolKind) && strings.HasPrefix(word, "exclusive"):
		return c.takes(n.doc, at, "a number; a boolean is of draft 4")
	case !number:
		return c.takes(n.doc, at, "a number")
	case word == "multipleOf" && rational(v) == nil:
		return c.takes(n.doc, at, "a finite number")
	case math.IsNaN(v.Float()):
		return c.takes(n.doc, at, "a number that is not .nan")
	case word == "multipleOf" && sign(v) <= 0:
		return c.takes(n.doc, at, "a number above zero")
	}
	if n.limits == nil {
		n.limits = map[string]value.Value{}
	}
	n.limits[word] = v.WithoutSource()
	switch word {
	case "minContains":
		n.least = toInt(v)
	case "maxContains":
		n.most = toInt(v)
	}
	return nil
}

// nodesOf reads a list of schemas.
func (c *compiler) nodesOf(n *node, at value.Path, v value.Value) ([]*node, error) {
	items, err := c.list(n.doc, at, v, "a list of schemas")
	all := make([]*node, len(items))
	for i, item := range items {
		if all[i], err = c.node(n.doc, append(slices.Clip(at), value.Index(i)), item, n.in); err != nil {
			return nil, err
		}
	}
	return all, err
}

// named reads a map of schemas.
func (c *compiler) named(n *node, at value.Path, v value.Value) (map[string]*node, error) {
	if !v.Is(value.MapKind) {
		return nil, c.takes(n.doc, at, "a map of schemas")
	}
	all := map[string]*node{}
	return all, eachEntry(v.Map(), func(k value.Key, part value.Value) (err error) {
		all[k.Text], err = c.node(n.doc, append(slices.Clip(at), k), part, n.in)
		return err
	})
}

// patterned reads patternProperties.
func (c *compiler) patterned(n *node, at value.Path, v value.Value) error {
	all, err := c.named(n, at, v)
	if err != nil {
		return err
	}
	for _, text := range slices.Sorted(maps.Keys(all)) {
		p, err := c.regexp(n.doc, append(slices.Clip(at), value.K(text)), value.String(text))
		if err != nil {
			return err
		}
		n.patterns = append(n.patterns, patterned{p, all[text]})
	}
	return nil
}

// regexp compiles a pattern.
func (c *compiler) regexp(d *Document, at value.Path, v value.Value) (*pattern, error) {
	if !v.Is(value.StringKind) {
		return nil, c.takes(d, at, "a regular expression")
	}
	p, code, problem := c.patterns.compile(v.Str())
	if problem != "" {
		return nil, c.fail(d, at, code, "%s", problem)
	}
	return p, nil
}

// dependencies reads what a key requires: other keys, or a schema of the map.
func (c *compiler) dependencies(n *node, word string, at value.Path, v value.Value) error {
	if !v.Is(value.MapKind) {
		return c.takes(n.doc, at, "a map")
	}
	return eachEntry(v.Map(), func(k value.Key, part value.Value) (err error) {
		below := append(slices.Clip(at), k)
		if word == "dependentRequired" || word == "dependencies" && part.Is(value.ListKind) {
			if n.demands == nil {
				n.demands = map[string][]string{}
			}
			n.demands[k.Text], err = c.texts(n.doc, below, part)
			return err
		}
		if n.demanded == nil {
			n.demanded = map[string]*node{}
		}
		n.demanded[k.Text], err = c.node(n.doc, below, part, n.in)
		return err
	})
}

// eachEntry calls read for the entries of a map, up to the first error.
func eachEntry(m value.Map, read func(k value.Key, part value.Value) error) error {
	for k := range m.Keys() {
		part, _, err := m.Get(k)
		if err == nil {
			err = read(k, part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// counting is the number of checks of a node whose count is not complete.
const counting = -1

// count returns the number of checks of one value by n and the nodes that it applies to the same
// value. Nodes that refer to the next one twice double it each time; a node that refers to itself for
// the same value would never end.
func (c *compiler) count(n *node, depth int) (int, error) {
	switch {
	case n.checks == counting:
		return 0, c.fail(n.doc, n.at, source.BadValue, "the schema refers to itself for the same value")
	case depth > maxDepth:
		return 0, c.fail(n.doc, n.at, source.Limit, "more than %d references one after the other", maxDepth)
	case n.checks > 0:
		return n.checks, nil
	}
	n.checks = counting
	total := 1
	for below := range n.sameValue() {
		more, err := c.count(below, depth+1)
		if err != nil {
			return 0, err
		}
		if total += more; total > maxChecks {
			return 0, c.fail(n.doc, n.at, source.Limit, "the schema checks one value more than %d times", maxChecks)
		}
	}
	n.checks = total
	return total, nil
}

// sameValue yields the nodes that n applies to the value that it checks.
func (n *node) sameValue() func(yield func(*node) bool) {
	return func(yield func(*node) bool) {
		all := slices.Concat(n.allOf, n.anyOf, n.oneOf, []*node{n.not, n.when, n.then, n.otherwise})
		for _, key := range slices.Sorted(maps.Keys(n.demanded)) {
			all = append(all, n.demanded[key])
		}
		for _, r := range []*reference{n.ref, n.dynamic} {
			if r != nil {
				all = append(all, r.target)
			}
		}
		for _, below := range all {
			if below != nil && !yield(below) {
				return
			}
		}
	}
}
