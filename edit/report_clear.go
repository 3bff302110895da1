package edit

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A report has the conflicts that the check of clear.go would find, and shows no text that the check
// takes for that of a secret. In
//
//	before            the change        in the report
//	pw: hunter2 !     name: hunter2     + name: "*****", secret-in-clear
//
// the check finds the exposure "name, which is the text of pw", and the change at name is refused.

// expose makes conflicts of the changes that would write a secret in clear. An exposure without a
// place among the changes, such as that of a comment, is one of all of them: they are written
// together.
func (f *fold) expose(changes []ReportChange) {
	if f.check == nil {
		return
	}
	for _, e := range f.check.found {
		isAt := func(c ReportChange) bool { return e.isAt(c.Path) }
		nowhere := !slices.ContainsFunc(changes, isAt)
		for i := range changes {
			if c := &changes[i]; nowhere || isAt(*c) {
				f.exposeAt(c, e)
			}
		}
	}
}

// isAt reports whether an exposure is at, in or around the value at a path.
func (e exposure) isAt(p value.Path) bool {
	at := e.path
	if at == nil {
		at = e.of
	}
	return at != nil && (at.HasPrefix(p) || p.HasPrefix(at))
}

// exposeAt makes a conflict of a change that would write a secret in clear, unless that is allowed or
// the value goes to the encrypted file that defines it.
func (f *fold) exposeAt(c *ReportChange, e exposure) {
	if e.of == nil {
		c.result |= e.marks
	}
	if f.options.AllowClear {
		return
	}
	c.Override = ""
	if c.sourceInClear {
		c.Source = ""
	}
	if c.Reason == "" && (f.options.To == Override || c.Source == "") {
		c.Reason, c.Ways = source.InClear, []string{f.check.wayOut(e), "--allow-clear writes it in clear"}
	}
}

// withCopies marks the texts in v that are those of secrets, whether they may be written or not. A
// short one counts only if the secret is no longer in its own place, as in knownSecrets.
func (f *fold) withCopies(v value.Value) value.Value {
	if f == nil {
		return v
	}
	var known knownSecrets
	if f.earlier != nil {
		known = *f.earlier
	}
	if len(known.at) == 0 && len(f.given) == 0 {
		return v
	}
	out, err := value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
		if err != nil {
			return v.Mark(value.Secret), value.SkipInside
		}
		text, ok := secretText(v)
		secret, copied := known.at[text]
		switch {
		case ok && f.given[text]:
			v = v.Mark(value.Secret)
		case ok && copied && (len(text) >= minCopied || secret.doc == f.doc.Index() && secret.isGoneFrom(f.edited)):
			v = v.Mark(secret.marks)
		}
		return v, nil
	})
	if err != nil {
		return v.Mark(value.Secret)
	}
	return out
}
