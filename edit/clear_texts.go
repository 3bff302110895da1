package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// minCopied is the length of the shortest text that is taken for a copy of a secret: shorter ones,
// such as "a" or "admin", are equal by chance. A text is no copy either if it is in clear
// elsewhere.
const minCopied = 6

// knownSecrets are the texts of the secrets of the documents before an edit.
type knownSecrets struct {
	at    map[string]knownSecret
	clear map[string]bool // texts of values without a mark
}

// A knownSecret is one secret with a certain text.
type knownSecret struct {
	doc     int
	path    value.Path
	marks   value.Marks
	written string // the text that the document has there, encrypted in a vault
	in      *engine.Project
}

// secrets returns the texts of the secrets, read once. There are none if no file is encrypted and
// none has a mark.
func (c *clearCheck) secrets() *knownSecrets {
	if c.known != nil {
		return c.known
	}
	c.known = &knownSecrets{at: map[string]knownSecret{}, clear: map[string]bool{}}
	defer func() { c.known.addEarlier(c.earlier) }()
	if !slices.ContainsFunc(c.files(), func(f *source.File) bool { return f.Secret || hasMarkWords(f.Text) }) {
		return c.known
	}
	for _, d := range c.before.Documents() {
		if v, err := overlay.Expanded(d); err == nil {
			c.known.add(d.Index(), v)
			c.known.addVaults(d, v)
		}
	}
	for i, v := range c.shown {
		c.known.add(i, v)
	}
	for text := range c.known.clear {
		delete(c.known.at, text)
	}
	for text, secret := range c.known.at {
		secret.in = c.before
		c.known.at[text] = secret
	}
	return c.known
}

// add adds the texts of a document.
func (s *knownSecrets) add(doc int, v value.Value) {
	walkPaths(withSensitiveCalls(v), func(p value.Path, v value.Value, marks value.Marks) {
		text, ok := secretText(v)
		_, known := s.at[text]
		switch {
		case !ok:
		case marks == 0:
			s.clear[text] = true
		case !known:
			s.at[text] = knownSecret{doc: doc, path: slices.Clone(p), marks: marks, written: text}
		}
	})
}

// addVaults adds the decrypted texts of the values with the tag !vault, as far as their password is known.
func (s *knownSecrets) addVaults(d *engine.Document, v value.Value) {
	walkPaths(v, func(p value.Path, v value.Value, _ value.Marks) {
		if !isVault(v) {
			return
		}
		is, err := evaluated(d, p)
		if err != nil || is.Marks()&value.Secret == 0 {
			return
		}
		text, ok := secretText(is)
		if _, known := s.at[text]; ok && !known {
			s.at[text] = knownSecret{doc: d.Index(), path: slices.Clone(p), marks: value.Secret, written: v.Str()}
		}
	})
}

// addEarlier adds the secrets that the documents had before other edits of the call, which may have
// removed them: the text of one that is written elsewhere afterwards was moved there. earlier may be nil.
func (s *knownSecrets) addEarlier(earlier *knownSecrets) {
	if earlier == nil {
		return
	}
	for text, secret := range earlier.at {
		if _, known := s.at[text]; !known && !s.clear[text] {
			s.at[text] = secret
		}
	}
}

// rememberSecrets records the secrets of the current texts before the first of several steps of a call.
func (x *session) rememberSecrets() {
	if x.earlier != nil {
		return
	}
	if p, err := x.Project(); err == nil {
		c := clearCheck{session: x, before: p, after: p}
		x.earlier = c.secrets()
	}
}

// give records the texts that an encrypted file gives to the edits. They are secrets, whatever the
// documents have.
func (x *session) give(v value.Value) {
	walkPaths(v, func(_ value.Path, v value.Value, marks value.Marks) {
		if text, ok := secretText(v); ok && marks&value.Secret != 0 {
			if x.given == nil {
				x.given = map[string]bool{}
			}
			x.given[text] = true
		}
	})
}

// files returns the files of the project before the edit, and those that it includes afterwards,
// each maybe several times.
func (c *clearCheck) files() []*source.File {
	var all []*source.File
	for _, d := range c.before.Documents() {
		for _, l := range d.Layers() {
			if l.Doc != nil && l.Doc.File != nil {
				all = append(all, l.Doc.File)
			}
		}
	}
	for _, in := range slices.Concat(c.before.Includes(), c.after.Includes()) {
		all = append(all, in.To)
	}
	return all
}

// secretText returns the text of a scalar by which a copy of it is found, and false for null,
// truth values, the empty text, and the encrypted text of a vault, which may be copied.
func secretText(v value.Value) (string, bool) {
	if v.IsNull() || v.Is(value.BoolKind) || !v.IsScalar() || isVault(v) {
		return "", false
	}
	text := textOf(v)
	return text, text != ""
}

// walkPaths visits the scalars in v with their paths and with the marks of them and of the lists
// and maps around them.
func walkPaths(v value.Value, visit func(p value.Path, v value.Value, marks value.Marks)) {
	_ = value.WalkPaths(v, func(path value.Path, at value.Position, v value.Value, err error) error {
		if err == nil && v.IsScalar() {
			visit(path, v, at.Marks|v.Marks())
		}
		return nil
	})
}

// added looks for texts of secrets in a value that is new in its place.
func (c *clearCheck) added(p value.Path, a value.Value) {
	known := c.secrets()
	if len(known.at) == 0 && len(c.given) == 0 {
		return
	}
	walkPaths(withSensitiveCalls(a), func(below value.Path, v value.Value, marks value.Marks) {
		text, ok := secretText(v)
		if !ok || marks != 0 {
			return
		}
		secret, ok := known.at[text]
		given := c.given[text]
		if !given && (!ok || len(text) < minCopied && !c.isGone(secret)) {
			return
		}
		at := slices.Concat(p, below)
		span, into, ok := c.written(at)
		if !ok {
			return
		}
		e := exposure{path: at, of: secret.path, marks: secret.marks, at: span, into: into, text: text}
		if secret.marks == 0 {
			e.of, e.marks, e.given = nil, value.Secret, true
		} else {
			e.from = c.definitionOf(secret)
		}
		c.found = append(c.found, e)
	})
}

// isGone reports whether a secret has another text or no value after the edit: then its text, if
// it is elsewhere, was moved there.
func (c *clearCheck) isGone(secret knownSecret) bool {
	d, err := c.after.Only(secret.doc)
	if err != nil {
		return true
	}
	v, err := overlay.Expanded(d)
	return err != nil || secret.isGoneFrom(v)
}

// isGoneFrom reports whether the secret has another text or no value in a document.
func (s knownSecret) isGoneFrom(document value.Value) bool {
	now, ok, err := value.Find(document, s.path)
	return !ok || err != nil || !now.IsScalar() || textOf(now) != s.written
}

// textOf returns the text of a scalar.
func textOf(v value.Value) string {
	k, _ := value.KeyOf(v)
	return k.Text
}

// pinned looks at a template or expression that is still computed from a secret: its text must
// not have got a secret itself.
func (c *clearCheck) pinned(p pathPair, b, a value.Value) {
	if !a.Is(value.StringKind) || marksIn(a) != 0 {
		return
	}
	for text, secret := range c.secrets().at {
		if len(text) < minCopied || !strings.Contains(a.Str(), text) || strings.Contains(b.Str(), text) {
			continue
		}
		if span, into, ok := c.written(p.new); ok {
			c.found = append(c.found, exposure{path: p.new, of: secret.path, marks: secret.marks, at: span, into: into, text: a.Str()})
			return
		}
	}
}

// compareTexts looks for secrets in the changed parts of plain files that the documents do not show:
// what other layers hide, and the name of an item that a whiteout removes.
//
//	users: [{name: ann, +%: whiteout}]
func (c *clearCheck) compareTexts() {
	for _, patch := range c.patches {
		if source.LanguageOf(patch.Name) == frontend.Yay || len(c.secrets().at) == 0 {
			continue
		}
		docs, _ := yaml.Parse(source.NewFile(patch.Name, patch.New), yaml.ParseOptions{Lenient: true})
		for _, d := range docs {
			c.compareNode(patch, d.Root, false)
		}
	}
}

// compareNode looks for secrets at and below a node. short says that short texts count as well.
func (c *clearCheck) compareNode(patch overlay.Patch, n *yaml.Node, short bool) {
	if n == nil || n.Kind == yaml.AliasNode || !patch.Touches(int(n.At.Start), int(n.At.End)) {
		return
	}
	text, ok := secretText(n.Value)
	if secret, known := c.secrets().at[text]; n.Kind == yaml.ScalarNode && ok && known && (short || len(text) >= minCopied) && !strings.Contains(patch.Old, text) {
		c.found = append(c.found, exposure{of: secret.path, marks: secret.marks, from: c.definitionOf(secret), at: n.At, into: patch.Name, text: text})
	}
	marked := slices.ContainsFunc(n.Entries, func(e yaml.Entry) bool { return e.Key == value.K("+%") })
	for i := range n.Entries {
		if e := &n.Entries[i]; e.Key != value.K("sensitive") {
			c.compareNode(patch, e.Value, marked)
		}
	}
	for _, item := range n.Items {
		c.compareNode(patch, item, short)
	}
}

// definitionOf returns the place that defines a secret, if it is known.
func (c *clearCheck) definitionOf(secret knownSecret) source.Span {
	d, err := secret.in.Only(secret.doc)
	if err != nil {
		return source.Span{}
	}
	facts, _ := factsAt(d, secret.path)
	for _, f := range facts {
		if f.Role == graph.Sets {
			return f.At
		}
	}
	return source.Span{}
}

// compareComments looks for comments of encrypted files in the changed parts of plain ones.
func (c *clearCheck) compareComments() {
	for _, patch := range c.patches {
		changed := patch.Changed()
		if !strings.Contains(changed, "#") {
			continue
		}
		for _, f := range c.files() {
			if !f.Secret {
				continue
			}
			for line := range strings.Lines(changed) {
				if text := copiedComment(line, f.Text, patch.Old); text != "" {
					c.found = append(c.found, exposure{marks: value.Secret, from: f.Span(0, 0), into: patch.Name, text: text})
				}
			}
		}
	}
}

// copiedComment returns the comment of a line if it is in the text of an encrypted file and not in
// the old text.
func copiedComment(line, secret, old string) string {
	for i := range len(line) {
		if line[i] != '#' || i > 0 && line[i-1] != ' ' && line[i-1] != '\t' {
			continue
		}
		comment := strings.TrimSpace(line[i:])
		if len(comment) > minCopied && strings.Contains(secret, comment) && !strings.Contains(old, comment) {
			return comment
		}
	}
	return ""
}

// error returns the error of the check. It quotes no text.
func (c *clearCheck) error() error {
	e := c.found[0]
	origin := e.origin()
	var message string
	switch names := c.names(); {
	case e.path == nil && e.of != nil:
		message = fmt.Sprintf("the edit would write the text of %s, a secret%s, into %s in clear", e.of, origin, e.into)
	case e.path == nil:
		message = fmt.Sprintf("the edit would copy a comment%s into %s, which is not encrypted", origin, e.into)
	case e.of != nil:
		message = fmt.Sprintf("the edit would write the text of %s, a secret%s, into %s in %s in clear", e.of, origin, e.path, e.into)
	case e.marks&value.Secret == 0:
		message = fmt.Sprintf("the edit would write %s into %s without the mark that it has: it is sensitive", names, e.into)
	case e.given:
		message = fmt.Sprintf("the edit would write %s into %s in clear: an encrypted file gave the value", names, e.into)
	case e.item:
		message = fmt.Sprintf("the edit would write %s into %s in clear: the other items are secrets%s", names, e.into, origin)
	case origin == "" && !e.vault:
		message = fmt.Sprintf("the edit would write %s into %s in clear: it is computed from a secret", names, e.into)
	default:
		message = fmt.Sprintf("the edit would write %s into %s in clear: %s%s", names, e.into, c.are(), origin)
	}
	d := source.Errorf(e.from, source.SecretInClear, "%s", message)
	if e.path == nil && e.of == nil {
		d.At = source.Span{}
	}
	return d.WithHint("%s; --allow-clear writes it in clear", c.wayOut(e))
}

// origin returns the end of a message that names the encrypted file of the secret, "" if there is none.
func (e exposure) origin() string {
	if !isSecretSpan(e.from) {
		return ""
	}
	return " of " + e.from.File.Name
}

// wayOut returns advice for what the user can do instead of the edit.
func (c *clearCheck) wayOut(e exposure) string {
	origin := e.origin()
	switch {
	case e.path == nil && e.of == nil:
		return "leave the comment out"
	case (e.path == nil || e.of == nil) && isVaultFile(e.from):
		return "ansible-vault edit changes" + strings.TrimPrefix(origin, " of")
	case e.path == nil && origin != "":
		return "--to=source edits" + strings.TrimPrefix(origin, " of") + " itself"
	case e.marks&value.Secret == 0:
		return "set the text inside of the mark" + c.inside(e) + ", or keep the value in an encrypted file (--to=source)"
	case origin == "" && e.vault:
		return "ansible-vault encrypts a text; a value of an encrypted file is set with --to=source"
	case origin == "" && e.of != nil:
		return "refer to it in a template"
	case origin == "":
		return "set the secret where it is defined (--to=source), or write a template that reads it"
	case e.of != nil:
		return "refer to it in a template, or write the value into the encrypted file (--to=source)"
	}
	return "--to=source writes it into" + strings.TrimPrefix(origin, " of") + ", encrypted again"
}

// are says that the values which the edit would write are secrets.
func (c *clearCheck) are() string {
	if len(c.found) > 1 {
		return "they are secrets"
	}
	return "it is a secret"
}

// names returns the paths of the values that the edit would write, for messages.
func (c *clearCheck) names() string {
	var names []string
	for _, e := range c.found {
		if name := e.path.String(); e.path != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return listed(names)
}

// isInClear reports whether err is about a secret in clear: another way to write it is no better.
func isInClear(err error) bool {
	var d *source.Diagnostic
	return errors.As(err, &d) && d.Code == source.SecretInClear
}

// isSecretSpan reports whether a place is in an encrypted file.
func isSecretSpan(at source.Span) bool { return at.File != nil && at.File.Secret }

// isVaultFile reports whether a place is in a file that ansible-vault encrypted, which edits do not write.
func isVaultFile(at source.Span) bool {
	return isSecretSpan(at) && !overlay.IsEncrypted(at.File.Name)
}

// inside returns the path of the text inside of the mark of a sensitive value, for a hint.
func (c *clearCheck) inside(e exposure) string {
	at := append(slices.Clone(e.path), value.K("eval"), value.K("sensitive"))
	for _, d := range c.before.Documents() {
		v, err := overlay.Expanded(d)
		if err != nil {
			continue
		}
		if _, ok, err := value.Find(v, at); ok && err == nil {
			return " (" + at.String() + ")"
		}
	}
	return ""
}
