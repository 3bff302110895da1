package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// An editorRun is a run of edit. Each time that its editor is opened, it runs one step.
type editorRun struct {
	dir, temp string
	env       map[string]string
	in        streams
}

// newEditorRun writes files and the steps, which are scripts with the name of the document as
// argument.
func newEditorRun(t *testing.T, files map[string]string, steps ...string) *editorRun {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the editors of this test are shell scripts")
	}
	r := &editorRun{dir: t.TempDir(), temp: t.TempDir()}
	t.Setenv("TMPDIR", r.temp)
	r.env = map[string]string{"EDITOR": "sh fake-editor", "XDG_RUNTIME_DIR": t.TempDir()}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write(name, text)
	}
	write("fake-editor", "echo x >> times\nsh step$(wc -l < times | tr -d ' ') \"$1\"\n")
	for i, step := range steps {
		write("step"+string(rune('1'+i)), step+"\n")
	}
	return r
}

// run runs the command with answers. Without answers there is no terminal.
func (r *editorRun) run(ctx context.Context, answers string, args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	s := r.in
	s.in, s.out, s.err, s.dir = strings.NewReader(""), &out, &errs, r.dir
	s.getenv = func(name string) (string, bool) { v, ok := r.env[name]; return v, ok }
	if answers != "" {
		s.answers = strings.NewReader(answers)
	}
	status = run(ctx, args, s)
	return out.String(), errs.String(), status
}

func (r *editorRun) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// kept returns the name of the edited text that edit left, or "".
func (r *editorRun) kept(t *testing.T) string {
	t.Helper()
	var found []string
	for _, dir := range []string{r.temp, r.env["XDG_RUNTIME_DIR"]} {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, ".edited.yaml") {
				found = append(found, name)
			}
		}
	}
	if len(found) > 1 {
		t.Fatalf("several edited texts: %v", found)
	}
	return strings.Join(found, "")
}

const (
	siteText = "# The site.\nweb:\n  +include: base.yaml\n  name: web\nsome: [b, c]\nall: [a, {+/some: }]\nurl: \"{{ web.port }}\"\n"
	baseText = "port: 80\nhosts: [a, b]\n"
	port8080 = "# The site.\nweb:\n  +include: base.yaml\n  name: web\n  port: 8080\nsome: [b, c]\nall: [a, {+/some: }]\nurl: \"{{ web.port }}\"\n"
	breaking = `sed -i.bak -e 's/name: web/name: [web/' "$1"`
	mending  = `sed -i.bak -e 's/name: \[web/name: web/; s/port: 80/port: 8080/' "$1"`
	splicing = `sed -i.bak -e 's/all: \[a, b, c\]/all: [a, c]/' "$1"`
	changing = `sed -i.bak -e 's/port: 80/port: 8080/' "$1"`
)

func TestEdit(t *testing.T) {
	tests := []struct {
		name    string
		args    string
		answers string
		steps   []string
		status  int
		stderr  []string // parts of it, in order
		stdout  string   // a part of it
		want    string   // the file
		kept    bool
	}{
		{name: "no terminal", steps: []string{changing}, stderr: []string{"+  port: 8080"}, want: port8080},
		{name: "yes", answers: "y\n", steps: []string{changing}, stderr: []string{"+  port: 8080", "write? [Y]es"}, want: port8080},
		{name: "an empty answer", answers: "\n", steps: []string{changing}, stderr: []string{"write?"}, want: port8080},
		{name: "an invalid answer", answers: "what\nyes\n", steps: []string{changing}, stderr: []string{"write?", "write?"}, want: port8080},
		{name: "no", answers: "n\n", steps: []string{changing}, stderr: []string{"write?", "nothing was written"}, want: siteText},
		{name: "no answer", answers: "?\n", steps: []string{changing}, status: 1, stderr: []string{"there was no answer", "is kept in"}, want: siteText, kept: true},
		{name: "without asking", args: "--yes", answers: "n\n", steps: []string{changing}, stderr: []string{"+  port: 8080"}, want: port8080},
		{name: "again", answers: "e\ny\n", steps: []string{changing, `sed -i.bak -e 's/8080/9090/' "$1"`}, stderr: []string{"8080", "9090"},
			want: strings.ReplaceAll(port8080, "8080", "9090")},
		{name: "unchanged", steps: []string{"true"}, stderr: []string{"info: nothing changed"}, want: siteText},
		{name: "only comments", steps: []string{`sed -i.bak -e 's/# The/# My/' "$1"`}, stderr: []string{"+# My site."}, want: strings.Replace(siteText, "# The", "# My", 1)},
		{name: "comment of an include", steps: []string{`sed -i.bak -e 's/port: 80$/port: 80 # http/' "$1"`},
			stderr: []string{`.edited.yaml:6:3: warning: the comment "# http" at web.port was not kept`, "base.yaml:1:7: note: the value is written here", "info: nothing changed"}, want: siteText},
		{name: "without the comment lines", steps: []string{`sed -i.bak -e '/^#>/d' "$1"`}, stderr: []string{"info: nothing changed"}, want: siteText},
		{name: "emptied", steps: []string{`: > "$1"`}, stderr: []string{"info: nothing changed"}, want: siteText},
		{name: "deleted", steps: []string{`rm "$1"`}, stderr: []string{"info: nothing changed"}, want: siteText},
		{name: "editor fails", steps: []string{"exit 3"}, status: 1, stderr: []string{`"sh fake-editor" ended with exit status 3; nothing was written`}, want: siteText},
		{name: "editor fails late", steps: []string{changing + "\nexit 1"}, status: 1, stderr: []string{"exit status 1", "is kept in"}, want: siteText, kept: true},
		{name: "a link", steps: []string{`mv "$1" "$1.x"; ln -s "$1.x" "$1"`}, status: exitAccess, stderr: []string{"no longer a regular file", "nothing was written; what the editor left is /"}, want: siteText, kept: true},
		{name: "broken", steps: []string{breaking}, status: 1, stderr: []string{".edited.yaml:8:9: error: ", "is kept in", "yaytpl restore -i site.yaml /"}, want: siteText, kept: true},
		{name: "broken and mended", answers: "e\ny\n", steps: []string{breaking, mending}, stderr: []string{".edited.yaml:8:9: error: ", "edit again, or abort?", "+  port: 8080"}, want: port8080},
		{name: "broken and given up", answers: "a\n", steps: []string{breaking}, status: 1, stderr: []string{"edit again", "nothing was written", "is kept in"}, want: siteText, kept: true},
		{name: "broken without an answer", answers: "?\n", steps: []string{breaking}, status: 1, stderr: []string{"edit again", "is kept in"}, want: siteText, kept: true},
		{name: "conflict", steps: []string{splicing}, status: 1,
			stderr: []string{"list-not-appendable", "--inline", "is kept in", "yaytpl restore -i site.yaml /"}, want: siteText, kept: true},
		{name: "never expanded", args: "--no-inline", answers: "a\n", steps: []string{splicing}, status: 1,
			stderr: []string{"list-not-appendable", "edit again", "yaytpl restore -i --no-inline site.yaml /"}, want: siteText, kept: true},
		{name: "expanded", answers: "y\ny\n", steps: []string{splicing},
			stderr: []string{"site.yaml:6:11: info: all can only be changed by expanding a directive", "expand? [n]o, [y]es", "warning: ", "write?"},
			want:   strings.ReplaceAll(siteText, "{+/some: }", "c")},
		{name: "not expanded", answers: "\na\n", steps: []string{splicing}, status: 1,
			stderr: []string{"expand?", "list-not-appendable", "edit again"}, want: siteText, kept: true},
		{name: "expanded without asking", args: "--inline", answers: "y\n", steps: []string{splicing}, stderr: []string{"warning: ", "write?"},
			want: strings.ReplaceAll(siteText, "{+/some: }", "c")},
		{name: "shorter list", answers: "y\n", steps: []string{`sed -i.bak -e 's/\[a, b\]/[b]/' "$1"`}, stderr: []string{"+  hosts: [{+%: replace}, b]", "write?"},
			want: strings.ReplaceAll(siteText, "name: web\n", "name: web\n  hosts: [{+%: replace}, b]\n")},
		{name: "evaluated", args: "--evaluated", steps: []string{`grep '^url: 80$' "$1" && ` + changing}, stderr: []string{"+  port: 8080"}, want: port8080},
		{name: "result", args: "--evaluated --backup", steps: []string{`sed -i.bak -e 's/url: 80/url: 90/' "$1"`}, status: 1,
			stderr: []string{"(expression)", "yaytpl restore -i --evaluated --backup site.yaml /"}, want: siteText, kept: true},
		{name: "difference", args: "--diff", answers: "n\n", steps: []string{changing}, stdout: "\n+  port: 8080\n", want: siteText},
		{name: "quiet", args: "-q", steps: []string{changing}, want: port8080},
		{name: "changed meanwhile", steps: []string{changing + "\necho 'x: 1' >> site.yaml"}, status: 3,
			stderr: []string{"site.yaml, or a file that it includes, changed while it was edited", "is kept in"}, want: siteText + "x: 1\n", kept: true},
		{name: "included file changed meanwhile", steps: []string{changing + "\necho 'x: 1' >> base.yaml"}, status: 3,
			stderr: []string{"changed while it was edited"}, want: siteText, kept: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newEditorRun(t, map[string]string{"site.yaml": siteText, "base.yaml": baseText}, test.steps...)
			stdout, stderr, status := r.run(t.Context(), test.answers, append(strings.Fields("edit "+test.args), "site.yaml")...)
			if status != test.status || !strings.Contains(stdout, test.stdout) {
				t.Errorf("status %d, want %d; standard output:\n%s\nstandard error:\n%s", status, test.status, stdout, stderr)
			}
			if test.stdout == "" && !strings.Contains(test.args, "evaluated") && stdout != "" {
				t.Errorf("standard output:\n%s", stdout)
			}
			inOrder(t, stderr, test.stderr)
			if test.args == "-q" && stderr != "" {
				t.Errorf("standard error:\n%s", stderr)
			}
			if got := r.read(t, "site.yaml"); got != test.want {
				t.Errorf("site.yaml is\n%s\nwant\n%s", got, test.want)
			}
			if kept := r.kept(t); (kept != "") != test.kept || !strings.Contains(stderr, kept) {
				t.Errorf("kept %q; standard error:\n%s", kept, stderr)
			}
		})
	}
}

func inOrder(t *testing.T, text string, parts []string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Errorf("%q is missing, or not in order:\n%s", part, text)
		}
		rest = after
	}
}

// The editor opens the document below a comment, in a file that only the user can read.
func TestEditorFile(t *testing.T) {
	r := newEditorRun(t, map[string]string{"site.yaml": "a: 1\n"}, `cp "$1" copy; ls -l "$1" > mode; ls -ld "$(dirname "$1")" >> mode`)
	if _, stderr, status := r.run(t.Context(), "", "edit", "site.yaml"); status != exitDone {
		t.Fatalf("status %d: %s", status, stderr)
	}
	copied := r.read(t, "copy")
	if !strings.HasPrefix(copied, "#> site.yaml, expanded: its merge directives are applied.") || !strings.HasSuffix(copied, "\na: 1\n") {
		t.Errorf("the editor got\n%s", copied)
	}
	if mode := r.read(t, "mode"); !strings.HasPrefix(mode, "-rw-------") || !strings.Contains(mode, "\ndrwx------") {
		t.Errorf("modes:\n%s", mode)
	}
}

func TestEditFilesOfOtherKinds(t *testing.T) {
	tests := []struct{ name, file, text, step, want string }{
		{"JSON", "a.json", "{\n  \"a\": 1\n}\n", `sed -i.bak -e 's/1/2/' "$1"; case "$1" in *.edited.json) ;; *) exit 1 ;; esac`, "{\n  \"a\": 2\n}\n"},
		{"empty", "a.yaml", "", `echo 'a: 1' >> "$1"`, "a: 1\n"},
		{"comments alone", "a.yaml", "# mine\n", `echo 'a: 1' >> "$1"`, "# mine\na: 1\n"},
		{"several documents", "a.yaml", "a: 1\n---\nb: 2  # two\n", `sed -i.bak -e 's/b: 2/b: 3/' "$1"`, "a: 1\n---\nb: 3  # two\n"},
		{"Windows line breaks", "a.yaml", "a: 1\r\nb: 2\r\n", `sed -i.bak -e 's/b: 2/b: 3/; s/$/\r/' "$1"`, "a: 1\r\nb: 3\r\n"},
		{"sensitive", "a.yaml", "a: !vault x\nb: 1\n", `grep REDACTED "$1" && sed -i.bak -e 's/b: 1/b: 2/' "$1"`, "a: !vault x\nb: 2\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newEditorRun(t, map[string]string{test.file: test.text}, test.step)
			_, stderr, status := r.run(t.Context(), "", "edit", test.file)
			if got := r.read(t, test.file); status != exitDone || got != test.want {
				t.Errorf("status %d, %q, want %q; %s", status, got, test.want, stderr)
			}
		})
	}
}

// Warnings of reading the file are printed once, although edit reads it several times.
func TestEditWarnsOnce(t *testing.T) {
	r := newEditorRun(t, map[string]string{"a.yaml": "a: 1\nb: 2\nb: 3\n"}, `sed -i.bak -e 's/a: 1/a: 2/' "$1"`)
	_, stderr, status := r.run(t.Context(), "", "edit", "--lenient", "a.yaml")
	if n := strings.Count(stderr, "[duplicate-key]"); n != 1 || status != exitDone {
		t.Errorf("status %d, %d warnings:\n%s", status, n, stderr)
	}
}

// Decrypted text is stored in memory, and removed at the end.
func TestEditEncrypted(t *testing.T) {
	fixture := func(name string) string {
		text, err := os.ReadFile(filepath.Join("../../fixtures/secrets", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	files := map[string]string{
		"s.yaml.gpg": fixture("secrets.yaml.gpg"), "ann.key": fixture("ann.key.asc"),
		"ann.pub": fixture("ann.pub.asc"), "bob.pub": fixture("bob.pub.asc"),
	}
	step := `sed -i.bak -e 's/hunter2/hunter3/' "$1"; echo "$1" > place`
	t.Run("written", func(t *testing.T) {
		r := newEditorRun(t, files, step)
		_, stderr, status := r.run(t.Context(), "", "edit", "--key", "ann.key", "s.yaml.gpg")
		if status != exitDone || strings.Contains(stderr, "hunter") || !strings.Contains(stderr, "\n+*****") {
			t.Errorf("status %d: %s", status, stderr)
		}
		stdout, _, _ := r.run(t.Context(), "", "decrypt", "--key", "ann.key", "s.yaml.gpg")
		if !strings.Contains(stdout, "hunter3") || r.kept(t) != "" {
			t.Errorf("kept %q, decrypted:\n%s", r.kept(t), stdout)
		}
		if place := r.read(t, "place"); runtime.GOOS == "linux" && !strings.HasPrefix(place, r.env["XDG_RUNTIME_DIR"]) {
			t.Errorf("the editor got %s", place)
		}
	})
	t.Run("kept", func(t *testing.T) {
		r := newEditorRun(t, files, `sed -i.bak -e 's/hunter2/[hunter3/' "$1"`)
		_, stderr, status := r.run(t.Context(), "", "edit", "--key", "ann.key", "s.yaml.gpg")
		if status != exitInput || strings.Contains(stderr, "hunter") {
			t.Errorf("status %d: %s", status, stderr)
		}
		inOrder(t, stderr, []string{r.kept(t), "which holds decrypted text"})
		if left, err := os.ReadDir(filepath.Dir(r.kept(t))); err != nil || len(left) != 1 {
			t.Errorf("next to the kept text are files of the editor: %v, %v", left, err)
		}
	})
	t.Run("comments alone", func(t *testing.T) {
		r := newEditorRun(t, map[string]string{"ann.key": files["ann.key"], "ann.pub": files["ann.pub"], "c.yaml": "# hunter2\na: {}\n"},
			`sed -i.bak -e 's/# hunter2/# hunter2 [/; s/{}/[/' "$1"; echo "$1" > place`)
		r.run(t.Context(), "", "encrypt", "-r", "ann.pub", "--out", "c.yaml.gpg", "c.yaml")
		_, stderr, status := r.run(t.Context(), "", "edit", "--key", "ann.key", "c.yaml.gpg")
		if status != exitInput || strings.Contains(stderr, "hunter") || !strings.Contains(stderr, "which holds decrypted text") {
			t.Errorf("status %d: %s", status, stderr)
		}
		if place := r.read(t, "place"); runtime.GOOS == "linux" && !strings.HasPrefix(place, r.env["XDG_RUNTIME_DIR"]) {
			t.Errorf("the editor got %s", place)
		}
	})
	t.Run("a missing key is an error of writing", func(t *testing.T) {
		r := newEditorRun(t, files, step)
		r.run(t.Context(), "", "encrypt", "-i", "--key", "ann.key", "-r", "ann.pub", "-r", "bob.pub", "s.yaml.gpg")
		before := r.read(t, "s.yaml.gpg")
		_, stderr, status := r.run(t.Context(), "y\n", "edit", "--gpg", "native", "--key", "ann.key", "s.yaml.gpg")
		if status != exitAccess || r.read(t, "s.yaml.gpg") != before || r.kept(t) == "" {
			t.Errorf("status %d, kept %q", status, r.kept(t))
		}
		inOrder(t, stderr, []string{"write?", "s.yaml.gpg was not written", "[decryption]", r.kept(t), "restore -i --gpg=native --key=ann.key s.yaml.gpg /"})
	})
}

func TestEditInterrupted(t *testing.T) {
	for _, test := range []struct {
		name, step string
		kept       bool
	}{
		{"untouched", "echo > began; exec sleep 20", false},
		{"edited", changing + "; echo > began; exec sleep 20", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newEditorRun(t, map[string]string{"site.yaml": siteText, "base.yaml": baseText}, "exec true")
			if err := os.WriteFile(filepath.Join(r.dir, "fake-editor"), []byte(test.step), 0o644); err != nil {
				t.Fatal(err)
			}
			r.env["EDITOR"] = "exec sh fake-editor"
			ctx, stop := context.WithCancel(t.Context())
			go func() {
				for ctx.Err() == nil {
					if _, err := os.Stat(filepath.Join(r.dir, "began")); err == nil {
						stop()
					}
					time.Sleep(5 * time.Millisecond)
				}
			}()
			_, stderr, status := r.run(ctx, "", "edit", "site.yaml")
			if kept := r.kept(t); status != exitInterrupted || (kept != "") != test.kept || !strings.Contains(stderr, kept) {
				t.Errorf("status %d, kept %q: %s", status, kept, stderr)
			}
		})
	}
}

func TestEditRefuses(t *testing.T) {
	tests := []struct {
		name, editor, args string
		status             int
		stderr             []string
	}{
		{"standard input", "true", "edit -", exitUsage, []string{"standard input cannot be edited", "restore"}},
		{"no file", "true", "edit", exitUsage, []string{"edit needs at least one FILE"}},
		{"no editor", "", "edit a.yaml", exitUsage, []string{"no terminal for vi", "EDITOR"}},
		{"wrong editor", "no-such-editor", "edit a.yaml", exitUsage, []string{`cannot run the editor "no-such-editor"`, "EDITOR=nano"}},
		{"wrong words", "no-such-editor --wait", "edit a.yaml", exitUsage, []string{`cannot run the editor "no-such-editor --wait"`, "EDITOR=nano"}},
		{"a directory", "/", "edit a.yaml", exitUsage, []string{`cannot run the editor "/"`, "EDITOR=nano"}},
		{"missing file", "true", "edit b.yaml", exitAccess, []string{"b.yaml"}},
		{"broken file", "true", "edit broken.yaml", exitInput, []string{"broken.yaml:1:"}},
		{"layers", "true", "edit -D a=1 a.yaml", exitUsage, []string{"--env-prefix, -D"}},
		{"one document", "true", "edit --doc 0 a.yaml", exitUsage, []string{"--doc"}},
		{"target", "true", "edit --to=there a.yaml", exitUsage, []string{"override, source or the name of a layer"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newEditorRun(t, map[string]string{"a.yaml": "a: 1\n", "broken.yaml": "a: [1\n"})
			r.env["EDITOR"] = test.editor
			_, stderr, status := r.run(t.Context(), "", strings.Fields(test.args)...)
			if status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
			inOrder(t, stderr, test.stderr)
		})
	}
}

func TestVisualComesFirst(t *testing.T) {
	r := newEditorRun(t, map[string]string{"a.yaml": "a: 1\n"})
	r.env["VISUAL"], r.env["EDITOR"] = "echo > visual; true", "false"
	if _, stderr, status := r.run(t.Context(), "", "edit", "a.yaml"); status != exitDone {
		t.Errorf("status %d: %s", status, stderr)
	}
	r.read(t, "visual")
}

func TestEditorWords(t *testing.T) {
	tests := []struct {
		system, command string
		want            []string
	}{
		{"linux", "nano", []string{"nano", "f"}},
		{"linux", "code --wait", []string{"sh", "-c", `code --wait "$@"`, "code --wait", "f"}},
		{"windows", "notepad", []string{"notepad", "f"}},
		{"windows", `"C:\Program Files\x.exe" --wait  -n`, []string{`C:\Program Files\x.exe`, "--wait", "-n", "f"}},
	}
	for _, test := range tests {
		if got := editorWords(test.system, test.command, "f"); !slices.Equal(got, test.want) {
			t.Errorf("editorWords(%s, %s) = %q, want %q", test.system, test.command, got, test.want)
		}
	}
}

func TestCutOwnLines(t *testing.T) {
	tests := []struct{ text, breaks, document string }{
		{"", "", ""},
		{"a: 1\n", "", "a: 1\n"},
		{"#> a\n#> b\na: 1\n#> c\n", "\n\n", "a: 1\n#> c\n"},
		{"#> a\r\na: 1\r\n", "\r\n", "a: 1\r\n"},
		{"#> a", "", ""},
	}
	for _, test := range tests {
		if breaks, document := cutOwnLines(test.text); breaks != test.breaks || document != test.document {
			t.Errorf("cutOwnLines(%q) = %q, %q", test.text, breaks, document)
		}
	}
}

// The comment lines go; every other byte stays.
func FuzzCutOwnLines(f *testing.F) {
	for _, text := range []string{"#> a\n#> b\na: 1\n", "#> a\r\na: 1", "#>", "\n#> a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		breaks, document := cutOwnLines(text)
		if !strings.HasSuffix(text, document) || strings.HasPrefix(document, ownComment) {
			t.Errorf("cutOwnLines(%q) = %q, %q", text, breaks, document)
		}
		if strings.Count(breaks+document, "\n") != strings.Count(text, "\n") || strings.Trim(breaks, "\r\n") != "" {
			t.Errorf("cutOwnLines(%q) = %q, %q", text, breaks, document)
		}
	})
}

// A quoted word is parsed as one word.
func FuzzQuotedWords(f *testing.F) {
	f.Add(`C:\Program Files\x.exe`, "--wait")
	f.Fuzz(func(t *testing.T, program, flag string) {
		if program == "" || flag == "" || strings.ContainsAny(program, `"`) || strings.ContainsAny(flag, "\" \t") {
			return
		}
		if got := quotedWords(`"` + program + `"  ` + flag); !slices.Equal(got, []string{program, flag}) {
			t.Errorf("quotedWords = %q, want %q and %q", got, program, flag)
		}
	})
}

func TestShellQuoted(t *testing.T) {
	for _, test := range []struct{ system, word, want string }{
		{"linux", "/tmp/a.yaml", "/tmp/a.yaml"},
		{"linux", "a b", "'a b'"},
		{"darwin", "it's", `'it'\''s'`},
		{"windows", `C:\Temp\a.yaml`, `C:\Temp\a.yaml`},
		{"windows", `C:\Program Files\a.yaml`, `"C:\Program Files\a.yaml"`},
		{"windows", "it's", `"it's"`},
	} {
		if got := shellQuoted(test.system, test.word); got != test.want {
			t.Errorf("shellQuoted(%q, %q) = %s, want %s", test.system, test.word, got, test.want)
		}
	}
}
