package store

import (
	"reflect"

	"memoria/kv"
)

// reader reads a bucket for [Tx.Texts].
type reader struct {
	name   string
	decode func(b []byte) (any, error)
	scan   func(tx *Tx, visit func(key []byte, value any)) error
}

var readers []reader

func read[T any](b kv.Bucket[T]) {
	readers = append(readers, reader{
		name:   b.Name(),
		decode: func(p []byte) (any, error) { return b.Codec().Decode(1, p) },
		scan: func(tx *Tx, visit func([]byte, any)) error {
			for e, err := range b.Scan(tx.kv, nil) {
				if err != nil && !Unreadable(err) {
					return err
				}
				if err != nil {
					visit(e.Key, nil)
				} else {
					visit(e.Key, e.Value)
				}
			}
			return nil
		},
	})
}

// Text is a string in a stored record: part of its key, or of its decoded value.
type Text struct {
	Bucket string
	Agent  string // whose record it is; empty for departed
	ID     string // of the record, or of what its key names
	Text   string
}

// Texts calls visit with every string of every record, decoded, also of deleted ones that
// can be restored. Of an unreadable record only the key is visited.
func (tx *Tx) Texts(visit func(Text)) error {
	for _, r := range readers {
		err := r.scan(tx, func(key []byte, value any) {
			if rows, ok := value.([]row); ok {
				for _, row := range rows {
					visitRow(r.name, row, visit)
				}
				value = nil
			}
			visitRecord(r.name, key, value, visit)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// visitRow visits a row of the trash, whose bucket is in.
func visitRow(in string, row row, visit func(Text)) {
	var value any
	for _, r := range readers {
		if r.name == row.bucket {
			value, _ = r.decode(row.value)
		}
	}
	visitRecord(in, row.key, value, visit)
}

func visitRecord(bucket string, key []byte, value any, visit func(Text)) {
	t := Text{Bucket: bucket}
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
