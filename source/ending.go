package source

import (
	"path"
	"slices"
	"strings"
)

// endings is the table of the endings of file names, each with the language of such files. The
// languages themselves are the table of internal/frontend.
var endings = []struct{ ending, language string }{
	{".yaml", "yaml"},
	{".yml", "yaml"},
	{".json", "json"},
	{".toml", "toml"},
	{".env", "env"},
	{".yay", "yay"},
	{".pp", "bindings"},
	{".mcl", "mcl"},
}

// LanguageOf returns the name of the language that the ending of a file name or URL says, in lower or upper
// case, and "" for an unknown ending. The ending of site.yaml.gpg is .yaml.
func LanguageOf(name string) string {
	if i := strings.IndexAny(name, "?#"); i >= 0 && strings.Contains(name, "://") {
		name = name[:i]
	}
	ending := strings.ToLower(path.Ext(PlainName(name)))
	for _, e := range endings {
		if e.ending == ending {
			return e.language
		}
	}
	return ""
}

// EndingsOf returns the endings of the names of files in languages, in the order of the table.
func EndingsOf(languages ...string) []string {
	var found []string
	for _, e := range endings {
		if slices.Contains(languages, e.language) {
			found = append(found, e.ending)
		}
	}
	return found
}

// IsEncrypted reports whether a file is encrypted according to its name or path, which then
// ends in .gpg or .asc. Such files are decrypted when they are opened.
func IsEncrypted(name string) bool { return PlainName(name) != name }

// PlainName returns a name without the ending .gpg or .asc. The rest of the name determines
// the language: a.yaml.gpg is YAML.
func PlainName(name string) string {
	switch ending := path.Ext(name); strings.ToLower(ending) {
	case ".gpg", ".asc":
		return strings.TrimSuffix(name, ending)
	}
	return name
}
