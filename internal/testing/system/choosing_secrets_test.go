package system_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// choosing lists values of a in which a secret only decides: which item is selected, how often,
// in which order. testdata/choosing.txt has more of them, one a line. pw, num and flag are secret, and so are the values of p in users.
var choosing = []string{
	// Paths.
	`{eval: "::l::[a=$p]::b", vars: {p: {eval: ::pw}}}`,
	`{eval: "::l::[a!=$p]::b", vars: {p: {eval: ::pw}}}`,
	`{eval: "::l::[n<$p]::b", vars: {p: {eval: ::num}}}`,
	`{eval: "::l::[a~=$p]::b", vars: {p: {eval: ::pw}}}`,
	`{eval: "::users::[p=alpha]::name"}`,
	`{eval: "::users::[p~=^a]::name"}`,
	`{eval: "::users::[!p=alpha]::name"}`,
	`{eval: "::users::*::[p>b]::name"}`, `{eval: "::users::[p=alpha]?::name"}`,
	`{eval: "::m::$p", vars: {p: {eval: ::pw}}}`,
	`{eval: "::l::$i::b", vars: {i: {eval: ::num}}}`,
	`{eval: "::l::[a=$p]", vars: {p: {eval: ::pw}}, select: b}`,
	`{eval: "::l", select: "[a=$p]", vars: {p: {eval: ::pw}}}`,
	`{eval: "$p[x]", vars: {p: {eval: "::m2::$q", vars: {q: {eval: ::pw}}}}}`,
	// Objects.
	`{eval: {if: {eq: [{eval: ::pw}, alpha]}, then: "::l", else: "::m"}}`,
	`{eval: {if: {eq: [{eval: ::pw}, alpha]}}}`,
	`{eval: {or: [{eval: {eq: [{eval: ::pw}, alpha]}}, "::m"]}}`,
	`{eval: {and: [{eval: {eq: [{eval: ::pw}, alpha]}}, "::m"]}}`,
	`{eval: {not: {eval: {eq: [{eval: ::pw}, alpha]}}}}`,
	`{eval: {lt: [{eval: ::pw}, b]}}`, `{eval: {ne: [[{eval: ::pw}], [alpha]]}}`, `{eval: {ge: [[1, {eval: ::num}], [1, 2]]}}`,
	`{eval: {token: [a:b:c:d, ":", {eval: ::num}]}}`,
	`{eval: {lookup: {vars: {eval: ::pw}, default: none}}}`,
	`{eval: ::names, foreach: {if: {eq: [$item, {eval: ::pw}]}, then: $continue, else: $item}}`,
	`{eval: ::names, foreach: {if: {eq: [$item, {eval: ::pw}]}, then: $break, else: $item}}`,
	`{eval: ::names, foreach: {key: $item, value: {if: {eq: [$item, {eval: ::pw}]}, then: $continue, else: $item}}}`,
	`{eval: ::names, foreach: {if: {eq: [$item, {eval: ::pw}]}, then: yes, else: no}}`,
	`{eval: ::users, foreach: "[p=alpha]"}`, `{eval: ::users, select: "[p=alpha]"}`,
	`{eval: {is_function_defined: {eval: "::fn::$q", vars: {q: {eval: ::pw}}}}}`,
	`{eval: {to_env: {A: x, B: {eval: "::m::$q", vars: {q: {eval: ::pw}}}}}}`,
	`{eval: {get_env: [NO_SUCH, {eval: "::m::$q", vars: {q: {eval: ::pw}}}]}}`,
	`{eval: {template: "{{ 1 if pw == 'alpha' else 2 }}"}}`,
	`{concat: [x, {eval: "::m::$q", vars: {q: {eval: ::pw}}}]}`,
	// Expressions of templates.
	`"{{ 'one' if pw[0] == 'a' else 'two' }}"`, `"{{ 'one' if pw == 'alpha' }}"`, `"{{ 'one' if num > 1 else 2 }}"`, `"{{ 'one' if flag }}"`,
	`"{{ m[pw] }}"`, `"{{ m[pw] | default('none') }}"`, `"{{ m2[pw].x | default('none') }}"`, `"{{ m3[pw] is defined }}"`,
	`"{{ m3[pw] is undefined }}"`, `"{{ (m3[pw] is defined) | ternary('y', 'n') }}"`, `"{{ names[num - 2] }}"`, `"{{ 'abcdef'[num] }}"`,
	`"{{ 'abcdef'[:num] }}"`, `"{{ 'abcdef'[num:] }}"`, `"{{ names[::num] }}"`, `"{{ names[num:] }}"`, `"{{ names[:num] | length }}"`,
	`"{{ 'l' in pw }}"`, `"{{ pw in ['alpha', 'beta'] }}"`, `"{{ pw not in m3 }}"`, `"{{ 'alpha' in [pw] }}"`, `"{{ 'alpha' in users | map(attribute='p') }}"`, `"{{ pw == 'alpha' }}"`,
	`"{{ 'a' < pw < 'b' }}"`, `"{{ [pw] == ['alpha'] }}"`, `"{{ [pw] < ['b'] }}"`, `"{{ {'k': pw} != {'k': 'alpha'} }}"`, `"{{ users == other }}"`, `"{{ users[0] in other }}"`,
	`"{{ not (pw == 'alpha') }}"`, `"{{ pw == 'alpha' and 'yes' }}"`, `"{{ pw == 'alpha' or 'no' }}"`, `"{{ flag and ghost | default(1) }}"`, `"{{ (flag and ghost) | default(1) }}"`,
	`"{{ ('x' if flag) | default('none') }}"`, `"{{ ({'a': 1} if flag else {'b': 1}).a is defined }}"`, `"{{ ({'a': 1} if flag else {'b': 1}).a | default(2) }}"`,
	`"{{ (['x'] if flag else []) | length }}"`, `"{{ (['x'] if flag else []) | first | default('none') }}"`, `"{{ (1 if flag else 'a') | type_debug }}"`, `"{{ (1 if flag else 'a') is string }}"`,
	`"{{ 'abc' * num }}"`, `"{{ [1] * num }}"`, `"{{ range(num) | list }}"`, `"{{ range(5)[num] }}"`, `"{{ -num < -1 }}"`, `"{{ num // 2 == 1 }}"`,
	// Filters and tests.
	`"{{ l | selectattr('a', 'eq', pw) | map(attribute='b') | list }}"`, `"{{ l | rejectattr('a', 'eq', pw) | list }}"`, `"{{ l | selectattr('n', 'gt', num) | list | length }}"`,
	`"{{ users | selectattr('p', 'eq', 'alpha') | map(attribute='name') | list }}"`, `"{{ users | rejectattr('p', 'match', '^a') | map(attribute='name') | list }}"`,
	`"{{ (users | selectattr('p', 'match', '^a') | list)[0].name | default('none') }}"`, `"{{ users | selectattr('p', 'in', ['alpha']) | list | length }}"`,
	`"{{ names | select('eq', pw) | list }}"`, `"{{ names | reject('in', [pw]) | list }}"`, `"{{ ['alp', 'zz'] | select('in', pw) | list | length }}"`,
	`"{{ [flag] | select | list | length }}"`, `"{{ users | selectattr('f') | list | length }}"`, `"{{ users | map(attribute='p') | select('eq', 'alpha') | list | length }}"`,
	`"{{ users | sort(attribute='p') | map(attribute='name') | list }}"`, `"{{ users | sort(attribute='p,name') | map(attribute='name') | list }}"`, `"{{ [pw, 'b'] | sort | first }}"`,
	`"{{ (users | sort(attribute='p'))[0].name }}"`, `"{{ {'x': pw, 'y': 'b'} | dictsort(by='value') | map('first') | list }}"`,
	`"{{ users | groupby('p') | map('last') | map('first') | map(attribute='name') | list }}"`, `"{{ (users | groupby('p') | first)[1][0].name }}"`, `"{{ [{'q': 'alpha', 'n': 1}, {}] | groupby('q', default=pw) | length }}"`,
	`"{{ (users + other) | unique(attribute='p') | map(attribute='name') | list }}"`, `"{{ [pw, 'alpha'] | unique | length }}"`, `"{{ [[pw], ['alpha']] | unique | length }}"`,
	`"{{ [pw] | union(['alpha']) | length }}"`, `"{{ ['alpha'] | intersect([pw]) | length }}"`, `"{{ names | difference([pw]) | list }}"`, `"{{ ['alpha'] | symmetric_difference([pw]) | length }}"`,
	`"{{ users | min(attribute='p') }}"`, `"{{ (users | max(attribute='p')).name }}"`, `"{{ [num, 2.5] | min == 2.5 }}"`, `"{{ [pw, 'b'] | max == 'b' }}"`,
	`"{{ l3 | map(attribute=pw, default='none') | list }}"`, `"{{ [pw] | map('extract', m) | list }}"`, `"{{ pw | extract(m) }}"`, `"{{ pw | extract(m3) | default('none') }}"`,
	`"{{ m3 | attr(pw) | default('none') }}"`, `"{{ m3.get(pw, 'none') }}"`, `"{{ names.index(pw) }}"`, `"{{ ['alpha', 'b'].count(pw) }}"`, `"{{ [pw].count('alpha') }}"`, `"{{ pw.startswith('a') }}"`,
	`"{{ pw is match('a') }}"`, `"{{ pw is eq 'alpha' }}"`, `"{{ 'alpha' is in [pw] }}"`, `"{{ [pw] is contains 'alpha' }}"`, `"{{ [pw] is subset(['alpha']) }}"`, `"{{ [[flag]] | flatten is any }}"`,
	`"{{ [flag] is all }}"`, `"{{ [flag] is any }}"`, `"{{ flag is truthy }}"`, `"{{ flag | bool }}"`, `"{{ (num + flag) is even }}"`, `"{{ num is divisibleby 3 }}"`, `"{{ users is sameas other }}"`,
	`"{{ flag | ternary('one', 'two') }}"`, `"{{ '' | default('x', flag) }}"`, `"{{ [1, [[[2]]]] | flatten(levels=num) }}"`, `"{{ [[1], ([2] if flag else none)] | flatten | length }}"`,
	`"{{ names | batch(num) | list }}"`, `"{{ names | slice(num) | list | length }}"`, `"{{ 'a b c' | truncate(num, true, '', 0) }}"`, `"{{ 'abc' | center(num + 4) }}"`, `"{{ 'a,b,c,d' | split(',', num) }}"`,
	`"{{ 1.2345 | round(num) }}"`, `"{{ users | subelements('k') | length }}"`, `"{{ users | items2dict(key_name='p', value_name='name') }}"`, `"{{ users | rekey_on_member('p') | list }}"`,
	`"{{ [{'k': pw, 'v': 1}, {'k': 'alpha', 'v': 2}] | items2dict(key_name='k', value_name='v') | length }}"`, `"{{ users | lists_mergeby('p') | map(attribute='name') | list }}"`,
	`"{{ names | zip([1] * num) | list }}"`, `"{{ names | product(repeat=num) | list | length }}"`, `"{{ names | random(seed=pw) }}"`, `"{{ names | shuffle(seed=pw) }}"`,
	`"{{ {'pw': pw, 'l': names} | json_query('l[?@==$.pw]') | default([]) }}"`, `"{{ pw | regex_search('^a') | default('none', true) }}"`, `"{{ pw | version('b', '<') if false else pw is version('b', '<') }}"`,
	`"{{ {'a': 1} | combine({'b': 1} if flag else {}) }}"`, `"{{ [1] | combine_lists if false else ([1] + ([2] if flag else [])) }}"`,
	`"{{ users | map('combine', {'x': 1}) | selectattr('p', 'eq', 'alpha') | list | length }}"`, `"{{ names | map('replace', pw, '') | list }}"`, `"{{ names | map('regex_search', pw) | list }}"`,
	`"{{ ghost | default(m[pw]) }}"`, `"{{ 'a' | replace('a', m[pw]) }}"`, `"{{ '%*d' | format(num + 5, 1) }}"`, `"{{ '%s' | format(pw == 'alpha') }}"`, `"{{ [1, 2] | sum(start=num) > 5 }}"`,
	`"{{ lookup('vars', 'v_' ~ pw, default='none') }}"`, `"{{ query('subelements', users, 'k') | length }}"`, `"{{ query('sequence', count=num) }}"`,
	`"{{ query('varnames', '^v_' ~ pw ~ '$') | length }}"`, `"{{ lookup('varnames', '^v_' ~ pw ~ '$') }}"`, `"{{ ('::l::[a=$p]::b') | eval(p=pw) }}"`, `"{{ ('::l::[a=$p]') | eval(wantList=true, p=pw) | length }}"`,
	`"{{ lookup('unfurl', '::l::[a=$p]::b', p=pw) }}"`, `"{{ query('unfurl', '::l::[a=$p]::b', p=pw) | length }}"`, `"{{ lookup('csvfile', pw, file='t.csv', delimiter=',', default='none') }}"`,
	`"{{ lookup('ini', pw, file='t.ini', section='s', default='none') }}"`, `"{{ lookup('file', 't.csv', rstrip=flag) }}"`, `"{{ lookup('env', 'NO_SUCH', default=m[pw]) }}"`,
	`"{{ lookup('items', names if flag else []) }}"`, `"{{ query('flattened', names if flag else []) | length }}"`,
	// Statements.
	`"{% if pw[0] == 'a' %}one{% else %}two{% endif %}"`, `"x{% if flag %}{% endif %}{% if flag %}y{% endif %}"`, `"{% for x in names if x == pw %}{{ x }}{% else %}none{% endfor %}"`,
	`"{% for x in range(num) %}x{% endfor %}"`, `"{% for x in names %}{% if x == pw %}{% break %}{% endif %}{{ x }}{% endfor %}"`, `"{% for x in names %}{% if x == pw %}{% continue %}{% endif %}{{ x }}{% endfor %}"`,
	`"{% set x = 1 %}{% if flag %}{% set x = 2 %}{% endif %}{{ x }}"`, `"{% set x %}{% if flag %}1{% else %}2{% endif %}{% endset %}{{ x }}"`, `"{% set x = m[pw] %}{{ x }}"`,
	`"{% set l = [] %}{% if flag %}{% do l.append(1) %}{% endif %}{{ l }}"`, `"{% set l = [] %}{% set _ = l.append(1) if flag %}{{ l | length }}"`, `"{% set l = [] %}{% set _ = flag and l.append(1) %}{{ l | length }}"`,
	`"{% set l = [] %}{% set _ = flag or l.append(1) %}{{ l }}"`, `"{% set d = {} %}{% set _ = d.update({'a': 1}) if flag %}{{ d }}"`, `"{% set d = {'alpha': 1} %}{% set _ = d.update({pw: 1}) %}{{ d | length }}"`,
	`"{% set ns = namespace(x=1) %}{% macro f() %}{% set ns.x = 2 %}{% endmacro %}{% set _ = f() if flag %}{{ ns.x }}"`, `"{% set l = [1] %}{% macro f() %}{% do l.append(2) %}{% endmacro %}{% set _ = f() if flag %}{{ l }}"`,
	`"{% set l = ['alpha', 'b'] %}{% set _ = l.remove(pw) if pw == 'alpha' %}{{ l }}"`, `"{% set l = [1, 2, 3, 4] %}{% set _ = l.pop(num) %}{{ l }}"`, `"{% set l = [pw, 'b'] %}{% set _ = l.sort() %}{{ l[0] == 'b' }}"`,
	`"{% set l = [1, 2, 3, 4] %}{% set _ = l.insert(num, 9) %}{{ l }}"`, `"{% set d = {'alpha': 1, 'zebra': 2} %}{% set _ = d.pop(pw) %}{{ d }}"`, `"{% set d = {'alpha': 1} %}{{ d.setdefault(pw, 2) }}{{ d | length }}"`,
	`"{% set d = {'alpha': 1} %}{% set x = d.setdefault(pw, 2) %}{{ d | length }}"`, `"{% set l = [] %}{% set _ = l.extend(names[num:]) %}{{ l | length }}"`,
	`"{% macro f(x) %}{% if x == 'alpha' %}1{% else %}2{% endif %}{% endmacro %}{{ f(pw) }}"`, `"{% macro f() %}1{% endmacro %}{% macro g() %}2{% endmacro %}{{ (f if flag else g)() }}"`,
	`"{% macro f() %}{{ caller() }}{% endmacro %}{% call f() %}{% if flag %}1{% endif %}{% endcall %}"`, `"{% with x = m[pw] %}{{ x }}{% endwith %}"`, `"{% filter upper %}{% if flag %}a{% endif %}{% endfilter %}"`,
	`"{% for x in [pw, 'alpha'] %}{{ loop.changed(x) }}{% endfor %}"`, `"{% for x in names %}{{ loop.cycle('a', 'b') if flag }}{% endfor %}"`, `"{% for x in users | sort(attribute='p') %}{{ x.name }}{% endfor %}"`,
	`"{% for x in names[num:] %}{{ loop.last }}{% endfor %}"`, `"{% for a, b in users | groupby('p') %}{{ b[0].name }}{% endfor %}"`, `"{% block b %}{% if flag %}1{% endif %}{% endblock %}"`,
}

// TestChoosingKeepsSecrets compares all that is printed about a document with two secrets: it is
// the same, so that it says nothing about them, although each value of a depends on them.
func TestChoosingKeepsSecrets(t *testing.T) {
	const plain = `
l: [{a: alpha, b: one, n: 1}, {a: zebra, b: two, n: 3}, {a: zebra, b: three, n: 4}]
l3: [{alpha: 1}, {beta: 2}]
m: {alpha: one, zebra: two}
m2: {alpha: {x: 1}, zebra: {y: 2}}
m3: {alpha: one}
fn: {alpha: concat, zebra: none}
names: [alpha, beta, zebra]
v_alpha: 1
other: [{name: first, p: alpha, f: 1, k: [1]}, {name: second, p: mm, f: 1, k: [1]}]
alpha: top
`
	const vault, function = "!vault %s", "{eval: {sensitive: %s}}"
	users := func(mark string) string {
		return "\nusers: [{name: first, p: " + mark + ", f: " + mark + ", k: " + mark + "}, {name: second, p: " + mark + ", f: " + mark + ", k: [1]}]\n"
	}
	worlds := [2][]any{ // of the same length, since places of the source are shown
		{"alpha", "1", "1", "alpha", "1", "[1]", "mm", "1"},
		{"zebra", "3", "0", "zebra", "0", "[ ]", "mm", "1"},
	}
	secret := "pw: %s\nnum: %s\nflag: %s\nusers: [{name: first, p: %s, f: %s, k: %s}, {name: second, p: %s, f: %s, k: [1]}]\n"
	sensitive := strings.NewReplacer("%s", function).Replace("pw: %s\nnum: %s\nflag: %s") + users(function)
	more, err := os.ReadFile("testdata/choosing.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range long.Sample(slices.Concat(choosing, strings.Split(strings.TrimSuffix(string(more), "\n"), "\n"))) {
		var said [2][2]string
		var is [2]string
		for i, world := range worlds {
			file := fmt.Sprintf(secret, world...)
			said[0][i], _ = openAndSay(t, plain+"a: "+a+"\n", strings.ReplaceAll(file, "[ ]", "[1]")) // its structure is no secret
			said[1][i], is[i] = openAndSay(t, fmt.Sprintf(sensitive, world...)+plain+"a: "+a+"\n", "")
		}
		if is[0] == is[1] {
			t.Errorf("a: %s does not depend on the secret: %s", a, is[0])
		}
		for k, how := range []string{"encrypted", "sensitive"} {
			if x, y := said[k][0], said[k][1]; x != y {
				from := 0
				for from < min(len(x), len(y)) && x[from] == y[from] {
					from++
				}
				from = max(from-60, 0)
				t.Errorf("%s, a: %s shows something of the secret:\n%s\nor\n%s", how, a, x[from:min(from+140, len(x))], y[from:min(from+140, len(y))])
			}
		}
	}
}

// openAndSay returns all that is printed about a document, without what is secret, and the
// value of a, which is.
func openAndSay(t *testing.T, plain, secret string) (said, a string) {
	return openAndSayIn(t, "main.yaml", plain, secret)
}

func openAndSayIn(t *testing.T, name, plain, secret string) (said, a string) {
	t.Helper()
	var out, is strings.Builder
	dir := tree(t, map[string]string{name: plain, "t.csv": "alpha,one\nbeta,two\n", "t.ini": "[s]\nalpha = one\n"})
	o := yaytpl.Options{Dir: dir, Warn: func(d *source.Diagnostic) { findings(&out, d) }}
	file := filepath.Join(dir, name)
	var p *yaytpl.Project
	var err error
	if secret == "" {
		p, err = yaytpl.Open(t.Context(), []string{file}, o)
	} else {
		p, err = openOverEncrypted(t, file, secret, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := p.Documents()[0]
	o2 := yaytpl.RenderOptions{Redact: true, DropTags: true, Partial: true}
	for _, o2.Form = range yaytpl.Forms() {
		fmt.Fprintln(&out, p.Render(&out, o2))
	}
	for _, q := range []string{"::a", "{{ a }}", "{eval: ::a}"} {
		all, err := d.Query(q)
		if err == nil {
			err = p.WriteValue(&out, value.ListOf(all...), yaytpl.RenderOptions{Redact: true, DropTags: true})
		}
		fmt.Fprintln(&out, err)
	}
	fmt.Fprintln(&out, d.WriteDot(&out, "values"))
	v, err := d.Get("a")
	if err == nil {
		err = p.WriteValue(&is, v, yaytpl.RenderOptions{Reveal: true, DropTags: true})
	}
	if err != nil {
		t.Errorf("%s: %v", plain[strings.LastIndex(plain, "\na: "):], err)
	}
	x, err := d.Explain("a")
	if err != nil {
		t.Fatal(err)
	}
	_ = x.WriteText(&out, false)
	findings(&out, p.Check()...)
	for _, other := range []string{"none", "one", "x", "true"} { // guesses of a
		rest := value.NewMap(1)
		rest.Set(value.K("a"), value.String(other))
		changes, err := value.DiffMasked(value.FromMap(rest), whole(t, d))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			fmt.Fprintln(&out, c.Path)
		}
	}
	return strings.ReplaceAll(out.String(), dir, ""), is.String()
}

func whole(t *testing.T, d *yaytpl.Document) value.Value {
	v, err := d.Value()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// choosingYay is the same for expressions of Yay, over an encrypted file.
var choosingYay = []string{
	`"one" if pw == "alpha" else "two"`, `"one" if pw == "alpha" and flag else "two"`, `flag and "x"`, `flag or "x"`, `not flag`, `pw == "alpha"`, `[pw] == ["alpha"]`, `{"k": pw} != {"k": "alpha"}`,
	`"alpha" in [pw]`, `"l" in pw`, `pw in m3`, `m[pw]`, `m3[pw] else "none"`, `m2[pw].x else "none"`, `names[num - 1]`, `names[num] else "none"`, `names[num:]`, `len(names[num:])`,
	`[x for x in names if x == pw]`, `len([x for x in names if x == pw or flag])`, `{x: 1 for x in names if x != pw}`, `sorted([pw, "b"])[0]`, `[x for x in sorted([pw, "b"])][0] == "b"`, `min(num, 2)`, `max([num, 2]) == 2`,
	`min([pw, "b"]) == "b"`, `num < 2`, `1 < num`, `num * 2`, `str(num)`, `len("x" if flag else "xyz")`, `range(num)`, `len(range(num))`, `split("a,b,c", "," if flag else ";")`, `join(names if flag else [], "-")`,
	`replace("alpha", pw, "x")`, `sub(pw, "x", "alpha")`, `sum([num, 1])`, `keys(m3 if flag else m2)`, `int(num) == 1`,
}

// choosingBlocks is the same for blocks that define a.
var choosingBlocks = []string{
	`select pw:
  alpha:
    a: 1
  zebra:
    a: 2`,
	`a:
  select pw:
    alpha: one
    zebra: two`,
	`if pw == "alpha":
  a: 1
else:
  a: 2`,
	`a:
  if pw == "alpha":
    - x
  else:
    - y`,
	`a:
  for n in names:
    if n == pw:
      - {{ n }}
    else:
      - q`,
	`set x = "1" if pw == "alpha" else "2"
a: {{ x }}`,
	`prototype P:
  v: 1
a:
  new P:
    v: {{ 2 if flag else 3 }}`,
	`a: plain {{ "x" if flag else "y" }} text`,
	`a: |
  text {{ m[pw] }}
  more`,
	`a: >
  text {{ m[pw] }}
  more`,
	`set n = num
a:
  for i in range(n):
    - {{ i }}`,
	`x: 1
y: 2
if flag:
  a: {{ x }}
else:
  a: {{ y }}`,
	`a:
  x: 1
  y: 2
b:
  c: 3
if pw == "alpha":
  a:
    x: 2
  b:
    c: {{ a.y }}`,
	`a:
  - k: 1
if flag:
  a:
    - k: 2`,
	`a:
  x: 1
if flag:
  if num == 1:
    a:
      x: 2
elif num == 3:
  a:
    x: 4`,
	`a: none
if flag:
  a: some`,
	`a:
  for n in names:
    if n == pw:
      - k: {{ n }}
        j: 1`,
	`prototype P:
  v: 1
  if flag:
    v: 2
a:
  new P:
    w: 1`,
	`a: 1
if flag:
  a: {{ a_base else 2 }}`,
}

func TestChoosingKeepsSecretsInYay(t *testing.T) {
	const plain = "m:\n  alpha: one\n  zebra: two\nm2:\n  alpha:\n    x: 1\n  zebra:\n    y: 2\nm3:\n  alpha: one\nnames:\n  - alpha\n  - beta\n  - zebra\n"
	blocks := slices.Clone(choosingBlocks)
	for _, a := range choosingYay {
		blocks = append(blocks, "a: {{ "+a+" }}")
	}
	for _, a := range blocks {
		var said, is [2]string
		for i, secret := range []string{"pw: alpha\nnum: 1\nflag: 1\nusers: [{name: one, f: 1}]\n", "pw: zebra\nnum: 3\nflag: 0\nusers: [{name: two, f: 1}]\n"} {
			said[i], is[i] = openAndSayIn(t, "main.yay", plain+a+"\n", secret)
		}
		if is[0] == is[1] {
			t.Errorf("%s does not depend on the secret: %s", a, is[0])
		}
		if said[0] != said[1] {
			t.Errorf("%s shows something of the secret:\n%s\nor\n%s", a, said[0], said[1])
		}
	}
}
