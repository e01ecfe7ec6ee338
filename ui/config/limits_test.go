package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// I5: the limits that are shown hold at both borders, and no further.
func TestLimitsHold(t *testing.T) {
	valid := func(key, text string) bool {
		cfg := Default()
		if err := assign(cfg.field(key), text); err != nil {
			t.Fatalf("%s = %s: %v", key, text, err)
		}
		return !slices.ContainsFunc(cfg.faults(), func(f *Error) bool { return f.Key == key })
	}
	bounded := 0
	defaults := Default()
	for _, l := range Settings() {
		key, v := l.Key, defaults.field(l.Key)
		for _, c := range l.Choices {
			if !valid(key, c) || valid(key, c+"x") {
				t.Errorf("%s: %q is wrongly listed", key, c)
			}
		}
		low, high, both := strings.Cut(l.Allowed, " to ")
		switch {
		case v.Kind() == reflect.Bool, len(l.Choices) > 0, v.Kind() == reflect.String:
		case v.Type() == reflect.TypeFor[time.Duration]() && both:
			bounded++
			if strings.HasPrefix(low, "above ") {
				low = "1ns"
			}
			if !valid(key, low) || valid(key, sum(t, low, "-1")) || !valid(key, high) || valid(key, high+"1ns") {
				t.Errorf("%s: %q does not hold", key, l.Allowed)
			}
		case both:
			bounded++
			step := "1"
			if v.Kind() == reflect.Float64 {
				step = "0.001"
			}
			if !valid(key, low) || valid(key, sum(t, low, "-"+step)) || !valid(key, high) || valid(key, sum(t, high, step)) {
				t.Errorf("%s: %q does not hold", key, l.Allowed)
			}
		case l.Allowed == "max_event_bytes or more":
		case strings.HasSuffix(l.Allowed, " or more"):
			least := strings.TrimSuffix(l.Allowed, " or more")
			if !valid(key, least) || valid(key, sum(t, least, "-1")) {
				t.Errorf("%s: %q does not hold", key, l.Allowed)
			}
		case l.Allowed == "above 0":
			if !valid(key, "1ns") || valid(key, "0s") {
				t.Errorf("%s: %q does not hold", key, l.Allowed)
			}
		default:
			t.Errorf("%s has no limits that can be tried: %q", key, l.Allowed)
		}
	}
	if bounded < 25 {
		t.Errorf("%d settings have two borders", bounded)
	}
}

// sum adds to a number or a duration, of the latter nanoseconds.
func sum(t *testing.T, text, more string) string {
	t.Helper()
	if d, err := time.ParseDuration(text); err == nil && strings.ContainsAny(text, "hms") {
		if more == "-1" {
			return (d - 1).String()
		}
		return (d + 1).String()
	}
	var one, other struct{ X float64 }
	for in, to := range map[string]any{text: &one, more: &other} {
		if err := assign(reflect.ValueOf(to).Elem().Field(0), in); err != nil {
			t.Fatal(err)
		}
	}
	if n := one.X + other.X; n == float64(int64(n)) {
		return strings.TrimSuffix(typed(reflect.ValueOf(int64(n))), ".0")
	}
	return typed(reflect.ValueOf(one.X + other.X))
}
