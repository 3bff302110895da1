package load

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
)

// isURL reports whether a name is an http or https URL with a host.
func isURL(name string) bool {
	i := strings.Index(name, "://")
	return i >= 0 && len(name) > i+3 && name[i+3] != '/' && isWeb(name)
}

// isWeb reports whether a name begins with http:// or https://.
func isWeb(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// isFileURL reports whether a name is a file: URL, with or without slashes after the colon.
func isFileURL(name string) bool {
	const scheme = "file:"
	return len(name) > len(scheme) && strings.EqualFold(name[:len(scheme)], scheme)
}

// hasScheme reports whether a name is a URL of any scheme. A single letter before ":" is a
// Windows drive.
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
		return "", errors.New("it is not a file: URL")
	}
	u, err := url.Parse(name)
	switch {
	case err != nil:
		return "", errors.New("it is not a valid URL")
	case u.Host != "" && !strings.EqualFold(u.Host, "localhost"):
		return "", errors.New("the host of a file: URL must be empty or localhost: file:///path")
	case u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("a file: URL cannot have a query or a fragment")
	}
	path := u.Path
	if u.Opaque != "" {
		if path, err = url.PathUnescape(u.Opaque); err != nil {
			return "", errors.New("it is not a valid URL")
		}
	}
	return filepath.FromSlash(path), nil
}

// absoluteURL returns a URL in normal form, which is its key in the cache.
func absoluteURL(name string) (string, error) {
	u, err := url.Parse(name)
	if err != nil || u.Host == "" {
		return "", badURL(name)
	}
	return normal(u), nil
}

func badURL(name string) error {
	return source.Errorf(source.Span{}, source.Access, "cannot read %s: it is not a valid URL", withoutSecrets(name))
}

// normal returns the text of a URL without fragment, with a lower-case host and a path.
func normal(u *url.URL) string {
	u.Fragment, u.RawFragment = "", ""
	u.Host = strings.ToLower(u.Host)
	u.Path = cmp.Or(u.Path, "/")
	return u.String()
}

// relativeURL resolves a name in a document that was read from a URL. The caller knows that
// the name has no scheme, so a ":" in it is part of the path: a:b.yaml is ./a:b.yaml.
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

// login stores and returns the login of a URL. A URL without one gets the login last used
// for the server: names of documents do not include logins, so the names of files that they
// include relative to themselves do not either.
//
// After https://u:p@host/a.yaml, which includes b.yaml, https://host/b.yaml is read with u:p.
func (f *Files) login(u *url.URL) *url.Userinfo {
	f.mu.Lock()
	defer f.mu.Unlock()
	server := ServerOf(u)
	if u.User != nil {
		f.logins[server] = u.User
	}
	return f.logins[server]
}

// ServerOf returns the part of a URL for which a login is used.
func ServerOf(u *url.URL) string { return u.Scheme + "://" + strings.ToLower(u.Host) }

// withoutSecrets returns a URL for messages: without the login, and without the values of
// parameters that look like keys. A "/" in the query is escaped, so that the text up to the
// last "/" is the directory. For example, https://u:p@host/a?token=x&b=c/d becomes
// https://host/a?token=*****&b=c%2Fd. A name that cannot be parsed loses login and query.
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

// looksSecret reports whether the name of a query parameter suggests a secret.
func looksSecret(param string) bool {
	param = strings.ToLower(param)
	for _, word := range [...]string{"token", "key", "secret", "passw", "pwd", "sig", "auth", "credential"} {
		if strings.Contains(param, word) {
			return true
		}
	}
	return false
}

// A Fetcher downloads the document at a URL, which may have a login. It passes the body to read, which bounds it. If
// the server has no document, the error is fs.ErrNotExist; of a redirect that must not be followed it wraps
// [ErrRedirect].
type Fetcher func(ctx context.Context, u *url.URL, read func(io.Reader) ([]byte, error)) ([]byte, error)

// fetcher is the registered one, or nil.
var fetcher Fetcher

// RegisterFetcher sets the fetcher of all configurations without one. It is called by the init function of package web.
func RegisterFetcher(f Fetcher) { fetcher = f }

// ErrRedirect is the refusal to follow a redirect to a URL that is not http or https.
var ErrRedirect = errors.New("it redirects")

// urlInText matches the URLs in error messages of the HTTP client.
var urlInText = lazy.Regexp{Text: `[A-Za-z]+://[^\s"]+`}

// openURL reads a URL in normal form, once.
func (f *Files) openURL(location string, by Asker) (*source.File, error) {
	name := withoutSecrets(location)
	if !f.config.AllowURL {
		return nil, source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: network access is not allowed (--allow-url)", name).
			WithHint("--allow-url would allow it")
	}
	if f.config.Fetch == nil {
		return nil, source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: this program reads no URLs", name).
			WithHint("import _ %q", "github.com/yaytpl/yaytpl/config/web")
	}
	u, err := url.Parse(location)
	if err != nil {
		return nil, badURL(location)
	}
	login := f.login(u)
	u.User = nil
	e, err := f.load(f.cache, u.String(), func() (*source.File, error) {
		from := *u
		from.User = login
		data, err := f.config.Fetch(f.config.Context, &from, func(body io.Reader) ([]byte, error) { return readLimited(body, f.left()) })
		if err != nil {
			return nil, f.webError(name, err)
		}
		return f.withText(&source.File{Name: name, Sum: sumOf(data)}, u.Path, data)
	})
	if err != nil {
		f.inputs.note(Input{Kind: URLInput, Name: name}, by)
		return nil, err
	}
	f.inputs.note(Input{Kind: URLInput, Name: name, answer: answer{sum: e.file.Sum}}, by)
	return e.file, nil
}

// webError returns the error for a document that cannot be fetched. Errors of the HTTP
// client quote URLs, so it removes the secrets from them.
func (f *Files) webError(name string, err error) error {
	var ne net.Error
	timeout := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ne) && ne.Timeout()
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	switch {
	case errors.Is(err, ErrRedirect):
		return source.Errorf(source.Span{}, source.Forbidden, "%s must not be read: %s", name, err).
			WithHint("only redirects to http and https URLs are followed")
	case errors.Is(err, context.Canceled):
		return err
	case timeout:
		return source.Errorf(source.Span{}, source.Timeout, "time is up while reading %s", name)
	}
	if why := unreachable(err); why != "" {
		return f.readError(name, reworded{why, err})
	}
	if text := urlInText.Get().ReplaceAllStringFunc(err.Error(), withoutSecrets); text != err.Error() {
		err = errors.New(text)
	}
	return f.readError(name, err)
}

// A reworded error is another one in words for users.
type reworded struct {
	words string
	cause error
}

func (e reworded) Error() string { return e.words }
func (e reworded) Unwrap() error { return e.cause }

// unreachable returns why there is no answer of a server, for errors of package net, whose texts
// have addresses of sockets and of name servers; "" for other errors.
func unreachable(err error) string {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no host " + dns.Name
	case errors.As(err, &dns):
		return "the host " + dns.Name + " cannot be looked up"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the server refuses the connection"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the server ended the connection before the end of the document"
	}
	return ""
}
