package bind

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Status is the effect of a source on the answer.
type Status string

// The statuses (spec: bindings, section 11).
const (
	StepSet     Status = "set"     // the winner
	StepOver    Status = "over"    // shadowed
	StepRefused Status = "refused" // its condition does not hold
	StepPart    Status = "part"    // a contribution to a multibind
	StepMerged  Status = "merged"  // one of the sources of a merge
	StepAside   Status = "aside"   // optional, and gave nothing
	StepMissing Status = "missing" // there is no such file
	StepAbsent  Status = "absent"  // the file has no such key
	StepVia     Status = "via"     // a key that the value was made of
)

// A Step is one source of a key: what it gives, and why it counts or not.
type Step struct {
	Status   Status
	At       source.Span
	File     string       // of a level without a place
	Value    *value.Value // nil if there is none, or it was not evaluated
	ID       string       // of a multibind
	Layer    string
	Bindings string // the name of the set
	Level    string // of a hierarchy

	// When is the condition as alternatives of tests, each a category with a value.
	When       [][][2]string
	Precedence []string // the categories that count, highest first
	Reason     string

	// Key is a key that the value was made of, with its Steps.
	Key   string
	Steps []Step
}

// Steps explains an answer: the candidates from the highest to the lowest, then those that do
// not apply, in the order of text.
//
// Of the keys that a value was made of the first ones have steps of their own: see maxExplained.
func (t *Table) Steps(a Answer) []Step {
	return (&explainer{Table: t}).steps(a, nil)
}

// maxExplained bounds the keys that one explanation goes into. With ten keys that each read the same ten
// others, and so on, the paths to the last ones have no number.
const maxExplained = 1000

// An explainer makes the steps of one answer.
type explainer struct {
	*Table
	explained int // keys
}

func (t *explainer) steps(a Answer, above []string) []Step {
	e := a.entry
	if e == nil {
		return nil
	}
	merging := a.Merge != nil && a.Merge.Kind != First
	var out []Step
	var winner *Candidate
	for _, n := range e.sources() {
		s := t.step(n)
		switch {
		case n.Level != nil && n.Level.Missing:
			s.Status = StepMissing
		case n.Level != nil && n.producer == nil:
			s.Status = StepAbsent
		case n.producer == nil:
			s.Status, s.Reason = StepOver, "abstract"
		case n.state == done && n.err == nil && n.val.IsNull() && n.Level == nil:
			s.Status = StepAside
		case merging:
			s.Status = StepMerged
			if winner == nil {
				winner = n
			}
		case winner == nil && a.Found:
			s.Status, winner = StepSet, n
		default:
			s.Status = StepOver
			if winner != nil {
				s.Reason = t.lower(n, winner)
			}
		}
		s.Steps = t.via(n, append(above, e.key.Text()))
		out = append(out, s)
		if n.multi != nil && (s.Status == StepSet || s.Status == StepMerged) {
			out = append(out, t.contributionSteps(n.multi.id)...)
		}
	}
	refused := slices.Clone(e.refused)
	if winner != nil && winner.multi != nil {
		refused = append(refused, t.left[winner.multi.id]...)
	}
	slices.SortStableFunc(refused, func(a, b *Candidate) int { return int(a.order) - int(b.order) })
	for _, n := range refused {
		s := t.step(n)
		s.Status, s.Reason, s.Precedence = StepRefused, n.cond.reason(), nil
		out = append(out, s)
	}
	return marked(out, a)
}

// marked returns the steps with the marks that the answer has and their values do not: a conversion
// to Sensitive marks the answer, and what any source says is as sensitive.
func marked(steps []Step, a Answer) []Step {
	if !a.Found {
		return steps
	}
	all, _ := value.DeepMarks(a.Value)
	if all == 0 {
		return steps
	}
	for i, s := range steps {
		if s.Value == nil {
			continue
		}
		if own, _ := value.DeepMarks(*s.Value); all&^own != 0 {
			v := s.Value.Mark(all &^ own)
			steps[i].Value = &v
		}
	}
	return steps
}

// sources returns the candidates and the levels without a value, in the order of rank.
func (e *entry) sources() []*Candidate {
	all := slices.Clone(e.candidates)
	for _, l := range e.levels {
		if l.producer == nil {
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, byRank)
	return all
}

// step returns a step with the fields that all statuses have.
func (t *Table) step(n *Candidate) Step {
	s := Step{At: n.At, Layer: t.strata[n.rank.layer].name}
	if n.Set != nil {
		s.Bindings = n.Set.Name
	}
	if n.multi != nil {
		s.ID = n.multi.id
	}
	if l := n.Level; l != nil {
		s.Level, s.File = l.Name, l.File
	} else {
		s.Precedence = t.precedence(n)
	}
	switch {
	case n.multi != nil:
	case n.state == done && n.err == nil:
		s.Value = &n.val
	case n.producer != nil:
		if v, ok := n.producer.constant(); ok {
			s.Value = &v
		}
	}
	if s.Value != nil {
		v := s.Value.Mark(t.marksOf([]*Candidate{n}) | n.fileMarks())
		s.Value = &v
	}
	if n.cond != nil {
		for _, a := range n.cond.alternatives {
			var tests [][2]string
			for _, test := range a.tests {
				tests = append(tests, [2]string{test.category, test.shown})
			}
			s.When = append(s.When, tests)
		}
	}
	return s
}

// precedence returns the categories of the vector of a candidate.
func (t *Table) precedence(n *Candidate) []string {
	var out []string
	for _, r := range n.rank.vec.ranks[:n.rank.vec.n] {
		out = append(out, t.Axes[len(t.Axes)-1-int(r)].Name)
	}
	return out
}

// lower says why a candidate is below the winner.
func (t *Table) lower(n, winner *Candidate) string {
	switch {
	case n.rank.layer != winner.rank.layer:
		return "lower layer"
	case n.provider != nil && n.provider == winner.provider:
		return "lower level"
	case n.Level != nil || winner.Level != nil:
		return "lower precedence"
	case n.Flags&Abstract != 0 && n.rank.compare(&winner.rank) == 0:
		return "abstract"
	}
	return "lower precedence (" + strings.Join(t.precedence(n), "+") + " < " + strings.Join(t.precedence(winner), "+") + ")"
}

// contributionSteps returns the steps of what is contributed to an ID.
func (t *Table) contributionSteps(id string) []Step {
	var out []Step
	for _, p := range t.contributions[id] {
		s := t.step(p)
		s.Status, s.Key = StepPart, p.Key.Name
		if p.Flags&Optional != 0 && p.state == done && p.err == nil && p.val.IsNull() {
			s.Status = StepAside
		}
		out = append(out, s)
	}
	return out
}

// via returns the steps of the keys that a value was made of. Keys above are not explained
// again.
func (t *explainer) via(n *Candidate, above []string) []Step {
	var out []Step
	for _, key := range n.reads {
		k, err := ParseKey(key)
		if err != nil || len(above) > 20 || slices.Contains(above, key) {
			continue
		}
		a, err := t.one(k, Request{})
		if err != nil {
			continue
		}
		s := Step{Status: StepVia, Key: key, At: a.At}
		if a.Found {
			v := a.Value
			s.Value = &v
			if t.explained++; t.explained <= maxExplained {
				s.Steps = t.steps(a, append(above, key))
			}
		}
		out = append(out, s)
	}
	return out
}

// placeText writes a place: file:line:col, "" for the zero span.
func placeText(at source.Span) string {
	if at.File == nil {
		return ""
	}
	line, col := at.File.Position(int(at.Start))
	return at.File.Name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col)
}

// Place writes where the source is: file:line:col, or the file of a level without the key.
func (s Step) Place() string {
	if s.Status == StepMissing || s.Status == StepAbsent {
		return s.File
	}
	return placeText(s.At)
}
