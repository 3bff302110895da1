package filters

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

func urlFilters() []Func {
	return []Func{
		{
			Name: "urlencode", Family: "urls", Call: urlEncode,
			Doc:     "A text quoted for a URL, or a map or list of pairs as a query.",
			Example: "{{ {'x': 1, 'y': 'a b'} | urlencode }}", Result: `"x=1&y=a+b"`,
		},
		onText("urldecode", "urls", urlDecode, "A text with %20 and the like resolved, and + as a blank.", "{{ 'p%20q+r' | urldecode }}", `"p q r"`),
		{
			Name: "urlsplit", Family: "urls", Call: urlSplit,
			Params:  []Param{opt("query", Text, value.String(""))},
			Doc:     "The parts of a URL as a map, or one of them: scheme, netloc, hostname, port, username, password, path, query, fragment.",
			Example: "{{ 'https://u@h.org:8443/p?x=1#f' | urlsplit('hostname') }}", Result: `"h.org"`,
		},
	}
}

// percentEncode quotes all but letters, digits, _.-~ and the characters in safe.
func percentEncode(s, safe string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < 0x80 && (isWordRune(rune(c)) || strings.IndexByte(".-~", c) >= 0 || strings.IndexByte(safe, c) >= 0) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func quotePlus(s string) string { return strings.ReplaceAll(percentEncode(s, " "), " ", "+") }

func urlEncode(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.IsScalar() {
		s, err := c.text(in)
		return value.String(percentEncode(s, "/")), err
	}
	pairs, err := c.pairs(in)
	if err != nil {
		return value.Null, err
	}
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		k, err := c.text(p[0])
		if err != nil {
			return value.Null, err
		}
		v, err := c.text(p[1])
		if err != nil {
			return value.Null, err
		}
		parts[i] = quotePlus(k) + "=" + quotePlus(v)
	}
	return c.join(parts, "&")
}

// urlDecode leaves alone what is no escape, and bytes that are no text.
func urlDecode(s string) string {
	s = strings.ReplaceAll(s, "+", " ")
	if out, err := url.PathUnescape(s); err == nil {
		return strings.ToValidUTF8(out, "\uFFFD")
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

func urlSplit(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
	parts, err := splitURL(s)
	if err != nil || a.Str("query") == "" {
		return value.FromMap(parts), err
	}
	v, ok, _ := parts.Get(value.K(a.Str("query")))
	if !ok {
		return value.Null, fmt.Errorf("unknown part %q of a URL", a.Str("query"))
	}
	return v, nil
}

func splitURL(s string) (*value.Dict, error) {
	m := value.NewMap(9)
	rest, fragment, _ := strings.Cut(s, "#")
	rest, query, _ := strings.Cut(rest, "?")
	scheme := ""
	if i := strings.IndexByte(rest, ':'); i > 0 && isScheme(rest[:i]) {
		scheme, rest = strings.ToLower(rest[:i]), rest[i+1:]
	}
	netloc := ""
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			i = len(after)
		}
		netloc, rest = after[:i], after[i:]
	}
	host, err := splitNetloc(netloc)
	if err != nil {
		return nil, err
	}
	for _, part := range []value.Named{
		{Name: "fragment", Value: value.String(fragment)}, {Name: "hostname", Value: host.name}, {Name: "netloc", Value: value.String(netloc)},
		{Name: "password", Value: host.password}, {Name: "path", Value: value.String(rest)}, {Name: "port", Value: host.port},
		{Name: "query", Value: value.String(query)}, {Name: "scheme", Value: value.String(scheme)}, {Name: "username", Value: host.user},
	} {
		m.Set(value.K(part.Name), part.Value)
	}
	return m, nil
}

func isScheme(s string) bool {
	for i, r := range s {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || strings.ContainsRune("+-.", r))) {
			return false
		}
	}
	return true
}

// A urlHost is what the netloc of a URL says, null for what it does not.
type urlHost struct{ name, port, user, password value.Value }

func splitNetloc(netloc string) (h urlHost, err error) {
	host := netloc
	if i := strings.LastIndexByte(netloc, '@'); i >= 0 {
		user, password, ok := strings.Cut(netloc[:i], ":")
		h.user, host = value.String(user), netloc[i+1:]
		if ok {
			h.password = value.String(password)
		}
	}
	port := ""
	if inner, after, ok := strings.Cut(strings.TrimPrefix(host, "["), "]"); ok && strings.HasPrefix(host, "[") {
		host, port = inner, strings.TrimPrefix(after, ":")
	} else {
		host, port, _ = strings.Cut(host, ":")
	}
	if host != "" {
		h.name = value.String(strings.ToLower(host))
	}
	if port == "" {
		return h, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return h, fmt.Errorf("the port %q is not a number up to 65535", port)
	}
	h.port = value.Int(int64(n))
	return h, nil
}
