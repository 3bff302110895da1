package library

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// hostFunctions returns the functions that ask the machine.
func hostFunctions() []*Func {
	return append([]*Func{
		{
			Name: "os.readfile", Signatures: []string{"func(filename str) str"}, Class: Host, Doc: "the text of a file, by a name relative to the file of the program",
			Example: `os.readfile("/nope") <|> "none"`, Result: `"none"`,
			Call: readFile,
		},
		{
			Name: "os.file_exists", Signatures: []string{"func(filename str) bool"}, Class: Host, Doc: "whether there is a file or directory of a name",
			Example: `os.file_exists("/nope")`, Result: `false`,
			Call: func(c *Call) (value.Value, error) {
				info, err := c.host().Stat(c.text(0), c.World.Base, true)
				if err != nil {
					return value.Null, c.refused(err)
				}
				return c.truth(info != nil)
			},
		},
		{
			Name: "os.system", Signatures: []string{"func(cmd str) str"}, Class: Host, Remembers: true, Doc: "the last line that a command of the shell writes; needs --allow-exec",
			Example: `os.system("printf a")`, Result: `"a"`,
			Call: system,
		},
		{
			Name: "os.args", Signatures: []string{"func() []str"}, Class: Host, Doc: "the words of the command line, the name of the program first",
			Example: `len(os.args()) > 0`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				args, err := c.World.Machine(c.At).Args()
				if err != nil {
					return value.Null, c.refused(err)
				}
				return c.each(args)
			},
		},
		{
			Name: "os.home", Signatures: []string{"func(str) str"}, Class: Host, Doc: "the home directory of the user that runs the program, with / at the end",
			Example: `os.home("root")`, Result: `"/root/"`,
			Call: func(c *Call) (value.Value, error) {
				home, err := c.World.Machine(c.At).Home(c.text(0))
				if err != nil {
					return value.Null, c.refused(err)
				}
				return c.textResult(home)
			},
		},
		{
			Name: "os.expand_home", Signatures: []string{"func(str) str"}, Class: Host, Doc: "a path with the home directory in place of ~/ or ~name/ at its start",
			Example: `os.expand_home("/a/b/")`, Result: `"/a/b/"`,
			Call: expandHome,
		},
		{
			Name: "config.get", Signatures: []string{"func(path str) ?1"}, Class: Host, Doc: "the value at a path of the document around the program, or of --data; its type comes from the context",
			Example: `config.get("services.web.port")`,
			Call:    configGet,
		},
	}, systemFunctions()...)
}

// systemFunctions returns the functions on the environment and the properties of the machine.
func systemFunctions() []*Func {
	return []*Func{
		{
			Name: "sys.getenv", Signatures: []string{"func(str) str"}, Class: Host, Doc: "a variable of the environment",
			Example: `sys.getenv("NOPE") <|> "none"`, Result: `"none"`,
			Call: func(c *Call) (value.Value, error) {
				text, ok := c.host().Getenv(c.text(0))
				if !ok {
					return value.Null, c.Fail("the variable %s of the environment is not set, or hidden", c.quote(0))
				}
				return c.textResult(text)
			},
		},
		{
			Name: "sys.hasenv", Alias: "hasenv", Signatures: []string{"func(str) bool"}, Class: Host, Doc: "whether a variable of the environment is set",
			Example: `sys.hasenv("NOPE")`, Result: `false`,
			Call: func(c *Call) (value.Value, error) {
				_, ok := c.host().Getenv(c.text(0))
				return c.truth(ok)
			},
		},
		{
			Name: "sys.env", Alias: "env", Signatures: []string{"func() map{str: str}"}, Class: Host, Doc: "the environment",
			Example: `len(sys.env()) > 0`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				names := c.host().Environ()
				m := types.NewMapping(len(names))
				for _, n := range names {
					if text, ok := c.host().Getenv(n); ok {
						m.Set(value.String(n), value.String(text))
					}
				}
				return value.FromMap(m), c.Step(len(names))
			},
		},
		{
			Name: "sys.hostname", Alias: "hostname", Signatures: []string{"func() str"}, Class: Host, Doc: "the name of the machine, or the fact hostname",
			Example: `sys.hostname() == $hostname`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				name, err := c.World.Machine(c.At).Hostname()
				if err != nil {
					return value.Null, c.refused(err)
				}
				return c.textResult(name)
			},
		},
		{
			Name: "sys.cpu_count", Signatures: []string{"func() int"}, Class: Host, Doc: "the number of processors",
			Example: `sys.cpu_count() > 0`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				n, err := c.World.Machine(c.At).CPUs()
				if err != nil {
					return value.Null, c.refused(err)
				}
				return c.result(value.Int(int64(n)))
			},
		},
		{
			Name: "random1", Signatures: []string{"func(length int) str"}, Class: Host, Doc: "letters by chance: one value a run for each call in the source",
			Example: `len(random1(8))`, Result: `8`,
			Call: random,
		},
		{
			Name: "sys.uptime", Signatures: []string{"func() int"}, Class: Time, Doc: "the seconds since the start of the machine",
			Example: `sys.uptime() > 0`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				n, err := c.World.Machine(c.At).Uptime()
				if err != nil {
					return value.Null, c.refused(err)
				}
				return c.result(value.Int(n))
			},
		},
		{
			Name: "sys.load", Alias: "load", Signatures: []string{"func() struct{x1 float; x5 float; x15 float}"}, Class: Time, Doc: "the average load of 1, 5 and 15 minutes",
			Example: `sys.load()->x1 >= 0.0`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				x1, x5, x15, err := c.World.Machine(c.At).Load()
				if err != nil {
					return value.Null, c.refused(err)
				}
				return value.FromMap(&types.Structure{Names: []string{"x1", "x5", "x15"}, Items: []value.Value{value.Float(x1), value.Float(x5), value.Float(x15)}}), nil
			},
		},
		{
			Name: "datetime.now", Alias: "datetime", Signatures: []string{"func() int"}, Class: Time, Doc: "the seconds since 1970",
			Example: `datetime.now() > 0`, Result: `true`,
			Call: func(c *Call) (value.Value, error) { return value.Int(c.host().Now().Unix()), nil },
		},
		{
			Name: "datetime.str_now", Signatures: []string{"func() str"}, Class: Time, Doc: "the seconds since 1970, as text",
			Example: `len(datetime.str_now()) >= 10`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				return value.String(strconv.FormatInt(c.host().Now().Unix(), 10)), nil
			},
		},
	}
}

// refused returns an error of the host at the call: what the sandbox refuses is of code forbidden, the
// rest of code runtime.
func (c *Call) refused(err error) error {
	var d *source.Diagnostic
	switch {
	case errors.As(err, &d) && (d.Code == source.Forbidden || d.Code == source.Limit || d.Code == source.Timeout):
		if c.hidden(0) {
			return source.Errorf(c.At, d.Code, "the function must not be called with this value, which must not be shown")
		}
		copied := *d
		copied.At = c.At
		return &copied
	case c.hidden(0):
		return c.Fail("the function fails for a value that must not be shown")
	case errors.Is(err, fs.ErrNotExist):
		return c.Fail("there is no file %s", c.quote(0))
	case d != nil:
		failed := source.Errorf(c.At, source.Runtime, "%s", d.Message)
		failed.Hint = d.Hint
		return failed
	}
	return c.Fail("%v", err)
}

func readFile(c *Call) (value.Value, error) {
	f, err := c.host().ReadFile(c.text(0), c.World.Base)
	if err != nil {
		return value.Null, c.refused(err)
	}
	v, err := c.textResult(f.Text)
	if f.Secret {
		v = v.Mark(value.Secret)
	}
	return v, err
}

// system returns the last line of the output of a command. It runs the command unless it did so in an
// earlier evaluation.
func system(c *Call) (value.Value, error) {
	line, err := c.World.Past.output(Site{c.At, c.Frame}, c.text(0), func() (string, error) { return runCommand(c) })
	if err != nil {
		return value.Null, err
	}
	return c.textResult(line)
}

// runCommand runs a command and returns the last line of its output.
func runCommand(c *Call) (string, error) {
	shell := []string{"sh", "-c", c.text(0)}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c", c.text(0)}
	}
	out, err := c.host().Run(shell)
	if err != nil {
		return "", c.refused(err)
	}
	out = strings.TrimSuffix(strings.TrimSuffix(out, "\n"), "\r")
	if out == "" {
		return "", c.Fail("the command has no output")
	}
	return strings.TrimSuffix(out[strings.LastIndexByte(out, '\n')+1:], "\r"), nil
}

func expandHome(c *Call) (value.Value, error) {
	path := c.text(0)
	user, rest, ok := strings.Cut(path, "/")
	if !ok || !strings.HasPrefix(user, "~") {
		return c.textResult(path)
	}
	home, err := c.World.Machine(c.At).Home(user[1:])
	if err != nil {
		return value.Null, c.refused(err)
	}
	return c.textResult(home + filepath.ToSlash(rest))
}

// letters are the letters of random1.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// random returns letters by chance, the same ones for each evaluation of the call.
func random(c *Call) (value.Value, error) {
	n := c.int(0)
	if n < 0 || n > 65535 {
		return value.Null, c.Fail("the length is not between 0 and 65535")
	}
	c.World.Past.reads(c.At.File)
	text := c.World.Random[c.At]
	if int64(len(text)) != n {
		b := make([]byte, 0, n)
		for int64(len(b)) < n {
			bits := c.host().Random()
			for range 8 {
				// 208 is 4 times 52: each letter is as probable as any other.
				if low := bits & 0xff; low < 208 && int64(len(b)) < n {
					b = append(b, letters[low%52])
				}
				bits >>= 8
			}
		}
		text = string(b)
		c.World.Random[c.At] = text
	}
	return c.textResult(text)
}
