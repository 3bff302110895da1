// Package worktexts has documents that make one part of the languages work: an operator, a filter, a
// statement, a kind of node. Tests evaluate them in few steps, bench/limits at the default limits.
package worktexts

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed work.txt
var text string

// A Row is a project that makes a part of the languages work.
type Row struct {
	Parts string            // comma-separated, such as "operator +, node Binary"
	Task  string            // the expression that a loop evaluates; empty if the files say more
	Files map[string]string // by name, with "data.yaml" for the data
}

// Main returns the file to open: main.yaml, main.yay or main.mcl.
func (r Row) Main() string {
	for _, name := range []string{"main.yay", "main.mcl"} {
		if _, ok := r.Files[name]; ok {
			return name
		}
	}
	return "main.yaml"
}

// Bindings returns the file of bindings to open with it, or "".
func (r Row) Bindings() string {
	if _, ok := r.Files["site.pp"]; ok {
		return "site.pp"
	}
	return ""
}

// Rows returns all rows. Lists, maps and texts have about n items, loops as many turns as loop says.
func Rows(n, loop int) []Row {
	_, all, _ := strings.Cut(text, "\n== ")
	expand := words(n, loop)
	var rows []Row
	var data string
	for part := range strings.SplitSeq(all, "\n== ") {
		head, rest, _ := strings.Cut(part, "\n")
		parts, task, short := strings.Cut(head, ": ")
		r := Row{parts, task, map[string]string{"data.yaml": data}}
		if short {
			r.Files["main.yaml"] = "+include: data.yaml\nx:\n- |-\n  {% for i in range($LOOP) %}{% for j in range($LOOP) %}{% set y = " + task + " %}{% endfor %}{% endfor %}\n"
		}
		for file := range strings.SplitSeq("\n"+rest, "\n-- ") {
			if name, text, ok := strings.Cut(file, " --\n"); ok {
				r.Files[name] = text + "\n"
			}
		}
		for name, text := range r.Files {
			r.Files[name] = expand.Replace(text)
		}
		if data == "" {
			data = r.Files["data.yaml"]
			continue
		}
		rows = append(rows, r)
	}
	return rows
}

// words are the words that stand for large texts in work.txt.
func words(n, loop int) *strings.Replacer {
	many := func(n int, format, sep string) string {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf(format, i, i+1)
		}
		return strings.Join(lines, sep)
	}
	return strings.NewReplacer(
		"$LOOP", fmt.Sprint(loop), "$N", fmt.Sprint(n),
		"$SHARED", "s0: &s0 [1]\n"+many(41, "s%[2]d: &s%[2]d {a: *s%[1]d, b: *s%[1]d}", "\n"),
		"$POINTERS", many(40, "l%[2]d: {a: {+/l%[1]d: }, b: {+/l%[1]d: }}", "\n"),
		"$MISSING", many(n, "include \"missing%[1]d.yay\"", "\n"),
		"$LINES", many(n, "k%[1]d,v%[1]d", "\n"),
		"$SETTINGS", many(n, "k%[1]d = v%[1]d", "\n"),
		"$ITEMS", many(n, "%[1]d", ", "),
		"$RECORDS", many(n, "{k: k%[1]d, v: %[1]d}", ", "),
		"$PATTERNS", many(n, `"*a%[1]d*"`, ", "),
		"$KEYS", many(n, "  k%[1]d: %[1]d", "\n"),
		"$OVERLAYS", many(n, "- {+*b: , k%[1]d: {+%%: whiteout}}", "\n"),
		"$PAIRS", many(n, `"k%[1]d" => %[1]d`, ", "),
		"$BINDS", many(40, "$a%[2]d = [$a%[1]d, $a%[1]d]", "\n"),
		"$CLOSURES", many(40, "$f%[2]d = func($x) { $f%[1]d($f%[1]d($x)) }", "\n"),
		"$CLASSES", many(40, "class c%[1]d($x) {\n\tinclude c%[2]d($x)\n\tinclude c%[2]d($x)\n}", "\n"),
		"$ASCLASSES", many(40, "class c%[1]d($x) {\n\tinclude c%[2]d($x) as a\n\tinclude c%[2]d($x) as b\n\t$v = $a.v + $b.v\n}", "\n"),
		"$SPLICES", many(n, "- {+*b: , l: [{+*b: }, {+%%: merge}, %[1]d]}", "\n"),
	)
}
