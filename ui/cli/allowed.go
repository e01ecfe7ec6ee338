package cli

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"memoria/ui/setting"
)

// kindOfKey says how a setting is changed; choices are what it, or each entry of
// it, may be.
func kindOfKey(v reflect.Value, choices []string) setting.Kind {
	switch {
	case v.Type() == durationType:
		return setting.Duration
	case v.Kind() == reflect.Bool:
		return setting.Switch
	case v.Kind() == reflect.Slice:
		return setting.List
	case v.Kind() == reflect.String && len(choices) > 0:
		return setting.Choice
	case v.Kind() == reflect.String:
		return setting.Text
	}
	return setting.Number
}

// limits is what a setting may be, in words, and where these can be listed one by
// one.
type limits struct {
	words   string
	choices []string
}

// allowed are the limits of every setting. The rooms that check them know them: each
// is asked what it says of a value that nothing takes.
var allowed = sync.OnceValue(func() map[string]limits {
	out := map[string]limits{}
	for _, key := range Keys() {
		out[key] = limitsOf(key)
	}
	return out
})

// limitWords are how the rooms say what a setting may be.
var limitWords = regexp.MustCompile(`(?:allowed are|must be from|must be|must not be|want|the \w+ are) (.+)$`)

func limitsOf(key string) (out limits) {
	cfg := DefaultConfig()
	v := field(reflect.ValueOf(&cfg).Elem(), key)
	if v.Kind() == reflect.Bool {
		return limits{words: "true or false"}
	}
	impossible(v)
	for _, fault := range cfg.faults() {
		if m := limitWords.FindStringSubmatch(fault.Text); m != nil && fault.Key == key {
			out.words = tidyLimits(m[0], m[1])
			out.choices = choicesIn(&cfg, v, key, m[1])
			break
		}
	}
	if len(out.choices) > 0 {
		out.words = strings.Join(out.choices, ", ")
	}
	return out
}

// impossible gives a setting a value that no room takes, where there is one.
func impossible(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Slice:
		v.Set(reflect.ValueOf([]string{"\x00"}))
	case v.Kind() == reflect.String:
		v.SetString("\x00")
	case v.Kind() == reflect.Float64:
		v.SetFloat(-math.MaxFloat64)
	case v.CanInt():
		v.SetInt(math.MinInt64)
	}
}

// longDuration is a duration as it is written by default.
var longDuration = regexp.MustCompile(`\b\d+h\d+m\d+s\b|\b\d+m\d+s\b`)

// tidyLimits words limits alike.
func tidyLimits(whole, limits string) string {
	limits = longDuration.ReplaceAllStringFunc(limits, func(s string) string {
		d, err := time.ParseDuration(s)
		if err != nil {
			return s
		}
		return shortDuration(d)
	})
	switch {
	case limits == "negative":
		return "0 or more"
	case strings.HasPrefix(whole, "must not be"):
		return "not " + limits
	}
	return strings.Replace(limits, "above zero", "above 0", 1)
}

// shortDuration writes a duration without the parts that are nothing: "30m".
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

var betweenChoices = regexp.MustCompile(`,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+`)

// choicesIn are the words of limits that list what may be, if each of them may be.
func choicesIn(cfg *Config, v reflect.Value, key, words string) (out []string) {
	var names []string
	if list, ok := strings.CutPrefix(words, "["); ok {
		names = strings.Fields(strings.TrimSuffix(list, "]"))
	} else {
		names = betweenChoices.Split(words, -1)
	}
	for _, name := range names {
		name = strings.Trim(name, `"`)
		switch v.Kind() {
		case reflect.Slice:
			v.Set(reflect.ValueOf([]string{name}))
		case reflect.String:
			v.SetString(name)
		default:
			return nil
		}
		refused := slices.ContainsFunc(cfg.faults(), func(f *ConfigError) bool { return f.Key == key })
		if refused || len(names) < 2 {
			return nil
		}
		out = append(out, name)
	}
	return out
}
