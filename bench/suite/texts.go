package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// suiteModule is the module that carries the texts of the suite, and suiteDir their directory in it.
const (
	suiteModule = "github.com/goccy/go-yaml"
	suiteDir    = "testdata/yaml-test-suite"
)

// A text is one text of the suite, with the expected data.
type text struct {
	name    string // its directory, such as "spec-example-2-2" or "tabs-in-various-contexts/03"
	text    string
	invalid bool
	hasData bool
	data    []any // of each document, with numbers as json.Number; only if hasData
}

// suiteTexts returns all texts of the suite in the order of their names. The go command must be
// installed, and the working directory must be in the bench module.
func suiteTexts() ([]text, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", suiteModule).Output()
	if err != nil {
		return nil, fmt.Errorf("finding the module %s: %w", suiteModule, err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(suiteDir))
	var texts []text
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "in.yaml" {
			return err
		}
		dir := filepath.Dir(path)
		name, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		t, err := readText(dir)
		t.name = filepath.ToSlash(name)
		texts = append(texts, t)
		return err
	})
	return texts, err
}

// readText reads the files of a text: in.yaml; in.json with the data of its documents, which many
// valid texts do not have; and error, an empty file, if the text is invalid.
func readText(dir string) (text, error) {
	in, err := os.ReadFile(filepath.Join(dir, "in.yaml"))
	if err != nil {
		return text{}, err
	}
	t := text{text: string(in)}
	if _, err := os.Stat(filepath.Join(dir, "error")); err == nil {
		t.invalid = true
		return t, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "in.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err == nil {
		t.hasData = true
		t.data, err = jsonDocuments(string(data))
	}
	return t, err
}

// jsonDocuments decodes the JSON values of a text that follow each other.
func jsonDocuments(text string) ([]any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var docs []any
	for {
		var doc any
		if err := dec.Decode(&doc); err == io.EOF {
			return docs, nil
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
}
