package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  exactly(),
		RunE:  func(*cobra.Command, []string) error { return a.writeVersion() },
	}
	a.addFlags(c)
	return c
}

func (a *app) writeVersion() error {
	info, _ := debug.ReadBuildInfo()
	_, err := fmt.Fprintf(a.stdout, "yaytpl %s %s %s/%s\n", versionOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// versionOf returns the version of the module, or the commit that it was built from.
func versionOf(info *debug.BuildInfo) string {
	if info == nil {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return "devel"
	}
	version := "devel-" + commit[:min(len(commit), 12)]
	if settings["vcs.modified"] == "true" {
		version += "+changes"
	}
	return version
}
