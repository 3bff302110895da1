package load_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/web"
	"github.com/yaytpl/yaytpl/source"
)

func serve(t *testing.T, handlers map[string]http.HandlerFunc) (server string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := handlers[r.URL.Path]; h != nil {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func text(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s) }
}

func moved(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	}
}

func TestOpenURL(t *testing.T) {
	server := serve(t, map[string]http.HandlerFunc{
		"/d/a.yaml": text("a"), "/d/b c.yaml": text("bc"), "/d/x:y": text("xy"), "/top": text("t"), "/moved": moved("/top"), "/": text("root"),
		"/q": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.RawQuery) },
	})
	f := load.New(load.Config{Dir: t.TempDir(), AllowURL: true})
	tests := []struct{ rule, name, base, want, display string }{
		{"absolute", server + "/d/a.yaml", "", "a", "/d/a.yaml"},
		{"absolute in a document", server + "/d/a.yaml", server + "/x/", "a", "/d/a.yaml"},
		{"relative to a URL", "a.yaml", server + "/d/", "a", "/d/a.yaml"},
		{"relative with a space", "b c.yaml", server + "/d/", "bc", "/d/b%20c.yaml"},
		{"relative with a colon", "x:y", server + "/d/", "xy", "/d/x:y"},
		{"dots", "../top", server + "/d/", "t", "/top"},
		{"dots end at the top", "../../../top", server + "/d/", "t", "/top"},
		{"from the top", "/top", server + "/d/", "t", "/top"},
		{"no path", server, "", "root", "/"},
		{"the fragment is for the reader", server + "/top#/a", "", "t", "/top"},
		{"a redirect", server + "/moved", "", "t", "/moved"},
		{"a query", server + "/q?path=/a/b&token=x1", "", "path=/a/b&token=x1", "/q?path=%2Fa%2Fb&token=*****"},
	}
	for _, tt := range tests {
		got, err := f.Open(tt.name, tt.base)
		if err != nil || got.Text != tt.want || got.Name != server+tt.display || got.Path != "" {
			t.Errorf("%s: Open(%q, %q) = %v, %v, want %q named %q", tt.rule, tt.name, tt.base, got, err, tt.want, server+tt.display)
		}
	}
	first, _ := f.Open(server+"/top", "")
	if again, _ := f.Open("../top#x", server+"/d/"); again != first {
		t.Errorf("the same URL is read twice")
	}
}

func TestOpenURLRefusals(t *testing.T) {
	dir := tree(t, map[string]string{"secret": "s"})
	server := serve(t, map[string]http.HandlerFunc{
		"/file": moved(fileURL("", dir) + "/secret"), "/ftp": moved("ftp://127.0.0.1/x"), "/loop": moved("/loop"), "/nowhere": moved("http://u:pw@[::bad"),
		"/slow":    func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/secret":  http.NotFound,
		"/broken":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"/endless": func(w http.ResponseWriter, _ *http.Request) { endless(w) },
		"/binary":  text("a\xffb"),
		"/cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "a: 1")
		},
	})
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer secure.Close()
	login := strings.Replace(server, "://", "://user:pw@", 1)
	f := load.New(load.Config{Dir: dir, AllowURL: true, MaxBytes: 1 << 16, Fetch: web.With(http.Client{Timeout: 300 * time.Millisecond})})
	tests := []struct {
		rule, name string
		code       source.Code
		words      []string
	}{
		{"redirect to a file", login + "/file", source.Forbidden, []string{server + "/file", "file:"}},
		{"redirect to another scheme", login + "/ftp", source.Forbidden, []string{"ftp:"}},
		{"redirect without end", login + "/loop", source.Access, []string{"10 times"}},
		{"redirect to nonsense", login + "/nowhere", source.Access, []string{"/nowhere"}},
		{"no answer", login + "/slow", source.Timeout, []string{"/slow"}},
		{"not there", login + "/secret", source.Access, []string{"no such file: " + server}},
		{"an error of the server", login + "/broken", source.Access, []string{"500"}},
		{"endless", login + "/endless", source.Limit, []string{"--max-bytes"}},
		{"not UTF-8", login + "/binary", source.Syntax, []string{"UTF-8"}},
		{"no server", "http://user:pw@127.0.0.1:1/x?token=pw", source.Access, []string{"http://127.0.0.1:1/x"}},
		{"a certificate that nobody knows", secure.URL + "/x", source.Access, []string{"/x: the certificate of the server is not valid: "}},
		{"a document that ends too early", login + "/cut", source.Access, []string{"/cut: the server ended the connection"}},
		{"no host", "http:///x", source.Access, []string{"cannot read http:///x: the URL has no host"}},
		{"nothing but a scheme", "HTTPS://", source.Access, []string{"cannot read HTTPS://: the URL has no host"}},
		{"not a URL", "http://user:pw@[::bad/x?token=pw", source.Access, []string{"valid URL"}},
		{"bad escape", "http://user:pw@host/%zz", source.Access, []string{"valid URL"}},
	}
	for _, tt := range tests {
		_, err := f.Open(tt.name, "")
		wants(t, tt.rule, err, tt.code, tt.words...)
		if err != nil && strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: a password is shown: %v", tt.rule, err)
		}
	}
	if _, err := f.Open(login+"/secret", ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a page that is not there: %v, want fs.ErrNotExist", err)
	}
}

func endless(w http.ResponseWriter) {
	chunk := make([]byte, 1<<12)
	for {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

// Errors of package net have addresses of sockets and of name servers; users get the cause.
func TestUnreachableServers(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&net.DNSError{Err: "no such host", Name: "x.invalid", Server: "10.0.0.53:53", IsNotFound: true}, "there is no host x.invalid"},
		{&net.DNSError{Err: "server misbehaving", Name: "x.invalid", Server: "10.0.0.53:53"}, "the host x.invalid cannot be looked up"},
		{&os.SyscallError{Syscall: "connect", Err: syscall.ECONNREFUSED}, "the server refuses the connection"},
		{&os.SyscallError{Syscall: "read", Err: syscall.ECONNRESET}, "the server ended the connection"},
	} {
		fails := roundTripper(func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: tt.err}
		})
		f := load.New(load.Config{Dir: t.TempDir(), AllowURL: true, Fetch: web.With(http.Client{Transport: fails})})
		_, err := f.Open("http://x.invalid/a", "")
		wants(t, tt.want, err, source.Access, "cannot read http://x.invalid/a: "+tt.want)
		if !errors.Is(err, tt.err) {
			t.Errorf("%v does not wrap %v", err, tt.err)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }

// Relative includes of a document are read with the login of the document, although its name
// does not contain it, and so are documents of the same server to which it redirects. Other servers get neither the
// login nor the address of the document.
func TestURLLogin(t *testing.T) {
	needs := func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		fmt.Fprint(w, user+":"+password+r.Referer())
	}
	other := serve(t, map[string]http.HandlerFunc{"/c": needs})
	absolute := func(w http.ResponseWriter, r *http.Request) { moved("http://"+r.Host+"/d/b")(w, r) }
	server := serve(t, map[string]http.HandlerFunc{
		"/d/a": needs, "/d/b": needs, "/moved": moved("/d/b"), "/absolute": absolute, "/twice": moved("/absolute"), "/away": moved(other + "/c"),
	})
	f := load.New(load.Config{Dir: t.TempDir(), AllowURL: true})
	for _, tt := range []struct{ name, base, want string }{
		{strings.Replace(server, "://", "://user:pw@", 1) + "/d/a", "", "user:pw"},
		{"b", server + "/d/", "user:pw"},
		{"/moved", server + "/d/", "user:pw"},
		{"/absolute", server + "/d/", "user:pw"},
		{"/twice", server + "/d/", "user:pw"},
		{"/away?token=x1", server + "/d/", ":"},
		{other + "/c", server + "/d/", ":"},
	} {
		got, err := f.Open(tt.name, tt.base)
		if err != nil || got.Text != tt.want || strings.Contains(got.Name, "@") {
			t.Errorf("Open(%q, %q) = %v, %v, want %q", tt.name, tt.base, got, err, tt.want)
		}
	}
}

func TestURLContext(t *testing.T) {
	server := serve(t, map[string]http.HandlerFunc{"/slow": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := load.New(load.Config{Dir: t.TempDir(), AllowURL: true, Context: ctx}).Open(server+"/slow", "")
	wants(t, "time-out of the run", err, source.Timeout)
}
