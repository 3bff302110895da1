package yay_test

import (
	"fmt"

	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
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
