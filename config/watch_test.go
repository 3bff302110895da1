package config_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
)

// replace writes a file as editors do, so that no reader sees half of it.
func replace(t *testing.T, path, text string) {
	t.Helper()
	err := os.WriteFile(path+".new", []byte(text), 0o644)
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		t.Error(err)
	}
}

// A change of a file, of a file that it includes, or of one that appears is a new state. A state that
// fails anywhere is not taken.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	main, lib := filepath.Join(dir, "main.yaml"), filepath.Join(dir, "lib.yaml")
	replace(t, main, "+?include: lib.yaml\nport: 1\nurl: \"http://{{ port }}\"\n")
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cfg, err := config.Load(ctx, []string{main}, yaytpl.Options{})
	if err == nil {
		err = cfg.LoadText("defaults.yaml", "text: kept\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	steps := []struct {
		file, text string
		want       string // of the keys url, host and text, or in the error
	}{
		{"", "", "http://1  kept"},
		{lib, "host: a\n", "http://1 a kept"},
		{lib, "host: \"{{ nothing }}\"\n", "nothing"},
		{main, "port: [\n", "closed"},
		{main, "+?include: lib.yaml\nport: 2\nurl: \"http://{{ port }}\"\n", "nothing"},
		{lib, "host: bb\n", "http://2 bb kept"},
	}
	old := "http://1  kept"
	show := func() string {
		var words []string
		for _, key := range []string{"url", "host", "text"} {
			word, err := cfg.Get(key).Text("")
			if err != nil {
				t.Error(err)
			}
			words = append(words, word)
		}
		return strings.Join(words, " ")
	}
	for change := range cfg.Watch(ctx) {
		got := show()
		if change.Err != nil {
			if got != old {
				t.Errorf("after an error the configuration is %s, not %s", got, old)
			}
			got = change.Err.Error()
		} else {
			old = got
		}
		if !strings.Contains(got, steps[0].want) {
			t.Errorf("got %s, want %s", got, steps[0].want)
		}
		if steps = steps[1:]; len(steps) == 0 {
			break
		}
		replace(t, steps[0].file, steps[0].text)
	}
	if len(steps) > 0 {
		t.Errorf("%s does not come", steps[0].want)
	}
	for runtime.NumGoroutine() > before && ctx.Err() == nil {
		time.Sleep(time.Millisecond) // they end after their last statement
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines, %d before", after, before)
	}
}

// Readers of a configuration that changes always see one state.
func TestWatchReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.yaml")
	replace(t, path, "a: 0\nb: \"{{ a }}\"\n")
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cfg, err := config.Load(ctx, []string{path}, yaytpl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for ctx.Err() == nil {
				m, err := cfg.Get(".").Map()
				if err != nil || fmt.Sprint(m["a"]) != fmt.Sprint(m["b"]) {
					t.Errorf("%v, %v", m, err)
					return
				}
			}
		})
	}
	states := 0
	for change := range cfg.Watch(ctx) {
		if change.Err != nil {
			t.Error(change.Err)
		}
		if states++; states == 8 {
			break
		}
		replace(t, path, fmt.Sprintf("a: %d\nb: \"{{ a }}\"\n", 10*states))
		if err := cfg.LoadText("more.yaml", fmt.Sprintf("c%d: 1\n", states)); err != nil {
			t.Error(err)
		}
	}
	if _, err := cfg.Get("c7").Int(); states == 8 && err != nil {
		t.Errorf("a layer that was added meanwhile is lost: %v", err)
	}
	cancel()
	readers.Wait()
	if states < 8 {
		t.Errorf("%d states", states)
	}
}
