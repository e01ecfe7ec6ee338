package chat_test

import (
	"slices"
	"testing"
	"time"

	"memoria/chat/judge"
	"memoria/chat/model/modeltest"
)

// From the judgement's last byte to the first byte of the reply's own request, with
// the old session revived or ended and a new one made between them, on the disk. It
// is to be below 20 ms. Beside it Enter to that request without any judgement:
//
//	go test ./chat -run xxx -bench Judgement -benchtime 100x
func BenchmarkJudgement(b *testing.B) {
	for name, answer := range map[string]string{"revived": scores(9, 9, 9), "new": scores(0, 0, 0), "none": ""} {
		b.Run(name, func(b *testing.B) {
			asked, answered := make(chan time.Time, 1), make(chan time.Time, 1)
			h := &house{t: b, dir: b.TempDir(), clock: &clock{now: start}, server: modeltest.NewServer(b)}
			h.server.Reply = func(r *modeltest.Request) modeltest.Step {
				if r.Offers(judge.ToolName) {
					answered <- time.Now()
					return judged(answer)
				}
				asked <- time.Now()
				return modeltest.Step{Text: "I see.", Deltas: 1}
			}
			h.open()
			defer h.close()
			h.say(flat)
			<-asked
			took := make([]time.Duration, 0, b.N)
			for b.Loop() {
				if answer != "" {
					h.clock.Add(time.Hour)
				}
				began := time.Now()
				h.say("Tell me about tides and comets.")
				if answer != "" {
					began = <-answered
				}
				took = append(took, (<-asked).Sub(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-P50")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-P95")
		})
	}
}
