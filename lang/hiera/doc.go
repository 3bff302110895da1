// Package hiera reads the files of Puppet's Hiera: hiera.yaml of versions 3 to 5, and the data
// files of its levels.
//
//	hiera.yaml --Parse--> *Config --Open(facts)--> *Provider --Find(key)--> levels with values
//	                                                   |
//	data/*.yaml, *.json --Cache--> data, read once <---'
//
// A [Config] is what the file says. A [Provider] is a configuration for the facts of one node:
// its paths are interpolated, and it belongs to one table of package bind, which merges,
// converts and explains. Many providers share one [Cache] of parsed files, also from several
// goroutines.
//
// In the order of reading:
//
//	config.go       hiera.yaml version 5
//	old.go          versions 3 and 4
//	data.go         data files, lookup_options
//	scalars.go      texts of YAML as Puppet reads them
//	interpolate.go  %{...} in data and paths
//	eyaml.go        values that hiera-eyaml encrypted
//	provider.go     levels for the facts of a node
//
// Spec: bindings, section 10. The originals are lib/puppet/pops/lookup of Puppet 7.
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package hiera
