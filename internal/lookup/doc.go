// Package lookup opens the sources of layered bindings: a site file in .pp or YAML, or a
// hiera.yaml, with the sets, modules and data files around it.
//
//	SOURCE --Open--> Bindings --Compose(facts)--> bind.Table --> answers, explained
//	                    |
//	                    '--- Resolver: confdir: module: env: enc: hiera: module-hiera:
//
// It joins packages that do not know each other: notations make sets, package hiera makes
// providers, package bind composes them. What does not depend on facts is read and parsed
// once, and shared by the tables of all nodes.
//
// Read open.go, then resolve.go and explain.go.
package lookup
