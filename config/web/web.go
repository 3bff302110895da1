// Package web brings URLs to programs that import package config, or another package of this module: with
// Options.AllowURL, http and https URLs are read.
//
//	import _ "github.com/yaytpl/yaytpl/config/web"
//
// It is a package of its own because of its size: see docs/go-api.md.
package web

import _ "github.com/yaytpl/yaytpl/internal/web" // registers itself
