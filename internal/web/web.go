// Package web downloads documents for package load, to which it gives itself. It is a package of its own, since
// net/http is some megabytes of a program. A blank import brings it.
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/internal/load"
)

const (
	webTime      = 30 * time.Second // for one document, unless the client has a timeout
	maxRedirects = 10
)

func init() { load.RegisterFetcher(With(http.Client{})) }

// With returns a fetcher that uses a client, whose redirect policy is replaced.
func With(client http.Client) load.Fetcher {
	if client.Timeout == 0 {
		client.Timeout = webTime
	}
	client.CheckRedirect = checkRedirect
	return func(ctx context.Context, u *url.URL, read func(io.Reader) ([]byte, error)) ([]byte, error) {
		return fetch(ctx, &client, u, read)
	}
}

// fetch implements [load.Fetcher].
func fetch(ctx context.Context, client *http.Client, u *url.URL, read func(io.Reader) ([]byte, error)) ([]byte, error) {
	login := u.User
	plain := *u
	plain.User = nil
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, plain.String(), nil)
	if err != nil {
		return nil, errors.New("it is not a valid URL")
	}
	req.URL.User = login
	req.Header.Set("User-Agent", "yaytpl")
	resp, err := client.Do(req)
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &cert):
		return nil, errors.New("the certificate of the server is not valid: " + strings.TrimPrefix(cert.Err.Error(), "x509: "))
	case err != nil:
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		return read(resp.Body)
	case http.StatusNotFound, http.StatusGone:
		return nil, fs.ErrNotExist
	}
	return nil, fmt.Errorf("the server replied %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
}

// checkRedirect is the redirect policy: http and https only, at most maxRedirects. The login is sent only to the
// server that it was given for. No server learns the URL that redirects to it, whose parameters may be secret.
func checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case req.URL.Scheme != "http" && req.URL.Scheme != "https":
		return fmt.Errorf("%w to a %s: URL", load.ErrRedirect, req.URL.Scheme)
	case len(via) >= maxRedirects:
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	}
	req.Header.Del("Referer")
	if first := via[0].URL; req.URL.User == nil && load.ServerOf(first) == load.ServerOf(req.URL) {
		req.URL.User = first.User
	}
	return nil
}
