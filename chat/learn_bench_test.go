package chat_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory/learn"
	"memoria/memory/manager/write"
)

// From Enter to the first byte of the request at the server, with no analysis and
// with 50 of them waiting while one is under way. The second may be at most 5 ms
// more:
//
//	go test ./chat -run xxx -bench EnterToRequest -benchtime 100x
func BenchmarkEnterToRequest(b *testing.B) {
	for _, pending := range []int{0, 50} {
		b.Run(fmt.Sprintf("pending=%d", pending), func(b *testing.B) { enterToRequest(b, pending) })
	}
}

func enterToRequest(b *testing.B, pending int) {
	arrived, reading := make(chan time.Time, 1), make(chan struct{}, 1)
	h := &house{t: b, dir: b.TempDir(), clock: &clock{now: start}, server: modeltest.NewServer(b)}
	brief := true
	h.server.Reply = func(r *modeltest.Request) modeltest.Step {
		if r.Offers(learn.ToolName) {
			select {
			case reading <- struct{}{}:
			default:
			}
			return modeltest.Step{Text: "Let me think", StallAfter: modeltest.After(1)}
		}
		if !brief {
			arrived <- time.Now()
		}
		return modeltest.Step{Text: "I see.", Deltas: 1}
	}
	h.change = func(o *chat.Options) { o.Brief = brief }
	if pending > 0 {
		h.analysis = write.AnalysisAuto
	}
	h.open()
	defer h.close()
	for range max(pending, 50) {
		h.say(flat)
	}
	brief = false
	h.reopen()
	took := make([]time.Duration, 0, b.N)
	for b.Loop() {
		if pending > 0 {
			<-reading // one is under way
		}
		began := time.Now()
		if _, err := h.chat.Send(b.Context(), "Tell me about tides and comets.", nil); err != nil {
			b.Fatal(err)
		}
		took = append(took, (<-arrived).Sub(began))
		until[chat.Finished](h, nil)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-P50")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-P95")
}

// From Enter to the news of what the rules made of the message (L2: 100 ms):
//
//	go test ./chat -run xxx -bench EnterToLearned -benchtime 100x
func BenchmarkEnterToLearned(b *testing.B) {
	h := &house{t: b, dir: b.TempDir(), clock: &clock{now: start}, server: modeltest.NewServer(b)}
	h.open()
	defer h.close()
	took := make([]time.Duration, 0, b.N)
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if _, err := h.chat.Send(b.Context(), fmt.Sprintf("Remember that parcel %d is on shelf %d.", i, i%9), nil); err != nil {
			b.Fatal(err)
		}
		until(h, func(l chat.Learned) bool { return len(l.Changes) > 0 })
		took = append(took, time.Since(began))
		end := until[chat.Finished](h, nil)
		h.learned(end.TurnID)
		h.seen = nil
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
}
