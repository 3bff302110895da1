package value

// Redacted returns v with everything secret in it replaced by what [Masked] shows of
// it. Lists and maps are looked at when they are read. What is sensitive stays as it
// is: whoever writes values hides that in any case.
func Redacted(v Value) Value {
	if v.marks&allMarks == Secret {
		shown, _ := Masked(v)
		return String(shown)
	}
	switch r := v.ref.(type) {
	case List:
		v.ref = &redactedList{r}
	case Map:
		v.ref = &redactedMap{r}
	}
	return v
}

type redactedList struct{ List }

// At returns item i without secrets.
func (l *redactedList) At(i int) (Value, error) {
	v, err := l.List.At(i)
	return Redacted(v), err
}

// AnnotationAt implements [Annotated].
func (l *redactedList) AnnotationAt(i int) *Annotation { return annotationAt(l.List, i) }

// Release implements [Releasing].
func (l *redactedList) Release(i int) {
	if r, ok := l.List.(Releasing); ok {
		r.Release(i)
	}
}

type redactedMap struct{ Map }

// Get returns the value of k without secrets.
func (m *redactedMap) Get(k Key) (Value, bool, error) {
	v, ok, err := m.Map.Get(k)
	return Redacted(v), ok, err
}

// AnnotationAt implements [Annotated].
func (m *redactedMap) AnnotationAt(i int) *Annotation { return annotationAt(m.Map, i) }

func annotationAt(collection any, i int) *Annotation {
	if a, ok := collection.(Annotated); ok {
		return a.AnnotationAt(i)
	}
	return nil
}
