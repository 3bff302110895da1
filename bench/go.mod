module github.com/yaytpl/yaytpl/bench

go 1.26.0

require (
	github.com/yaytpl/yaytpl v0.0.0
	gopkg.in/yaml.v3 v3.0.1
)

replace github.com/yaytpl/yaytpl => ../
