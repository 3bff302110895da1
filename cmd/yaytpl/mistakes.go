package main

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
)

// Hints for usual mistakes on the command line (spec: everyday, A7): flags of other programs,
// arguments in the wrong order, arguments that the shell split.

// A foreignFlag is a flag that other programs have: helm, jq, yq.
type foreignFlag struct {
	names []string // without hyphens
	flag  string   // the flag of this command with the meaning, without hyphens; "" is any
	hint  string   // for commands that have flag
}

// foreignFlags are in the order in which they are tried.
var foreignFlags = []foreignFlag{
	{[]string{"f", "file", "values"}, "values", "name the file as FILE, or as a layer above all files with --values FILE"},
	{[]string{"f", "file"}, "", "name the file as FILE, without a flag"},
	{[]string{"set", "set-string"}, "edit", "-e PATH=VALUE sets a value"},
	{[]string{"set"}, "define", "-D PATH=VALUE sets a value"},
	{[]string{"set-string"}, "define", "-S PATH=TEXT sets a text"},
	{[]string{"set-file"}, "define", "-D PATH=@FILE sets the text of a file"},
	{[]string{"set-json"}, "define", "-D PATH:=JSON sets a list or a map"},
	{[]string{"arg", "argjson"}, "define", "-D PATH=VALUE sets a value"},
	{[]string{"r", "raw", "raw-output"}, "output", "-o text prints texts without quotes"},
	{[]string{"c", "compact-output"}, "compact", "-o json --compact prints JSON on one line, -o jsonl a line for each document or item"},
	{[]string{"y", "yaml", "yaml-output", "P", "prettyPrint"}, "output", "-o yaml prints YAML"},
	{[]string{"j", "json", "tojson"}, "output", "-o json prints JSON"},
}

// foreignHint returns the hint for a flag of another program that c does not have, or "".
func foreignHint(c *cobra.Command, name string) string {
	if name == "i" || name == "inplace" || name == "in-place" {
		switch {
		case c.Flags().Lookup("in-place") != nil:
			return "-i writes the file"
		case c.Flags().Lookup("output") != nil:
			return c.Name() + " writes no files; set, append, delete and rename write FILE with -i"
		}
		return ""
	}
	for _, f := range foreignFlags {
		if slices.Contains(f.names, name) && (f.flag == "" || c.Flags().Lookup(f.flag) != nil) {
			return f.hint
		}
	}
	return ""
}

// withArgumentHint adds a hint to the error that the first FILE of c is missing, if an argument
// shows why:
//
//	get server.port main.yaml            the file comes first: yaytpl get main.yaml server.port
//	query main.yaml a + b                the last word is EXPR, those before it are FILEs: ...
//	render main.yaml --values a=1        --values takes a FILE; -D a=1 sets a value
func withArgumentHint(c *cobra.Command, err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code != source.Access || d.Hint != "" || !errors.Is(d.Cause, fs.ErrNotExist) {
		return err
	}
	args := c.Flags().Args()
	missing := func(name string) bool { return d.Message == "no such file: "+name }
	if takesPath(c) && len(args) > 1 && missing(args[0]) && isFile(args[1]) {
		words := append([]string{commandLine(c, []string{args[1], args[0]})}, strings.Fields(c.Use)[3:]...)
		return d.WithHint("the file comes first: %s", strings.Join(words, " "))
	}
	if n := len(args) - 1; takesPath(c) && strings.Contains(c.Use, "FILE...") && n > 1 && slices.ContainsFunc(args[1:n], missing) {
		last := strings.Fields(c.Use)[2]
		return d.WithHint("the last word is %s, those before it are FILEs: write %s in quotes if it has spaces", last, last)
	}
	if f := c.Flags().Lookup("values"); f != nil {
		for _, name := range *f.Value.(*textList) {
			if _, _, ok := edit.Cut(name); ok && missing(name) {
				return d.WithHint("--values takes a FILE; -D PATH=VALUE sets a value")
			}
		}
	}
	return err
}

// takesPath reports whether the arguments of c are FILE and a place in it.
func takesPath(c *cobra.Command) bool {
	use := strings.Replace(c.Use, "FILE...", "FILE", 1)
	return strings.Contains(use, " FILE PATH") || strings.Contains(use, " FILE EXPR")
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// commandLine returns the command c with arguments, for a shell.
func commandLine(c *cobra.Command, args []string) string {
	words := []string{c.CommandPath()}
	for _, arg := range args {
		words = append(words, shellQuoted(runtime.GOOS, arg))
	}
	return strings.Join(words, " ")
}

// argumentHint returns the hint for args that are not one for each of the words, or "". It
// repeats no VALUE, which may be a secret.
//
//	set main.yaml a=1           write yaytpl set main.yaml a VALUE, or yaytpl set main.yaml -e a=VALUE
//	query main.yaml a + b       write EXPR in quotes if it has spaces
func argumentHint(c *cobra.Command, words, args []string) string {
	if len(words) < 2 {
		return ""
	}
	last := words[len(words)-1]
	switch {
	case len(args) > len(words) && last != "B" && last != "EDITED":
		return "write " + last + " in quotes if it has spaces"
	case len(args) == len(words)-1 && last == "VALUE":
		path, _, ok := edit.Cut(args[len(args)-1])
		if !ok || len(args) != 2 || !isFile(args[0]) {
			return ""
		}
		return "write " + commandLine(c, []string{args[0], path}) + " VALUE, or " + commandLine(c, []string{args[0], "-e", path}) + "=VALUE"
	}
	return ""
}
