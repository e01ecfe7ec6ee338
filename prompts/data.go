package prompts

import (
	"fmt"
	"strings"
)

// Names of the prompts.
const (
	System       = "chat/system.txt"        // takes SystemData
	MemoryHeader = "chat/memory_header.txt" // takes FenceData: the heading of every fence

	// What some lines of a fence are, in a few words that stand in its heading; all take
	// HeaderData. Lines whose sources say enough have none. EvidenceLooseHeader stands for EvidenceHeader when the quotations are
	// only loosely related to the message, OverviewHeader for RecallHeader when the user
	// asks what is remembered.
	SummariesHeader     = "chat/summaries_header.txt"
	RecallHeader        = "chat/recall_header.txt"
	OverviewHeader      = "chat/overview_header.txt"
	EvidenceHeader      = "chat/evidence_header.txt"
	EvidenceLooseHeader = "chat/evidence_loose_header.txt"
	InstructionHeader   = "chat/instruction_header.txt" // what an instruction to the memory did
	SearchHeader        = "chat/search_header.txt"

	// What stands by itself: the heading above the user's wishes about answers, date and
	// time, and what is said where there is no evidence or an instruction did nothing.
	WishesHeader    = "chat/wishes_header.txt"    // takes nothing
	Now             = "chat/now.txt"              // takes NowData
	EvidenceNone    = "chat/evidence_none.txt"    // takes nothing
	InstructionNone = "chat/instruction_none.txt" // takes InstructionData

	SearchTool    = "chat/search_tool.txt"    // takes SearchToolData
	SearchFailed  = "chat/search_failed.txt"  // takes SearchFailure
	Group         = "chat/group.txt"          // takes GroupData
	TurnAnalysis  = "learn/analysis.txt"      // takes AnalysisData
	Consolidation = "learn/consolidation.txt" // takes ConsolidationData

	// The summaries of the journal (J4); both take JournalData.
	DailySummary   = "memory/daily-summary.md"
	MonthlySummary = "memory/monthly-summary.md"
	// What the tool that carries one is for; takes nothing.
	SummaryTool = "memory/summary_tool.txt"

	// The judgement has a form for each language; both take JudgmentData.
	ContextJudgment        = "chat/smart_context_judgment.txt"
	ContextJudgmentChinese = "chat/smart_context_judgment.zh.txt"

	// What the tools that carry an answer are for; these take nothing.
	ContextTool       = "chat/smart_context_tool.txt"
	AnalysisTool      = "learn/analysis_tool.txt"
	ConsolidationTool = "learn/consolidation_tool.txt"

	// What the fields of these answers are for, one a line: its name, a colon, its description; these take nothing.
	ContextFields       = "chat/smart_context_fields.txt"
	AnalysisFields      = "learn/analysis_fields.txt"
	ConsolidationFields = "learn/consolidation_fields.txt"
)

// SystemData fills System. It holds settings only, nothing that changes from
// turn to turn: the text stands first in every request, and a provider's or
// local server's prompt cache ends at the first byte that differs (C1). What
// a turn has in front of it is told by the header of each fence.
type SystemData struct {
	Agent        string // the agent's display name
	Persona      string // the user's own description of the agent; may be empty
	Memory       bool   // false: the model is told that its memory is off
	Profile      bool   // the layer is switched on
	Working      bool   // the layer is switched on
	RecallLimit  int    // recall items a turn (rag_top_n); 0 leaves the layer out
	Evidence     bool   // the archive is looked into when a message asks for it
	SummaryLimit int    // summaries a turn (session_summary_limit); 0 leaves it out
	WindowLimit  int    // messages in the window (context_limit); 0 leaves it out
	SearchLimit  int    // searches a turn (agentic_search_limit); 0: there is no such tool
}

// GroupData fills Group, which follows System in a group (S9).
type GroupData struct {
	Agent  string   // the name of the one who is told
	Others []string // the names of the others, in the order in which they answer
	User   string   // how the user is named before what he says
}

// SearchToolData fills SearchTool, the description of the tool search_memories
// (I2).
type SearchToolData struct {
	Limit int // calls that one message of the user is worth, at least 1
}

// SearchFailure fills SearchFailed, what the model hears when a call found
// nothing. What it called is no part of it: the text is kept with the program's
// own words, which are not the user's to delete.
type SearchFailure struct {
	Why string // one of the Why constants
}

// Why a call has no result.
const (
	WhyNothing   = "nothing"   // there is nothing to be found
	WhyArguments = "arguments" // they cannot be used
	WhyTime      = "time"      // it was not understood
	WhyTool      = "tool"      // there is none of that name
	WhyRoom      = "room"      // the context is full
	WhyFailed    = "failed"    // the search broke off
)

// FenceData fills MemoryHeader.
type FenceData struct {
	Parts []string // what the lines are, at least one
}

// NowData fills Now (C6).
type NowData struct {
	Time string // date and time, with the day of the week
	Away string // how long the conversation rested, in words; empty when it did not
}

// HeaderData fills the words that say what some lines of a fence are.
type HeaderData struct {
	Shown int // lines of that kind, at least 1
	Total int // how many there are in all; 0 when unknown
	Held  int // in an overview, how many wait for the user's approval
}

// InstructionData fills InstructionNone.
type InstructionData struct {
	Unclear bool // it is not clear what is right; else there is nothing to undo
}

// JudgmentData fills ContextJudgment and ContextJudgmentChinese (S3). The
// messages stand between two marks, one a line, as the template function line
// makes them.
type JudgmentData struct {
	Away     string            // the pause before New in words, "47 minutes"; may be empty
	Nonce    string            // from NewNonce
	Messages []JudgmentMessage // the session's last messages, oldest first
	New      JudgmentMessage   // the message to be judged
}

// Mark is the nonce as it stands in the marks.
func (d JudgmentData) Mark() string { return cleanNonce(d.Nonce) }

// JudgmentMessage is one message to be judged.
type JudgmentMessage struct {
	Sender string // "user", or who it is in a group
	Text   string
	Length int // characters of the whole message, where Text is a part of it; 0: it is all
}

// AnalysisData fills TurnAnalysis (L2). Every text goes through the template
// function json.
type AnalysisData struct {
	Topic     string             // of the session until now; may be empty
	Variables []AnalysisVariable // of the session until now
	Items     []AnalysisItem     // memories that the answer may name
	Known     []string           // what else memory put before the model in this turn
	Before    []string           // messages of the user before this one, oldest first
	Pasted    bool               // parts of the message were not typed and are left out
	Message   string             // what the user typed
	Reply     string
}

// AnalysisItem is a memory with the short id by which an answer names it.
type AnalysisItem struct {
	ID, Text string
	Fresh    bool // rules made it from the message
}

// AnalysisVariable is one variable of working memory.
type AnalysisVariable struct{ Name, Value string }

// ConsolidationData fills Consolidation (P7, S12). Every text goes through the
// template function json.
type ConsolidationData struct {
	Ended    bool     // title and snippet are wanted
	Known    []string // memories that were made of this conversation
	Messages []ConsolidationMessage
}

// ConsolidationMessage is what the user typed in one message; of those that are
// not New memories were made before.
type ConsolidationMessage struct {
	Text string
	New  bool
}

// contract is what a prompt gets and what it must say whatever its wording.
type contract struct {
	sample any      // a value of the type that callers pass, every branch switched on
	must   []string // phrases that the rendered text has to contain
}

func contractOf(name string) contract {
	switch name {
	case System:
		return contract{sample: SystemData{
			Agent: "a", Persona: "p", Memory: true, Profile: true, Working: true,
			RecallLimit: 5, Evidence: true, SummaryLimit: 3, WindowLimit: 20, SearchLimit: 3,
		}}
	case Group:
		return contract{sample: GroupData{Agent: "a", Others: []string{"b", "c"}, User: "User"}}
	case SearchTool:
		return contract{sample: SearchToolData{Limit: 3}}
	case SearchFailed:
		return contract{sample: SearchFailure{Why: WhyNothing}}
	case InstructionNone:
		return contract{sample: InstructionData{Unclear: true}}
	case MemoryHeader: // C6 names the headings
		return contract{sample: FenceData{Parts: []string{"a", "b"}}, must: []string{"## Memory"}}
	case WishesHeader:
		return contract{must: []string{"## How the user wants to be answered"}}
	case Now:
		return contract{sample: NowData{Time: "(now)", Away: "3 hours"}, must: []string{"(now)"}}
	case ContextJudgment, ContextJudgmentChinese: // S3, I6: the tool must be called, and there is something to judge
		return contract{sample: JudgmentData{
			Away: "1 h", Nonce: "ABCDEF", Messages: []JudgmentMessage{{"user", "(earlier)", 99}},
			New: JudgmentMessage{"user", "(latest)", 99},
		}, must: []string{"context_judgment", "(earlier)", "(latest)"}}
	case TurnAnalysis: // the tool that carries the answer
		return contract{sample: AnalysisData{
			Topic: "t", Variables: []AnalysisVariable{{"a", "b"}}, Items: []AnalysisItem{{"m1", "i", true}}, Known: []string{"k"}, Before: []string{"e"},
			Pasted: true, Message: "m", Reply: "r",
		}, must: []string{"turn_analysis"}}
	case Consolidation: // likewise
		return contract{sample: ConsolidationData{
			Ended: true, Known: []string{"k"}, Messages: []ConsolidationMessage{{"a", false}, {"b", true}},
		}, must: []string{"consolidation"}}
	case DailySummary, MonthlySummary:
		return contract{sample: JournalData{
			Date: "2026-01", Part: 1, Parts: 2, Messages: []JournalMessage{{"you", "(said)"}},
		}, must: []string{"journal", "(said)"}}
	case SummaryTool, ContextTool, ContextFields, AnalysisTool, AnalysisFields, ConsolidationTool, ConsolidationFields, EvidenceNone:
		return contract{}
	default:
		return contract{sample: HeaderData{Shown: 2, Total: 3}}
	}
}

// try renders an override once, so that a misspelt field shows at start and
// not in the middle of a conversation.
func (p prompt) try(name string) error {
	c := contractOf(name)
	text, err := p.render(c.sample)
	if err != nil {
		return err
	}
	for _, must := range c.must {
		if !strings.Contains(text, must) {
			return fmt.Errorf("the text has to contain %q", must)
		}
	}
	return nil
}

// JournalData fills DailySummary and MonthlySummary.
type JournalData struct {
	Date     string // 2026-01-28, or 2026-01
	Part     int    // of Parts, from 1: a long time is read in parts
	Parts    int
	Messages []JournalMessage
}

// JournalMessage is one message of the time that is summarised.
type JournalMessage struct {
	Who  string // "you" is the user
	Text string
}
