package expr

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EnvFilters describes the filters that need the document or the world around it.
// The pure ones are the [Library]'s.
func EnvFilters() []Doc {
	return []Doc{
		{"abspath", "the absolute path of a file name", "'conf/x.txt' | abspath", "/srv/site/conf/x.txt"},
		{"eval", "the value of a path or expression; keyword arguments are variables, wantList=true gives all matches", "'::a::b' | eval", "7"},
		{"expanduser", "a path with ~ replaced by the home directory", "'~/x' | expanduser", "/home/me/x"},
		{"expandvars", "a text with $NAME and ${NAME} replaced from the environment", "'$HOME/x' | expandvars", "/home/me/x"},
		{"fileglob", "the files that match a pattern", "'conf.d/*.yaml' | fileglob", "[/srv/site/conf.d/a.yaml]"},
		{"get_dir", "a directory by name: . of the document, src of this file, tmp", "'.' | get_dir", "/srv/site"},
		{"map_value", "data with the expressions and templates in it evaluated", "{'k': {'eval': '::a::b'}} | map_value", "{k: 7}"},
		{"ref", "the same as eval", "'::a::b' | ref", "7"},
		{"which", "the full path of a program; null if there is none", "'sh' | which", "/bin/sh"},
	}
}

type envFilter func(c caller, in value.Value, args value.Args) (value.Value, error)

func findEnvFilter(name string) (f envFilter, ok bool) {
	switch name {
	case "eval", "ref":
		f = evalRefFilter
	case "map_value":
		f = mapValueFilter
	case "abspath":
		f = abspathFilter
	case "get_dir":
		f = getDirFilter
	case "which":
		f = whichFilter
	case "fileglob":
		f = fileglobFilter
	case "expandvars":
		f = expandvarsFilter
	case "expanduser":
		f = expanduserFilter
	}
	return f, f != nil
}

// evalRefFilter evaluates a path, a template or an expression map.
func evalRefFilter(c caller, in value.Value, args value.Args) (value.Value, error) {
	wantList := len(args.Pos) > 0 && value.Truthy(args.Pos[0])
	s := c.s
	for _, a := range args.Named {
		if a.Name == "wantList" {
			wantList = value.Truthy(a.Value)
			continue
		}
		s = s.With(a.Name, a.Value)
	}
	found, err := c.evalAny(in, s)
	if err != nil {
		return value.Null, err
	}
	if wantList {
		return value.ListOf(found...), nil
	}
	return One(found), nil
}

// evalAny evaluates what "eval" is given, one level deeper.
func (c caller) evalAny(in value.Value, s *Scope) ([]value.Value, error) {
	if err := Raise(in); err != nil {
		return nil, err
	}
	if err := s.enter(c.at); err != nil {
		return nil, err
	}
	defer s.Env.Leave()
	found, err := computed(in, c.at, s, (*compiler).expression, matchesOf)
	for i := range found {
		s.touch(found[i].Marks())
		found[i] = plain(found[i])
	}
	return found, err
}

func mapValueFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	if err := Raise(in); err != nil {
		return in, err
	}
	v, err := computed(in, c.at, c.s, (*compiler).data, eval)
	return plain(v), err
}

func abspathFilter(c caller, in value.Value, args value.Args) (value.Value, error) {
	if err := Raise(in); err != nil {
		return in, err
	}
	if len(args.Pos) > 0 && !in.Is(value.ListKind) {
		in = value.ListOf(append([]value.Value{in}, args.Pos...)...)
	}
	return abspath(c.s, c.at, in)
}

func getDirFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	if err := Raise(in); err != nil {
		return in, err
	}
	return getDir(c.s, c.at, in)
}

func (c caller) text(in value.Value, filter string) (string, error) {
	if err := Raise(in); err != nil {
		return "", err
	}
	if !in.Is(value.StringKind) {
		return "", source.Errorf(c.at, source.BadType, "%q needs a string, not %s", filter, value.Article(in.Kind()))
	}
	return in.Str(), nil
}

func whichFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	name, err := c.text(in, "which")
	if err != nil {
		return value.Null, err
	}
	if path := c.s.Env.Host().LookPath(name); path != "" {
		return value.String(path).Verbatim(), nil
	}
	return value.Null, nil
}

func fileglobFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	pattern, err := c.text(in, "fileglob")
	if err != nil {
		return value.Null, err
	}
	names, err := c.s.Env.Host().Glob(pattern, c.s.Base)
	return value.ListOf(texts(names)...), located(c.at, source.Access, err, c.s.BaseMarks)
}

// texts returns names as final texts.
func texts(list []string) []value.Value {
	items := make([]value.Value, len(list))
	for i, s := range list {
		items[i] = value.String(s).Verbatim()
	}
	return items
}

func expandvarsFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	text, err := c.text(in, "expandvars")
	if err != nil {
		return value.Null, err
	}
	out := os.Expand(text, func(name string) string {
		if v, ok := c.s.Env.Host().Getenv(name); ok {
			return v
		}
		return "$" + name
	})
	return value.String(out).Verbatim(), nil
}

func expanduserFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	text, err := c.text(in, "expanduser")
	if err != nil {
		return value.Null, err
	}
	home, ok := c.s.Env.Host().Getenv("HOME")
	if rest := strings.TrimPrefix(text, "~"); ok && rest != text && (rest == "" || rest[0] == '/') {
		text = filepath.Join(home, rest)
	}
	return value.String(text).Verbatim(), nil
}
