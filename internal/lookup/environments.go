package lookup

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// production is the environment that always exists.
const production = "production"

// An environment is one of those that a source declares.
type environment struct {
	name       string
	at         source.Span
	attributes map[string]value.Value
	places     map[string]source.Span
	own        []bind.Attribute // the attributes that it does not have from the defaults
}

// chooseEnvironment finds the environment of the node and what it changes: the directory of
// bindings, the modules, the site file (spec: bindings, section 5.5).
func (c *composition) chooseEnvironment() error {
	c.site, c.dir, c.modulePath, c.bindingsDir = c.base, c.home, c.Bindings.modulePath, c.Bindings.bindingsDir
	scope := bind.NewScope(bind.Config{
		Facts: c.facts, Dir: c.home, Environment: c.environment,
		Budget:    graph.New(c.ctx, nil, graph.Options{Limits: c.opts.Engine.Limits}),
		Variables: c.agentVariables(), Warn: c.warn,
	})
	declares := c.base.Environments != nil
	set, chosen, err := c.assigned(scope, declares)
	if err != nil {
		return err
	}
	switch {
	case c.opts.Environment != "":
		c.environment, set = c.opts.Environment, source.Span{}
	case chosen != "":
		c.environment = chosen
	case c.encEnvironment != "":
		c.environment, set = c.encEnvironment, c.encEnvironmentAt
	default:
		c.environment = production
	}
	if !declares {
		return nil
	}
	known, err := c.environments(scope)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(known, func(e environment) bool { return e.name == c.environment })
	if i < 0 {
		names := make([]string, len(known))
		for j := range known {
			names[j] = known[j].name
		}
		return source.Errorf(set, source.UnknownEnvironment, "unknown environment '%s': there are %s", c.environment, strings.Join(names, ", ")).
			DidYouMean(c.environment, slices.Values(names))
	}
	return c.enter(known[i])
}

// agentVariables are the variables that only the choice of an environment sees.
func (c *composition) agentVariables() map[string]value.Value {
	agent := value.Null
	switch {
	case c.opts.AgentEnvironment != "":
		agent = value.String(c.opts.AgentEnvironment)
	case c.facts != nil:
		if v, ok, err := c.facts.Get(value.K("environment")); ok && err == nil {
			agent = v
		}
	}
	out := map[string]value.Value{"agent_environment": agent}
	for k, v := range c.encVariables {
		out[k] = v
	}
	out["environment"] = value.Null
	if c.encEnvironment != "" {
		out["environment"] = value.String(c.encEnvironment)
	}
	return out
}

// assigned evaluates the variables of a source that declares environments, and returns the
// value of $environment with its place.
func (c *composition) assigned(scope *bind.Scope, declares bool) (source.Span, string, error) {
	at := source.Span{}
	if !declares {
		return at, "", nil
	}
	chosen := ""
	for _, v := range c.base.Variables {
		val, err := v.Value.Eval(scope)
		if err != nil {
			return at, "", err
		}
		if v.Name != "" {
			scope.Set(v.Name, val)
		}
		now, ok, err := scope.Variable("environment")
		if err != nil || !ok || now.IsNull() {
			continue
		}
		text, err := value.Text(now)
		if err != nil {
			return at, "", err
		}
		if text != chosen {
			at, chosen = v.Value.Span(), text
		}
	}
	return at, chosen, nil
}

// environments returns the declared environments, with production.
func (c *composition) environments(scope *bind.Scope) ([]environment, error) {
	defaults := environment{attributes: map[string]value.Value{}, places: map[string]source.Span{}}
	if err := defaults.read(scope, c.base.Environments.Defaults); err != nil {
		return nil, err
	}
	var out []environment
	for _, d := range c.base.Environments.Declared {
		v, err := d.Name.Eval(scope)
		if err != nil {
			return nil, err
		}
		name, err := value.Text(v)
		if err != nil || name == "" {
			return nil, source.Errorf(d.Name.Span(), source.BadEnvironment, "the name of an environment is a text")
		}
		names := []string{name}
		if d.Dynamic {
			if names, err = c.directories(name); err != nil {
				return nil, err
			}
		}
		for _, n := range names {
			e := environment{name: path.Base(n), at: d.At, attributes: map[string]value.Value{}, places: map[string]source.Span{}, own: d.Attributes}
			for k, v := range defaults.attributes {
				e.attributes[k], e.places[k] = v, defaults.places[k]
			}
			if err := e.read(scope, d.Attributes); err != nil {
				return nil, err
			}
			if d.Dynamic {
				if slices.ContainsFunc(d.Attributes, func(a bind.Attribute) bool { return a.Name == "envdir" }) {
					return nil, source.Errorf(d.At, source.BadEnvironment, "dynamic environments have the directories that they are found in: they set no envdir")
				}
				e.attributes["envdir"] = value.String(n)
			}
			if slices.ContainsFunc(out, func(o environment) bool { return o.name == e.name }) {
				return nil, source.Errorf(d.At, source.BadEnvironment, "the environment '%s' is declared twice", e.name)
			}
			out = append(out, e)
		}
	}
	if !slices.ContainsFunc(out, func(e environment) bool { return e.name == production }) {
		out = append(out, environment{name: production, attributes: defaults.attributes, places: defaults.places})
	}
	return out, nil
}

// attributeNames are the attributes of environments.
var attributeNames = []string{"envdir", "modulepath", "manifestdir", "manifest", "bindingsdir", "templatedir"}

// read evaluates attributes.
func (e *environment) read(scope *bind.Scope, attributes []bind.Attribute) error {
	for _, a := range attributes {
		if !slices.Contains(attributeNames, a.Name) {
			return source.Errorf(a.At, source.BadEnvironment, "unknown attribute '%s' of an environment", a.Name).DidYouMean(a.Name, slices.Values(attributeNames))
		}
		v, err := a.Value.Eval(scope)
		if err != nil {
			return err
		}
		if !v.Is(value.StringKind) {
			return source.Errorf(a.Value.Span(), source.BadEnvironment, "'%s' is a text, and this is %s", a.Name, value.Article(v.Kind()))
		}
		e.attributes[a.Name], e.places[a.Name] = v, a.Value.Span()
	}
	return nil
}

// text returns an attribute, or its default.
func (e *environment) text(name, missing string) string {
	if v, ok := e.attributes[name]; ok {
		return v.Str()
	}
	return missing
}

// directories returns the directories in one that is relative to the source.
func (c *composition) directories(name string) ([]string, error) {
	name = c.below(c.home, name)
	return c.subdirectories(name, "**/*")
}

// below returns a name relative to a directory.
func (c *composition) below(dir, name string) string {
	if path.IsAbs(name) || filepath.IsAbs(filepath.FromSlash(name)) { // also C:/modules
		return path.Clean(name)
	}
	if name == c.home && name != "." || strings.HasPrefix(name, c.home+"/") {
		return name // made of $confdir
	}
	return path.Join(dir, name)
}

// enter uses an environment: its directory, modules, and site file if it has one.
func (c *composition) enter(e environment) error {
	c.dir = c.below(c.home, e.text("envdir", c.home))
	c.bindingsDir = e.text("bindingsdir", "bindings")
	c.modulePath = nil
	for dir := range strings.SplitSeq(e.text("modulepath", "modules"), string(filepath.ListSeparator)) {
		c.modulePath = append(c.modulePath, c.below(c.dir, dir))
	}
	manifest := c.below(c.below(c.dir, e.text("manifestdir", "manifests")), e.text("manifest", "site.pp"))
	var err error
	if c.site, err = c.siteFile(c.relative(manifest)); c.site == nil && err == nil {
		site := *c.base
		site.Variables, site.Environments = nil, nil
		c.site = &site
		c.warnMissing(e, manifest)
	}
	if err != nil && len(source.Findings(err)) == 1 {
		return source.AsDiagnostic(err, e.at, source.BadEnvironment).Located(e.place("manifest", "manifestdir", "envdir"))
	}
	return err
}

// warnMissing warns of the directory or the manifest that an environment names and that is not there:
// then the bindings of the source count.
func (c *composition) warnMissing(e environment, manifest string) {
	for _, a := range e.own {
		name := c.dir
		switch a.Name {
		case "envdir":
		case "manifest", "manifestdir":
			name = manifest
		default:
			continue
		}
		if found, err := c.files.Host("", "").Find(c.files.Absolute(filepath.FromSlash(name)), ""); found == "" && err == nil {
			c.warn(source.Warnf(a.Value.Span(), source.Suspicious, "the environment '%s' has no %s '%s'", e.name, a.Name, e.text(a.Name, "")).
				WithHint("there is no %s; the bindings of the source count instead", name))
			return
		}
	}
}

// place returns the place of the first of several attributes that is written, or the place of the
// environment.
func (e *environment) place(names ...string) source.Span {
	for _, name := range names {
		if at, ok := e.places[name]; ok {
			return at
		}
	}
	return e.at
}

// siteFile returns the site file of an environment, nil if there is none. It is parsed once.
func (b *Bindings) siteFile(name string) (*bind.Site, error) {
	return b.sites.get(name, func() (*bind.Site, error) {
		f, err := dataFiles{b}.Read(name)
		if f == nil || err != nil {
			return nil, err
		}
		return b.parse(f)
	})
}
