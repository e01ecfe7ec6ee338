package memory

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// itemJSON is Item with the field is_active after origin (L1). It is derived from State, for
// programs that read the JSON.
var itemJSON, activeAt = func() (reflect.Type, int) {
	var fields []reflect.StructField
	at := 0
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Item]()) {
		fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		if f.Name == "Origin" {
			at = len(fields)
			fields = append(fields, reflect.StructField{Name: "IsActive", Type: reflect.TypeFor[bool](), Tag: `json:"is_active"`})
		}
	}
	return reflect.StructOf(fields), at
}()

// MarshalJSON returns the item's fields and is_active. Stores encode an item without it.
func (it Item) MarshalJSON() ([]byte, error) {
	from, to := reflect.ValueOf(it), reflect.New(itemJSON).Elem()
	for i := range from.NumField() {
		at := i
		if i >= activeAt {
			at++
		}
		to.Field(at).Set(from.Field(i))
	}
	to.Field(activeAt).SetBool(it.IsActive())
	return plainJSON(to.Interface())
}

// JSONWith returns the JSON of the item followed by the fields of the struct more. A type that
// embeds Item needs it for its own MarshalJSON, which the embedding would otherwise promote.
func (it Item) JSONWith(more any) ([]byte, error) {
	own, err := it.MarshalJSON()
	if err != nil {
		return nil, err
	}
	rest, err := plainJSON(more)
	if err != nil || bytes.Equal(rest, []byte("{}")) {
		return own, err
	}
	return append(append(own[:len(own)-1], ','), rest[1:]...), nil
}

// plainJSON is json.Marshal without the escapes for HTML, which are up to the caller's encoder.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
