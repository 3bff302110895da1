package expr

import (
	"fmt"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleParsePath() {
	p, err := ParsePath(":: hosts::*::[role=web]? :: ip", Nowhere{})
	fmt.Println(p, err)
	// Output: ::hosts::*::[role=web]?::ip <nil>
}

func ExampleEval() {
	env := newEnv(&testing.T{}, `{"services": {"web": {"port": 8080}}}`)
	n, err := ParseJinja("services.web.port + 1", Nowhere{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := Eval(n, env.scope())
	i, _ := v.Int()
	fmt.Println(i, err)
	// Output: 8081 <nil>
}

func ExampleRaise() {
	text := "services.web.prot"
	file := source.NewFile("site.yaml", text)
	env := newEnv(&testing.T{}, `{"services": {"web": {"port": 8080}}}`)
	n, err := ParseJinja(text, At(file.Span(0, len(text))))
	if err != nil {
		fmt.Println(err)
		return
	}
	v, _ := Eval(n, env.scope())
	fmt.Println(v.Is(value.UndefinedKind))
	fmt.Println(Raise(v))
	// Output:
	// true
	// site.yaml:1:14: no such key "prot" in services.web [undefined]
}
