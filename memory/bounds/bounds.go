package bounds

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Setting declares what one setting may be.
type Setting struct {
	Key string
	// Allowed says it in words: "0 to 100". It is empty where only fault knows.
	Allowed string
	// Choices lists the values, for a list those of each entry; empty where they are not
	// enumerable.
	Choices []string
	// Min and Max are set where Allowed is a range of numbers: "0" and "100".
	Min, Max string
	// fault reports why a value is refused, without its key; "" accepts it.
	fault func(v reflect.Value) string
}

// number is a type of setting that has an order.
type number interface {
	~int | ~int64 | ~float64
}

// Between declares a number from least to most. NaN is refused.
func Between[T number](key string, least, most T) Setting {
	s := numeric(key, say(least)+" to "+say(most), func(n T) bool { return n >= least && n <= most })
	s.Min, s.Max = say(least), say(most)
	return s
}

// AtLeast declares a number without an upper bound.
func AtLeast[T number](key string, least T) Setting {
	return numeric(key, say(least)+" or more", func(n T) bool { return n >= least })
}

// Positive declares a number above zero.
func Positive[T number](key string) Setting {
	return numeric(key, "above 0", func(n T) bool { return n > 0 })
}

// PositiveTo declares a number above zero, up to most.
func PositiveTo[T number](key string, most T) Setting {
	return numeric(key, "above 0 to "+say(most), func(n T) bool { return n > 0 && n <= most })
}

func numeric[T number](key, allowed string, ok func(T) bool) Setting {
	return Setting{Key: key, Allowed: allowed, fault: func(v reflect.Value) string {
		if n := v.Convert(reflect.TypeFor[T]()).Interface().(T); !ok(n) {
			return fmt.Sprintf("is %s; allowed are %s", say(n), allowed)
		}
		return ""
	}}
}

// OneOf declares a text that is one of choices.
func OneOf[T ~string](key string, choices ...T) Setting {
	s := Setting{Key: key, Choices: stringsOf(choices)}
	s.Allowed = strings.Join(s.Choices, ", ")
	s.fault = func(v reflect.Value) string {
		if !slices.Contains(s.Choices, v.String()) {
			return fmt.Sprintf("is %q; allowed are %s", v.String(), listed(s.Choices))
		}
		return ""
	}
	return s
}

// SomeOf declares a list of choices, in any order, each at most once.
func SomeOf[T ~string](key string, choices ...T) Setting {
	s := Setting{Key: key, Choices: stringsOf(choices)}
	s.Allowed = strings.Join(s.Choices, ", ")
	s.fault = func(v reflect.Value) string {
		var seen []string
		for i := range v.Len() {
			name := v.Index(i).String()
			switch {
			case !slices.Contains(s.Choices, name):
				return fmt.Sprintf("has %q; allowed are %s", name, listed(s.Choices))
			case slices.Contains(seen, name):
				return fmt.Sprintf("has %q twice", name)
			}
			seen = append(seen, name)
		}
		return ""
	}
	return s
}

// listed writes choices as a sentence does: "a, b and c".
func listed(choices []string) string {
	last := len(choices) - 1
	if last < 1 {
		return strings.Join(choices, "")
	}
	return strings.Join(choices[:last], ", ") + " and " + choices[last]
}

// Depends declares a setting whose bound is another setting; Validate of the struct checks it.
func Depends(key, allowed string) Setting {
	return Setting{Key: key, Allowed: allowed, fault: func(reflect.Value) string { return "" }}
}

// Text declares a text that check accepts. The error is what follows the key in a sentence:
// "must name a model". It must not repeat the value where that may hold a secret.
func Text(key string, check func(string) error) Setting {
	return Setting{Key: key, fault: func(v reflect.Value) string {
		if err := check(v.String()); err != nil {
			return err.Error()
		}
		return ""
	}}
}

func stringsOf[T ~string](in []T) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = string(s)
	}
	return out
}

// say writes a number as a person types it.
func say(n any) string {
	if d, ok := n.(time.Duration); ok {
		return Duration(d)
	}
	return fmt.Sprint(n)
}

// Duration writes a duration without parts that are zero: "30m", not "30m0s".
func Duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Fault is a value that is refused.
type Fault struct {
	Key string
	// Why follows the key in a sentence: "is 101; allowed are 0 to 100".
	Why string
}

func (f Fault) Error() string { return f.Key + " " + f.Why }

// Faults are all refused values of a struct, in the order of their declarations.
type Faults []Fault

func (f Faults) Error() string {
	all := make([]string, len(f))
	for i, one := range f {
		all[i] = one.Error()
	}
	return strings.Join(all, "\n")
}

// Check returns the faults of a struct of settings as [Faults], or nil. It panics if a
// declared key is not in the struct.
func Check(settings any, declared []Setting) error {
	var faults Faults
	for _, s := range declared {
		v := Field(reflect.ValueOf(settings), s.Key)
		if !v.IsValid() {
			panic(fmt.Sprintf("bounds: %T has no setting %q", settings, s.Key))
		}
		if why := s.fault(v); why != "" {
			faults = append(faults, Fault{s.Key, why})
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return faults
}

// Join adds faults to what [Check] returned. It returns nil if there are none.
func Join(err error, more ...Fault) error {
	faults, _ := err.(Faults) //nolint:errorlint // Check returns this very type
	faults = append(faults, more...)
	if len(faults) == 0 {
		return nil
	}
	return faults
}

// Field returns the field of a struct that a key names, or the zero Value. It is settable if
// the struct is.
func Field(v reflect.Value, key string) reflect.Value {
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	head, rest, deeper := strings.Cut(key, ".")
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Anonymous:
			if got := Field(v.Field(i), key); got.IsValid() {
				return got
			}
		case f.Tag.Get("toml") == head && deeper:
			return Field(v.Field(i), rest)
		case f.Tag.Get("toml") == head:
			return v.Field(i)
		}
	}
	return reflect.Value{}
}
