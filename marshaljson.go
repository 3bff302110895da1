package yaytpl

import (
	"bytes"
	"encoding/json"
)

// marshalJSON leaves "<", ">" and "&" as they are: the output is not for HTML.
func marshalJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
