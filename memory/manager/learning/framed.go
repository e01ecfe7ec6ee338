package learning

import (
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/frame"
	"memoria/memory/instruct"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
)

// Text that is not about the user (P5b). A message's frame is computed from the previous
// user message's frame when the message enters its session, and is stored with it. So it
// survives a restart, belongs to the branch in use, and does not depend on when the turn
// is learned.

// FrameOf returns the frame of a message that is about to be the last of a session.
// passive is the pause that ends a frame.
func FrameOf(t *write.Tx, s memory.Session, r memory.Record, passive time.Duration) (memory.Frame, error) {
	m := frame.Message{Typed: t.Core.Recall().Fetch(r).Typed(), Material: len(r.Foreign()) > 0}
	if !s.LastMessageAt.IsZero() && !r.Timestamp.IsZero() {
		m.Pause = r.Timestamp.Sub(s.LastMessageAt)
	}
	before, err := frameBefore(t, s)
	if err != nil {
		return memory.Frame{}, err
	}
	return NextFrame(t.Core.Policy(), frame.Rules{Pause: passive}, before, m), nil
}

// NextFrame returns the frame of a message. before is the frame of the previous one. It estimates what m leaves out.
func NextFrame(p *policy.Policy, r frame.Rules, before memory.Frame, m frame.Message) memory.Frame {
	switch {
	case !before.Open && opensOffRecord(p, m.Typed):
		return memory.Frame{} // "off the record: …" introduces no text to work on
	case !before.Open && !m.Material && instruct.ChangesFact(m.Typed):
		return memory.Frame{} // no text was given that could be edited
	}
	m.Plays, m.Tells = policy.Plays(m.Typed)
	return r.Next(before, m)
}

// opensOffRecord reports whether a message begins with a request not to remember it.
func opensOffRecord(p *policy.Policy, typed string) bool {
	first, _, _ := strings.Cut(strings.NewReplacer("：", ":", "，", ":", ",", ":").Replace(typed), ":")
	return len(first) <= 80 && p.OffRecord(first)
}

// frameBefore returns the frame of the last message that the user sent in the branch in use.
func frameBefore(t *write.Tx, s memory.Session) (memory.Frame, error) {
	for r, err := range t.Path(t.Owner.ID, s.LastRecordID) {
		switch {
		case lookup.Lacking(err):
			return memory.Frame{}, nil
		case err != nil:
			return memory.Frame{}, err
		case r.Role == memory.RoleUser:
			return r.Frame, nil
		}
	}
	return memory.Frame{}, nil
}

// SaidIn returns the frame of a proposal's words, without a kind if they are about the
// user.
func (p Proposal) SaidIn() memory.Frame {
	if p.frame.Kind != "" {
		return p.frame
	}
	if p.From.Frame.Covers(p.Offset, p.Length) {
		return p.From.Frame
	}
	return memory.Frame{}
}

// framed applies P5b to a verdict. Statements in a frame are held. Requests to remember
// something are not, unless they concern the user's identity or rules. Outside a frame,
// identity statements take effect at once.
func (p Proposal) framed(plan policy.Plan, a policy.Admission) policy.Admission {
	in := p.SaidIn()
	switch {
	case in.Kind != "" && a.Verdict == policy.Active && (!p.Explicit || frame.Holds(plan.Candidate.Key, plan.Candidate.Type, p.words())):
		a.Verdict, a.Reason = policy.Held, frame.Reason(in)
	case in.Kind == "" && a.Verdict == policy.Held && p.identifies(plan, a):
		a.Verdict, a.Candidate.Confidence = policy.Active, plan.Candidate.Confidence
		a.Reason = "who you are is remembered at once"
	}
	return a
}

// identifies reports whether a proposal is the user's own identity statement, free of
// other personal data: a home has an address, and no doubt that it is the user's.
func (p Proposal) identifies(plan policy.Plan, a policy.Admission) bool {
	if p.Trust < memory.TrustUser || plan.Hold != "" || plan.Candidate.Doubt != "" || !frame.Identity(plan.Candidate.Key) {
		return false
	}
	for _, found := range sensitive.PII(a.Candidate.Content) {
		if found.Kind != "address" {
			return false
		}
	}
	return true
}

// words returns the source words of a proposal.
func (p Proposal) words() string {
	s := p.From.Content
	if p.Offset < 0 || p.Offset+p.Length > len(s) || p.Length <= 0 {
		return p.Content
	}
	return strings.ToValidUTF8(s[p.Offset:p.Offset+p.Length], "")
}

// frameOf returns the first frame among the sources of the places.
func (d *dialogue) frameOf(at []learn.Place) memory.Frame {
	for _, p := range at {
		if f := d.records[p.Message].Frame; f.Covers(p.Offset, p.Length) {
			return f
		}
	}
	return memory.Frame{}
}
