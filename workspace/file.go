package workspace

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/pattern"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A field is a key of the project file, or of a target in it.
type field struct {
	key  string
	doc  string // one sentence, without a dot
	kind kind
	read func(r *reader, at source.Span, n *yaml.Node)
}

// A kind is the form of the value of a field, for the JSON Schema of the file.
type kind uint8

const (
	versionKind    kind = iota
	pathList            // a list of paths
	patternList         // a list of patterns
	policyMap           // policies by key
	patternListMap      // lists of texts by pattern
	patternPathMap      // paths by pattern
	levelMap            // levels by kind of warning
	targetMap
	pathText
	patternText
	text
	dataMap // data by path
)

// topFields are the keys of a project file.
func topFields() []field {
	return []field{
		{"yaytpl", "The version of the format of the file", versionKind, func(*reader, source.Span, *yaml.Node) {}},
		{"include-dirs", "Directories that are searched for included files", pathList, func(r *reader, _ source.Span, n *yaml.Node) {
			r.w.IncludeDirs = r.paths(n, "include-dirs")
		}},
		{"templates-off", "Files whose templates are text, as those of other tools", patternList, func(r *reader, _ source.Span, n *yaml.Node) {
			r.w.Settings.TemplatesOff = r.patterns(n, "templates-off")
		}},
		{"directives-off", "Files in which keys such as +include are data", patternList, func(r *reader, _ source.Span, n *yaml.Node) {
			r.w.Settings.DirectivesOff = r.patterns(n, "directives-off")
		}},
		{"expressions-off", "Files in which expression objects are data", patternList, func(r *reader, _ source.Span, n *yaml.Node) {
			r.w.Settings.ExpressionsOff = r.patterns(n, "expressions-off")
		}},
		{"lists", "How lists join older ones, by the key of the list", policyMap, (*reader).lists},
		{"recipients", "For whom files are encrypted: key files, or names of keys of gpg", patternListMap, (*reader).recipients},
		{"schemas", "JSON Schemas of documents, by pattern of files", patternPathMap, (*reader).schemas},
		{"checks", "Levels of kinds of warnings", levelMap, (*reader).checks},
		{"targets", "Stacks of layers, by name", targetMap, (*reader).targets},
	}
}

// A reader reads a project file and collects its mistakes.
type reader struct {
	w        *Workspace
	rule     *rule // that is being read
	count    int   // of patterns
	findings []*source.Diagnostic
}

// read reads the text of a project file. dir is the directory of relative names.
func read(file, text, dir string) (*Workspace, error) {
	f := source.NewFile(shown(file, dir), text)
	f.Path = file
	w := &Workspace{Dir: filepath.Dir(file), File: f, dir: dir}
	w.Settings = &yaytpl.Settings{Dir: w.Dir}
	docs, findings := yaml.Parse(f, yaml.ParseOptions{NoTemplates: true})
	var errs []*source.Diagnostic
	for _, d := range findings {
		if d.Severity == source.Error {
			errs = append(errs, d)
		}
	}
	if len(errs) > 0 {
		return nil, source.OneOrMany(errs)
	}
	r := &reader{w: w}
	root := docs[0].Root
	switch {
	case root == nil || root.Kind != yaml.MapNode || len(root.Entries) == 0 || !isVersion(&root.Entries[0]):
		at := f.Span(0, 0)
		if root != nil {
			at = first(root)
		}
		return nil, source.Errorf(at, source.BadProject, "%s is not a project file: its first key is not yaytpl: 1", f.Name)
	case len(docs) > 1:
		r.bad(docs[1].At.Sub(0, 0), "a project file has one document")
	}
	r.fields(root, "the project file", topFields())
	if len(r.findings) > 0 {
		return nil, source.OneOrMany(source.CutOff(r.findings))
	}
	return w, nil
}

func isVersion(e *yaml.Entry) bool {
	return e.Key == value.K("yaytpl") && e.Value.Kind == yaml.ScalarNode && e.Value.Value.Is(value.IntKind) && e.Value.At.Text() == "1"
}

// first returns the place of the first key of a map, or of another node.
func first(n *yaml.Node) source.Span {
	if n.Kind == yaml.MapNode && len(n.Entries) > 0 {
		return n.Entries[0].KeyAt
	}
	return n.At
}

// bad adds a mistake.
func (r *reader) bad(at source.Span, format string, args ...any) *source.Diagnostic {
	d := source.Errorf(at, source.BadProject, format, args...)
	r.findings = append(r.findings, d)
	return d
}

// fields reads the entries of a map, which messages call name.
func (r *reader) fields(n *yaml.Node, name string, known []field) {
	for i := range n.Entries {
		e := &n.Entries[i]
		at := slices.IndexFunc(known, func(f field) bool { return e.Key == value.K(f.key) })
		if at >= 0 && !e.IsMerge() {
			known[at].read(r, e.KeyAt, e.Value.Aliased())
			continue
		}
		var keys []string
		for _, f := range known {
			keys = append(keys, f.key)
		}
		switch d := r.bad(e.KeyAt, "%s has no key %q", name, e.Key.Text); {
		case e.IsMerge() || strings.HasPrefix(e.Key.Text, "+"):
			d.WithHint("the project file is data: it has no directives")
		default:
			d.WithHint("the keys are %s", strings.Join(keys, ", ")).DidYouMean(e.Key.Text, slices.Values(keys))
		}
	}
}

// entries returns the entries of a map, which messages call name.
func (r *reader) entries(n *yaml.Node, name, example string) []yaml.Entry {
	if n.Kind != yaml.MapNode {
		r.bad(n.At, "%s is %s, and needs a map", name, article(n)).WithHint("such as %s", example)
		return nil
	}
	for i := range n.Entries {
		if e := &n.Entries[i]; e.IsMerge() {
			r.bad(e.KeyAt, "%s cannot merge other maps with <<", name).WithHint("the project file is data: it has no directives")
			return nil
		}
	}
	return n.Entries
}

// texts returns the items of a list of texts.
func (r *reader) texts(n *yaml.Node, name, example string) []*yaml.Node {
	if n.Kind != yaml.SeqNode {
		r.bad(n.At, "%s is %s, and needs a list", name, article(n)).WithHint("such as %s", example)
		return nil
	}
	var items []*yaml.Node
	for _, item := range n.Items {
		if item = item.Aliased(); r.isText(item, "an item of "+name) {
			items = append(items, item)
		}
	}
	return items
}

// isText reports whether a node is a text, and adds a mistake if it is not.
func (r *reader) isText(n *yaml.Node, name string) bool {
	switch {
	case n.Kind != yaml.ScalarNode || !n.Value.Is(value.StringKind):
		d := r.bad(n.At, "%s is %s, and needs a text", name, article(n))
		if n.Kind == yaml.ScalarNode && n.At.Start < n.At.End {
			d.WithHint("write %q", n.At.Text())
		}
	case n.Tag != "" && !strings.HasPrefix(n.Tag, "!!"):
		r.bad(n.TagAt, "%s has the tag %s, which means nothing in a project file", name, n.Tag)
	default:
		return true
	}
	return false
}

// article returns the kind of a node with its article, such as "a list".
func article(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MapNode:
		return "a map"
	case yaml.SeqNode:
		return "a list"
	}
	if n.Value.Is(value.StringKind) {
		return "a text"
	}
	return value.Article(n.Value.Kind())
}

// paths returns the items of a list of paths.
func (r *reader) paths(n *yaml.Node, name string) []string {
	var list []string
	for _, item := range r.texts(n, name, "[lib]") {
		if p, ok := r.path(item, name); ok {
			list = append(list, p)
		}
	}
	return list
}

// path returns a path in its shortest form, and false for one that leads out of the project.
func (r *reader) path(n *yaml.Node, name string) (string, bool) {
	text := n.Value.Str()
	err := checkPath(text)
	if err == nil {
		return path.Clean(text), true
	}
	d := r.bad(n.At, "%q is not a path of %s: %v", text, name, err)
	if strings.Contains(text, "{{") {
		d.Message = "a path of " + name + " cannot be a template"
		d.WithHint("the project file is data; {word} in a target is the part of a path that its for has at that place")
	}
	return "", false
}

// checkPath returns an error for a path that leads out of its directory, or is a template.
func checkPath(text string) error {
	switch clean := path.Clean(text); {
	case strings.Contains(text, "{{"):
		return errors.New("it is a template")
	case strings.Contains(text, "://"):
		return errors.New("it is a URL")
	case clean == ".." || strings.HasPrefix(clean, "../"):
		return errors.New("it leads out of the project")
	case clean == "." && text != "":
		return nil
	case text == "":
		return errors.New("it is empty")
	default:
		return pattern.Local(clean)
	}
}

// patterns returns the items of a list of patterns.
func (r *reader) patterns(n *yaml.Node, name string) []string {
	var list []string
	for _, item := range r.texts(n, name, `["charts/**"]`) {
		if text, ok := r.pattern(item.Value.Str(), item.At, name); ok {
			list = append(list, text)
		}
	}
	return list
}

// pattern returns a pattern of files without "./" at its beginning.
func (r *reader) pattern(text string, at source.Span, name string) (string, bool) {
	if r.count++; r.count > maxPatterns {
		if r.count == maxPatterns+1 {
			r.bad(at, "a project has at most %d patterns of files", maxPatterns).Code = source.Limit
		}
		return "", false
	}
	text = strings.TrimPrefix(text, "./")
	_, err := pattern.Parse(text)
	if err != nil {
		r.bad(at, "%q is not a pattern of files for %s: %v", text, name, err).
			WithHint("a pattern has * ? [ab] in its parts, and ** for any number of parts, and stays below the project")
	}
	return text, err == nil
}

// matches reports whether a pattern of the project file matches a path.
func matches(text, name string) bool {
	p, err := pattern.Parse(text)
	return err == nil && p.Match(name)
}

func (r *reader) lists(_ source.Span, n *yaml.Node) {
	for _, e := range r.entries(n, "lists", "{containers: by name}") {
		policy := e.Value.Aliased()
		if !r.isText(policy, "the policy of the lists "+e.Key.Text) {
			continue
		}
		if _, err := frontend.ListRule(e.Key.Text, policy.Value.Str()); err != nil {
			r.refuse(err, policy.At)
			continue
		}
		r.w.Settings.Lists = append(r.w.Settings.Lists, yaytpl.ListRule{Key: e.Key.Text, Policy: policy.Value.Str(), At: e.KeyAt})
	}
}

// refuse adds the error of another package as a mistake at a place.
func (r *reader) refuse(err error, at source.Span) {
	d := *source.AsDiagnostic(err, at, source.BadProject)
	d.Code, d.At = source.BadProject, at
	r.findings = append(r.findings, &d)
}

func (r *reader) recipients(_ source.Span, n *yaml.Node) {
	for _, e := range r.entries(n, "recipients", `{"secrets/**": [ann@example.org]}`) {
		files, _ := r.pattern(e.Key.Text, e.KeyAt, "recipients")
		keys := Recipient{Files: files, At: e.KeyAt}
		for _, item := range r.texts(e.Value.Aliased(), "the recipients of "+e.Key.Text, "[ann@example.org, keys/bob.asc]") {
			key := item.Value.Str()
			if strings.Contains(key, "/") {
				key, _ = r.path(item, "recipients")
			}
			keys.Keys = append(keys.Keys, key)
		}
		r.w.Recipients = append(r.w.Recipients, keys)
	}
}

func (r *reader) schemas(_ source.Span, n *yaml.Node) {
	for _, e := range r.entries(n, "schemas", `{"services/*.yaml": schemas/service.json}`) {
		files, ok := r.pattern(e.Key.Text, e.KeyAt, "schemas")
		file := e.Value.Aliased()
		if !ok || !r.isText(file, "the schema of "+e.Key.Text) {
			continue
		}
		if name, ok := r.path(file, "schemas"); ok {
			r.w.Schemas = append(r.w.Schemas, Schema{files, name, file.At})
		}
	}
}

func (r *reader) checks(_ source.Span, n *yaml.Node) {
	for _, e := range r.entries(n, "checks", "{kind-change: error}") {
		level := e.Value.Aliased()
		if !r.isText(level, "the level of "+e.Key.Text) {
			continue
		}
		at := level.At
		if !slices.Contains(source.Warnings(), source.Code(e.Key.Text)) {
			at = e.KeyAt
		}
		if err := r.w.Checks.Set(e.Key.Text, level.Value.Str()); err != nil {
			r.refuse(err, at)
		}
	}
}

func (r *reader) targets(_ source.Span, n *yaml.Node) {
	for _, e := range r.entries(n, "targets", "{prod: {files: [site.yaml, prod.yaml]}}") {
		if len(r.w.rules) == maxTargets {
			r.bad(e.KeyAt, "a project has at most %d targets", maxTargets).Code = source.Limit
			return
		}
		body := e.Value.Aliased()
		if body.Kind != yaml.MapNode {
			r.bad(body.At, "the target %s is %s, and needs a map", e.Key.Text, article(body)).WithHint("such as {files: [site.yaml, prod.yaml]}")
			continue
		}
		r.rule = &rule{name: e.Key.Text, at: e.KeyAt}
		before := len(r.findings)
		r.fields(body, "a target", targetFields())
		if len(r.findings) == before {
			r.checkRule()
		}
		r.w.rules = append(r.w.rules, *r.rule)
	}
}

// targetFields are the keys of a target.
func targetFields() []field {
	return []field{
		{"files", "The layers, the oldest first", pathList, func(r *reader, at source.Span, n *yaml.Node) {
			for _, item := range r.texts(n, "files", "[site.yaml, prod.yaml]") {
				if name, ok := r.path(item, "files"); ok {
					r.rule.files = append(r.rule.files, placed{name, item.At})
				}
			}
			if n.Kind == yaml.SeqNode && len(n.Items) == 0 {
				r.bad(n.At, "the target %s has no files", r.rule.name)
			}
		}},
		{"define", "Values by path, which lie over the files", dataMap, (*reader).define},
		{"out", "The file that render --write writes, or the directory of several", pathText, func(r *reader, _ source.Span, n *yaml.Node) {
			if r.isText(n, "out") {
				name, _ := r.path(n, "out")
				r.rule.out = placed{name, n.At}
			}
		}},
		{"each", "The path of a list or map of which each item is a document", text, func(r *reader, _ source.Span, n *yaml.Node) {
			if !r.isText(n, "each") {
				return
			}
			if _, err := docpath.Parse(n.Value.Str()); err != nil {
				r.refuse(err, n.At)
			}
			r.rule.each = n.Value.Str()
		}},
		{"name", "A template for the name of the file of each document", text, func(r *reader, _ source.Span, n *yaml.Node) {
			if r.isText(n, "name") {
				r.rule.fileName = n.Value.Str()
			}
		}},
		{"for", "There is a target for each file that this pattern matches; {word} is a part of its path", patternText, func(r *reader, at source.Span, n *yaml.Node) {
			if !r.isText(n, "for") {
				return
			}
			p, err := pattern.ParseNamed(strings.TrimPrefix(n.Value.Str(), "./"))
			if err != nil {
				r.bad(n.At, "%q is not a pattern of files: %v", n.Value.Str(), err).
					WithHint("a pattern has {word} for a part of a path or a piece of one, * ? [ab] in its parts, and ** for any number of parts")
				return
			}
			r.rule.pattern, r.rule.patternAt = p, n.At
		}},
	}
}

func (r *reader) define(_ source.Span, n *yaml.Node) {
	for _, e := range r.entries(n, "define", "{web.replicas: 4}") {
		v, err := e.Value.Aliased().ToValue()
		if err != nil {
			r.refuse(err, e.Value.At)
			continue
		}
		if _, err := docpath.Parse(e.Key.Text); err != nil {
			r.refuse(err, e.KeyAt)
			continue
		}
		r.rule.define = append(r.rule.define, definition{e.Key.Text, v, e.Value.At})
	}
}

// checkRule checks the placeholders of a target, and that it has files and a name.
func (r *reader) checkRule() {
	t := r.rule
	switch {
	case t.name == "" || strings.ContainsAny(t.name, "*@\n") || pattern.Local(t.name) != nil:
		r.bad(t.at, "%q cannot be the name of a target", t.name).
			WithHint("a name has parts with / between them, and neither * nor @")
		return
	case len(t.files) == 0:
		r.bad(t.at, "the target %s has no files", t.name).WithHint("such as files: [site.yaml, prod.yaml]")
		return
	}
	for _, p := range slices.Concat([]placed{{t.name, t.at}, t.out}, t.files) {
		for word := range words(p.text) {
			switch {
			case t.pattern != nil && slices.Contains(t.pattern.Words(), word):
			case t.pattern != nil:
				r.bad(p.at, "the pattern of for has no {%s}", word).DidYouMean(word, slices.Values(t.pattern.Words()))
			case p.at == t.at:
				r.bad(p.at, "the name of a target without for has the placeholder {%s}", word).
					WithHint(`for: "nodes/{%s}.yaml" makes a target for each such file`, word)
			}
		}
	}
}
