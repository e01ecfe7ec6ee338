package inspect

import (
	"reflect"

	"memoria/kv"
	"memoria/memory/store"
)

// stored is a string in a record: part of its key, or of its decoded value.
type stored struct {
	Bucket string
	Agent  string // whose record it is; empty for departed
	ID     string // of the record, or of what its key names
	Text   string
}

// texts calls visit with every string of every record of a store.
func texts(tx *store.Tx, visit func(stored)) error {
	return tx.Values(func(bucket string, key []byte, value any) { visitRecord(bucket, key, value, visit) })
}

func visitRecord(bucket string, key []byte, value any, visit func(stored)) {
	t := stored{Bucket: bucket}
	var parts []string
	all, _ := kv.ParseKey(key)
	for _, p := range all {
		if s, ok := p.(string); ok {
			parts = append(parts, s)
		}
	}
	if len(parts) > 0 {
		t.Agent, t.ID = parts[0], parts[len(parts)-1]
	}
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Struct {
		if id := v.FieldByName("ID"); id.IsValid() && id.Kind() == reflect.String && id.Len() > 0 {
			t.ID = id.String()
		}
	}
	each := func(s string) {
		t.Text = s
		visit(t)
	}
	for _, s := range parts {
		each(s)
	}
	visitStrings(v, each)
}

// visitStrings visits every string inside a value.
func visitStrings(v reflect.Value, visit func(string)) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			visit(v.String())
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			visitStrings(v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			visitStrings(v.Field(i), visit)
		}
	case reflect.Slice, reflect.Array:
		switch v.Type().Elem().Kind() {
		case reflect.Uint8:
			if v.Kind() == reflect.Slice {
				visit(string(v.Bytes()))
			}
		case reflect.String, reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Map:
			for i := range v.Len() {
				visitStrings(v.Index(i), visit)
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			visitStrings(it.Key(), visit)
			visitStrings(it.Value(), visit)
		}
	}
}
