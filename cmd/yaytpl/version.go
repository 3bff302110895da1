package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of a build from an archive of the sources, without the repository:
// go build -ldflags '-X main.release=v1.2.3'.
var release string

func (a *app) versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Long: `Prints the versions of yaytpl and Go, the system, and the commit of the build if it is known.
Two builds of one commit print the same.`,
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error { return a.writeVersion() },
	}
	return a.withFlags(c)
}

func (a *app) writeVersion() error {
	info := buildInfo()
	_, err := fmt.Fprintf(a.stdout, "yaytpl %s %s %s/%s\n%s", versionOf(info, release), runtime.Version(), runtime.GOOS, runtime.GOARCH, commitOf(info))
	return err
}

// buildInfo returns the modules and settings that the program was built from, as far as they are known.
func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{}
}

// version returns the version of the program.
func version() string { return versionOf(buildInfo(), release) }

// versionOf returns the version of a release, or else the version of the module. For a commit without
// a tag, Go derives it from the time and the hash: v1.2.4-0.20261121180000-0123456789ab.
func versionOf(info *debug.BuildInfo, release string) string {
	switch {
	case release != "":
		return release
	case info.Main.Version == "", info.Main.Version == "(devel)":
		return "devel"
	}
	return info.Main.Version
}

// commitOf returns a line with the commit, or "" if it is unknown. The only time in it is that
// of the commit, so that builds are reproducible.
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
