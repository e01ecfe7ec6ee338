package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// I2, P10: a client of the official SDK starts the program, as its documentation says, and
// what it adds waits in the inbox.
func TestMCPServesTheSDK(t *testing.T) {
	t.Parallel()
	h := newCaseHome(t)
	h.run("memory", "add", "Likes oolong tea.")
	server := h.command(t.Context(), "mcp")
	var told bytes.Buffer
	server.Stderr = &told
	s := sdkClient(t, "claude-desktop", server)
	for tool, args := range map[string]map[string]any{
		"search_memories": {"keyword": "tea"}, "add_memory": {"content": "Owns a bicycle."}, "list_recent_sessions": {},
	} {
		r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil || r.IsError {
			t.Errorf("%s: %+v, %v", tool, r, err)
		}
	}
	if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "memoria://profile"}); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil || told.Len() > 0 {
		t.Errorf("closed: %v\n%s", err, told.String())
	}
	if out := h.run("inbox", "list"); !strings.Contains(out, "Owns a bicycle. (proposed by mcp:claude-desktop)") {
		t.Errorf("inbox: %s", out)
	}
	var page struct {
		Items []struct{ Metadata map[string]string }
	}
	if err := json.Unmarshal([]byte(h.run("inbox", "list", "--json")), &page); err != nil || page.Items[0].Metadata["program"] != "mcp:claude-desktop" {
		t.Errorf("%+v, %v", page, err)
	}
}

// sdkClient starts a server and connects a client of the SDK to it.
func sdkClient(t *testing.T, name string, server *exec.Cmd) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// I2, S7: when the process that has the memory is killed or ends, a session that it served
// for another process goes on, and each of its calls is answered.
func TestMCPGoesOn(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted there")
	}
	for name, signal := range map[string]os.Signal{"killed": os.Kill, "interrupted": os.Interrupt} {
		t.Run(name, func(t *testing.T) {
			h := newCaseHome(t)
			first := h.command(t.Context(), "mcp")
			a := sdkClient(t, "first", first)
			b := sdkClient(t, "second", h.command(t.Context(), "mcp"))
			var calls sync.WaitGroup
			began := make(chan struct{}, 1)
			for i := range 20 {
				calls.Go(func() {
					args := map[string]any{"content": fmt.Sprintf("Knows the number %d.", i)}
					r, err := b.CallTool(t.Context(), &sdk.CallToolParams{Name: "add_memory", Arguments: args})
					if err != nil || r.IsError {
						t.Errorf("%v: %+v, %v", args, r, err)
					}
					select {
					case began <- struct{}{}:
					default:
					}
				})
			}
			<-began
			if err := first.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			calls.Wait()
			_ = a.Close()
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			if held := h.list("items", "inbox", "list", "--limit", "100"); len(held) != 20 {
				t.Errorf("%d proposals wait", len(held))
			}
		})
	}
}

// An interrupt ends the server with exit code 130, the end of its input with 0.
func TestMCPExitCodes(t *testing.T) {
	t.Parallel()
	oneByOne(t)
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted there")
	}
	for _, interrupt := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, "memoria", "mcp")
		cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), clockVariable + "=0s"}
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")); err != nil {
			t.Fatal(err)
		}
		answer := make([]byte, 200)
		if n, err := out.Read(answer); err != nil || !bytes.Contains(answer[:n], []byte(`"id":1`)) {
			t.Errorf("%q, %v", answer[:n], err)
		}
		want := 0
		if interrupt {
			want = 130
			err = cmd.Process.Signal(os.Interrupt)
		} else {
			err = in.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("interrupt %t: exit code %d", interrupt, got)
		}
		cancel()
	}
}
