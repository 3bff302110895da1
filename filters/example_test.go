package filters_test

import (
	"fmt"

	"github.com/yaytpl/yaytpl/filters"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleFunc_Apply() {
	join, _ := filters.LookupFilter("join")
	hosts := value.ListOf(value.String("a"), value.String("b"))
	v, err := join.Apply(&filters.Ctx{}, hosts, value.Args{Pos: []value.Value{value.String(", ")}})
	fmt.Println(v.Str(), err)

	_, err = join.Apply(nil, hosts, value.Args{Named: []value.Named{{Name: "atribute", Value: value.Null}}})
	fmt.Println(err)
	// Output:
	// a, b <nil>
	// filter "join": unknown argument "atribute"; did you mean "attribute"?
}

func ExampleCallMethod() {
	v, ok, err := filters.CallMethod(nil, value.String("a,b"), "partition", value.Args{Pos: []value.Value{value.String(",")}})
	s, _ := value.Text(v)
	fmt.Println(s, ok, err)
	// Output: ['a', ',', 'b'] true <nil>
}
