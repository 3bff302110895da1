package bind

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # From operations to candidates
//
// The operations of all sets become one table: for each key its candidates, from the highest to the lowest. For the
// facts {role: db} and
//
//	categories: [{node: "${fqdn}"}, {role: "${role}"}]
//	bindings:
//	  default:                               in the layer site
//	    values: {colour: blue, port: 80}
//	    when:
//	    - {if: {role: db}, values: {colour: gold}}
//	    - {if: {role: web}, values: {port: 443}}
//	  inn::default:                          in the layer modules, below site
//	    values: {colour: grey}
//
// [Compose] goes on in these steps:
//
//  1. [composer.axes] evaluates the categories and gives each a rank: node 3, role="db" 2, environment 1, common 0.
//  2. [composer.strata] finds the sets of each layer. Layers are counted from the top: site is 0, modules 1.
//  3. [composer.walk] makes a candidate of each operation. Its [Rank] is the layer, and the vector of the condition
//     around it (categories.go): the ranks of the categories that it tests.
//
//	colour   blue   layer 0, [0]
//	         gold   layer 0, [2]
//	         grey   layer 1, [0]
//	port     80     layer 0, [0]
//	         443    layer 0, refused: role is "db"
//
//  4. [composer.sortEntries] orders them by rank: gold, blue, grey. The layer decides first, so that no condition
//     lifts a binding above a higher layer. Refused ones are kept apart: no lookup takes their values, and
//     "explain" says why they do not apply.
//  5. [composer.finish] makes the candidates that depend on others, in this order: parameters that are taken from
//     another instance, then aliases, renamings and rebindings (compound.go), which see the ones before.
//  6. [composer.choose] looks at the best candidates of each key: two of one rank are a conflict; override, final
//     and abstract ask for something above or below (choose.go).
//
// No value is evaluated here but the values of conditions, and of what names keys: a table of a thousand bindings
// costs little for the one that is looked up. The data of providers, such as Hiera, joins the candidates of a key
// when it is first asked for (entries.go).

// A Candidate is one binding of a key that may give its value.
type Candidate struct {
	Key   Key
	Type  *types.Type // nil if none is written
	Flags Flags
	At    source.Span
	Set   *Set // nil for data of a provider
	Level *Level

	rank     Rank
	cond     *branch // nil outside of conditions
	producer producer
	options  *Options
	multi    *multi // of a multibind
	order    int32  // of text

	// Merges join the candidates of one level first, then the candidates of one provider.
	provider Provider
	fallback bool // a level of a default hierarchy
	group    int32

	memo
}

// A memo keeps the value of a candidate.
type memo struct {
	state uint8 // new, running, done
	val   value.Value
	err   error
	reads []string // the keys that it was made of
}

const (
	newMemo = iota
	running
	done
)

// A Table has all candidates of all keys, for a site and the facts of a node. It
// evaluates on demand. Only one goroutine at a time may use it.
type Table struct {
	Axes []Axis

	config  *Config
	site    *Site
	scope   *Scope
	strata  []stratum
	entries map[Key]*entry
	ordered []*entry // in the order of their first candidate
	slab    []entry  // for the next entries

	contributions map[string][]*Candidate // by ID, in order
	left          map[string][]*Candidate // contributions that do not apply
	ids           map[string][]*Candidate // multibinds by ID, all that any condition has

	providers []attached
	rules     map[string][]KeyRule // options of keys, by the module whose providers count
	fallback  map[Provider][]KeyRule
	listed    int // grows with rules and fallback

	used map[*Set]bool // sets of the site file that a layer includes

	stack   []string     // keys that are being looked up
	current []*Candidate // candidates that are being evaluated
	asking  int          // providers that are being asked; meanwhile their options may be unknown
}

// attached is a provider with the index of its layer.
type attached struct {
	provider Provider
	layer    int32
	id       string
}

// An entry has the candidates of a key.
type entry struct {
	key        Key
	candidates []*Candidate // the ones that apply, highest first
	refused    []*Candidate

	asked    bool // the providers were asked, and levels are known
	levels   []*Candidate
	fallback bool // levels has the levels of default hierarchies
	broken   error

	inDefaults bool   // defaults is known
	defaults   *entry // what the default hierarchies have besides the levels, nil for nothing
	room       [1]*Candidate

	kept  *Answer // to requests that leave the strategy to the data, nil before the first
	whole *Answer // kept, converted: the answer for the key without segments

	rule, defaultRule foundRule // options in the data of providers, and in the data of default hierarchies
}

// A composer makes a table.
type composer struct {
	Config
	site  *Site
	Axes  []Axis
	index map[string]int
	ranks map[string]uint16

	table       *Table
	slab        []Candidate
	used        map[*Set]bool
	order       int32
	where       origin
	parameters  []pendingParameters
	renames     []pendingRename
	diagnostics []*source.Diagnostic
}

// An origin has the set, layer and condition of an operation, which all its candidates share.
type origin struct {
	set   *Set
	layer int32
	cond  *branch
}

// rank returns the rank of operations there.
func (p origin) rank() Rank {
	if p.cond == nil {
		return Rank{p.layer, commonVector}
	}
	return Rank{p.layer, p.cond.vec}
}

// applies reports whether operations there count.
func (p origin) applies() bool { return p.cond == nil || p.cond.holds }

// Compose makes the table of a site for the facts of a node. It reports all errors that do
// not depend on each other; without any the table is not nil.
//
// Codes: section 12 of the spec, without the codes of values that are evaluated on demand.
func Compose(site *Site, config Config) (*Table, []*source.Diagnostic) {
	c := &composer{Config: config, site: site, used: map[*Set]bool{}}
	if c.Facts == nil {
		c.Facts = value.NewMap(0)
	}
	c.table = &Table{
		config: &c.Config, site: site,
		entries: map[Key]*entry{}, contributions: map[string][]*Candidate{}, left: map[string][]*Candidate{},
		ids: map[string][]*Candidate{}, rules: map[string][]KeyRule{}, fallback: map[Provider][]KeyRule{},
	}
	c.table.scope = &Scope{config: &c.Config, table: c.table, site: map[string]value.Value{}}
	c.variables()
	c.Axes = c.axes(site)
	c.index, c.ranks = map[string]int{}, map[string]uint16{}
	for i, a := range c.Axes {
		c.index[a.Name], c.ranks[a.Name] = i, a.rank
	}
	c.table.Axes = c.Axes
	c.table.strata = c.strata()
	c.table.grow()
	for i, s := range c.table.strata {
		for _, p := range s.parts {
			if p.Provider != nil {
				c.table.providers = append(c.table.providers, attached{p.Provider, int32(i), p.ID})
				continue
			}
			c.used[p.Set] = true
			c.where = origin{set: p.Set, layer: int32(i)}
			c.walk(p.Set.Ops)
		}
	}
	c.table.used = c.used
	c.finish()
	if len(c.diagnostics) > 0 {
		return nil, c.diagnostics
	}
	return c.table, nil
}

// finish makes the candidates that depend on others, chooses, and checks.
func (c *composer) finish() {
	c.sortEntries()
	c.fromInstances()
	c.rename()
	c.sortContributions()
	c.choose()
}

// grow makes room for the operations of all sets, so that a big table is not moved as it
// grows.
func (t *Table) grow() {
	n := 0
	for _, s := range t.strata {
		for _, p := range s.parts {
			if p.Set != nil {
				n += len(p.Set.Ops)
			}
		}
	}
	if n > 64 {
		t.entries, t.ordered = make(map[Key]*entry, n), make([]*entry, 0, n)
	}
}

// report adds an error.
func (c *composer) report(d *source.Diagnostic) {
	if len(c.diagnostics) < source.MaxErrors {
		c.diagnostics = append(c.diagnostics, d)
	}
}

// errorf adds an error at a place.
func (c *composer) errorf(at source.Span, code source.Code, format string, args ...any) {
	c.report(source.Errorf(at, code, format, args...))
}

// fail adds the findings of an error.
func (c *composer) fail(err error, at source.Span) {
	for _, d := range source.Findings(err) {
		c.report(d.Located(at))
	}
}

// factScope returns the scope of expressions that are evaluated while the table is composed.
func (c *composer) factScope(lenient bool) *Scope {
	return &Scope{config: &c.Config, site: c.table.scope.site, lenient: lenient, axes: c.Axes}
}

// variables evaluates the variables of the site file, each seeing the ones before it.
func (c *composer) variables() {
	for _, v := range c.site.Variables {
		val, err := v.Value.Eval(c.factScope(false))
		if err != nil {
			c.fail(err, v.Value.Span())
			continue
		}
		if v.Name != "" {
			c.table.scope.site[v.Name] = val
		}
	}
}

// walk collects the operations of a set.
func (c *composer) walk(ops []Op) {
	for _, op := range ops {
		c.order++
		if err := c.Budget.Step(1); err != nil {
			c.fail(err, op.Span())
			return
		}
		switch op := op.(type) {
		case *When:
			outer := c.where.cond
			c.where.cond = c.within(outer, op)
			c.walk(op.Do)
			c.where.cond = outer
		case *Bind:
			c.bind(op)
		case *Multibind:
			c.multibind(op)
		case *Parameters:
			c.bindParameters(op)
		case *Variables:
			c.bindVariables(op)
		case *ParameterMap:
			c.bindMap(op)
		case *Include:
			c.include(op)
		case *Rename, *Rebind:
			c.renames = append(c.renames, pendingRename{op, c.where, c.order})
		}
	}
}

// candidate returns a new candidate at the current place.
func (c *composer) candidate(key Key, at source.Span, p producer) *Candidate {
	if len(c.slab) == 0 {
		c.slab = make([]Candidate, 256)
	}
	n := &c.slab[0]
	c.slab = c.slab[1:]
	c.order++ // the pairs of a map are in order, too
	n.Key, n.At, n.Set, n.producer = key, at, c.where.set, p
	n.rank, n.cond, n.order = c.where.rank(), c.where.cond, c.order
	return n
}

// add puts a candidate under its key.
func (c *composer) add(n *Candidate) {
	e := c.table.entry(n.Key)
	if c.where.applies() {
		e.candidates = append(e.candidates, n)
	} else {
		e.refused = append(e.refused, n)
	}
}

// entry returns the entry of a key, which it makes if there is none.
func (t *Table) entry(k Key) *entry {
	e := t.entries[k]
	if e == nil {
		e = t.newEntry(k)
		t.entries[k] = e
		t.ordered = append(t.ordered, e)
	}
	return e
}

// newEntry returns an entry of a key. Entries are allocated in blocks, with room for the one
// candidate that most of them have.
func (t *Table) newEntry(k Key) *entry {
	if len(t.slab) == 0 {
		t.slab = make([]entry, min(256, 8+len(t.ordered)))
	}
	e := &t.slab[0]
	t.slab = t.slab[1:]
	e.key, e.candidates = k, e.room[:0]
	return e
}

// contribute puts a candidate under the ID of a multibind.
func (c *composer) contribute(id string, n *Candidate) {
	if c.where.applies() {
		c.table.contributions[id] = append(c.table.contributions[id], n)
	} else {
		c.table.left[id] = append(c.table.left[id], n)
	}
}

// bind makes the candidate of a bind, or with In the contribution to a multibind. An abstract binding has no value,
// and another one must have one. A value of undef passes here, and is an error of the lookup.
func (c *composer) bind(op *Bind) {
	switch {
	case op.Name == "" && op.In == "" && (op.Type == nil || op.Type.IsData()):
		c.errorf(op.At, source.MissingKey, "a binding needs a name, a type that is no data, or the multibind that it contributes to")
		return
	case c.isReserved(op.Name, op.NameAt):
		return
	case op.Flags&Abstract != 0 && (op.Value != nil || op.Producer != nil):
		c.errorf(op.At, source.AbstractWithValue, "'%s' is abstract and has a value: an abstract binding says that another one must bind it", op.Name)
		return
	case op.Flags&Abstract == 0 && op.Value == nil && op.Producer == nil:
		c.errorf(op.At, source.MissingValue, "'%s' has no value: write bind NAME to VALUE, or bind abstract NAME", op.Name)
		return
	}
	n := c.candidate(KeyOf(op.Type, op.Name), op.At, c.producerOf(op))
	n.Type, n.Flags, n.options = op.Type, op.Flags, op.Options
	if op.In != "" {
		n.Key = Key{Name: op.Name}
		c.contribute(op.In, n)
		return
	}
	c.add(n)
}

// isReserved reports whether a name is one that only other operations bind, which is an error at its place.
func (c *composer) isReserved(name string, at source.Span) bool {
	reserved := strings.HasPrefix(name, "/")
	if reserved {
		c.errorf(at, source.ReservedName, "'%s' is a reserved name: names that begin with / are made by other operations", name)
	}
	return reserved
}

// A Pair is an entry of a map that is written out.
type Pair struct {
	Key   value.Value
	At    source.Span
	Value Expr
}

// Pairs is implemented by expressions that are maps written out, so that each of their
// values is evaluated on its own.
type Pairs interface {
	Pairs() []Pair
}

// pairs returns the entries of a map: without evaluating their values, if it is written out.
func (c *composer) pairs(e Expr) ([]Pair, bool) {
	if p, ok := e.(Pairs); ok {
		return p.Pairs(), true
	}
	v, err := e.Eval(c.factScope(false))
	if err != nil {
		c.fail(err, e.Span())
		return nil, false
	}
	if !v.Is(value.MapKind) {
		c.errorf(e.Span(), source.BadType, "a map is needed here, and this is %s", value.Article(v.Kind()))
		return nil, false
	}
	var out []Pair
	for k, key := range value.KeyValues(v.Map()) {
		item, _, err := v.Map().Get(k)
		if err != nil {
			c.fail(err, e.Span())
			return nil, false
		}
		out = append(out, Pair{key, e.Span(), &Constant{e.Span(), item}})
	}
	return out, true
}

// bindVariables makes a candidate /var/NAME for each entry of the map. Abstract ones are names without values.
func (c *composer) bindVariables(op *Variables) {
	if op.Flags&Abstract != 0 {
		for _, name := range c.variableNames(op) {
			n := c.candidate(Key{Name: varPrefix + name}, op.At, nil)
			n.Type, n.Flags = op.Type, op.Flags
			c.add(n)
		}
		return
	}
	if op.Values == nil {
		c.errorf(op.At, source.MissingValue, "the variables have no values: write a map")
		return
	}
	pairs, _ := c.pairs(op.Values)
	for _, p := range pairs {
		name, ok := plainText(p.Key)
		if !ok || name == "" {
			c.errorf(p.At, source.BadType, "the name of a variable is a text")
			continue
		}
		n := c.candidate(Key{Name: varPrefix + strings.TrimPrefix(name, "::")}, op.At, exprProducer{p.Value})
		n.Type, n.Flags = op.Type, op.Flags
		c.add(n)
	}
}

// oneOrMore evaluates an expression while the table is composed: to its value, and to the items of a
// list or the value as the only item. It reports false after an error.
func (c *composer) oneOrMore(e Expr) (v value.Value, items []value.Value, ok bool) {
	v, err := e.Eval(c.factScope(false))
	items = []value.Value{v}
	if err == nil && v.Is(value.ListKind) {
		items, err = value.ItemsOf(v.List())
	}
	if err != nil {
		c.fail(err, e.Span())
	}
	return v, items, err == nil
}

// variableNames returns the names of abstract variables: of a text, a list or a map.
func (c *composer) variableNames(op *Variables) []string {
	e := op.Names
	if e == nil {
		e = op.Values
	}
	if e == nil {
		c.errorf(op.At, source.MissingKey, "abstract variables need their names: a text or a list of texts")
		return nil
	}
	v, items, ok := c.oneOrMore(e)
	if !ok {
		return nil
	}
	var out []string
	for _, item := range items {
		if !item.Is(value.StringKind) {
			if v.Is(value.MapKind) {
				c.errorf(op.At, source.AbstractWithValue, "abstract variables have no values")
				return nil
			}
			c.errorf(e.Span(), source.BadType, "the name of a variable is a text, and this is %s", value.Article(item.Kind()))
			continue
		}
		out = append(out, item.Str())
	}
	return out
}

// The IDs to which included and excluded classes contribute.
const (
	includedClasses = "included_classes"
	excludedClasses = "excluded_classes"
)

// include contributes the names of classes to the multibind of included or excluded classes, which [Table.classes]
// compares by rank.
func (c *composer) include(op *Include) {
	id := includedClasses
	if op.Exclude {
		id = excludedClasses
	}
	for _, name := range op.Names {
		at := &Constant{op.At, value.String(strings.TrimPrefix(name, "::"))}
		c.contribute(id, c.candidate(Key{}, op.At, exprProducer{at}))
	}
}

// sortEntries orders the candidates of each key, highest first. Equal ranks keep the order
// of text.
func (c *composer) sortEntries() {
	for _, e := range c.table.ordered {
		e.sort()
	}
}

// sort orders the candidates of a key that operations or providers were added to.
func (e *entry) sort() {
	if len(e.candidates) < 2 {
		return
	}
	slices.SortStableFunc(e.candidates, byRank)
}

// byRank orders candidates: the highest rank first, of one rank in the order of text.
func byRank(a, b *Candidate) int {
	if d := b.rank.compare(&a.rank); d != 0 {
		return d
	}
	return cmp.Compare(a.order, b.order)
}

// sortContributions orders the contributions of each ID: higher layers first, in them higher conditions,
// then the order of text.
func (c *composer) sortContributions() {
	for _, list := range c.table.contributions {
		slices.SortStableFunc(list, byRank)
	}
}
