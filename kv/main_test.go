package kv_test

import (
	"fmt"
	"os"
	"testing"
)

// childEnv names what the test binary, started again by a test, has to do.
const childEnv = "MEMORIA_KV_CHILD"

// children are the programs that run in a process of their own; each gets the
// path of a store.
var children = map[string]func(path string) error{"writer": writerChild}

func TestMain(m *testing.M) {
	if child, ok := children[os.Getenv(childEnv)]; ok {
		if err := child(os.Getenv(childEnv + "_PATH")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
