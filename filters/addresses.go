package filters

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// addressFilters follow ansible.utils, whose ipaddr has many queries with rules of their own. If a query has no
// answer for an address, the result is false or null, as there, and not an error.
func addressFilters() []Func {
	query := []Param{opt("query", Any, value.String(""))}
	f := func(name string, version int, doc, example, result string) Func {
		return row(name, doc, example, result,
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
				return c.ipQuery(in, a.Get("query"), version)
			}, query...)
	}
	return family("addresses",
		f("ipaddr", 0, "Queries an IP address or network: address, network, netmask, prefix, broadcast, host, size, subnet, public, private, an index, a network that contains it ... The result is false for other values and for queries without an answer; of a list only the answers remain.",
			"{{ '192.168.1.5/24' | ipaddr('network') }}", `"192.168.1.0"`),
		f("ipv4", 4, "Like ipaddr, for IPv4 only.", "{{ ['10.0.0.1', '::1', 'x'] | ipv4 }}", `["10.0.0.1"]`),
		f("ipv6", 6, "Like ipaddr, for IPv6 only.", "{{ ['10.0.0.1', '::1', 'x'] | ipv6 }}", `["::1"]`),
		row("ipwrap", "Encloses an IPv6 address in brackets; other values stay unchanged.",
			"{{ '::1' | ipwrap }}", `"[::1]"`, ipWrap),
		row("nthhost", "Returns the address at an index of a network.",
			"{{ '10.0.0.0/8' | nthhost(305) }}", `"10.0.1.49"`, nthHost, req("index", Int)),
		row("ipsubnet", "Counts the networks of a prefix length in a network, or returns the one at an index.",
			"{{ '192.168.144.5/16' | ipsubnet(20, 1) }}", `"192.168.16.0/20"`,
			ipSubnet, opt("size", Any, value.Null), opt("index", Int, value.Null)),
		row("network_in_network", "Whether the piped network contains an address or network.",
			"{{ '192.168.0.0/24' | network_in_network('192.168.0.1') }}", "true", networkInNetwork, req("test", Text)),
		row("ipmath", "Adds a number to an address.",
			"{{ '192.168.1.5' | ipmath(-6) }}", `"192.168.0.255"`, ipMath, req("amount", Int)),
	)
}

// ipQuery answers a query for one address, or for each of a list, without the items that have no answer.
func (c *Ctx) ipQuery(in, query value.Value, version int) (value.Value, error) {
	if in.Is(value.ListKind) {
		items, err := c.listItems(in)
		if err != nil {
			return value.Null, err
		}
		answers, err := convert(items, func(item value.Value) (value.Value, error) { return c.ipQuery(item, query, version) })
		return value.ListOf(slices.DeleteFunc(answers, func(v value.Value) bool { return !value.Truthy(v) })...), err
	}
	n, ok := parseNetwork(in)
	if !ok || version == 4 && !n.Addr().Is4() || version == 6 && !n.Addr().Is6() {
		return value.False, nil
	}
	return answer(n, query)
}

// answer evaluates a query: an index, a name of addressQueries, or a network that has to
// contain n. A named query without an answer, such as "host" of 10.0.0.0/24, is false.
func answer(n network, query value.Value) (value.Value, error) {
	if i := value.AsNumber(query); i.Is(value.IntKind) {
		return indexAnswer(n, i.BigInt()), nil
	}
	q := query.Str()
	if f, ok := addressQueries.Get()[q]; ok {
		return f(n), nil
	}
	if len(q) < 50 { // more digits than any address has
		if i, ok := new(big.Int).SetString(q, 10); ok {
			return indexAnswer(n, i), nil
		}
	}
	if p, _, ok := parsePrefix(q); ok {
		inside := p.Masked().Contains(n.base()) && n.Bits() >= p.Bits()
		if !inside {
			return value.Null, nil
		}
		return value.String(n.text), nil
	}
	return value.Null, fmt.Errorf("unknown query %q%s", q, didYouMean(q, maps.Keys(addressQueries.Get())))
}

// indexAnswer returns the address at an index of the network, from the end if it is negative.
func indexAnswer(n network, i *big.Int) value.Value {
	a, ok := n.at(i)
	if !ok || n.single {
		return value.False
	}
	return value.String(netip.PrefixFrom(a, n.Bits()).String())
}

// when returns a text if a condition holds, else false, as ipaddr answers queries that do not apply.
func when(holds bool, text string) value.Value {
	if !holds {
		return value.False
	}
	return value.String(text)
}

// addressQueries are the queries by name. The base is the first address of a network: 10.0.0.0/24 is a network,
// 10.0.0.5/24 a host in it. "net" answers only for the first, "host" only for the second.
var addressQueries = lazy.Value[map[string]func(network) value.Value]{Make: func() map[string]func(network) value.Value {
	host := func(n network) value.Value { return when(n.single || !n.isBase(), n.Prefix.String()) }
	address := func(n network) value.Value {
		return when(n.single || !n.isBase() || n.Bits() == n.Addr().BitLen()-1, n.Addr().String())
	}
	net := func(n network) value.Value {
		if n.single || !n.isBase() {
			return value.Null
		}
		return value.String(n.Prefix.String())
	}
	gateway := func(n network) value.Value { return when(!n.single && !n.isBase(), n.Prefix.String()) }
	queries := map[string]func(network) value.Value{
		"":           func(n network) value.Value { return value.String(n.text) },
		"bool":       func(network) value.Value { return value.True },
		"address":    address,
		"ip":         address,
		"host":       host,
		"net":        net,
		"gateway":    gateway,
		"gw":         gateway,
		"cidr":       func(n network) value.Value { return value.String(n.Prefix.String()) },
		"network":    func(n network) value.Value { return when(!n.single, n.base().String()) },
		"network_id": func(n network) value.Value { return value.String(n.base().String()) },
		"subnet":     func(n network) value.Value { return value.String(n.Masked().String()) },
		"netmask":    func(n network) value.Value { return value.String(netmask(n.Addr(), n.Bits()).String()) },
		"hostmask":   func(n network) value.Value { return value.String(hostmask(n.Addr(), n.Bits()).String()) },
		"prefix":     func(n network) value.Value { return value.Int(int64(n.Bits())) },
		"broadcast":  func(n network) value.Value { return when(n.size().Cmp(big.NewInt(2)) > 0, n.last().String()) },
		"size":       func(n network) value.Value { return value.BigInt(n.size()) },
		"version":    func(n network) value.Value { return value.Int(int64(4 + 2*(n.Addr().BitLen()/128))) },
		"type":       func(n network) value.Value { return value.String(pick(n.single || !n.isBase(), "address", "network")) },
		"int": func(n network) value.Value {
			i := addrInt(n.Addr())
			if n.single {
				return value.BigInt(i)
			}
			return value.String(i.String() + "/" + strconv.Itoa(n.Bits()))
		},
		"private":      func(n network) value.Value { return when(n.Addr().IsPrivate(), n.text) },
		"public":       func(n network) value.Value { return when(n.Addr().IsGlobalUnicast() && !n.Addr().IsPrivate(), n.text) },
		"loopback":     func(n network) value.Value { return when(n.Addr().IsLoopback(), n.text) },
		"multicast":    func(n network) value.Value { return when(n.Addr().IsMulticast(), n.text) },
		"unicast":      func(n network) value.Value { return when(!n.Addr().IsMulticast(), n.text) },
		"link-local":   func(n network) value.Value { return when(n.Addr().IsLinkLocalUnicast(), n.text) },
		"ipv4":         func(n network) value.Value { return when(n.Addr().Is4(), n.text) },
		"ipv6":         func(n network) value.Value { return when(n.Addr().Is6(), n.text) },
		"revdns":       func(n network) value.Value { return value.String(reverseName(n.Addr())) },
		"wrap":         func(n network) value.Value { return value.String(wrapped(n)) },
		"first_usable": func(n network) value.Value { from, _, ok := usableRange(n); return when(ok, from.String()) },
		"last_usable":  func(n network) value.Value { _, to, ok := usableRange(n); return when(ok, to.String()) },
		"size_usable":  func(n network) value.Value { return value.BigInt(usableSize(n)) },
		"range_usable": func(n network) value.Value {
			from, to, ok := usableRange(n)
			return when(ok, from.String()+"-"+to.String())
		},
		"address/prefix": host,
		"ip/prefix":      host,
		"host/prefix":    host,
		"network/prefix": func(n network) value.Value { return value.String(n.Masked().String()) },
		"network_netmask": func(n network) value.Value {
			return when(!n.single, n.base().String()+" "+netmask(n.Addr(), n.Bits()).String())
		},
		"ip_netmask": func(n network) value.Value {
			return when(!n.single && !n.isBase(), n.Addr().String()+" "+netmask(n.Addr(), n.Bits()).String())
		},
	}
	for name, alias := range map[string]string{"v4": "ipv4", "v6": "ipv6", "lo": "loopback", "wildcard": "hostmask", "router": "gateway", "hostnet": "gateway"} {
		queries[name] = queries[alias]
	}
	return queries
}}

// ipWrap encloses IPv6 addresses in brackets for URLs; what is no address stays as it is.
func ipWrap(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.Is(value.ListKind) {
		items, err := c.listItems(in)
		for i := range items {
			if n, ok := parseNetwork(items[i]); ok {
				items[i] = value.String(wrapped(n)).Mark(items[i].Marks())
			}
		}
		return value.ListOf(items...), err
	}
	if n, ok := parseNetwork(in); ok {
		return value.String(wrapped(n)), nil
	}
	return in, nil
}

func nthHost(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	n, ok := parseNetwork(in)
	if !ok {
		return value.False, nil
	}
	at, ok := n.at(a.Get("index").BigInt())
	return when(ok, at.String()), nil
}

// ipSubnet counts the networks of a prefix length in the value, or returns the one at an index.
func ipSubnet(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	n, ok := parseNetwork(in)
	if !ok {
		return value.False, nil
	}
	if a.Get("size").IsNull() {
		return value.String(n.Masked().String()), nil
	}
	size := a.Get("size")
	bits, ok := value.AsNumber(size).Int()
	if !ok {
		var err error
		if bits, err = strconv.ParseInt(size.Str(), 10, 16); err != nil {
			return value.Null, errors.New("the size is a prefix length")
		}
	}
	if bits > int64(n.Addr().BitLen()) || bits < 0 || bits < int64(n.Bits()) && !n.single {
		return value.Null, fmt.Errorf("a network of prefix length %d has no part of prefix length %d", n.Bits(), bits)
	}
	return subnet(n, int(bits), a.Get("index")), nil
}

// subnet returns the number of networks of a prefix length in n, or the one at an index.
// If bits is less than the prefix length of n, it returns the network around n.
func subnet(n network, bits int, index value.Value) value.Value {
	if bits < n.Bits() {
		return value.String(netip.PrefixFrom(n.Addr(), bits).Masked().String())
	}
	count := new(big.Int).Lsh(big.NewInt(1), uint(bits-n.Bits()))
	if index.IsNull() {
		return value.BigInt(count)
	}
	i := new(big.Int).Set(index.BigInt())
	if i.Sign() < 0 {
		i.Add(i, count)
	}
	if i.Sign() < 0 || i.Cmp(count) >= 0 {
		return value.False
	}
	i.Mul(i, networkSize(n.Addr(), bits))
	a, ok := intAddr(i.Add(i, addrInt(n.base())), n.Addr())
	return when(ok, netip.PrefixFrom(a, bits).String())
}

func networkInNetwork(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	outer, ok1 := parseNetwork(in)
	inner, ok2 := parseNetwork(a.Get("test"))
	if !ok1 || !ok2 {
		return value.Null, errors.New("wants two addresses or networks")
	}
	return value.Bool(inner.Bits() >= outer.Bits() && outer.Masked().Contains(inner.base())), nil
}

func ipMath(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	n, ok := parseNetwork(in)
	if !ok {
		return value.Null, fmt.Errorf("wants an address, got %s", value.Article(in.Kind()))
	}
	at, ok := intAddr(new(big.Int).Add(addrInt(n.Addr()), a.Get("amount").BigInt()), n.Addr())
	if !ok {
		return value.Null, errors.New("no such address")
	}
	return value.String(at.String()), nil
}

// parsePrefix parses an address, a network of one address, or an address with a prefix
// length or netmask: 10.0.0.1, 10.0.0.1/24, 10.0.0.1/255.255.255.0.
func parsePrefix(s string) (p netip.Prefix, single bool, ok bool) {
	addr, bits, has := strings.Cut(strings.TrimSpace(s), "/")
	a, err := netip.ParseAddr(addr)
	if err != nil || a.Zone() != "" {
		return p, false, false
	}
	if !has {
		return netip.PrefixFrom(a, a.BitLen()), true, true
	}
	n, err := strconv.Atoi(bits)
	if mask, maskErr := netip.ParseAddr(bits); err != nil && maskErr == nil && mask.Is4() && a.Is4() {
		n, ok = maskBits(mask)
		if !ok {
			return p, false, false
		}
	} else if err != nil {
		return p, false, false
	}
	p = netip.PrefixFrom(a, n)
	return p, n == a.BitLen(), p.IsValid()
}

// maskBits returns the prefix length of a netmask such as 255.255.255.0, false for a mask with holes.
func maskBits(mask netip.Addr) (int, bool) {
	for bits := range 33 {
		if netmask(mask, bits) == mask {
			return bits, true
		}
	}
	return 0, false
}

func addrInt(a netip.Addr) *big.Int { return new(big.Int).SetBytes(a.AsSlice()) }

// intAddr returns the address with number n in the family of like.
func intAddr(n *big.Int, like netip.Addr) (netip.Addr, bool) {
	size := like.BitLen() / 8
	if n.Sign() < 0 || n.BitLen() > size*8 {
		return netip.Addr{}, false
	}
	return netip.AddrFromSlice(n.FillBytes(make([]byte, size)))
}

func netmask(like netip.Addr, bits int) netip.Addr {
	all := networkSize(like, 0)
	mask, _ := intAddr(all.Sub(all, networkSize(like, bits)), like)
	return mask
}

func hostmask(like netip.Addr, bits int) netip.Addr {
	mask, _ := intAddr(new(big.Int).Sub(networkSize(like, bits), big.NewInt(1)), like)
	return mask
}

func networkSize(like netip.Addr, bits int) *big.Int {
	return new(big.Int).Lsh(big.NewInt(1), uint(like.BitLen()-bits))
}

// A network is an address with the network it is in.
type network struct {
	netip.Prefix
	single bool   // has one address only
	text   string // the input
}

func (n network) base() netip.Addr { return n.Masked().Addr() }
func (n network) isBase() bool     { return n.Addr() == n.base() }
func (n network) size() *big.Int   { return networkSize(n.Addr(), n.Bits()) }

func (n network) at(offset *big.Int) (netip.Addr, bool) {
	if offset.Sign() < 0 {
		offset = new(big.Int).Add(offset, n.size())
	}
	if offset.Sign() < 0 || offset.Cmp(n.size()) >= 0 {
		return netip.Addr{}, false
	}
	return intAddr(new(big.Int).Add(addrInt(n.base()), offset), n.Addr())
}

func (n network) last() netip.Addr {
	a, _ := n.at(big.NewInt(-1))
	return a
}

// parseNetwork parses a network from a text, or an IPv4 address from its number.
func parseNetwork(v value.Value) (network, bool) {
	s := v.Str()
	if i, ok := v.Int(); ok && i >= 0 && i < 1<<32 {
		a, _ := intAddr(big.NewInt(i), netip.IPv4Unspecified())
		s = a.String()
	}
	p, single, ok := parsePrefix(s)
	return network{p, single, strings.TrimSpace(s)}, ok
}

// usableRange returns the first and last address for hosts, without the network and
// broadcast addresses of a network of more than two.
func usableRange(n network) (from, to netip.Addr, ok bool) {
	from, to = n.base(), n.last()
	if n.size().Cmp(big.NewInt(2)) > 0 {
		from, to = from.Next(), to.Prev()
	}
	return from, to, !n.single
}

func usableSize(n network) *big.Int {
	size := n.size()
	if size.Cmp(big.NewInt(2)) > 0 {
		return size.Sub(size, big.NewInt(2))
	}
	return size
}

// reverseName returns the name of an address in the reverse zones of DNS, with a dot at its end: of 1.2.3.4 it is
// "4.3.2.1.in-addr.arpa.".
func reverseName(a netip.Addr) string {
	var parts []string
	for _, b := range slices.Backward(a.AsSlice()) {
		if a.Is4() {
			parts = append(parts, strconv.Itoa(int(b)))
		} else {
			parts = append(parts, fmt.Sprintf("%x.%x", b&15, b>>4))
		}
	}
	return strings.Join(parts, ".") + pick(a.Is4(), ".in-addr.arpa.", ".ip6.arpa.")
}

func wrapped(n network) string {
	switch {
	case n.Addr().Is4():
		return n.text
	case strings.Contains(n.text, "/"):
		return "[" + n.Addr().String() + "]/" + strconv.Itoa(n.Bits())
	}
	return "[" + n.Addr().String() + "]"
}
