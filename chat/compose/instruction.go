package compose

import (
	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager/learning"
	"memoria/memory/retrieve"
	"memoria/prompts"
)

// Instruction is what became of a message that is an instruction to the memory. The methods
// of a nil one say that it was none.
type Instruction struct {
	// Overview is the overview that was asked for; nil if none was.
	Overview *learning.Overview
	// Done lists the changed memories.
	Done []Done
	// None tells the model that nothing could be done; nil otherwise.
	None *prompts.InstructionData
}

// Done is one memory that an instruction changed, and how.
type Done struct {
	What string
	Item memory.Item
}

func (i *Instruction) overview() *learning.Overview {
	if i == nil {
		return nil
	}
	return i.Overview
}

func (i *Instruction) held() int {
	if o := i.overview(); o != nil {
		return o.Held
	}
	return 0
}

// gatherOverview chooses what of an overview fits into the memory budget: of each kind
// in turn, so that each is there.
func (b *builder) gatherOverview() error {
	o := b.Instruction.overview()
	if !b.on(layerRecall) {
		return nil
	}
	b.total = o.Shown
	frame, err := b.frame(prompts.OverviewHeader, b.total)
	if err != nil {
		return err
	}
	left := b.Config.MemoryTokens - frame
	taken := make([][]memory.Item, len(o.Groups))
	for i, more := 0, true; more && left > 0; i++ {
		more = false
		for g, group := range o.Groups {
			if i >= len(group.Items) {
				continue
			}
			more = true
			it := group.Items[i]
			n := b.count(b.fenceLine(itemRef(it), it.Content))
			if left -= n; left < 0 {
				break
			}
			taken[g] = append(taken[g], it)
		}
	}
	for _, group := range taken {
		for _, it := range group {
			b.recall = append(b.recall, retrieve.Scored{Item: it, Why: "the overview that you asked for"})
			b.out.Quotes = append(b.out.Quotes, model.Quote{Text: it.Content, When: it.CreatedAt})
		}
	}
	return nil
}

// recallHeader names the prompt above recalled memories.
func (b *builder) recallHeader() string {
	if b.Instruction.overview() != nil {
		return prompts.OverviewHeader
	}
	return prompts.RecallHeader
}

// doneSection tells the model what an instruction to the memory did, or that it did
// nothing; none where there was no instruction.
func (b *builder) doneSection() ([]section, error) {
	switch {
	case b.Instruction == nil || b.Instruction.None == nil && len(b.Instruction.Done) == 0:
		return nil, nil
	case b.Instruction.None != nil:
		none, err := b.plain(memory.LayerWorking, prompts.InstructionNone, *b.Instruction.None)
		return []section{none}, err
	}
	var refs []memory.Ref
	var said []string
	for _, d := range b.Instruction.Done {
		refs = append(refs, memory.Ref{
			Kind: memory.KindItem, ID: d.Item.ID, Version: d.Item.Version, Form: memory.FormFence,
			Source: "done: " + string(d.Item.Type) + ", " + d.What,
		})
		said = append(said, d.Item.Content)
	}
	return b.data(memory.LayerWorking, prompts.InstructionHeader, 0, refs, said)
}
