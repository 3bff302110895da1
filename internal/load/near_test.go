package load_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

func TestNear(t *testing.T) {
	dir := tree(t, map[string]string{
		"site/main.yaml": "", "site/base.yaml": "", "site/secrets.yaml.gpg": "", "site/common/net.yaml": "",
		"site/envs/dev.yaml": "", "base2.yaml": "", "outside.yaml": "", "site/only/": "",
	})
	site := filepath.Join(dir, "site")
	f := load.New(load.Config{Dir: site, Roots: []string{site}})
	tests := []struct{ name, base, want string }{
		{"bse.yaml", "", "base.yaml"},
		{"base.yml", "", "base.yaml"},
		{"base", "", "base.yaml"},
		{"Base.YAML", "", "base.yaml"},
		{"secrets.yaml", "", "secrets.yaml.gpg"},
		{"common/nte.yaml", "", "common/net.yaml"},
		{"comon/net.yaml", "", "common/net.yaml"},
		{"base.yaml", "envs", "../base.yaml"},
		{"net.yaml", "", ""},
		{"zzz.yaml", "", ""},
		{"only/x.yaml", "", ""},
		{"none/such/x.yaml", "", ""},
		{"main.yam", "", ""},         // the file that asks
		{"../outsid.yaml", site, ""}, // outside of the roots
		{"../site2/base.yaml", site, ""},
		{"https://example.org/bse.yaml", site, ""},
		{"", site, ""},
	}
	for _, tt := range tests {
		if tt.base != "" && !filepath.IsAbs(tt.base) {
			tt.base = filepath.Join(site, tt.base)
		}
		if tt.base == "" {
			tt.base = site
		}
		if got := f.Near(tt.name, tt.base, filepath.Join(site, "main.yaml")); filepath.ToSlash(got) != tt.want {
			t.Errorf("Near(%q, %q) = %q, want %q", tt.name, tt.base, got, tt.want)
		}
	}
}

// TestNearIsBounded: after some searches no more directories are read.
func TestNearIsBounded(t *testing.T) {
	dir := tree(t, map[string]string{"base.yaml": ""})
	f := load.New(load.Config{Dir: dir})
	found := 0
	for range 1000 {
		if f.Near("bse.yaml", "", "") != "" {
			found++
		}
	}
	if found == 0 || found > 200 {
		t.Errorf("%d of 1000 searches found the file, want a bounded number", found)
	}
}

func TestDidYouMean(t *testing.T) {
	dir := tree(t, map[string]string{"base.yaml": "", "sub/x.yaml": "", "empty/": ""})
	f := load.New(load.Config{Dir: dir})
	for name, want := range map[string]string{"bse.yaml": `did you mean "base.yaml"?`, "sub": "such as sub", "empty": "name a file in it", "qqq": ""} {
		_, err := f.Open(name, "")
		var d *source.Diagnostic
		if err = f.DidYouMean(err, name, "", ""); !errors.As(err, &d) || !strings.Contains(d.Hint, want) || want == "" && d.Hint != "" {
			t.Errorf("DidYouMean(%q) = %v, want the hint %q", name, err, want)
		}
	}
}
