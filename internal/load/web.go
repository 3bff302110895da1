package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

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
	resp, err := f.client().Do(req)
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

func (f *Files) client() *http.Client {
	c := http.Client{}
	if f.config.HTTP != nil {
		c = *f.config.HTTP
	}
	if c.Timeout == 0 {
		c.Timeout = webTime
	}
	c.CheckRedirect = checkRedirect
	return &c
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
