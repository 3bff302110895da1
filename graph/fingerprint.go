package graph

import (
	"crypto/sha256"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// maxFingerprint is the length of a text from which on its hash is compared in its place. A list may have one long text
// many times, by aliases.
const maxFingerprint = 256

// fingerprint writes a text that is equal for equal data, in whatever order the keys are.
func fingerprint(b *strings.Builder, v value.Value, e *Eval) error {
	if err := e.Enter(); err != nil {
		return err
	}
	defer e.Leave()
	switch v.Kind() {
	case value.ListKind:
		b.WriteByte('[')
		for item, err := range value.Items(v.List()) {
			if err == nil {
				err = fingerprint(b, item, e)
			}
			if err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case value.MapKind:
		return fingerprintMap(b, v.Map(), e)
	case value.StringKind:
		if n := len(v.Str()); n > maxFingerprint {
			if err := e.Step(n / bytesPerStep); err != nil {
				return err
			}
		}
		fallthrough
	default:
		fingerprintScalar(b, v)
	}
	return nil
}

// hashed returns a text of a few bytes for a long one. No text in quotes begins like it.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "#" + string(sum[:])
}

// fingerprintScalar writes the kind and text of a scalar. Whole numbers are equal whatever
// their kind: 1 and 1.0.
func fingerprintScalar(b *strings.Builder, v value.Value) {
	var whole *big.Int // 1 and 1.0 are equal
	switch v.Kind() {
	case value.IntKind:
		whole = v.BigInt()
	case value.FloatKind:
		if f := v.Float(); f == math.Trunc(f) && !math.IsInf(f, 0) {
			whole, _ = big.NewFloat(f).Int(nil)
		}
	}
	if whole != nil {
		b.WriteString("i" + whole.String() + ";")
		return
	}
	k, _ := value.KeyOf(v)
	b.WriteString(strconv.Itoa(int(k.Kind)))
	if len(k.Text) > maxFingerprint {
		b.WriteString(hashed(k.Text))
	} else {
		b.WriteString(strconv.Quote(k.Text))
	}
}

// fingerprintMap writes the entries of a map sorted by text.
func fingerprintMap(b *strings.Builder, m value.Map, e *Eval) error {
	parts := make([]string, 0, m.Len())
	for k := range m.Keys() {
		v, _, err := m.Get(k)
		if err != nil {
			return err
		}
		var p strings.Builder
		fingerprintScalar(&p, k.Value())
		p.WriteByte(':')
		if err := fingerprint(&p, v, e); err != nil {
			return err
		}
		parts = append(parts, p.String())
	}
	slices.Sort(parts)
	b.WriteString("{" + strings.Join(parts, ",") + "}")
	return nil
}
