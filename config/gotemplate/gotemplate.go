// Package gotemplate brings the function golang.template to programs of the mgmt language that package config, or another
// package of this module, evaluates:
//
//	import _ "github.com/yaytpl/yaytpl/config/gotemplate"
//
// It is a package of its own because of its size: see docs/go-api.md.
package gotemplate

import _ "github.com/yaytpl/yaytpl/lang/mcl/library/gotemplate" // registers itself
