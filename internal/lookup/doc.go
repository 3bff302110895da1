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
// Read table.go and open.go, then resolve.go (what URIs name), environments.go and enc.go, and explain.go. facts.go and
// nodes.go read the facts of one node and of many; inject.go and document.go connect bindings to
// documents; place.go, drawing.go and eyaml.go are helpers.
package lookup
