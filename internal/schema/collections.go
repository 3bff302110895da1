package schema

import (
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// Keywords of lists and maps.

// list checks a list but for the items that nothing else has evaluated.
func (c *checking) list() error {
	n, items := c.n, c.v.List()
	c.size("minItems", "maxItems", items.Len(), "item")
	if n.prefix == nil && n.items == nil && n.contains == nil && !n.unique {
		return nil
	}
	contained := 0
	at := func(i int) *location { return c.l.at(c.v, value.Index(i)) }
	var unique seenItems
	for i := range items.Len() {
		if c.ended() {
			return nil
		}
		v, err := items.At(i)
		if err != nil {
			return err
		}
		by := n.items
		if i < len(n.prefix) {
			by = n.prefix[i]
		}
		if by != nil {
			if err := c.sub(by, v, at(i), c.fresh()); err != nil {
				return err
			}
		}
		if n.contains != nil {
			ok, err := c.check(n.contains, v, at(i), nil, c.fresh())
			if err != nil {
				return err
			}
			if ok {
				contained++
				c.seen.item(i)
			}
		}
		if n.unique {
			same, err := unique.add(c, v)
			if err != nil {
				return err
			}
			if same >= 0 {
				c.ok = c.out.found(n, at(i), "uniqueItems", message{format: "%s is the same as an item before it"})
			}
		}
	}
	if c.seen != nil {
		c.seen.items = max(c.seen.items, min(len(n.prefix), items.Len()))
		c.seen.all = c.seen.all || n.items != nil
	}
	if n.contains == nil {
		return nil
	}
	if contained < n.least {
		word := "contains"
		if _, ok := n.limits["minContains"]; ok {
			word = "minContains"
		}
		c.violated(word, message{format: "%s has fewer than %s of the kind that the schema requires", arg: counted(n.least, "item")})
	}
	if n.most >= 0 && contained > n.most {
		c.violated("maxContains", message{format: "%s has more than %s of a kind that the schema limits", arg: counted(n.most, "item")})
	}
	return nil
}

// itemsLeft checks the items that nothing else has evaluated.
func (c *checking) itemsLeft() error {
	if c.n.unevaluatedItems == nil || c.seen == nil || c.seen.all {
		return nil
	}
	items := c.v.List()
	for i := c.seen.items; i < items.Len() && !c.ended(); i++ {
		if c.seen.at[i] {
			continue
		}
		v, err := items.At(i)
		if err != nil {
			return err
		}
		if err := c.sub(c.n.unevaluatedItems, v, c.l.at(c.v, value.Index(i)), c.fresh()); err != nil {
			return err
		}
	}
	c.seen.all = true
	return nil
}

// object checks a map but for the keys that nothing else has evaluated.
func (c *checking) object() error {
	n, m := c.n, value.Public(c.v).Map()
	c.size("minProperties", "maxProperties", m.Len(), "key")
	for _, name := range n.required {
		if err := c.require("required", name, ""); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(n.demands)) {
		_, there, err := lookup(c.v, key)
		if err != nil {
			return err
		}
		if there {
			for _, name := range n.demands[key] {
				if err := c.require("dependentRequired", name, key); err != nil {
					return err
				}
			}
		}
	}
	if n.properties == nil && n.patterns == nil && n.additional == nil && n.names == nil {
		return nil
	}
	for k := range m.Keys() {
		if c.ended() {
			return nil
		}
		v, _, err := m.Get(k)
		if err != nil {
			return err
		}
		if err := c.entry(k, v); err != nil {
			return err
		}
	}
	return nil
}

// require reports a key that is missing; because is the key that requires it, "" for none.
func (c *checking) require(word, name, because string) error {
	_, there, err := lookup(c.v, name)
	if err != nil || there || c.ended() {
		return err
	}
	if c.ok = false; c.out != nil {
		c.violated(word, missing(c, name, because))
	}
	return nil
}

// entry checks one entry of a map.
func (c *checking) entry(k value.Key, v value.Value) error {
	n, l := c.n, c.l.at(c.v, k)
	if n.names != nil {
		ok, err := c.check(n.names, value.String(k.Text), l, nil, c.fresh())
		if err != nil {
			return err
		}
		if !ok {
			c.ok = c.out.keyFound(n, l, "propertyNames", message{format: "the schema does not allow the key %s", subject: k.Text})
		}
	}
	known := false
	by := func(n *node) error {
		known = true
		return c.sub(n, v, l, c.fresh())
	}
	if p := n.properties[k.Text]; p != nil {
		if err := by(p); err != nil {
			return err
		}
	}
	for _, p := range n.patterns {
		ok, err := n.matches(p.pattern, k.Text, c.schema.charge, value.K("patternProperties"), value.K(p.pattern.text))
		if err != nil {
			return err
		}
		if ok {
			if err := by(p.node); err != nil {
				return err
			}
		}
	}
	if !known && n.additional != nil {
		known = true
		if n.additional.never {
			c.unknownKey(n, l, "additionalProperties", k.Text)
		} else if err := by(n.additional); err != nil {
			return err
		}
	}
	if known {
		c.seen.key(k.Text)
	}
	return nil
}

// keysLeft checks the keys that nothing else has evaluated.
func (c *checking) keysLeft() error {
	n := c.n.unevaluatedProperties
	if n == nil || c.seen == nil || c.seen.all {
		return nil
	}
	m := value.Public(c.v).Map()
	for k := range m.Keys() {
		if c.ended() {
			return nil
		}
		if c.seen.keys[k.Text] {
			continue
		}
		v, _, err := m.Get(k)
		if err != nil {
			return err
		}
		if n.never {
			c.unknownKey(c.n, c.l.at(c.v, k), "unevaluatedProperties", k.Text)
		} else if err := c.sub(n, v, c.l.at(c.v, k), c.fresh()); err != nil {
			return err
		}
	}
	c.seen.all = true
	return nil
}
