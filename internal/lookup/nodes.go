package lookup

import (
	"iter"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Nodes are many nodes, each with a file of facts. A file is read when its node is asked for, so
// that the facts of one node for each core are in memory.
type Nodes struct {
	engine engine.Options
	common *value.Dict // facts of all nodes, below the facts of the files
	single []string    // NAME=VALUE, above the facts of the files
	list   []Node
}

// A Node is one of [Nodes].
type Node struct {
	Name string // the fact trusted.certname of its file, or the name of the file: web1 of nodes/web1.yaml
	File string
	err  error // of finding out the name
}

// OpenNodes finds the nodes of files that match patterns, in the order of names. names and single
// are facts as in [Facts].
//
// Codes: access if no file matches, forbidden, bad-value, limit, the codes of Facts.
func OpenNodes(o engine.Options, patterns, names, single []string) (*Nodes, error) {
	common, err := Facts(o, names, nil)
	if err != nil {
		return nil, err
	}
	if err := addSingle(value.NewMap(0), single); err != nil {
		return nil, err
	}
	n := &Nodes{engine: o, common: common.(*value.Dict), single: single}
	n.engine.Load.Decrypter = o.Decrypter()
	for _, p := range patterns {
		n.engine.Load.Files = append(n.engine.Load.Files, filepath.Join(fixedPart(p), "x"))
	}
	files := n.engine.Files()
	var paths []string
	for _, p := range patterns {
		found, err := files.Host("", "").Glob(p, "")
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, noNodes(p)
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	n.list = make([]Node, len(paths))
	for i, named := range InOrder(len(paths), func(i int) Node { return n.named(files.Shown(paths[i]), paths[i]) }) {
		n.list[i] = named
	}
	slices.SortStableFunc(n.list, func(a, b Node) int { return strings.Compare(a.Name, b.Name) })
	n.refuseTwins()
	return n, nil
}

// noNodes is the error of a pattern that matches no file.
func noNodes(pattern string) error {
	d := source.Errorf(source.Span{}, source.Access, "no file of facts matches %q", pattern)
	if !strings.ContainsAny(pattern, "*?[{") {
		d.WithHint("a pattern such as %q matches the files in a directory", path.Join(filepath.ToSlash(pattern), "*.yaml"))
	}
	return d
}

// fixedPart returns the directory of a pattern before its first wildcard.
func fixedPart(pattern string) string {
	dir := filepath.ToSlash(pattern)
	if i := strings.IndexAny(dir, `*?[{\`); i >= 0 {
		dir = dir[:i]
	}
	if i := strings.LastIndexByte(dir, '/'); i >= 0 {
		return filepath.FromSlash(dir[:i+1])
	}
	return "."
}

// named finds out the name of a node. A file that does not contain the word certname is not
// parsed for that.
func (n *Nodes) named(shown, file string) Node {
	base := path.Base(filepath.ToSlash(source.PlainName(file)))
	node := Node{Name: strings.TrimSuffix(base, path.Ext(base)), File: file}
	f, err := n.read(file)
	if err != nil {
		node.err = err
		return node
	}
	if !strings.Contains(f.Text, "certname") && !strings.Contains(f.Text, `\`) {
		return node
	}
	own := value.NewMap(0)
	if node.err = addFacts(own, f); node.err != nil {
		return node
	}
	trusted, ok, err := own.Get(value.K("trusted"))
	if !ok || err != nil || !trusted.Is(value.MapKind) {
		return node
	}
	if name, ok, err := trusted.Map().Get(value.K("certname")); ok && err == nil && name.Is(value.StringKind) && name.Str() != "" {
		node.Name = name.Str()
	}
	return node
}

// read reads the facts of a node. The files of nodes are kept neither as texts nor as inputs, and the
// limits of files and bytes hold for each node.
func (n *Nodes) read(file string) (*source.File, error) {
	alone := n.engine
	alone.Load.Inputs = nil
	return engine.Read(alone.Files(), file)
}

// refuseTwins makes the second of two files of one node an error.
func (n *Nodes) refuseTwins() {
	for i := 1; i < len(n.list); i++ {
		if a, b := &n.list[i-1], &n.list[i]; a.Name == b.Name && b.err == nil {
			b.err = source.Errorf(source.Span{}, source.BadDocument, "the files %s and %s are both of the node %q", n.shown(a.File), n.shown(b.File), a.Name)
		}
	}
}

func (n *Nodes) shown(file string) string { return n.engine.Files().Shown(file) }

// List returns the nodes, in the order of names.
func (n *Nodes) List() []Node { return n.list }

// Facts returns the facts of a node.
//
// Codes: the codes of [Facts]; bad-document if two files are of the node.
func (n *Nodes) Facts(node Node) (value.Map, error) {
	if node.err != nil {
		return nil, node.err
	}
	f, err := n.read(node.File)
	if err != nil {
		return nil, err
	}
	out := value.NewMap(n.common.Len())
	if err := copyFacts(out, n.common, 0); err != nil {
		return nil, err
	}
	if err := addFacts(out, f); err != nil {
		return nil, err
	}
	err = addSingle(out, n.single)
	nameNode(out, node.Name)
	return out, err
}

// nameNode gives a node without the fact trusted.certname its name as that fact, as "puppet lookup --node"
// does: hierarchies have a level for each node by it.
func nameNode(facts *value.Dict, name string) {
	trusted, ok, err := facts.Get(value.K("trusted"))
	if err != nil || ok && !trusted.Is(value.MapKind) {
		return
	}
	if ok {
		if _, ok, err := trusted.Map().Get(value.K("certname")); ok || err != nil {
			return
		}
	}
	setFact(facts, []string{"trusted", "certname"}, value.String(name))
}

// InOrder calls do with each number below n, on all cores, and yields the results in the order of
// the numbers. Calls run ahead of the loop by a bounded number of results. A panic of do is one
// of the loop.
func InOrder[T any](n int, do func(i int) T) iter.Seq2[int, T] {
	type result struct {
		value  T
		reason any // of a panic
	}
	return func(yield func(int, T) bool) {
		workers := min(n, runtime.GOMAXPROCS(0))
		window := 64 * workers
		slots := make([]chan result, window)
		for i := range slots {
			slots[i] = make(chan result, 1)
		}
		permits, stop := make(chan struct{}, window), make(chan struct{})
		for range window {
			permits <- struct{}{}
		}
		var next atomic.Int64
		var running sync.WaitGroup
		defer running.Wait()
		defer close(stop)
		one := func(i int) (r result) {
			defer func() { r.reason = recover() }()
			r.value = do(i)
			return r
		}
		for range workers {
			running.Go(func() {
				for {
					select {
					case <-stop:
						return
					case <-permits:
					}
					i := int(next.Add(1) - 1)
					if i >= n {
						return
					}
					slots[i%window] <- one(i)
				}
			})
		}
		for i := range n {
			r := <-slots[i%window]
			if r.reason != nil {
				panic(r.reason)
			}
			if !yield(i, r.value) {
				return
			}
			permits <- struct{}{}
		}
	}
}
