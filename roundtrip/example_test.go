package roundtrip_test

import (
	"fmt"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleApply() {
	f := source.NewFile("site.yaml", "web:   # the front\n    port:  80  # default\n    hosts: [a, b]\n")
	web := value.Path{value.K("web")}
	r, err := roundtrip.Apply(f, roundtrip.Syntax{}, 0, []roundtrip.Edit{
		{Op: roundtrip.Set, Path: append(web, value.K("port")), Value: value.Int(8080)},
		{Op: roundtrip.Append, Path: append(web, value.K("hosts")), Value: value.String("c")},
		{Op: roundtrip.Set, Path: append(web, value.K("tls"), value.K("enabled")), Value: value.True, Create: true},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(r.Text)
	// Output:
	// web:   # the front
	//     port:  8080  # default
	//     hosts: [a, b, c]
	//     tls:
	//         enabled: true
}

func ExampleApply_move() {
	f := source.NewFile("site.yaml", "web:\n  # the front\n  tls:\n    port: 443 # default\nmail: {}\n")
	r, err := roundtrip.Apply(f, roundtrip.Syntax{}, 0, []roundtrip.Edit{
		{Op: roundtrip.Move, Path: value.Path{value.K("web"), value.K("tls")}, To: value.Path{value.K("tls")}, Place: roundtrip.Position{Where: roundtrip.First}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(r.Text)
	// Output:
	// # the front
	// tls:
	//   port: 443 # default
	// web: {}
	// mail: {}
}
