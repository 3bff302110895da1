package load

import (
	"context"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/graph"
)

// A Config says what one run may read, write and start. The zero value allows
// files below the enclosing repository of the working directory, the environment,
// and nothing else.
type Config struct {
	Dir    string   // what relative names are relative to; "" is the working directory
	Files  []string // the files that the user named: they decide the default roots
	Roots  []string // files are read below these only; none means the default
	Search []string // directories to look for includes in (-I); they are roots as well

	Repositories map[string]string // named directories for includes; they are roots as well

	AllowURL, AllowExec bool
	AllowWrite          []string // directories
	AllowEnv            []string // names and patterns such as "APP_*"; none means all
	NoEnv               bool

	MaxFiles, MaxBytes int // 0 is the default of package graph

	Stdin   io.Reader
	Overlay map[string]string // texts that stand for files, by absolute path; of encrypted ones, in clear

	Decrypter *crypto.Decrypter // nil leaves encrypted files to the gpg of the user

	// Context ends downloads and programs; nil is one that never ends.
	Context context.Context

	Getenv  func(name string) (string, bool) // nil is the environment of the process
	Environ func() []string                  // names, or NAME=VALUE
	Now     func() time.Time
	HTTP    *http.Client // its redirect policy is replaced
}

func (c Config) withDefaults() Config {
	limits := graph.Limits{Files: c.MaxFiles, Bytes: c.MaxBytes}.WithDefaults()
	c.MaxFiles, c.MaxBytes = limits.Files, limits.Bytes
	if c.Stdin == nil {
		c.Stdin = os.Stdin
	}
	if c.Context == nil {
		c.Context = context.Background()
	}
	if c.Getenv == nil {
		c.Getenv = os.LookupEnv
	}
	if c.Environ == nil {
		c.Environ = os.Environ
	}
	if c.Decrypter == nil {
		c.Decrypter = crypto.New(crypto.Config{Dir: c.Dir, Getenv: c.Getenv, Environ: c.Environ})
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}
