package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// isURL reports whether a name is a URL of the network: http or https, with a host.
func isURL(name string) bool {
	i := strings.Index(name, "://")
	if i < 0 || len(name) == i+3 || name[i+3] == '/' {
		return false
	}
	scheme := strings.ToLower(name[:i])
	return scheme == "http" || scheme == "https"
}

func isFileURL(name string) bool {
	const scheme = "file:"
	return len(name) > len(scheme) && strings.EqualFold(name[:len(scheme)], scheme)
}

// hasScheme reports whether a name is a URL of any kind. A letter before ":" is a
// drive of Windows.
func hasScheme(name string) bool {
	if isFileURL(name) {
		return true
	}
	i := strings.Index(name, "://")
	return i > 1 && strings.Trim(strings.ToLower(name[:i]), "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// fileURL returns the path of a file: URL (RFC 8089).
func fileURL(name string) (string, error) {
	if !isFileURL(name) {
		return "", errors.New("it is no file: URL")
	}
	u, err := url.Parse(name)
	switch {
	case err != nil:
		return "", errors.New("it is no valid URL")
	case u.Host != "" && !strings.EqualFold(u.Host, "localhost"):
		return "", errors.New("a file: URL names a file of this machine: file:///path")
	case u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("a file: URL has no query and no fragment")
	}
	path := u.Path
	if u.Opaque != "" {
		if path, err = url.PathUnescape(u.Opaque); err != nil {
			return "", errors.New("it is no valid URL")
		}
	}
	return filepath.FromSlash(path), nil
}

// absoluteURL returns a URL in the form that the cache knows it by.
func absoluteURL(name string) (string, error) {
	u, err := url.Parse(name)
	if err != nil || u.Host == "" {
		return "", badURL(name)
	}
	return normal(u), nil
}

func badURL(name string) error {
	return source.Errorf(source.Span{}, source.Access, "cannot read %s: it is no valid URL", withoutSecrets(name))
}

func normal(u *url.URL) string {
	u.Fragment, u.RawFragment = "", ""
	u.Host = strings.ToLower(u.Host)
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}

// relativeURL resolves a name that a document from the network gives. The name has
// no scheme, whatever the ":" in it suggests.
func relativeURL(name, base string) (string, error) {
	b, err := url.Parse(base)
	if err != nil {
		return "", badURL(base)
	}
	ref, err := url.Parse(name)
	if err != nil || ref.Scheme != "" {
		ref, err = url.Parse("./" + name)
	}
	if err != nil {
		return "", badURL(name)
	}
	u := b.ResolveReference(ref)
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", badURL(name)
	}
	return normal(u), nil
}

// login remembers the login of a URL and returns it. A URL without one gets that of
// its server if there is one: documents do not show it in their names, so what they
// include relative to themselves comes without.
func (f *Files) login(u *url.URL) *url.Userinfo {
	f.mu.Lock()
	defer f.mu.Unlock()
	server := u.Scheme + "://" + u.Host
	if u.User != nil {
		f.logins[server] = u.User
	}
	return f.logins[server]
}

// withoutSecrets returns a URL as messages show it: without the login, and without
// the values of parameters that look like keys. A "/" in the query is escaped, so
// that everything up to the last one is the directory. Of a name that cannot be parsed
// only the scheme and the part after the login are shown, without the query.
func withoutSecrets(name string) string {
	u, err := url.Parse(name)
	if err != nil {
		scheme, rest, ok := strings.Cut(name, "://")
		if !ok {
			return name
		}
		rest, _, _ = strings.Cut(rest, "?")
		return scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:]
	}
	u.User = nil
	params := strings.Split(u.RawQuery, "&")
	for i, p := range params {
		if key, _, ok := strings.Cut(p, "="); ok && looksSecret(key) {
			params[i] = key + "=*****"
		}
	}
	u.RawQuery = strings.ReplaceAll(strings.Join(params, "&"), "/", "%2F")
	return u.String()
}

func looksSecret(param string) bool {
	param = strings.ToLower(param)
	for _, word := range [...]string{"token", "key", "secret", "passw", "pwd", "sig", "auth", "credential"} {
		if strings.Contains(param, word) {
			return true
		}
	}
	return false
}

const (
	webTime      = 30 * time.Second // for one document, unless Config.HTTP says otherwise
	maxRedirects = 10
)

// errRedirect is the refusal to follow a redirect to something else than a URL of
// the network.
var errRedirect = errors.New("it redirects")

// urlInText finds URLs in what the HTTP client says.
var urlInText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z]+://[^\s"]+`)
})

// openURL reads a URL in its normal form.
func (f *Files) openURL(location string) (*source.File, error) {
	name := withoutSecrets(location)
	if !f.config.AllowURL {
		return nil, source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: the network is closed (--allow-url)", name).
			WithHint("--allow-url would allow it")
	}
	u, err := url.Parse(location)
	if err != nil {
		return nil, badURL(location)
	}
	login := f.login(u)
	u.User = nil
	return f.load(u.String(), func() (*source.File, error) {
		data, err := f.fetch(u, login)
		if err != nil {
			return nil, f.webError(name, err)
		}
		return f.withText(&source.File{Name: name}, u.Path, data)
	})
}

// fetch returns the body of a document. One that does not exist is
// fs.ErrNotExist.
func (f *Files) fetch(u *url.URL, login *url.Userinfo) ([]byte, error) {
	req, err := http.NewRequestWithContext(f.config.Context, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, errors.New("it is no valid URL")
	}
	req.URL.User = login
	req.Header.Set("User-Agent", "yaytpl")
	client := http.Client{}
	if f.config.HTTP != nil {
		client = *f.config.HTTP
	}
	if client.Timeout == 0 {
		client.Timeout = webTime
	}
	client.CheckRedirect = checkRedirect
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		return readLimited(resp.Body, f.left())
	case http.StatusNotFound, http.StatusGone:
		return nil, fs.ErrNotExist
	}
	return nil, fmt.Errorf("the server answers %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case req.URL.Scheme != "http" && req.URL.Scheme != "https":
		return fmt.Errorf("%w to a %s: URL", errRedirect, req.URL.Scheme)
	case len(via) >= maxRedirects:
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	}
	return nil
}

// webError says why a document of the network cannot be read. The errors of the
// HTTP client repeat the URL, perhaps with what must not be shown.
func (f *Files) webError(name string, err error) error {
	var ue *url.Error
	var ne net.Error
	timeout := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ne) && ne.Timeout()
	if errors.As(err, &ue) {
		err = ue.Err
	}
	switch {
	case errors.Is(err, errRedirect):
		return source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: %s", name, err).
			WithHint("only redirects to http and https URLs are followed")
	case errors.Is(err, context.Canceled):
		return err
	case timeout:
		return source.Errorf(source.Span{}, source.Timeout, "time is up while reading %s", name)
	}
	if text := urlInText().ReplaceAllStringFunc(err.Error(), withoutSecrets); text != err.Error() {
		err = errors.New(text)
	}
	return f.readError(name, err)
}
