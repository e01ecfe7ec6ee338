package oracle

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// moment is the time of every time.Time that Poison creates.
var moment = time.Date(2026, 1, 28, 10, 30, 0, 0, time.UTC)

// Hostile are texts that try to control the terminal, to hide, or to displace a border.
var Hostile = []string{
	"evil \x1b]0;title\a\x1b]52;c;AAAA\a\x1b]8;;javascript:x\x1b\\ " +
		"\x1b[2J\x1b[31m \x9b31m \u009b31m \u202egpj\u2066 \r over \b\b \x00\x7f" +
		" tag\U000e0041 zero\u200b\u2060\ufeff \u3164 \x1bPq\x1b\\ \x1b_G\x1b\\ \x1b^p\x1b\\ \x1bXs\x1b\\ \xff\xfe",
	"行一\n行二\r\n三\u2028四\u2029五\t六\v七\f八\u0085九",
	"家庭 👨\u200d👩\u200d👧\u200d👦 👋🏽 🏳\ufe0f\u200d🌈 🇨🇳🇨 1\ufe0f\u20e3 ❤\ufe0f " + "z" + strings.Repeat("\u0301", 30) + " \u0301",
	"```go\n\x1b[8mhidden\x1b[m\n```\n| a\x1b[1m | b\u202e |\n|---|---|\n| &#27;[31m | [x](javascript:\x1b) |\n",
}

// Poison returns a T in which every string is evil, to any depth. Strings with a named
// type (kinds, states) are evil only if kinds is set, else empty. Numbers are small,
// all times are one moment in January 2026, and lists have two elements.
func Poison[T any](evil string, kinds bool) T {
	var v T
	fill(reflect.ValueOf(&v).Elem(), evil, kinds, 0)
	return v
}

func fill(v reflect.Value, evil string, kinds bool, depth int) {
	if depth > 8 || !v.CanSet() {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(moment))
		return
	case json.RawMessage:
		raw, _ := json.Marshal(evil)
		v.SetBytes(raw)
		return
	}
	switch v.Kind() {
	case reflect.String:
		if kinds || v.Type().PkgPath() == "" {
			v.SetString(evil)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(3)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(3)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), evil, kinds, depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), evil, kinds, depth+1)
		}
	case reflect.Map:
		k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(k, evil, true, depth+1)
		fill(e, evil, kinds, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(k, e)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), evil, kinds, depth+1)
		}
	}
}
