package eval_test

import (
	"testing"

	"memoria/memory/eval"
	"memoria/memory/retrieve"
)

// A2, Q4: how often messages that have nothing to do with anybody's memories look
// into the archive, although recall finds nothing for them: none asks for proof,
// and at most 5 % look like a question about before.
func TestUnrelatedMessagesLookNothingUp(t *testing.T) {
	all := eval.Unrelated()
	proof, sparse := 0, 0
	for _, message := range all {
		switch retrieve.Trigger(message, nil, retrieve.Triggers()) {
		case retrieve.TriggerProof:
			proof++
			t.Logf("proof: %s", message)
		case retrieve.TriggerSparse:
			sparse++
			t.Logf("sparse: %s", message)
		}
	}
	t.Logf("looked up: proof %d, sparse %d of %d", proof, sparse, len(all))
	if proof > 0 || sparse*20 > len(all) {
		t.Errorf("proof %d, sparse %d of %d", proof, sparse, len(all))
	}
}
