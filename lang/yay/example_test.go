package yay_test

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleParse() {
	tree, findings := yay.Parse(source.NewFile("main.yay", "port: 80\nif tls:\n  port: 443\n"), yay.Options{})
	fmt.Println(len(findings), len(tree.Root.Stanzas))
	fmt.Println(tree.Root.Stanzas[0].(*yay.Pair).Key)

	_, findings = yay.Parse(source.NewFile("main.yay", "port: 80\nif tls\n  port: 443\n"), yay.Options{})
	fmt.Println(findings[0])
	// Output:
	// 0 2
	// port
	// main.yay:2:7: unexpected end of line: "if" needs a colon [syntax]
}

func ExampleFormat() {
	tree, _ := yay.Parse(source.NewFile("main.yay", "% let n=2   # turns\nall:\n    for i in range( n ):\n        - {{i*10}}\n"), yay.Options{})
	fmt.Print(yay.Format(tree))
	// Output:
	// set n = 2 # turns
	// all:
	//   for i in range(n):
	//     - {{ i * 10 }}
}

func ExampleSetLiteral() {
	f := source.NewFile("main.yay", "# where it runs\nhost: localhost\nurl: http://{{ host }}/\n")
	start := strings.Index(f.Text, "localhost")
	text, err := yay.SetLiteral(f, f.Span(start, start+len("localhost")), value.String("example.org"), yay.Options{})
	fmt.Print(text)
	fmt.Println(err)

	start = strings.Index(f.Text, "http")
	_, err = yay.SetLiteral(f, f.Span(start, len(f.Text)-1), value.String("x"), yay.Options{})
	fmt.Println(err)
	// Output:
	// # where it runs
	// host: example.org
	// url: http://{{ host }}/
	// <nil>
	// main.yay:3:6: the text has expressions in it [output]
}

func ExampleDeleteStatement() {
	f := source.NewFile("main.yay", "tls:\n  # for a while\n  port: 8443\nhost: localhost\n")
	start := strings.Index(f.Text, "8443")
	text, err := yay.DeleteStatement(f, f.Span(start, start+len("8443")), yay.Options{})
	fmt.Print(text)
	fmt.Println(err)
	// Output:
	// tls: {}
	// host: localhost
	// <nil>
}
