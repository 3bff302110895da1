package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"

	goccy "github.com/goccy/go-yaml"
	"github.com/yaytpl/yaytpl/bench/programs"
	yaml4 "go.yaml.in/yaml/v4"
	yaml3 "gopkg.in/yaml.v3"
)

// A reader reads the documents of a text. The error of a text that it refuses is its message.
type reader struct {
	name    string
	version string
	read    func(text string) ([]any, error)
}

// commandReader reads with the command of yaytpl. It writes each text to the file at path.
func commandReader(command programs.Program, path string) reader {
	return reader{programs.Ours, command.Version, func(text string) ([]any, error) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
		cmd := exec.Command(command.Path, "render", "--expand-only", "--drop-tags", "-o", "json", path)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			return nil, errors.New(strings.ReplaceAll(errs.String(), path, "in.yaml"))
		}
		return jsonDocuments(out.String())
	}}
}

// libraries returns the YAML libraries that texts are also read with.
func libraries() []reader {
	return []reader{
		library("gopkg.in/yaml.v3", func(r io.Reader) decoder { return yaml3.NewDecoder(r) }),
		library("go.yaml.in/yaml/v4", func(r io.Reader) decoder { return yaml4.NewDecoder(r) }),
		library("github.com/goccy/go-yaml", func(r io.Reader) decoder { return goccy.NewDecoder(r) }),
	}
}

type decoder interface{ Decode(v any) error }

// panicPrefix begins the message of a library that panicked.
const panicPrefix = "panic: "

// library returns the reader that decodes documents of a text into values of type any.
func library(module string, newDecoder func(io.Reader) decoder) reader {
	return reader{module, moduleVersion(module), func(text string) (docs []any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf(panicPrefix+"%v", p)
			}
		}()
		dec := newDecoder(strings.NewReader(text))
		for {
			var doc any
			if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
				return docs, nil
			} else if err != nil {
				return nil, err
			}
			docs = append(docs, doc)
		}
	}}
}

// moduleVersion returns the version of a module that this program is built with, or "".
func moduleVersion(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == module {
			return m.Version
		}
	}
	return ""
}
