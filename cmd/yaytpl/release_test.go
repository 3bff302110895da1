package main

import (
	"bytes"
	"flag"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

var (
	releaseDir  = flag.String("release-dir", "", "write the man pages and completions of a release below this directory of the repository")
	releaseDate = flag.Int64("release-date", 0, "the date of the man pages, in seconds since 1970")
)

// TestReleaseFiles generates the files of a release: man pages in man, and completions in
// completions. It keeps them with -release-dir. The generator is a test, so that the program
// does not contain it:
//
//	go test ./cmd/yaytpl -run TestReleaseFiles -args -release-dir DIR
func TestReleaseFiles(t *testing.T) {
	dir := *releaseDir
	switch {
	case dir == "":
		dir = t.TempDir()
	case !filepath.IsAbs(dir):
		dir = filepath.Join("../..", dir) // a test runs in the directory of its package
	}
	a := newApp(nil, streams{out: io.Discard, err: io.Discard})
	root := a.rootCommand()
	m := manual{a, time.Unix(*releaseDate, 0).UTC()}
	pages := map[string]string{"yaytpl": m.overview(root)}
	for _, c := range root.Commands() {
		pages["yaytpl-"+c.Name()] = m.page(c)
	}
	for name, page := range pages {
		path := filepath.Join(dir, "man", name+".1")
		writeFile(t, path, page)
		readableByMan(t, path)
	}
	for shell, name := range map[string]string{"bash": "yaytpl.bash", "zsh": "_yaytpl", "fish": "yaytpl.fish", "powershell": "yaytpl.ps1"} {
		writeFile(t, filepath.Join(dir, "completions", name), completion(t, shell))
	}
}

// completion returns the completion script of a shell.
func completion(t *testing.T, shell string) string {
	t.Helper()
	var script bytes.Buffer
	stderr, status := command(t.Context(), strings.NewReader(""), &script, "completion", shell)
	if status != exitDone || stderr != "" || !strings.Contains(script.String(), cobra.ShellCompRequestCmd) {
		t.Errorf("completion %s: status %d, %s\n%s", shell, status, stderr, script.String())
	}
	return script.String()
}

// readableByMan requires that groff, if it is installed, reads a page without warnings.
func readableByMan(t *testing.T, path string) {
	t.Helper()
	groff, err := exec.LookPath("groff")
	if err != nil {
		return
	}
	var findings bytes.Buffer
	c := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z", path)
	c.Stderr = &findings
	if err := c.Run(); err != nil || findings.Len() > 0 {
		t.Errorf("%s: %v\n%s", path, err, findings.String())
	}
}

// TestManPage checks that a page has the text of the help, in the language of man.
func TestManPage(t *testing.T) {
	a := newApp(nil, streams{out: io.Discard, err: io.Discard})
	root := a.rootCommand()
	m := manual{a, time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC)}
	c, _, err := root.Find([]string{"render"})
	if err != nil {
		t.Fatal(err)
	}
	page := m.page(c)
	for _, want := range []string{
		`.TH YAYTPL-RENDER 1 2026-11-21 yaytpl` + "\n",
		".SH NAME\n" + `yaytpl\-render \- ` + roff(c.Short) + "\n",
		".B yaytpl render\n" + `FILE... [FLAGS]`,
		".SH PERMISSIONS\n",
		".TP\n" + `\fB\-D\fR, \fB\-\-define\fR \fIPATH=VALUE\fR` + "\n" + `set PATH=VALUE above all files`,
		".TP\n" + `\fB\-\-allow\-url\fR` + "\nallow reading from the network\n",
		".TP\n" + `\fB\-\-color\fR \fIauto|always|never\fR` + "\nwhen to write colours (default auto)\n",
		".SH EXAMPLES\n.nf\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of render has no %q:\n%s", want, page)
		}
	}
	overview := m.overview(root)
	for _, c := range root.Commands() {
		if !strings.Contains(overview, `\fB`+c.Name()+`\fR`) || !strings.Contains(overview, roff(c.Short)) {
			t.Errorf("the overview lacks %s", c.Name())
		}
	}
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"a-b":          `a\-b`,
		`C:\x`:         `C:\ex`,
		".data\n'a'\n": "\\&.data\n\\&'a'\n",
		"a.b":          "a.b",
		"":             "",
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}
