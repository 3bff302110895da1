package value_test

import (
	"fmt"
	"log"

	"github.com/yaytpl/yaytpl/value"
)

// Maps keep the order of their keys. Text writes values as Python does.
func Example() {
	m := value.NewMap(2)
	m.Set(value.K("port"), value.Int(8080))
	m.Set(value.K("tls"), value.Bool(true))
	text, err := value.Text(value.FromMap(m))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// {'port': 8080, 'tls': True}
}

// What must not be shown stays so through every operator.
func ExampleAdd() {
	password := value.String("hunter2").Mark(value.Sensitive)
	url, err := value.Add(value.String("db://shop:"), password)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(url.Marks()&value.Sensitive != 0)

	_, err = value.Add(value.String("1"), value.Int(1))
	fmt.Println(err)
	// Output:
	// true
	// cannot compute a string + an integer
}

// A path is written in the form that the command reads.
func ExamplePath_String() {
	p := value.Path{value.K("web"), value.K("x.y"), value.Index(0)}
	fmt.Println(p)
	fmt.Println(p.Pointer())
	// Output:
	// web."x.y"[0]
	// /web/x.y/0
}

// A text that was joined from parts shows those that are not secret.
func ExampleTextBuilder() {
	password := value.String("hunter2").Mark(value.Secret)
	var b value.TextBuilder
	b.WriteString("http://")
	if err := b.WriteValue(password, password.Str()); err != nil {
		log.Fatal(err)
	}
	b.WriteString("@db")
	shown, _ := value.Masked(b.Value())
	fmt.Println(b.Value().Str())
	fmt.Println(shown)
	// Output:
	// http://hunter2@db
	// http://*****@db
}
