package codec

// The dictionaries of packed values, most frequent entries last, where distances are shortest.
// They are part of the layout: a value can only be read with its original dictionary.

// RecordNames is the repeated content of messages, most frequent last.
const RecordNames = `"judgement":{"session_id":"01","revived":true,"topic_relevance":,"intent_continuity":,` +
	`"entity_reference":,"score":,"by":"model","took":` +
	`"metadata":{"error":""},"call":{"name":"tags":["not_for_memory":true,"sender":"heard":"root":true,` +
	`"content_ref":"content_sum":"` +
	`"frame":{"kind":"paused":true},"spans":[{"kind":"piped","kind":"pasted","offset":0,"length":}],` +
	`"reasoning":{"text":"","took":}` +
	`"status":"interrupted","status":"cancelled","status":"error","finish_reason":"length",` +
	`"finish_reason":"tool_calls"` +
	`{"id":"01","agent_id":"memoria","session_id":"01","turn_id":"01","role":"user","content":"",` +
	`"timestamp":"2026-","collected":false,"status":"complete","frame":{}}` +
	`{"id":"01","agent_id":"memoria","session_id":"01","turn_id":"01","parent_id":"01","role":"user",` +
	`"content":"","timestamp":"2026-","collected":false,"status":"complete"}` +
	`{"id":"01","agent_id":"memoria","session_id":"01","turn_id":"01","parent_id":"01",` +
	`"role":"assistant","content":"","timestamp":"2026-","collected":false,"status":"complete",` +
	`"model":"gpt-","finish_reason":"stop","usage":{"prompt_tokens":1,"completion_tokens":1,` +
	`"total_tokens":1,"cached_tokens":0}}`

// PackageNames is the repeated content of packages, most frequent last, where distances
// are shortest.
const PackageNames = `,"look":{"trigger":"before":true,"loose":true,"from":"to":"citations":[{"n":1,` +
	`"item_id":"role":"time":"in_window":true` +
	`,"dropped":[{"layer":"short_term_block","what":"older messages","reason":"they left in an earlier turn"}]` +
	`,"degraded":"tools":[{"rounds":[{"note":"shortened to  of  characters: over the history budget",` +
	`"tail":,"cut":,"from":` +
	`{"agent_id":"memoria","session_id":"01","turn_id":"01","created_at":"2026-","turn":1,"model":"gpt-",` +
	`"endpoint":"127.0.0.1:11434","blocks":[` +
	`{"layer":"persona_block","role":"system","parts":[{"kind":"text","id":"` +
	`{"layer":"profile_block","role":"user","parts":[{"kind":"profile","id":"memoria","version":1,` +
	`"form":"wish"},{"field":"` +
	`{"layer":"summaries_block","role":"user","parts":[{"kind":"summary","id":"01","version":1,` +
	`"form":"fenceline","source":"summary 2026-` +
	`{"layer":"working_block","role":"user","parts":[{"kind":"working","id":"01","version":1,` +
	`"field":"current_topic"},"joined":true,` +
	`{"layer":"archival_evidence_block","role":"user","parts":[{"kind":"record","id":"01",` +
	`"form":"fenceline","source":"quotation 2026-` +
	`"form":"fenceline","source":"preference 2026-"source":"rule 2026-"source":"goal 2026-"source":"relat` +
	`ionship 2026-"source":"event 2026-` +
	`{"layer":"now_block","role":"user","parts":[{"kind":"text","id":"{"layer":"message","role":"user",` +
	`"parts":[{"kind":"record","id":"01` +
	`"keywords":["","tokens":15,"limit":7168,"hash":"` +
	`{"layer":"recall_block","role":"user","parts":[{"kind":"text","id":"` +
	`{"kind":"item","id":"01","version":1,"form":"fenceline","source":"fact 2026-"},` +
	`"kind":"text","id":""}],"nonce":"","tokens":230},` +
	`"}],"tokens":105},{"layer":"short_term_block","role":"user","parts":[{"kind":"record","id":"01` +
	`"}],"tokens":14},{"layer":"short_term_block","role":"assistant","parts":[{"kind":"record","id":"01` +
	`"why":"over the limit: rag_top_n is 5, and others fit better",` +
	`"why":"does not fit the message well enough","overview":true,` +
	`"used":[{"item_id":"01","version":1,"score":0.9,"parts":{"relevance":0.2,"keyword_score":1,` +
	`"vector_score":0.,"category_boost":1,` +
	`"recency_score":0.99,"frequency_score":0.4,"confidence":0.9,"topic_boost":1},` +
	`"contribution":{"keyword_score":0.4,"vector_score":0.,"category_boost":0.2,` +
	`"recency_score":0.149,"frequency_score":0.04,"confidence":0.135,"topic_boost":1},"chosen":true,` +
	`"why":"its words match, recent, sure",` +
	`"chosen":false,"why":"over the limit: rag_top_n is 5, and others fit better",` +
	`"evidence":[{"session_id":"01","turn_id":"01","record_id":"01","offset":0,"length":61}]},`
