// Package bindings looks values up in layered bindings and in hierarchies of Hiera.
//
//	SOURCE --Open, facts of a node--> Bindings --Lookup, All--> values, each with its explanation
//	SOURCE --OpenNodes, files of facts--> Nodes --Lookup, All--> the value that each node gets
//
//	b, err := bindings.Open(ctx, "hiera.yaml", yaytpl.Options{}, yaytpl.NodeOptions{Facts: []string{"nodes/db1.yaml"}})
//	if err == nil {
//		answer, err = b.Lookup(bindings.Request{Keys: []string{"ntp::servers"}})
//	}
//
// A [Bindings] in [yaytpl.Options] answers the calls of lookup() and inject() in documents.
//
// bindings.go has the questions for one node, nodes.go the questions for many. Sources are opened by internal/lookup and
// composed by lang/bind.
package bindings
