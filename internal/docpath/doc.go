// Package docpath parses the paths that name one value of a finished document, and follows
// them (design: decisions, "Paths on the command line").
//
//	a.b[0]."x.y"[name=web], a::b::0, /a/b/0  --Parse--> steps --Next--> keys and values
//
// Package expr has the paths that may match many values.
//
// The text of a dotted path does not say whether a.b is one key or two. [Next] decides that
// with the document: in {a.b: 1, a: {b: 2}} the path a.b is 1, since the longest key wins. So it is
// with a::b.
package docpath
