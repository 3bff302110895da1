package docs_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the output of the examples to the pages")

// command is the path of the built command.
var command string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(buildAndRun(m))
}

// buildAndRun builds the command and runs the tests. It returns the exit status.
func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "docs")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	command = filepath.Join(dir, "yaytpl")
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, "go build:", err)
		return 1
	}
	return m.Run()
}

func build() error {
	c := exec.Command("go", "build", "-buildvcs=false", "-o", command, "./cmd/yaytpl") // pages show the version
	c.Dir, c.Stdout, c.Stderr = root, os.Stderr, os.Stderr
	return c.Run()
}

// TestExamples runs every example of every page.
func TestExamples(t *testing.T) {
	readCommand(t)
	for _, p := range pages(t) {
		t.Run(strings.TrimSuffix(p.path, ".md"), func(t *testing.T) {
			t.Parallel()
			if runPage(t, p) == 0 {
				t.Errorf("%s has no example", p.path)
			}
			if *update {
				p.write(t)
			}
		})
	}
}

// readCommand reads the sources of the command. The test builds the command and does not import it;
// the test cache knows the sources only because the test reads them.
func readCommand(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "cmd/yaytpl/*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("missing sources of the command: %v", err)
	}
	for _, name := range files {
		if _, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
}

// runPage runs the examples of a page and returns their number.
func runPage(t *testing.T, p *page) int {
	dir, group, examples := "", -1, 0
	for _, f := range p.fences {
		if f.group != group {
			dir, group = t.TempDir(), f.group
		}
		if with := f.attrs["with"]; with != "" {
			copyFiles(t, filepath.Join(root, with), dir)
		}
		switch {
		case f.attrs["file"] != "":
			writeFile(t, filepath.Join(dir, f.attrs["file"]), f.text())
		case f.attrs["from"] != "":
			checkQuote(t, p, f)
			examples++
		case f.lang == "console":
			runConsole(t, p, f, dir)
			examples++
		case f.lang == "sh":
			runShell(t, p, f)
			examples++
		case f.lang == "text":
		default:
			t.Errorf("%s: unknown kind of fenced block: %q %v", p.at(f), f.lang, f.attrs)
		}
	}
	return examples
}

// copyFiles copies those files of a directory that are missing in another one.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(to, e.Name())); err == nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(to, e.Name()), string(text))
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkQuote checks that a block is a part of its file (from=PATH), except for indentation.
func checkQuote(t *testing.T, p *page, f *fence) {
	text, err := os.ReadFile(filepath.Join(root, f.attrs["from"]))
	if err != nil {
		t.Errorf("%s: %v", p.at(f), err)
		return
	}
	if !strings.Contains(flat(string(text)), flat(f.text())) {
		t.Errorf("%s: %s does not contain\n%s", p.at(f), f.attrs["from"], f.text())
	}
}

// flat removes the indentation of all lines.
func flat(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// runConsole runs the commands of a console block and compares the block with their output. With
// -update it replaces the block instead.
func runConsole(t *testing.T, p *page, f *fence, dir string) {
	if f.attrs["dir"] != "" {
		dir = filepath.Join(root, f.attrs["dir"])
	}
	var got []string
	for _, line := range f.body {
		words, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			continue
		}
		got = append(got, line)
		out := runLine(t, p, f, words, dir)
		if out = strings.TrimSuffix(out, "\n"); out != "" {
			got = append(got, strings.Split(out, "\n")...)
		}
	}
	if len(got) == 0 {
		t.Errorf("%s: missing command", p.at(f))
	}
	if *update {
		f.body = got
	}
	if have, want := strings.Join(got, "\n"), strings.Join(f.body, "\n"); have != want {
		t.Errorf("%s: got\n%s\nwant\n%s", p.at(f), have, want)
	}
}

// A shellLine is a command line with its variables and redirections.
type shellLine struct {
	env     []string
	args    []string
	in, out string // files, or ""
}

// runLine runs a command line and returns its standard output, its standard error and its exit
// status if that is not 0.
func runLine(t *testing.T, p *page, f *fence, line, dir string) string {
	l, err := parseLine(line)
	if err != nil || len(l.args) == 0 {
		t.Errorf("%s: %q: %v", p.at(f), line, err)
		return ""
	}
	if strings.HasPrefix(line, "go run ./cmd/yaytpl ") {
		l.args, dir = append([]string{"yaytpl"}, l.args[3:]...), root
	}
	if l.args[0] != "yaytpl" {
		t.Errorf("%s: %q: the test does not support this command", p.at(f), line)
		return ""
	}
	return l.run(t, dir)
}

func (l shellLine) run(t *testing.T, dir string) string {
	t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command(command, l.args[1:]...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
	c.Env = append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}, l.env...)
	if l.in != "" {
		text, err := os.ReadFile(filepath.Join(dir, l.in))
		if err != nil {
			t.Fatal(err)
		}
		c.Stdin = bytes.NewReader(text)
	}
	err := c.Run()
	text := out.String()
	if l.out != "" {
		writeFile(t, filepath.Join(dir, l.out), text)
		text = ""
	}
	text += errs.String()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		text += fmt.Sprintf("(exit status %d)\n", exit.ExitCode())
	} else if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(text, real(t, dir), "/site")
}

// real returns the absolute path of a directory without symbolic links, as messages have it.
func real(t *testing.T, dir string) string {
	t.Helper()
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// parseLine parses a command line: NAME=VALUE words, a command and redirections, with the quotes of
// a shell. For example, "A=1 yaytpl render x.yaml > 'out file'" has the variable A, three arguments
// and the output file "out file".
func parseLine(line string) (shellLine, error) {
	words, err := shellWords(line)
	if err != nil {
		return shellLine{}, err
	}
	var l shellLine
	for i := 0; i < len(words); i++ {
		switch name, _, isVar := strings.Cut(words[i], "="); {
		case len(l.args) == 0 && isVar && name == strings.ToUpper(name):
			l.env = append(l.env, words[i])
		case (words[i] == "<" || words[i] == ">") && i+1 < len(words):
			if words[i] == "<" {
				l.in = words[i+1]
			} else {
				l.out = words[i+1]
			}
			i++
		default:
			l.args = append(l.args, words[i])
		}
	}
	return l, nil
}

// shellWords splits a line into words, as a shell does.
func shellWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("missing closing quote")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// runShell checks commands of the go tool. It runs "go run ./cmd/yaytpl", which must succeed; the
// packages of other commands must exist.
func runShell(t *testing.T, p *page, f *fence) {
	for _, line := range f.body {
		line, _, _ = strings.Cut(line, "  #")
		words := strings.Fields(line)
		below := ""
		if len(words) == 5 && words[2] == "-C" {
			below = words[3]
			words = append(words[:2:2], words[4])
		}
		switch {
		case strings.HasPrefix(line, "go run ./cmd/yaytpl "):
			if out := runLine(t, p, f, line, ""); strings.Contains(out, "(exit status ") {
				t.Errorf("%s: %s: %s", p.at(f), line, out)
			}
		case len(words) == 3 && words[0] == "go":
			dir, _, _ := strings.Cut(strings.TrimPrefix(words[2], "github.com/yaytpl/yaytpl"), "@")
			dir = strings.TrimSuffix(dir, "/...")
			if _, err := os.Stat(filepath.Join(root, below, dir)); err != nil {
				t.Errorf("%s: %s: %v", p.at(f), line, err)
			}
		default:
			t.Errorf("%s: %q: the test does not support this command", p.at(f), line)
		}
	}
}

// write writes the page with its current blocks.
func (p *page) write(t *testing.T) {
	t.Helper()
	var out []string
	next := 0
	for _, f := range p.fences {
		out = append(append(out, p.lines[next:f.line]...), f.body...)
		for next = f.line; p.lines[next] != "```"; next++ {
		}
	}
	out = append(out, p.lines[next:]...)
	writeFile(t, filepath.Join(root, p.path), strings.Join(out, "\n")+"\n")
}
