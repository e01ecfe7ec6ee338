package prompts

import (
	"fmt"
	"strings"
)

// Names of the prompts.
const (
	System       = "chat/system.txt"        // takes SystemData
	MemoryHeader = "chat/memory_header.txt" // takes FenceData; heads every fence

	// Descriptions of kinds of fence lines, for the fence's heading; all take HeaderData. Kinds whose sources
	// suffice have none. EvidenceLooseHeader replaces EvidenceHeader when the quotations are only loosely
	// related to the message. OverviewHeader replaces RecallHeader when the user asks for an overview.
	SummariesHeader     = "chat/summaries_header.txt"
	RecallHeader        = "chat/recall_header.txt"
	OverviewHeader      = "chat/overview_header.txt"
	EvidenceHeader      = "chat/evidence_header.txt"
	EvidenceLooseHeader = "chat/evidence_loose_header.txt"
	InstructionHeader   = "chat/instruction_header.txt" // results of an instruction to the memory
	SearchHeader        = "chat/search_header.txt"

	// Texts outside fences: the heading of the user's answer preferences, date and time,
	// and notices of missing evidence and of instructions without effect.
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
	// Describes the summary tool; takes nothing.
	SummaryTool = "memory/summary_tool.txt"

	// Texts for the models of other programs (I2): the tools' descriptions, which take
	// nothing, and what the tools answer.
	ServerInstructions = "mcp/instructions.txt"         // takes ServerData
	GetTool            = "mcp/get_memory.txt"           // takes nothing
	AddTool            = "mcp/add_memory.txt"           // takes nothing
	SessionsTool       = "mcp/list_recent_sessions.txt" // takes nothing
	ToolFields         = "mcp/fields.txt"               // one a line as "tool.field: description"; takes nothing
	ToolAnswer         = "mcp/answer.txt"               // takes ToolAnswerData

	// The judgement prompt exists in both languages; both take JudgmentData.
	ContextJudgment        = "chat/smart_context_judgment.txt"
	ContextJudgmentChinese = "chat/smart_context_judgment.zh.txt"

	// Descriptions of the answer tools; these take nothing.
	ContextTool       = "chat/smart_context_tool.txt"
	AnalysisTool      = "learn/analysis_tool.txt"
	ConsolidationTool = "learn/consolidation_tool.txt"

	// Descriptions of the answer fields, one a line as "name: description"; these take nothing.
	ContextFields       = "chat/smart_context_fields.txt"
	AnalysisFields      = "learn/analysis_fields.txt"
	ConsolidationFields = "learn/consolidation_fields.txt"
)

// SystemData fills System. It holds only settings, nothing that changes from turn to
// turn. The text comes first in every request, and prompt caches end at the first
// differing byte (C1). The fence headers describe the data of a turn.
type SystemData struct {
	Agent        string // the agent's display name
	Persona      string // the user's own description of the agent; may be empty
	Memory       bool   // false: the model is told that its memory is off
	Profile      bool   // the layer is switched on
	Working      bool   // the layer is switched on
	RecallLimit  int    // recall items a turn (rag_top_n); 0 leaves the layer out
	Evidence     bool   // the archive is searched when a message asks for it
	SummaryLimit int    // summaries a turn (session_summary_limit); 0 leaves it out
	WindowLimit  int    // messages in the window (context_limit); 0 leaves it out
	SearchLimit  int    // searches a turn (agentic_search_limit); 0: there is no such tool
}

// GroupData fills Group, which follows System in a group (S9).
type GroupData struct {
	Agent  string   // name of the addressed agent
	Others []string // names of the others, in answering order
	User   string   // the user's name before their messages
}

// SearchToolData fills SearchTool, the description of the tool search_memories (I2).
type SearchToolData struct {
	Limit int // calls for one user message; 0: any number
}

// SearchFailure fills SearchFailed, the result of a call that found nothing. It does
// not repeat the call's arguments: the text is stored with the program's own words,
// which the user cannot delete.
type SearchFailure struct {
	Why string // one of the Why constants
}

// Reasons for a call without result.
const (
	WhyNothing   = "nothing"   // no matches
	WhyArguments = "arguments" // unusable arguments
	WhyTime      = "time"      // unknown time
	WhyTool      = "tool"      // no such tool
	WhyRoom      = "room"      // the context is full
	WhyFailed    = "failed"    // the search failed
)

// ServerData fills ServerInstructions.
type ServerData struct {
	Agent string // the agent's display name; may be empty
}

// ToolAnswerData fills ToolAnswer, what a tool answers to another program's model.
type ToolAnswerData struct {
	Why    string // one of the Answer constants
	Limit  int    // proposals of a program that may be pending
	Detail string // why the arguments cannot be used; may be empty
	Most   int    // the largest limit, if that was exceeded; else 0
}

// Answers of a tool.
const (
	AnswerHeld      = "held"      // the proposal is pending
	AnswerKnown     = "known"     // it is remembered already
	AnswerMany      = "many"      // too many proposals are pending
	AnswerRefused   = "refused"   // the user does not want it remembered
	AnswerSecret    = "secret"    // it contains a secret
	AnswerArguments = "arguments" // unusable arguments
	AnswerMissing   = "missing"   // there is no such memory
	AnswerFailed    = "failed"    // the memory failed
)

// FenceData fills MemoryHeader.
type FenceData struct {
	Parts []string // descriptions of the lines, at least one
}

// NowData fills Now (C6).
type NowData struct {
	Time string // date and time, with the day of the week
	Away string // length of the pause, in words; empty for none
}

// HeaderData fills the headers that describe kinds of fence lines.
type HeaderData struct {
	Shown int // lines of that kind, at least 1
	Total int // all lines of that kind; 0 if unknown
	Held  int // in an overview, the number of items pending approval
}

// InstructionData fills InstructionNone.
type InstructionData struct {
	Unclear bool // the correct value is unclear; otherwise there is nothing to undo
}

// JudgmentData fills ContextJudgment and ContextJudgmentChinese (S3). The messages are
// enclosed in two marks, one message a line, in the format of the template function
// line.
type JudgmentData struct {
	Away     string            // the pause before New in words, "47 minutes"; may be empty
	Nonce    string            // from NewNonce
	Messages []JudgmentMessage // the session's last messages, oldest first
	New      JudgmentMessage   // the message to be judged
}

// Mark returns the nonce as used in the marks.
func (d JudgmentData) Mark() string { return cleanNonce(d.Nonce) }

// JudgmentMessage is one message to be judged.
type JudgmentMessage struct {
	Sender string // "user", or the sender in a group
	Text   string
	Length int // characters of the full message if Text is an excerpt; 0 otherwise
}

// AnalysisData fills TurnAnalysis (L2). All texts pass through the template function
// json.
type AnalysisData struct {
	Topic     string             // of the session until now; may be empty
	Variables []AnalysisVariable // of the session until now
	Items     []AnalysisItem     // memories that the answer may refer to
	Known     []string           // other memory content shown to the model in this turn
	Before    []string           // earlier messages of the user, oldest first
	Pasted    bool               // pasted parts of the message are left out
	Message   string             // the user's typed words
	Reply     string
}

// AnalysisItem is a memory with the short id used in answers.
type AnalysisItem struct {
	ID, Text string
	Fresh    bool // created by rules from the message
}

// AnalysisVariable is one variable of working memory.
type AnalysisVariable struct{ Name, Value string }

// ConsolidationData fills Consolidation (P7, S12). All texts pass through the template
// function json.
type ConsolidationData struct {
	Ended    bool     // also ask for title and snippet
	Known    []string // memories already made of this conversation
	Messages []ConsolidationMessage
}

// ConsolidationMessage is the typed part of one user message. Memories of messages that
// are not New already exist.
type ConsolidationMessage struct {
	Text string
	New  bool
}

// contract is a prompt's sample data and its required content.
type contract struct {
	sample any      // a value of the type that callers pass, with every branch enabled
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
	case ServerInstructions:
		return contract{sample: ServerData{Agent: "a"}}
	case ToolAnswer:
		return contract{sample: ToolAnswerData{Why: AnswerArguments, Limit: 50, Detail: "d", Most: 9}}
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
			Topic: "t", Variables: []AnalysisVariable{{"a", "b"}}, Items: []AnalysisItem{{"m1", "i", true}},
			Known: []string{"k"}, Before: []string{"e"}, Pasted: true, Message: "m", Reply: "r",
		}, must: []string{"turn_analysis"}}
	case Consolidation: // likewise
		return contract{sample: ConsolidationData{
			Ended: true, Known: []string{"k"}, Messages: []ConsolidationMessage{{"a", false}, {"b", true}},
		}, must: []string{"consolidation"}}
	case DailySummary, MonthlySummary:
		return contract{sample: JournalData{
			Date: "2026-01", Part: 1, Parts: 2, Messages: []JournalMessage{{"you", "(said)"}},
		}, must: []string{"journal", "(said)"}}
	case SummaryTool, ContextTool, ContextFields, AnalysisTool, AnalysisFields, ConsolidationTool, ConsolidationFields, EvidenceNone,
		GetTool, AddTool, SessionsTool, ToolFields:
		return contract{}
	default:
		return contract{sample: HeaderData{Shown: 2, Total: 3}}
	}
}

// try renders an override once, so that a misspelt field is reported at start and not
// in the middle of a conversation.
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
	Part     int    // of Parts, from 1: a long period is read in parts
	Parts    int
	Messages []JournalMessage
}

// JournalMessage is one message of the summarised period.
type JournalMessage struct {
	Who  string // "you" is the user
	Text string
}
