package model_test

import (
	"encoding/json"
	"errors"
	"testing"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory/learn"
)

// L2: a model that is given a tool and answers in prose, as small local ones do,
// is asked for the schema from then on; one that answers in JSON is not.
func TestProseIsAskedForTheSchema(t *testing.T) {
	for name, tt := range map[string]struct {
		first modeltest.Step
		tools bool // in the second request
	}{
		"prose": {modeltest.Step{Text: "Sure, I have understood the user."}, false},
		"json":  {modeltest.Step{Text: `Here it is: {"topic": "tea"}`}, true},
		"call":  {modeltest.Step{ToolCalls: []modeltest.ToolCall{{Name: "report", Arguments: `{"topic": "tea"}`}}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			srv := modeltest.NewServer(t, tt.first, modeltest.Step{Text: `{"topic": "tea"}`})
			by := model.NewCompleter(inProcess(t, srv, config()))
			req := learn.Request{Prompt: "What is it about?", Tool: learn.Tool{Name: "report", Schema: map[string]any{"type": "object"}}}
			for range 2 {
				if _, err := by.Complete(t.Context(), req); err != nil {
					t.Fatal(err)
				}
			}
			sent := srv.Requests()[1]
			var body struct {
				Format *struct {
					Type string `json:"type"`
				} `json:"response_format"`
			}
			if err := json.Unmarshal([]byte(sent.Body), &body); err != nil {
				t.Fatal(err)
			}
			if got := len(sent.Tools) > 0; got != tt.tools || tt.tools == (body.Format != nil) {
				t.Errorf("the second request is %s", sent.Body)
			}
		})
	}
}

// L2: a server that fails may do so at this request alone; one that wants another
// key fails at all of them.
func TestWhoseFaultNoAnswerIs(t *testing.T) {
	for status, alone := range map[int]bool{500: true, 401: false} {
		srv := modeltest.NewServer(t, modeltest.Step{Status: status, Repeat: true})
		cfg := config()
		cfg.Retries = 0
		by := model.NewCompleter(inProcess(t, srv, cfg))
		_, err := by.Complete(t.Context(), learn.Request{Prompt: "?", Tool: learn.Tool{Name: "report", Schema: map[string]any{"type": "object"}}})
		if !errors.Is(err, learn.ErrUnavailable) || errors.Is(err, learn.ErrNoAnswer) != alone {
			t.Errorf("%d: %v", status, err)
		}
	}
}
