package bounds

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type kind string

type inner struct {
	Weight float64 `toml:"weight"`
}

type outer struct {
	inner
	Top   int           `toml:"top"`
	Every time.Duration `toml:"every"`
	Kind  kind          `toml:"kind"`
	Order []string      `toml:"order"`
	Name  string        `toml:"name"`
	Deep  struct {
		Size int64 `toml:"size"`
	} `toml:"deep"`
}

var declared = []Setting{
	Between("weight", 0.0, 1), Between("top", 1, 5), Between("every", time.Minute, 30*24*time.Hour),
	OneOf("kind", kind("a"), kind("b")), SomeOf("order", "x", "y"), AtLeast[int64]("deep.size", 4096),
	Text("name", func(s string) error {
		if strings.TrimSpace(s) == "" {
			return errors.New("must name something")
		}
		return nil
	}),
}

func fitting() outer {
	o := outer{inner: inner{0.5}, Top: 1, Every: time.Hour, Kind: "b", Order: []string{"y", "x"}, Name: "n"}
	o.Deep.Size = 4096
	return o
}

// I5: a value outside its bounds is refused, with its key and what is allowed.
func TestCheck(t *testing.T) {
	for want, change := range map[string]func(o *outer){
		"":                                                       func(*outer) {},
		"weight is 1.5; allowed are 0 to 1":                      func(o *outer) { o.Weight = 1.5 },
		"weight is NaN; allowed are 0 to 1":                      func(o *outer) { o.Weight = math.NaN() },
		"top is 6; allowed are 1 to 5":                           func(o *outer) { o.Top = 6 },
		"every is 30s; allowed are 1m to 720h":                   func(o *outer) { o.Every = 30 * time.Second },
		`kind is "c"; allowed are a and b`:                       func(o *outer) { o.Kind = "c" },
		`order has "z"; allowed are x and y`:                     func(o *outer) { o.Order = []string{"x", "z"} },
		`order has "x" twice`:                                    func(o *outer) { o.Order = []string{"x", "x"} },
		"deep.size is 4095; allowed are 4096 or more":            func(o *outer) { o.Deep.Size = 4095 },
		"name must name something":                               func(o *outer) { o.Name = " " },
		"top is 0; allowed are 1 to 5\nname must name something": func(o *outer) { o.Top, o.Name = 0, "" },
	} {
		o := fitting()
		change(&o)
		got := ""
		if err := Check(o, declared); err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestCheckRefusesUnknownKeys(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a setting that the struct lacks was accepted")
		}
	}()
	_ = Check(fitting(), []Setting{AtLeast("nothing", 1)})
}

func TestJoin(t *testing.T) {
	if err := Join(nil); err != nil {
		t.Errorf("%v", err)
	}
	if err := Join(nil, Fault{"a", "is b"}); err == nil || err.Error() != "a is b" {
		t.Errorf("%v", err)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		30 * time.Minute: "30m", 720 * time.Hour: "720h", 90 * time.Second: "1m30s", 0: "0s", time.Hour + time.Second: "1h0m1s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
