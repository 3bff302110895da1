package show

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/yaytpl/yaytpl/source"
)

// JSON marshals v on one line. Unlike json.Marshal it leaves "<", ">" and "&" as they
// are: the output is not for HTML.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// WriteTo writes text to w. An error of w becomes a diagnostic of code access.
func WriteTo(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return source.AsDiagnostic(err, source.Span{}, source.Access)
	}
	return nil
}
