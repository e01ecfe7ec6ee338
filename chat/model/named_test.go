package model_test

import (
	"testing"
	"time"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// S9, I5: a named model is asked of the same server, and is what is told; a request that
// names another asks that one; nothing is named where there is no model.
func TestNamed(t *testing.T) {
	srv := modeltest.NewServer(t, modeltest.Step{Text: "one"}, modeltest.Step{Text: "two"})
	c := inProcess(t, srv, config())
	small := model.Named(c, "small")
	if info := small.Info(); info.Model != "small" || info.Endpoint != c.Info().Endpoint {
		t.Errorf("it says %+v", info)
	}
	for _, asked := range []string{"", "judge"} {
		if _, err := small.Stream(t.Context(), model.Request{Model: asked, Messages: []model.Message{{Role: model.RoleUser, Content: "q"}}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if one, two := srv.Requests()[0].Model, srv.Requests()[1].Model; one != "small" || two != "judge" {
		t.Errorf("asked %q and %q", one, two)
	}
	if model.Named(c, "") != model.Client(c) || model.Named(c, c.Info().Model) != model.Client(c) {
		t.Error("its own name makes another client")
	}
	if info := model.Named(model.NewOffline(time.Now), "small").Info(); info.Model == "small" {
		t.Error("a model is named where there is none")
	}
}
