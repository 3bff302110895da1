package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of a release that was built without its repository, from an
// archive of the sources: go build -ldflags '-X main.release=v1.2.3'.
var release string

func (a *app) versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Long: `Prints the version of yaytpl, that of Go, the system, and the commit that it was built from
as far as it is known. Two builds of one commit print the same.`,
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error { return a.writeVersion() },
	}
	a.addFlags(c)
	return c
}

func (a *app) writeVersion() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	_, err := fmt.Fprintf(a.stdout, "yaytpl %s %s %s/%s\n%s", versionOf(info, release), runtime.Version(), runtime.GOOS, runtime.GOARCH, commitOf(info))
	return err
}

// versionOf returns the version of a release, or else that of the module: for a commit
// without a tag one that Go makes of its time and its hash.
func versionOf(info *debug.BuildInfo, release string) string {
	switch {
	case release != "":
		return release
	case info.Main.Version == "", info.Main.Version == "(devel)":
		return "devel"
	}
	return info.Main.Version
}

// commitOf returns a line about the commit, or nothing if it is not known. No time but
// that of the commit is in a build, so that it can be made again.
func commitOf(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return ""
	}
	line := "commit " + commit
	if when := settings["vcs.time"]; when != "" {
		line += " of " + when
	}
	if settings["vcs.modified"] == "true" {
		line += ", with changes"
	}
	return line + "\n"
}
