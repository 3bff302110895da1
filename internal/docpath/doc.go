// Package docpath reads the paths by which users name places of finished documents,
// and follows them (design: decisions, "Paths on the command line").
//
//	a.b[0]."x.y"[name=web], a::b::0, /a/b/0  --Parse--> steps --Next--> keys and values
//
// They name one place each. Paths that may match many are those of package expr.
//
// A dotted path does not say whether a.b is one key or two: that is found out on the
// way, and the key that is there wins over its parts.
package docpath
