//go:build linux

package main

import (
	"bufio"
	"strings"
)

// Projects, streams and schemas: what only yaytpl has, or only it reads next to the document.

// own returns an attack on yaytpl alone: the texts by name of their file, and the arguments.
func own(name string, files map[string]text, args ...string) attack {
	return attack{name: name, files: files, runs: map[string][]string{ours: args}}
}

// project returns an attack on the targets of a project file.
func project(name string, file text, args ...string) attack {
	return own(name, map[string]text{"yaytpl.yaml": file, "s.yaml": lines("a: 1")}, args...)
}

// projectAttacks are project files, patterns of files and names of files.
func projectAttacks() []attack {
	deep := strings.Repeat("d/", 1500) + "x.yaml"
	stars := strings.Repeat("**/*a*b*c*", 60)
	return []attack{
		project("a project of 1,000,000 targets", all(lines("yaytpl: 1", "targets:"), each(1_000_000, "  t%[1]d: {files: [s.yaml]}\n")), "render", "@t7"),
		project("a project of 100,000 targets", all(lines("yaytpl: 1", "targets:"), each(100_000, "  t%[1]d: {files: [s.yaml]}\n")), "check"),
		project("1,000,000 patterns of files", all(lines("yaytpl: 1", "templates-off:"), each(1_000_000, "  - m%[1]d/**\n")), "render", "s.yaml"),
		project("10,000 patterns of files with many wildcards", all(lines("yaytpl: 1", "templates-off:"), each(10_000, "  - \""+stars+"%[1]d\"\n")), "render", "s.yaml"),
		project("10,000 patterns of targets for one file", all(lines("yaytpl: 1", "targets:"), each(10_000, "  \"t%[1]d-{x}\": {for: \"{x}.yaml\", files: [s.yaml]}\n")), "targets"),
		own("a pattern over directories 1,500 deep", map[string]text{"s.yaml": lines("a: {+include: \"**/*.yaml\"}"), deep: lines("x: 1")}, "render", "s.yaml"),
		own("a pattern of targets over directories 1,500 deep", map[string]text{"yaytpl.yaml": lines("yaytpl: 1", "targets: {\"{x}\": {for: \"**/{x}.yaml\", files: [s.yaml]}}"), deep: lines("x: 1")}, "targets"),
		own("10,000 files of one name", map[string]text{"s.yaml": all(lines("l:"), each(10_000, "  - {n: %[1]d}\n"))}, "render", "--each", "l", "--out", "out", "--name", "x", "s.yaml"),
		own("names of files with 10 kB", map[string]text{"s.yaml": all(lines("l:"), each(10_000, "  - {n: %[1]d}\n"))}, "render", "--each", "l", "--out", "out", "--name", "{{ 'x' * 10000 }}{{ n }}", "s.yaml"),
		own("a name of a file that does not end", map[string]text{"s.yaml": lines("l: [{n: 1}]")}, "render", "--each", "l", "--out", "out", "--name", "{% for i in range(10 ** 9) %}x{% endfor %}", "s.yaml"),
	}
}

// streamAttacks are layers over many documents and lists.
func streamAttacks() []attack {
	stream := func(n int, layer text) map[string]text {
		return map[string]text{"a.yaml": each(n, "---\nkind: D\nname: n%[1]d\n"), "b.yaml": layer}
	}
	const n = 10_000
	nested := func(w *bufio.Writer) {
		w.WriteString("+lists: {\"*\": by n}\nl: [")
		w.WriteString(strings.Repeat("{n: 1, l: [", 1500) + "{n: 1}" + strings.Repeat("]}", 1500) + "]\n")
	}
	keyed := func(key string) text {
		return all(lines("+lists: {l: by n}", "l:"), each(100_000, "  - {n: %[1]d, "+key+": 1}\n"))
	}
	return []attack{
		own("10,000 layers with +match, each for one of 10,000 documents", stream(n, each(n, "---\n+match: {kind: D, name: n%[1]d}\nx: 1\n")), "render", "a.yaml", "b.yaml"),
		own("10,000 layers with +match, each for all of 10,000 documents", stream(n, each(n, "---\n+match: {kind: D}\nx%[1]d: 1\n")), "render", "a.yaml", "b.yaml"),
		own("10,000 layers with +match of different keys", stream(n, each(n, "---\n+?match: {k%[1]d: D}\nx: 1\n")), "render", "a.yaml", "b.yaml"),
		own("10,000 layers with +match for no document", stream(n, each(n, "---\n+match: {kind: E, name: n%[1]d}\nx: 1\n")), "render", "a.yaml", "b.yaml"),
		own("lists of 100,000 items, joined by a key", map[string]text{"a.yaml": keyed("v"), "b.yaml": keyed("w")}, "render", "a.yaml", "b.yaml"),
		own("lists by a key, 1,500 deep", map[string]text{"a.yaml": nested, "b.yaml": nested}, "render", "a.yaml", "b.yaml"),
	}
}

// schemaAttacks are JSON Schemas.
func schemaAttacks() []attack {
	check := func(name string, schema text) attack {
		doc := all(lines("a: "+strings.Repeat("a", 40)+"!", "b: "+strings.Repeat("[", 800)+strings.Repeat("]", 800)), is("l: ["), each(2000, "%[1]d, "), lines("]"))
		return own(name, map[string]text{"schema.json": schema, "s.yaml": doc}, "check", "--json-schema", "schema.json", "s.yaml")
	}
	tree := `{"type": "object"}`
	for range 15 {
		tree = `{"allOf": [` + tree + `, ` + tree + `]}`
	}
	return []attack{
		check("a schema that refers to itself", is(`{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}`)),
		check("a schema that refers to itself for each item, twice", is(`{"$defs": {"d": {"items": {"oneOf": [{"$ref": "#/$defs/d"}, {"$ref": "#/$defs/d"}]}}}, "properties": {"b": {"$ref": "#/$defs/d"}}}`)),
		check("a schema of 2^30 schemas for one value, by references", all(is(`{"$ref": "#/$defs/d0", "$defs": {`), each(30, `"d%[1]d": {"allOf": [{"$ref": "#/$defs/d%[2]d"}, {"$ref": "#/$defs/d%[2]d"}]}, `), lines(`"d30": {}}}`))),
		check("a schema of 2^15 schemas for one value", lines(tree)),
		check("a schema with a pattern of exponential time", is(`{"properties": {"a": {"pattern": "^(?=(a+)+$)(a+)+$"}}}`)),
		check("a schema with an enum of 1,000,000 numbers", all(is(`{"properties": {"l": {"items": {"enum": [`), each(1_000_000, "%[1]d, "), lines(`-1]}}}}`))),
		check("a schema that is nested 5,000 deep", lines(strings.Repeat(`{"items": `, 5000)+"{}"+strings.Repeat("}", 5000))),
		check("a schema of 100,000 keys", all(is(`{"properties": {`), each(100_000, `"k%[1]d": {"enum": ["a", "b"]}, `), lines(`"z": {}}}`))),
		check("a schema at an address", is(`{"$ref": "http://127.0.0.1:1/x.json"}`)),
		check("a schema outside of the roots", is(`{"$ref": "../../../../../../../etc/passwd"}`)),
	}
}
