// Package config is the configuration of a Go program: files in YAML or Yay, texts and data of
// the program in layers, read with Go types.
//
//	files, texts, data, FS, Env --Load, LoadText, Add--> Config --Get, Eval--> Node --> Int, String, Decode
//	                                                       |                        Items, Entries, At
//	                       classes of the program --Register
//
//	cfg, err := config.Load(ctx, []string{"example.yay"}, yaytpl.Options{})
//	if err != nil {
//		return err
//	}
//	port, err := cfg.Get("network.proxy.port").Int(8000) // 8000 if there is no such key
//	for ip, err := range cfg.Get("network.allowed").Items() { ... }
//
// A [Config] changes while the program runs: a change discards the evaluation, and the next
// question starts another one, a revision, over the layers of that time. A [Node] is a place,
// not a value: it is looked up in the current revision each time it is asked. A [Class] is
// code of the program that a configuration instantiates; it runs when a value needs its result.
//
//	Config --current--> revision --open--> evaluation    the one that nodes are looked up in
//	                        |                 '--- others, to apply classes at the same time
//	                        '--- instances    shared by all evaluations: each class once per instance
//
// All of this is safe for concurrent use. A Config has a lock, which is held while a node is
// looked up and converted: questions of several goroutines are answered one after the other.
// Options.Warn is called and classes are applied while the lock is held, so neither may use the
// Config; a class uses its parameters.
//
// Blank imports of the packages gpg, web and gotemplate below this one bring OpenPGP, URLs and golang.template, which
// not every program needs. Without them they are errors that name the import.
//
// Errors are made as in package yaytpl. If a path leads nowhere, errors.Is(err, [NoMatching])
// is true, and only then a getter returns its default.
//
// Read config.go (layers and revisions) and layers.go (texts, Go data, environment, file systems),
// then node.go (lookup, missing values), scalar.go, decode.go and get.go (conversion to Go), and last
// class.go and instances.go (native classes). watch.go keeps a configuration up to date.
package config
