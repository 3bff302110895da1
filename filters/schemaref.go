package filters

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// checkReferences makes sure that a schema refers to parts of itself only, and that
// no part is valid just if it is valid: the library would follow such a circle until
// the stack is used up.
func checkReferences(schema any) error {
	r := references{root: schema, state: map[string]refState{}}
	return r.check(schema, "#")
}

type refState uint8

const (
	open refState = iota + 1
	checked
)

// references walks a schema. Parts are known by their JSON pointer.
type references struct {
	root  any
	state map[string]refState // of what applies to the same value
}

// check looks at a part and everything below it.
func (r *references) check(part any, at string) error {
	switch part := part.(type) {
	case map[string]any:
		if at != "#" && part["$id"] != nil {
			return errors.New("a part with an $id of its own cannot be used")
		}
		if err := r.circle(part, at); err != nil {
			return err
		}
		for key, below := range part {
			if err := r.check(below, at+"/"+escapePointer(key)); err != nil {
				return err
			}
		}
	case []any:
		for i, below := range part {
			if err := r.check(below, at+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// circle follows what applies to the same value as a part does.
func (r *references) circle(part any, at string) error {
	switch r.state[at] {
	case open:
		return fmt.Errorf("%s refers to itself", at)
	case checked:
		return nil
	}
	m, ok := part.(map[string]any)
	if !ok {
		return nil
	}
	r.state[at] = open
	for _, key := range [...]string{"not", "if", "then", "else"} {
		if err := r.circle(m[key], at+"/"+key); err != nil {
			return err
		}
	}
	for _, key := range [...]string{"allOf", "anyOf", "oneOf"} {
		list, _ := m[key].([]any)
		for i, below := range list {
			if err := r.circle(below, at+"/"+key+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
		}
	}
	for _, key := range [...]string{"dependentSchemas", "dependencies"} {
		below, _ := m[key].(map[string]any)
		for name, part := range below {
			if err := r.circle(part, at+"/"+key+"/"+escapePointer(name)); err != nil {
				return err
			}
		}
	}
	if err := r.follow(m); err != nil {
		return err
	}
	r.state[at] = checked
	return nil
}

// follow goes where a part refers to.
func (r *references) follow(part map[string]any) error {
	for _, key := range [...]string{"$dynamicRef", "$recursiveRef"} {
		if part[key] != nil {
			return fmt.Errorf("%s cannot be used", key)
		}
	}
	ref, ok := part["$ref"].(string)
	if !ok {
		return nil
	}
	if ref != "#" && !strings.HasPrefix(ref, "#/") {
		return fmt.Errorf("other documents cannot be loaded: %s; a reference begins with #/", ref)
	}
	target := r.root
	for seg := range strings.SplitSeq(strings.TrimPrefix(ref, "#"), "/") {
		if seg == "" && target != nil {
			continue
		}
		target = step(target, strings.NewReplacer("~1", "/", "~0", "~").Replace(seg))
	}
	if target == nil {
		return fmt.Errorf("there is no %s", ref)
	}
	return r.circle(target, ref)
}

func step(in any, seg string) any {
	switch in := in.(type) {
	case map[string]any:
		return in[seg]
	case []any:
		if i, err := strconv.Atoi(seg); err == nil && i >= 0 && i < len(in) {
			return in[i]
		}
	}
	return nil
}

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
