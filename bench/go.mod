module github.com/yaytpl/yaytpl/bench

go 1.26.0

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/goccy/go-yaml v1.19.2
	github.com/google/go-jsonnet v0.22.0
	github.com/yaytpl/yaytpl v0.0.0
	go.yaml.in/yaml/v4 v4.0.0
	gopkg.in/yaml.v3 v3.0.1
)

require (
	github.com/ProtonMail/go-crypto v1.5.2 // indirect
	github.com/bmatcuk/doublestar/v4 v4.10.4 // indirect
	github.com/cloudflare/circl v1.6.3 // indirect
	github.com/dlclark/regexp2 v1.12.0 // indirect
	github.com/jmespath-community/go-jmespath v1.1.1 // indirect
	github.com/kr/pretty v0.2.1 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
	golang.org/x/crypto v0.45.0 // indirect
	golang.org/x/exp v0.0.0-20230314191032-db074128a8ec // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	golang.org/x/text v0.31.0 // indirect
	sigs.k8s.io/yaml v1.4.0 // indirect
)

replace github.com/yaytpl/yaytpl => ../
