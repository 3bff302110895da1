//go:build unix

package main

import (
	"strings"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// The rows of programs by which implementations of Jsonnet are compared. Each has the same work in
// Jsonnet, in Yay, in YAML with templates, and in the mgmt language where that can express it. This file
// has programs that make data, recursion.go those that compute.

// oursIn is the name of yaytpl in a row with several languages.
func oursIn(language string) string { return programs.Ours + languageOf + language }

const languageOf = " in "

// programOf returns the program that a job runs.
func programOf(tool string) string {
	name, _, _ := strings.Cut(tool, languageOf)
	return name
}

// A shape is one program in several languages. In Yay and YAML the key out has the result, in the mgmt
// language the parameter out of the first resource.
type shape struct{ jsonnet, yay, yaml, mgmt func(t *text) }

// jobs writes the programs to dir and returns the commands that run them.
func (s shape) jobs(dir string) ([]job, error) {
	var jobs []job
	for _, p := range []struct {
		tool, file string
		args       []string
		fill       func(t *text)
	}{
		{oursIn("Yay"), "main.yay", []string{"get", "-o", "json", "main.yay", "out"}, s.yay},
		{oursIn("YAML"), "main.yaml", []string{"get", "-o", "json", "main.yaml", "out"}, s.yaml},
		{oursIn("mgmt"), "main.mcl", []string{"get", "-o", "json", "main.mcl", "resources[0].params.out"}, s.mgmt},
		{programs.Jsonnet, "main.jsonnet", []string{"-s", "200000", "main.jsonnet"}, s.jsonnet},
	} {
		if p.fill == nil {
			continue
		}
		if err := write(dir, p.file, p.fill); err != nil {
			return nil, err
		}
		jobs = append(jobs, job{p.tool, p.args, jsonForm})
	}
	return jobs, nil
}

// filled returns a function that prints a format with an argument.
func filled(format string, n any) func(t *text) { return func(t *text) { t.printf(format, n) } }

// addressesRow makes texts of constant and variable parts.
var addressesRow = row{
	name: "realistic-1", title: "a map of 220 names, each with 18 texts that a function makes of three values",
	sizes: []int{55, 220, 880}, usual: 220, unit: "names",
	generate: func(dir string, n int) ([]job, error) {
		return shape{
			jsonnet: filled(addressesJsonnet, n), yay: filled(addressesYay, n), yaml: filled(addressesYAML, n),
		}.jobs(dir)
	},
}

const addressesJsonnet = `local zones = ['north', 'south', 'east', 'west', 'middle', 'coast'];
local suffixes = ['', '-spare', '-test'];
local address(name, zone, suffix) = 'https://%%s%%s.%%s.example.com:8443/status?format=json' %% [name, suffix, zone];
{
  ['service-%%d' %% i]: [address('service-%%d' %% i, zone, suffix) for zone in zones for suffix in suffixes]
  for i in std.range(0, %d - 1)
}
`

const addressesYay = `set zones = ["north", "south", "east", "west", "middle", "coast"]
set suffixes = ["", "-spare", "-test"]
macro address:
  text: https://{{ name }}{{ suffix }}.{{ zone }}.example.com:8443/status?format=json
set names = ["service-" + i for i in range(%d)]
out: {{ {name: [address(name=name, zone=zone, suffix=suffix).text for zone in zones for suffix in suffixes] for name in names} }}
`

const addressesYAML = `zones: [north, south, east, west, middle, coast]
suffixes: ["", -spare, -test]
out: >-
  {%%- macro address(name, zone, suffix) %%}https://{{ name }}{{ suffix }}.{{ zone }}.example.com:8443/status?format=json{%% endmacro -%%}
  {%%- set out = {} -%%}
  {%%- for i in range(%d) -%%}
    {%%- set name = "service-%%d" %% i -%%}
    {%%- set addresses = [] -%%}
    {%%- for zone in zones -%%}{%%- for suffix in suffixes -%%}
      {%%- do addresses.append(address(name, zone, suffix)) -%%}
    {%%- endfor -%%}{%%- endfor -%%}
    {%%- do out.update({name: addresses}) -%%}
  {%%- endfor -%%}
  {{ out }}
`

// sitesRow makes maps in maps, and maps of all pairs.
var sitesRow = row{
	name: "realistic-2", title: "25 locations, each with 50 maps of 8 fields and all 2,450 ordered pairs of their names",
	sizes: []int{5, 25, 100}, usual: 25, unit: "locations",
	generate: func(dir string, n int) ([]job, error) {
		return shape{jsonnet: filled(sitesJsonnet, n), yay: filled(sitesYay, n), yaml: filled(sitesYAML, n)}.jobs(dir)
	},
}

const sitesJsonnet = `local locations = ['location-%%d' %% i for i in std.range(0, %d - 1)];
local machines(location) = [
  {
    name: '%%s-m%%d' %% [location, i],
    number: i,
    location: location,
    rack: { row: i %% 5, place: std.floor(i / 5) },
    network: { address: '10.0.%%d.%%d' %% [i, i + 1], gateway: { address: '10.0.%%d.254' %% i } },
    owner: 'team-%%d' %% (i %% 7),
    tags: ['rack-%%d' %% (i %% 5), location],
    enabled: i %% 3 != 0,
  }
  for i in std.range(0, 49)
];
{
  [location]: {
    local all = machines(location),
    machines: all,
    links: [{ from: a.name, to: b.name } for a in all for b in all if a.name != b.name],
  }
  for location in locations
}
`

const sitesYay = `set locations = ["location-" + i for i in range(%d)]
macro machine:
  name: {{ location }}-m{{ i }}
  number: {{ i }}
  location: {{ location }}
  rack:
    row: {{ i %% 5 }}
    place: {{ i // 5 }}
  network:
    address: 10.0.{{ i }}.{{ i + 1 }}
    gateway:
      address: 10.0.{{ i }}.254
  owner: team-{{ i %% 7 }}
  tags:
    - rack-{{ i %% 5 }}
    - {{ location }}
  enabled: {{ i %% 3 != 0 }}
macro site:
  machines:
    for i in range(50):
      call machine
  links:
    for a in here.machines:
      for b in here.machines if a.name != b.name:
        - from: {{ a.name }}
          to: {{ b.name }}
out: {{ {location: site(location=location) for location in locations} }}
`

const sitesYAML = `numbers: "{{ range(50) | list }}"
locations: "{%% set all = [] %%}{%% for i in range(%d) %%}{%% do all.append('location-%%d' %% i) %%}{%% endfor %%}{{ all }}"
out: "{{ dict(locations | zip(sites)) }}"
sites:
  eval: ::locations
  foreach:
    machines:
      eval: ::numbers
      vars: {location: {eval: $item}}
      foreach:
        name: "{{ location }}-m{{ item }}"
        number: "{{ item }}"
        location: "{{ location }}"
        rack: {row: "{{ item %% 5 }}", place: "{{ item // 5 }}"}
        network:
          address: 10.0.{{ item }}.{{ item + 1 }}
          gateway: {address: "10.0.{{ item }}.254"}
        owner: team-{{ item %% 7 }}
        tags: ["rack-{{ item %% 5 }}", "{{ location }}"]
        enabled: "{{ item %% 3 != 0 }}"
    links: >-
      {%%- set links = [] -%%}
      {%%- set names = [] -%%}
      {%%- for i in numbers -%%}{%%- do names.append(item ~ '-m' ~ i) -%%}{%%- endfor -%%}
      {%%- for a in names -%%}{%%- for b in names if a != b -%%}
        {%%- do links.append({'from': a, 'to': b}) -%%}
      {%%- endfor -%%}{%%- endfor -%%}
      {{ links }}
`

// namesRow has many names and keys, of which one is needed.
var namesRow = row{
	name: "big-object", title: "2,000 local names and a map of 2,000 fields, of which one is needed",
	sizes: []int{500, 2000, 8000}, usual: 2000, unit: "fields",
	generate: func(dir string, n int) ([]job, error) {
		return shape{
			jsonnet: func(t *text) {
				eachLine(t, n, "local value%[1]d = %[1]d;\n")
				t.printf("local all = {\n")
				eachLine(t, n, "  field%[1]d: value%[1]d,\n")
				t.printf("};\n{ result: all.field%d }\n", n-1)
			},
			yay: func(t *text) {
				eachLine(t, n, "set value%[1]d = %[1]d\n")
				t.printf("all:\n")
				eachLine(t, n, "  field%[1]d: {{ value%[1]d }}\n")
				t.printf("out:\n  result: {{ all.field%d }}\n", n-1)
			},
			yaml: func(t *text) {
				t.printf("numbers:\n")
				eachLine(t, n, "  value%[1]d: %[1]d\n")
				t.printf("all:\n")
				eachLine(t, n, "  field%[1]d: '{{ numbers.value%[1]d }}'\n")
				t.printf("out:\n  result: '{{ all.field%d }}'\n", n-1)
			},
			mgmt: func(t *text) {
				eachLine(t, n, "$value%[1]d = %[1]d\n")
				t.printf("$all = struct{\n")
				eachLine(t, n, "\tfield%[1]d => $value%[1]d,\n")
				t.printf("}\nnote \"n\" {\n\tout => struct{result => $all->field%d},\n}\n", n-1)
			},
		}.jobs(dir)
	},
}

// eachLine prints a format n times, with the numbers from 0.
func eachLine(t *text, n int, format string) {
	for i := range n {
		t.printf(format, i)
	}
}

// pageRow is a long text with few places in it. It compares at a tenth of the usual size, because the
// formatting of go-jsonnet recurses for each character and overflows its stack.
var pageRow = row{
	name: "large-template", title: "56 kB of text with 50 places",
	sizes: []int{10, 50, 500}, usual: 50, unit: "places",
	generate: func(dir string, n int) ([]job, error) {
		return shape{
			jsonnet: func(t *text) {
				t.printf("local name = 'example';\nlocal port = 8080;\n{ text: |||-\n")
				writePage(t, n, "  ", "%(name)s", "%(port)d", "\n")
				t.printf("\n||| %% { name: name, port: port } }\n")
			},
			yay: func(t *text) {
				t.printf("set name = \"example\"\nset port = 8080\nout:\n  text: |-\n")
				writePage(t, n, "    ", "{{ name }}", "{{ port }}", "\n")
			},
			yaml: func(t *text) {
				t.printf("name: example\nport: 8080\nout:\n  text: |-\n")
				writePage(t, n, "    ", "{{ name }}", "{{ port }}", "\n")
			},
			mgmt: func(t *text) {
				t.printf("$name = \"example\"\n$port = \"8080\"\nnote \"n\" {\n\tout => struct{text => \"")
				writePage(t, n, "", "${name}", "${port}", `\n`)
				t.printf("\"},\n}\n")
			},
		}.jobs(dir)
	},
}

// writePage writes n places, each after 14 lines of text. end is the notation of the line breaks between
// the lines.
func writePage(t *text, n int, indent, name, port, end string) {
	for i := range n {
		for k := range 14 {
			t.printf("%sSome text of the page that stays as it is, line %d, and nothing else is on it.%s", indent, i*14+k, end)
		}
		t.printf("%splace %d: %s on %s", indent, i, name, port)
		if i < n-1 {
			t.printf("%s", end)
		}
	}
}
