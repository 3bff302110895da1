package mcl

import (
	"cmp"
	"slices"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/resource"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Checking the graph
//
// [output.add] adds each resource. Two definitions with one ID are compared parameter by parameter, which evaluates
// the parameters:
//
//	file "/a" { mode => "0644", }      the same resource, if $m is "0644",
//	file "/a" { mode => $m, }          otherwise duplicate-resource, which names mode
//
// When all statements are executed, [output.check] sorts the resources and checks the graph: both ends of an edge
// exist, a field receives from one resource, and the edges have no cycle.
//
// Errors of values come before errors of the graph: see [output.checked].

// add adds a resource. One that is identical to another is the same (spec: mcl, section 9).
func (o *output) add(r *vertex) error {
	old := o.index[r.ID]
	if old == nil {
		if err := o.step(resourceSteps); err != nil {
			return err
		}
		o.index[r.ID] = r
		o.resources = append(o.resources, r)
		if r.Name[0] == '$' {
			o.warnDollar(r)
		}
		return nil
	}
	other, err := o.differs(old, r)
	if err != nil || other == "" || o.twice != nil {
		return err
	}
	d := source.Errorf(r.node.At, source.DuplicateResource, "%s is defined twice, with different parameters: %s", o.show(r.ID, r.marks|old.marks), other)
	if r.node != old.node {
		d.Note(old.node.At, "it is defined here")
	}
	o.twice = d
	return nil
}

// show returns the name of a resource for messages.
func (o *output) show(i resource.ID, marks value.Marks) string {
	if marks != 0 {
		i.Name = value.SecretText
	}
	return i.String()
}

// differs returns the name of the first parameter that only one of two resources has, or that has
// another type or value, "" if they are identical.
func (o *output) differs(a, b *vertex) (string, error) {
	pa, pb := a.params(), b.params()
	for i, p := range pa {
		switch {
		case i == len(pb):
			return p.shown(), nil
		case p.meta != pb[i].meta || p.name != pb[i].name:
			return min(p.shown(), pb[i].shown()), nil
		}
		same, err := o.samePair(p, pb[i], a.frame, b.frame)
		if err != nil {
			return "", err
		}
		if !same {
			return p.shown(), nil
		}
	}
	if len(pb) > len(pa) {
		return pb[len(pa)].shown(), nil
	}
	return "", nil
}

// samePair reports whether two parameters, each in its frame, have the same type and value.
func (o *output) samePair(p, q param, in, other *frame) (bool, error) {
	x, err := p.eval(in)
	if err != nil {
		return false, err
	}
	y, err := q.eval(other)
	if err != nil {
		return false, err
	}
	o.marks |= x.Marks() | y.Marks()
	first, _ := o.types.table.ID(p.typeIn(in))
	second, _ := o.types.table.ID(q.typeIn(other))
	if first != second {
		return false, nil
	}
	c := value.Comparison{Charge: o.step}
	same, err := c.Equal(x, y)
	o.marks |= c.Marks
	return same, err
}

// A param is a field or meta parameter of a resource. field is set for a part of "Meta => struct".
type param struct {
	meta  bool
	name  string
	line  *syntax.Line
	field string
}

// shown returns the name of a parameter as programs write it.
func (p param) shown() string {
	if p.meta {
		return "Meta:" + p.name
	}
	return p.name
}

// params returns the fields and meta parameters, sorted by name, fields first.
func (r *vertex) params() []param {
	var all []param
	for _, l := range r.lines {
		switch l.Kind {
		case syntax.FieldLine:
			all = append(all, param{name: l.Name.Text, line: l})
		case syntax.MetaLine:
			all = append(all, param{meta: true, name: l.Name.Text, line: l})
		case syntax.MetaAll:
			for _, f := range r.frame.in.typeOf(l.Value).Fields {
				all = append(all, param{meta: true, name: f.Name, line: l, field: f.Name})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b param) int {
		if a.meta != b.meta {
			if a.meta {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.name, b.name)
	})
	return all
}

// eval evaluates a parameter.
func (p param) eval(f *frame) (value.Value, error) {
	v, err := f.eval(p.line.Value)
	if err != nil || p.field == "" {
		return v, err
	}
	return fieldOf(v, p.field, p.line.Value.Span())
}

// checked is check with the order of errors: an error of evaluation comes before the errors of the graph, also in the
// value of a field, which is else evaluated later (spec: mcl, section 7). Values that read the document do
// not count: it has no resources until they are decided.
func (o *output) checked() error {
	err := o.check()
	if err == nil {
		return nil
	}
	world := *o.world
	world.Config = func(string) (value.Value, library.Places, error) { return value.Null, nil, err }
	o.world = &world
	for _, r := range o.resources {
		for _, p := range r.params() {
			_, failed := p.eval(r.frame)
			if d, ok := failed.(*source.Diagnostic); ok && (d.Code == source.Runtime || d.Code == source.Forbidden) {
				return d
			}
		}
	}
	return err
}

// check checks the resources and edges of the output: no resource is defined twice, the ends of edges exist,
// no field receives from two resources, and there is no cycle. It sorts resources and edges, and joins equal
// edges.
func (o *output) check() error {
	if o.twice != nil {
		return o.twice
	}
	slices.SortFunc(o.resources, func(a, b *vertex) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	for _, e := range o.edges {
		var err error
		if e.from, err = o.known(e.fromID, e.first.At); err != nil {
			return err
		}
		if e.to, err = o.known(e.toID, e.second.At); err != nil {
			return err
		}
	}
	if err := o.senders(); err != nil {
		return err
	}
	o.joinEdges()
	return o.acyclic()
}

// known returns a resource that an edge needs.
func (o *output) known(i resource.ID, at source.Span) (*vertex, error) {
	if r := o.index[i]; r != nil {
		return r, nil
	}
	if o.marks != 0 {
		i.Name = value.SecretText
		return nil, source.Errorf(at, source.UnknownResource, "there is no resource %s", i)
	}
	return nil, source.Errorf(at, source.UnknownResource, "there is no resource %s", i).DidYouMean(i.String(), func(yield func(string) bool) {
		for _, r := range o.resources {
			if !yield(r.ID.String()) {
				return
			}
		}
	})
}

// senders checks that each field receives from one resource.
func (o *output) senders() error {
	type field struct {
		*vertex
		name string
	}
	by := map[field]*edge{}
	for _, e := range o.edges {
		if e.recv == "" {
			continue
		}
		to := field{e.to, e.recv}
		old := by[to]
		if old != nil && (old.from != e.from || old.send != e.send) {
			return source.Errorf(e.at, source.DuplicateKey, "the field %s of %s receives from two resources", e.recv, o.show(e.to.ID, o.marks)).
				Note(old.at, "it receives here")
		}
		by[to] = e
	}
	return nil
}

// joinEdges sorts the edges by the texts of their ends, and joins the edges of the same pair: one that
// notifies makes all notify. The texts are sorted once; then the edges are dealt out by their first ends,
// and only those from one resource are compared.
func (o *output) joinEdges() {
	if len(o.edges) == 0 {
		return
	}
	for _, e := range o.edges {
		e.from.first++
	}
	ends := slices.Clone(o.resources)
	for _, r := range ends {
		r.text = r.ID.String()
	}
	slices.SortFunc(ends, func(a, b *vertex) int { return cmp.Compare(a.text, b.text) })
	next := 0
	for i, r := range ends {
		r.rank = i
		next, r.first = next+r.first, next
	}
	sorted := make([]*edge, len(o.edges))
	for _, e := range o.edges {
		sorted[e.from.first] = e
		e.from.first++
	}
	next = 0
	for _, r := range ends {
		slices.SortStableFunc(sorted[next:r.first], func(a, b *edge) int {
			return cmp.Or(cmp.Compare(a.to.rank, b.to.rank), cmp.Compare(a.send, b.send), cmp.Compare(a.recv, b.recv))
		})
		next = r.first
	}
	o.edges = sorted
	joined := o.edges[:0]
	for _, e := range o.edges {
		if n := len(joined); n > 0 {
			if last := joined[n-1]; last.from == e.from && last.to == e.to && last.send == e.send && last.recv == e.recv {
				last.notify = last.notify || e.notify
				continue
			}
		}
		joined = append(joined, e)
	}
	o.edges = joined
}

// acyclic checks that no resource waits for itself. It takes away resources that wait for none, until
// none is left; what is left has a cycle (Kahn's algorithm). The edges are sorted, so those from a
// resource follow each other.
func (o *output) acyclic() error {
	for i, e := range o.edges {
		e.to.waits++
		if i == 0 || o.edges[i-1].from != e.from {
			e.from.first = i
		}
	}
	free := make([]*vertex, 0, len(o.resources))
	for _, r := range o.resources {
		if r.waits == 0 {
			free = append(free, r)
		}
	}
	left := len(o.resources)
	for ; len(free) > 0; left-- {
		next := free[len(free)-1]
		free = free[:len(free)-1]
		for i := next.first; i < len(o.edges) && o.edges[i].from == next; i++ {
			to := o.edges[i].to
			if to.waits--; to.waits == 0 {
				free = append(free, to)
			}
		}
	}
	if left == 0 {
		return nil
	}
	return o.cycle()
}

// cycle is the error of edges in a cycle: it walks back over resources that wait until it meets one
// again.
func (o *output) cycle() error {
	before := map[*vertex]*edge{}
	var at *vertex
	for _, e := range o.edges {
		if e.to.waits > 0 && e.from.waits > 0 {
			before[e.to] = e
			at = e.to
		}
	}
	seen := map[*vertex]bool{}
	for !seen[at] {
		seen[at] = true
		at = before[at].from
	}
	var cycle []*edge
	for e := before[at]; ; e = before[e.from] {
		cycle = append(cycle, e)
		if e.from == at {
			break
		}
	}
	slices.Reverse(cycle)
	names := o.show(cycle[0].from.ID, o.marks)
	for _, e := range cycle {
		names += " -> " + o.show(e.to.ID, o.marks)
	}
	last := cycle[len(cycle)-1]
	d := source.Errorf(last.at, source.EdgeCycle, "the edges are a cycle: %s", names)
	for _, e := range cycle[:min(len(cycle)-1, maxNotes)] {
		d.Note(e.at, "%s -> %s", o.show(e.from.ID, o.marks), o.show(e.to.ID, o.marks))
	}
	return d
}

// warnDollar warns about a name that was probably meant as a variable (spec: mcl, section 9).
func (o *output) warnDollar(r *vertex) {
	for _, p := range r.params() {
		if p.meta && p.name == "dollar" {
			if v, err := p.eval(r.frame); err != nil || v.Bool() {
				return
			}
		}
	}
	if r.marks == 0 {
		o.place.Eval().Warn(source.Warnf(r.node.Name.Span(), source.Suspicious, "the name %s begins with a dollar sign", r.Name).
			WithHint(`"${%s}" inserts a variable; Meta:dollar => true says that the name is meant`, r.Name[1:]))
	}
}
