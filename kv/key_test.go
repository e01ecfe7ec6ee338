package kv_test

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/kv"
)

// drawTuple draws a tuple whose parts have the types of shape.
func drawTuple(t *rapid.T, shape []int) []any {
	parts := make([]any, len(shape))
	for i, kind := range shape {
		switch kind {
		case 0:
			parts[i] = string(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 'a', 'b', 0xFE, 0xFF}), 0, 4).Draw(t, "bytes"))
		case 1:
			parts[i] = rapid.String().Draw(t, "string")
		case 2:
			parts[i] = rapid.Uint64().Draw(t, "uint64")
		case 3:
			parts[i] = rapid.Int64().Draw(t, "int64")
		case 4:
			sec := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "sec")
			nsec := rapid.Int64Range(0, 999_999_999).Draw(t, "nsec")
			parts[i] = time.Unix(sec, nsec).UTC()
		}
	}
	return parts
}

func compareTuples(a, b []any) int {
	for i := range min(len(a), len(b)) {
		var c int
		switch x := a[i].(type) {
		case string:
			c = strings.Compare(x, b[i].(string))
		case uint64:
			c = cmp.Compare(x, b[i].(uint64))
		case int64:
			c = cmp.Compare(x, b[i].(int64))
		case time.Time:
			c = x.Compare(b[i].(time.Time))
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func TestKeyOrderIsTupleOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 4).Draw(t, "shape")
		a := drawTuple(t, shape)
		b := drawTuple(t, shape)
		b = append(b[:0:0], b...)
		copy(b, a[:rapid.IntRange(0, len(a)).Draw(t, "shared")])
		a = a[:rapid.IntRange(1, len(a)).Draw(t, "cut")]
		if got, want := bytes.Compare(kv.Key(a...), kv.Key(b...)), compareTuples(a, b); got != want {
			t.Fatalf("bytes compare as %d, tuples as %d:\n%q\n%q", got, want, a, b)
		}
	})
}

func TestPrefixMatchesExactlyItsTuples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 4).Draw(t, "shape")
		key := drawTuple(t, shape)
		n := rapid.IntRange(0, len(key)).Draw(t, "n")
		prefix := drawTuple(t, shape[:n])
		if rapid.Bool().Draw(t, "same") {
			prefix = key[:n]
		}
		got := bytes.HasPrefix(kv.Key(key...), kv.Prefix(prefix...))
		want := compareTuples(key[:n], prefix) == 0
		if got != want {
			t.Fatalf("prefix %q of %q: %v, want %v", prefix, key, got, want)
		}
	})
}

// A beginning is a byte prefix of exactly the keys whose last part begins with its last one.
func TestBeginning(t *testing.T) {
	for _, c := range []struct {
		key  []byte
		want bool
	}{
		{kv.Key("luna", "said/pet/cat"), true}, {kv.Key("luna", "said/"), true}, {kv.Key("luna", "said/", 1), true},
		{kv.Key("luna", "sai"), false}, {kv.Key("lunas", "said/pet"), false},
	} {
		if got := bytes.HasPrefix(c.key, kv.Beginning("luna", "said/")); got != c.want {
			t.Errorf("%q: %v", c.key, got)
		}
	}
}

func TestKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 5).Draw(t, "shape")
		want := drawTuple(t, shape)
		got, err := kv.ParseKey(kv.Key(want...))
		if err != nil || len(got) != len(want) || compareTuples(got, want) != 0 {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	})
}

func TestUnpack(t *testing.T) {
	type agentID string
	now := testStart.In(time.FixedZone("east", 8*3600))
	key := kv.Key(agentID("luna"), uint8(7), -3, now)
	var (
		agent string
		n     uint64
		i     int64
		at    time.Time
	)
	if err := kv.Unpack(key, &agent, &n, &i, &at); err != nil {
		t.Fatal(err)
	}
	if agent != "luna" || n != 7 || i != -3 || !at.Equal(now) || at.Location() != time.UTC {
		t.Errorf("got %q %d %d %v", agent, n, i, at)
	}
	for name, err := range map[string]error{
		"too few":  kv.Unpack(key, &agent, &n, &i, &at, &n),
		"too many": kv.Unpack(key, &agent, &n, &i),
		"type":     kv.Unpack(key, &n, &n, &i, &at),
	} {
		if !errors.Is(err, kv.ErrKey) {
			t.Errorf("%s: got %v, want ErrKey", name, err)
		}
	}
}

func TestKeyPanicsOnOtherTypes(t *testing.T) {
	defer func() {
		if r := recover(); r == nil {
			t.Error("no panic")
		}
	}()
	kv.Key(3.5)
}

// FuzzParseKey: what ParseKey accepts is exactly what Key makes.
func FuzzParseKey(f *testing.F) {
	f.Add(kv.Key("luna", uint64(1), int64(-1), testStart))
	f.Add(kv.Key("a\x00b", ""))
	f.Add([]byte{2, 'a', 0})
	f.Add([]byte{5, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF})
	f.Add([]byte{9})
	f.Fuzz(func(t *testing.T, key []byte) {
		parts, err := kv.ParseKey(key)
		if err != nil {
			if !errors.Is(err, kv.ErrKey) {
				t.Fatalf("got %v, want ErrKey", err)
			}
			return
		}
		if again := kv.Key(parts...); !bytes.Equal(again, key) {
			t.Fatalf("% x is read as %q, which is % x", key, parts, again)
		}
	})
}
