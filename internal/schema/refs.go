package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A resource is a schema with an $id of its own, or a whole document. Relative references inside of it
// start from its URI.
//
//	file:///p/s.json   {$id: https://example.org/s, $defs: {a: {$id: a, $anchor: x}}}
//
//	https://example.org/s    and file:///p/s.json name the document
//	https://example.org/a    its part a; https://example.org/a#x as well
type resource struct {
	uri     *url.URL
	root    *node
	anchors map[string]*node
	dynamic map[string]*node // of $dynamicAnchor
	old     bool             // up to draft 7: $ref hides the keywords beside it
}

// A reference is a $ref or $dynamicRef.
type reference struct {
	text   string
	from   *node
	at     value.Path
	target *node
	anchor string // of a $dynamicRef whose target may be another one, at another place of use
}

// document reads a whole document.
func (c *compiler) document(d *Document) (*node, error) {
	if d.URI != "" {
		c.documents[d.URI] = d
	}
	uri, err := url.Parse(d.URI)
	if err != nil {
		uri = &url.URL{}
	}
	res := &resource{uri: uri, anchors: map[string]*node{}, dynamic: map[string]*node{}}
	if _, known := c.resources[uri.String()]; !known {
		c.resources[uri.String()] = res
	}
	return c.node(d, nil, d.Data, res)
}

// identify reads the keywords of n that name it.
func (c *compiler) identify(n *node, m value.Map) error {
	text := func(word string) (string, error) {
		v, ok, err := m.Get(value.K(word))
		if !ok || err != nil {
			return "", err
		}
		if !v.Is(value.StringKind) {
			return "", c.takes(n.doc, n.below(value.K(word)), "a text")
		}
		return v.Str(), nil
	}
	var words [5]string
	for i, word := range [...]string{"$schema", "$id", "$anchor", "$dynamicAnchor", "$ref"} {
		var err error
		if words[i], err = text(word); err != nil {
			return err
		}
	}
	if n.in.root == nil {
		n.in.root = n
		n.in.old = isOld(words[0])
	}
	id, fragment, _ := strings.Cut(words[1], "#")
	if n.in.old && words[4] != "" {
		id, fragment = "", "" // hidden by $ref
	}
	if id != "" {
		uri, err := n.in.uri.Parse(id)
		if err != nil {
			return c.fail(n.doc, n.below(value.K("$id")), source.BadValue, "it is no URI")
		}
		old := n.in.old
		if words[0] != "" {
			old = isOld(words[0])
		}
		if n.in.root == n {
			n.in.uri = uri
		} else {
			n.in = &resource{uri: uri, root: n, anchors: map[string]*node{}, dynamic: map[string]*node{}, old: old}
		}
		c.resources[uri.String()] = n.in
	}
	n.alone = n.in.old
	for _, name := range []string{fragment, words[2], words[3]} {
		if name != "" {
			n.in.anchors[name] = n
		}
	}
	if words[3] != "" {
		n.in.dynamic[words[3]] = n
	}
	return nil
}

// isOld reports whether a $schema names draft 7 or an older one.
func isOld(schema string) bool {
	return strings.Contains(schema, "/draft-0") && !strings.Contains(schema, "/draft/")
}

// reference reads a reference, whose target is looked up when everything is read.
func (c *compiler) reference(n *node, at value.Path, v value.Value) (*reference, error) {
	if !v.Is(value.StringKind) {
		return nil, c.takes(n.doc, at, "a text")
	}
	r := &reference{text: v.Str(), from: n, at: at}
	c.pending = append(c.pending, r)
	return r, nil
}

// resolve looks up the targets of all references. Documents that it opens may have more.
func (c *compiler) resolve() error {
	for len(c.pending) > 0 {
		r := c.pending[0]
		c.pending = c.pending[1:]
		var err error
		if r.target, err = c.target(r); err != nil {
			return err
		}
		if r.from.dynamic == r {
			_, name, _ := strings.Cut(r.text, "#")
			if r.target.in.dynamic[name] == r.target {
				r.anchor = name
			}
		}
	}
	return nil
}

// target returns the node that a reference names.
func (c *compiler) target(r *reference) (*node, error) {
	fail := func(problem string) error {
		return c.fail(r.from.doc, r.at, source.BadValue, "the reference %s %s", quote(r.text), problem)
	}
	uri, err := r.from.in.uri.Parse(r.text)
	if err != nil {
		return nil, fail("is no URI")
	}
	whole := *uri
	whole.Fragment, whole.RawFragment = "", ""
	res := c.resources[whole.String()]
	if res == nil {
		name, _, _ := strings.Cut(r.text, "#")
		if c.options.Open == nil {
			return nil, fail("refers to another document; only references to parts of the schema are supported")
		}
		at := r.from.doc.place(r.at)
		d, err := c.options.Open(name, whole.String(), at, r.from.doc)
		if err != nil {
			return nil, source.AsDiagnostic(err, source.Span{}, source.Access).Located(at)
		}
		if known := c.documents[d.URI]; known != nil {
			res = c.nodes[nodeKey{known, ""}].in
		} else {
			root, err := c.document(d)
			if err != nil {
				return nil, err
			}
			res = root.in
		}
		c.resources[whole.String()] = res
	}
	switch fragment := uri.Fragment; {
	case fragment == "" && res.root != nil:
		return res.root, nil
	case strings.HasPrefix(fragment, "/"):
		if n, err := c.pointer(res, fragment); n != nil || err != nil {
			return n, err
		}
	default:
		if n := res.anchors[fragment]; n != nil {
			return n, nil
		}
	}
	return nil, fail("has no target")
}

// pointer returns the node at a JSON pointer, nil for none. The part may be at a place where only a
// pointer finds it.
func (c *compiler) pointer(res *resource, fragment string) (*node, error) {
	if res.root == nil {
		return nil, nil
	}
	d, at, in := res.root.doc, slices.Clone(res.root.at), res
	v := d.Data
	for _, k := range at {
		v = step(v, k.Text)
	}
	for seg := range strings.SplitSeq(fragment[1:], "/") {
		seg = strings.NewReplacer("~1", "/", "~0", "~").Replace(seg)
		if v = step(v, seg); v.Is(value.UndefinedKind) {
			return nil, nil
		}
		at = append(at, value.K(seg))
		if n := c.nodes[nodeKey{d, at.Pointer()}]; n != nil {
			in = n.in
		}
	}
	return c.node(d, at, v, in)
}

// step returns the part of data under a key or position, undefined for none.
func step(v value.Value, seg string) value.Value {
	switch v.Kind() {
	case value.MapKind:
		if below, ok, err := v.Map().Get(value.K(seg)); ok && err == nil {
			return below
		}
	case value.ListKind:
		if i, err := strconv.Atoi(seg); err == nil && i >= 0 && i < v.List().Len() {
			if below, err := v.List().At(i); err == nil {
				return below
			}
		}
	}
	return value.Undefined(nil)
}
