package app

import (
	"os"
	"path/filepath"
	"testing"
)

// D4: a key goes to the endpoint that it was given for, and to no other.
func TestKeyBelongs(t *testing.T) {
	const file = "[model]\n"
	for _, c := range []struct {
		name, file string
		env        []string
		want       bool
	}{
		{"nothing set", "", nil, true},
		{"OpenAI's address by its own variable", "", []string{"OPENAI_BASE_URL=http://other/v1"}, true},
		{"an address by our variable", "", []string{"MEMORIA_MODEL_BASE_URL=http://other/v1"}, false},
		{"an address in the file", file + "base_url = 'http://other/v1'", nil, false},
		{"both in the file", file + "base_url = 'http://other/v1'\napi_key_env = 'OPENAI_API_KEY'", nil, true},
		{"both in the environment", "", []string{"MEMORIA_MODEL_BASE_URL=http://other/v1", "MEMORIA_MODEL_API_KEY_ENV=OPENAI_API_KEY"}, true},
		{"the address overridden", file + "base_url = 'http://other/v1'\napi_key_env = 'OPENAI_API_KEY'", []string{"MEMORIA_MODEL_BASE_URL=http://evil/v1"}, false},
		{"the variable overridden", file + "base_url = 'http://other/v1'\napi_key_env = 'X'", []string{"MEMORIA_MODEL_API_KEY_ENV=OPENAI_API_KEY"}, true},
		{"the default written down, the address overridden", file + "base_url = 'https://api.openai.com/v1'\napi_key_env = 'OPENAI_API_KEY'", []string{"MEMORIA_MODEL_BASE_URL=http://evil/v1"}, false},
		{"the default written down with a slash", file + "base_url = 'https://api.openai.com/v1/'", nil, true},
		{"another's key, OpenAI's address by variable", file + "api_key_env = 'OTHER'", []string{"OPENAI_BASE_URL=http://evil/v1"}, false},
		{"another's key, the default address", file + "api_key_env = 'OTHER'", nil, true},
		{"another's key, its address overridden by OpenAI's", file + "base_url = 'http://other/v1'\napi_key_env = 'OTHER'", []string{"MEMORIA_MODEL_BASE_URL=https://api.openai.com/v1"}, false},
		{"the file's address wins over OPENAI_BASE_URL", file + "base_url = 'http://other/v1'", []string{"OPENAI_BASE_URL=http://own/v1"}, false},
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		o := &Options{Env: append(c.env, "HOME=/home/nobody"), ConfigFile: path}
		s, err := o.Setup()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := keyBelongs(&s.Loaded); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
