package library

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/value"
)

// netFunctions returns the functions on addresses. None of them uses the network.
func netFunctions() []*Func {
	type reader func(text string) (netip.Prefix, error)
	exactly := netip.ParsePrefix
	trimmed := func(text string) (netip.Prefix, error) { return netip.ParsePrefix(strings.TrimSpace(text)) }
	cidr := func(read reader, name, doc, example, result string, of func(c *Call, p netip.Prefix) (string, error)) *Func {
		return &Func{
			Name: name, Signatures: []string{"func(a str) str"}, Doc: doc, Example: example, Result: result,
			Call: func(c *Call) (value.Value, error) {
				p, err := read(c.text(0))
				if err != nil {
					return value.Null, c.Fail("%s is no network in the form 192.0.2.0/24", c.quote(0))
				}
				text, err := of(c, p)
				if err != nil {
					return value.Null, err
				}
				return c.textResult(text)
			},
		}
	}
	return []*Func{
		cidr(trimmed, "net.cidr_to_ip", "the address in front of the slash", `net.cidr_to_ip("192.0.2.7/24")`, `"192.0.2.7"`, func(_ *Call, p netip.Prefix) (string, error) { return p.Addr().String(), nil }),
		cidr(trimmed, "net.cidr_to_prefix", "the length after the slash, as text", `net.cidr_to_prefix("192.0.2.7/24")`, `"24"`, func(_ *Call, p netip.Prefix) (string, error) { return strconv.Itoa(p.Bits()), nil }),
		cidr(trimmed, "net.cidr_to_mask", "the mask of the network", `net.cidr_to_mask("192.0.2.7/20")`, `"255.255.240.0"`, func(_ *Call, p netip.Prefix) (string, error) {
			return net.IP(net.CIDRMask(p.Bits(), p.Addr().BitLen())).String(), nil
		}),
		cidr(trimmed, "net.cidr_to_network", "the network with its length", `net.cidr_to_network("192.0.2.7/24")`, `"192.0.2.0/24"`, func(_ *Call, p netip.Prefix) (string, error) { return p.Masked().String(), nil }),
		cidr(exactly, "net.cidr_to_first", "the address after the given one", `net.cidr_to_first("192.0.2.0/24")`, `"192.0.2.1"`, func(c *Call, p netip.Prefix) (string, error) {
			next := p.Addr().Next()
			if !next.IsValid() || !p.Contains(next) {
				return "", c.Fail("the address after %s is outside of its network", c.quote(0))
			}
			return next.String(), nil
		}),
		cidr(exactly, "net.cidr_to_last", "the last address of the network", `net.cidr_to_last("192.0.2.7/24")`, `"192.0.2.255"`, func(_ *Call, p netip.Prefix) (string, error) { return lastOf(p).String(), nil }),
		{
			Name: "net.ip_in_cidr", Signatures: []string{"func(ip str, cidr str) bool"}, Doc: "whether an address is in a network",
			Example: `net.ip_in_cidr("192.0.2.7", "192.0.2.0/24")`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				ip, err := netip.ParseAddr(c.text(0))
				if err != nil || ip.Zone() != "" {
					return value.Null, c.Fail("%s is no address", c.quote(0))
				}
				p, err := netip.ParsePrefix(c.text(1))
				if err != nil {
					return value.Null, c.Fail("%s is no network in the form 192.0.2.0/24", c.quote(1))
				}
				return c.truth(p.Masked().Contains(ip.Unmap()))
			},
		},
		{
			Name: "net.is_mac", Signatures: []string{"func(a str) bool"}, Doc: "whether a text is an address of six bytes in small letters, with colons",
			Example: `net.is_mac("00:1a:2b:3c:4d:5e")`, Result: `true`,
			Call: func(c *Call) (value.Value, error) { return c.truth(isMAC(c.text(0), ":")) },
		},
		{
			Name: "net.macfmt", Signatures: []string{"func(a str) str"}, Doc: "an address of six bytes in small letters, with colons",
			Example: `net.macfmt("00-1A-2B-3C-4D-5E")`, Result: `"00:1a:2b:3c:4d:5e"`,
			Call: func(c *Call) (value.Value, error) { return c.mac(":") },
		},
		{
			Name: "net.oldmacfmt", Signatures: []string{"func(a str) str"}, Doc: "an address of six bytes in small letters, with hyphens",
			Example: `net.oldmacfmt("00:1A:2b:3c:4d:5e")`, Result: `"00-1a-2b-3c-4d-5e"`,
			Call: func(c *Call) (value.Value, error) { return c.mac("-") },
		},
		{
			Name: "net.split_hostport", Signatures: []string{"func(str) struct{host str; port str}"}, Doc: "the host, without brackets, and the port of an address",
			Example: `net.split_hostport("localhost:80")`, Result: `struct{host => "localhost", port => "80"}`,
			Call: func(c *Call) (value.Value, error) {
				host, port, err := net.SplitHostPort(c.text(0))
				if err != nil {
					return value.Null, c.Fail("%s has no host and port", c.quote(0))
				}
				return c.structure([]string{"host", "port"}, host, port)
			},
		},
		{
			Name: "net.url_parser", Signatures: []string{"func(str) struct{scheme str; host str; path str; raw_query str}"}, Doc: "the parts of a URL",
			Example: `net.url_parser("http://u@h:80/a%20b?x=1#f")`, Result: `struct{scheme => "http", host => "h:80", path => "/a b", raw_query => "x=1"}`,
			Call: func(c *Call) (value.Value, error) {
				u, err := url.Parse(c.text(0))
				if err != nil || u.Scheme == "" {
					return value.Null, c.Fail("%s is no URL", c.quote(0))
				}
				return c.structure([]string{"scheme", "host", "path", "raw_query"}, u.Scheme, u.Host, u.Path, u.RawQuery)
			},
		},
	}
}

// lastOf returns the last address of a network.
func lastOf(p netip.Prefix) netip.Addr {
	bytes := p.Masked().Addr().AsSlice()
	for bit := p.Bits(); bit < 8*len(bytes); bit++ {
		bytes[bit/8] |= 1 << (7 - bit%8)
	}
	last, _ := netip.AddrFromSlice(bytes)
	return last
}

// isMAC reports whether a text has six bytes in small hexadecimal digits, with one of the separators
// between them.
func isMAC(s, separators string) bool {
	if len(s) != 17 {
		return false
	}
	for i, r := range s {
		set := "0123456789abcdef"
		if i%3 == 2 {
			set = separators
		}
		if !strings.ContainsRune(set, r) {
			return false
		}
	}
	return true
}

// mac returns an address of six bytes with a separator.
func (c *Call) mac(separator string) (value.Value, error) {
	text := strings.ToLower(c.text(0))
	if !isMAC(text, ":-") {
		return value.Null, c.Fail("%s is no address of six bytes such as 00:1a:2b:3c:4d:5e", c.quote(0))
	}
	return c.textResult(strings.NewReplacer(":", separator, "-", separator).Replace(text))
}

// structure returns a struct of texts.
func (c *Call) structure(names []string, texts ...string) (value.Value, error) {
	marks, err := c.Marks()
	if err != nil {
		return value.Null, err
	}
	s := &types.Structure{Names: names}
	for _, t := range texts {
		s.Items = append(s.Items, value.String(t).Mark(marks))
	}
	return value.FromMap(s).Mark(marks), nil
}
