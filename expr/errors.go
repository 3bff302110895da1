package expr

import "github.com/yaytpl/yaytpl/source"

var errSelfReference = source.Errorf(source.Span{}, source.Cycle, "a variable needs its own value")
