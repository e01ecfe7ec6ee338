package store

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"memoria/kv"
	"memoria/memory"
)

// packedCodec writes JSON compressed (RFC 1951) against a dictionary of what every value of
// its kind repeats: its names, above all. A package of a turn is mostly names, and takes
// about a fifth of its JSON. A value begins with packedMark; JSON as earlier programs wrote it
// begins with a brace and is read as it is.
//
// Nothing that anybody wrote is packed, so that looking for a word in the file finds it: a
// package leads to words and holds none, and [recordCodec] leaves a message's as they are.
type packedCodec[T any] struct {
	dictionary []byte
	writers    sync.Pool // of *flate.Writer
	readers    sync.Pool // of io.ReadCloser that are flate.Resetters
}

// packedMark is the layout of a packed value. Another dictionary needs another mark.
const packedMark = 1

// maxUnpacked bounds what a value may unpack to, in bytes: the largest that was ever
// written is far below it, and damage must not fill the memory.
const maxUnpacked = 64 << 20

func newPacked[T any](dictionary string) *packedCodec[T] {
	return &packedCodec[T]{dictionary: []byte(dictionary)}
}

// Encode implements [kv.Codec].
func (c *packedCodec[T]) Encode(v T) ([]byte, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return c.pack([]byte{packedMark}, plain)
}

// pack appends plain to dst.
func (c *packedCodec[T]) pack(dst, plain []byte) (packed []byte, err error) {
	b := bytes.NewBuffer(dst)
	w, ok := c.writers.Get().(*flate.Writer)
	if ok {
		w.Reset(b) // which keeps the dictionary
	} else if w, err = flate.NewWriterDict(b, flate.DefaultCompression, c.dictionary); err != nil {
		return nil, err
	}
	defer c.writers.Put(w)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Decode implements [kv.Codec].
func (c *packedCodec[T]) Decode(_ uint8, data []byte) (v T, err error) {
	if len(data) > 0 && data[0] == packedMark {
		if data, err = c.unpack(data[1:]); err != nil {
			return v, fmt.Errorf("unpacking: %w", err)
		}
	}
	err = json.Unmarshal(data, &v)
	return v, err
}

func (c *packedCodec[T]) unpack(data []byte) ([]byte, error) {
	from := bytes.NewReader(data)
	r, ok := c.readers.Get().(io.ReadCloser)
	if !ok {
		r = flate.NewReaderDict(from, c.dictionary)
	} else if err := r.(flate.Resetter).Reset(from, c.dictionary); err != nil {
		return nil, err
	}
	defer c.readers.Put(r)
	plain, err := io.ReadAll(io.LimitReader(r, maxUnpacked+1))
	if err == nil && len(plain) > maxUnpacked {
		err = fmt.Errorf("it is over %d bytes", maxUnpacked)
	}
	return plain, err
}

// repack writes every value of a bucket anew, as the codec writes it today. What cannot be
// read is kept as it is.
func repack[T any](tx *Tx, bucket kv.Bucket[T]) error {
	keys, err := tx.keys(raw(bucket), nil)
	if err != nil {
		return err
	}
	for _, key := range keys {
		v, err := bucket.Get(tx.kv, key)
		if Unreadable(err) {
			continue
		}
		if err == nil {
			err = bucket.Put(tx.kv, key, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// recordCodec writes of a message what is not its words packed, then its words and what the
// model thought before them as they are: packedMark, three lengths as varints, the parts.
type recordCodec struct{ rest *packedCodec[memory.Record] }

var recordForm = recordCodec{newPacked[memory.Record](recordNames)}

// Encode implements [kv.Codec].
func (c recordCodec) Encode(r memory.Record) ([]byte, error) {
	words, thought := r.Content, ""
	r.Content = ""
	if r.Reasoning != nil {
		thought = r.Reasoning.Text
		r.Reasoning = &memory.Reasoning{Took: r.Reasoning.Took}
	}
	plain, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	rest, err := c.rest.pack(nil, plain)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 1+3*binary.MaxVarintLen32+len(rest)+len(words)+len(thought))
	b = append(b, packedMark)
	for _, n := range []int{len(rest), len(words), len(thought)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = append(b, rest...)
	b = append(b, words...)
	return append(b, thought...), nil
}

// Decode implements [kv.Codec].
func (c recordCodec) Decode(_ uint8, data []byte) (r memory.Record, err error) {
	if len(data) == 0 || data[0] != packedMark {
		err = json.Unmarshal(data, &r)
		return r, err
	}
	parts, err := split(data[1:], 3)
	if err != nil {
		return r, err
	}
	plain, err := c.rest.unpack(parts[0])
	if err != nil {
		return r, fmt.Errorf("unpacking: %w", err)
	}
	if err := json.Unmarshal(plain, &r); err != nil {
		return r, err
	}
	r.Content = string(parts[1])
	if r.Reasoning != nil {
		r.Reasoning.Text = string(parts[2])
	}
	return r, nil
}

// split returns n parts whose lengths stand before them.
func split(b []byte, n int) (parts [][]byte, err error) {
	lengths := make([]uint64, n)
	for i := range lengths {
		v, w := binary.Uvarint(b)
		if w <= 0 {
			return nil, errShort
		}
		lengths[i], b = v, b[w:]
	}
	for _, size := range lengths {
		if size > uint64(len(b)) {
			return nil, errShort
		}
		parts, b = append(parts, b[:size]), b[size:]
	}
	if len(b) > 0 {
		return nil, errors.New("record is too long")
	}
	return parts, nil
}

// decodeRecord reads a message's value.
func decodeRecord(value []byte) (memory.Record, error) { return recordForm.Decode(1, value) }

// recordNames is what messages repeat, the most frequent last.
const recordNames = `"judgement":{"session_id":"01","revived":true,"topic_relevance":,"intent_continuity":,"entity_reference":,"score":,"by":"model","took":` +
	`"metadata":{"error":""},"call":{"name":"tags":["not_for_memory":true,"sender":"heard":"root":true,"content_ref":"content_sum":"` +
	`"frame":{"kind":"paused":true},"spans":[{"kind":"piped","kind":"pasted","offset":0,"length":}],"reasoning":{"text":"","took":}` +
	`"status":"interrupted","status":"cancelled","status":"error","finish_reason":"length","finish_reason":"tool_calls"` +
	`{"id":"01","agent_id":"memoria","session_id":"01","turn_id":"01","role":"user","content":"","timestamp":"2026-","collected":false,"status":"complete","frame":{}}` +
	`{"id":"01","agent_id":"memoria","session_id":"01","turn_id":"01","parent_id":"01","role":"user","content":"","timestamp":"2026-","collected":false,"status":"complete"}` +
	`{"id":"01","agent_id":"memoria","session_id":"01","turn_id":"01","parent_id":"01","role":"assistant","content":"","timestamp":"2026-","collected":false,"status":"complete",` +
	`"model":"gpt-","finish_reason":"stop","usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":1,"cached_tokens":0}}`

// packageNames is what packages repeat, the most frequent last: distances to it are the
// shortest.
const packageNames = `,"look":{"trigger":"before":true,"loose":true,"from":"to":"citations":[{"n":1,"item_id":"role":"time":"in_window":true` +
	`,"dropped":[{"layer":"short_term_block","what":"older messages","reason":"they left in an earlier turn"}]` +
	`,"degraded":"tools":[{"rounds":[{"note":"shortened to  of  characters: over the history budget","tail":,"cut":,"from":` +
	`{"agent_id":"memoria","session_id":"01","turn_id":"01","created_at":"2026-","turn":1,"model":"gpt-","endpoint":"127.0.0.1:11434","blocks":[` +
	`{"layer":"persona_block","role":"system","parts":[{"kind":"text","id":"` +
	`{"layer":"profile_block","role":"user","parts":[{"kind":"profile","id":"memoria","version":1,"form":"wish"},{"field":"` +
	`{"layer":"summaries_block","role":"user","parts":[{"kind":"summary","id":"01","version":1,"form":"fenceline","source":"summary 2026-` +
	`{"layer":"working_block","role":"user","parts":[{"kind":"working","id":"01","version":1,"field":"current_topic"},"joined":true,` +
	`{"layer":"archival_evidence_block","role":"user","parts":[{"kind":"record","id":"01","form":"fenceline","source":"quotation 2026-` +
	`"form":"fenceline","source":"preference 2026-"source":"rule 2026-"source":"goal 2026-"source":"relationship 2026-"source":"event 2026-` +
	`{"layer":"now_block","role":"user","parts":[{"kind":"text","id":"{"layer":"message","role":"user","parts":[{"kind":"record","id":"01` +
	`"keywords":["","tokens":15,"limit":7168,"hash":"` +
	`{"layer":"recall_block","role":"user","parts":[{"kind":"text","id":"` +
	`{"kind":"item","id":"01","version":1,"form":"fenceline","source":"fact 2026-"},` +
	`"kind":"text","id":""}],"nonce":"","tokens":230},` +
	`"}],"tokens":105},{"layer":"short_term_block","role":"user","parts":[{"kind":"record","id":"01` +
	`"}],"tokens":14},{"layer":"short_term_block","role":"assistant","parts":[{"kind":"record","id":"01` +
	`"why":"over the limit: rag_top_n is 5, and others fit better","why":"does not fit the message well enough","overview":true,` +
	`"used":[{"item_id":"01","version":1,"score":0.9,"parts":{"relevance":0.2,"keyword_score":1,"vector_score":0.,"category_boost":1,` +
	`"recency_score":0.99,"frequency_score":0.4,"confidence":0.9,"topic_boost":1},"contribution":{"keyword_score":0.4,"vector_score":0.,"category_boost":0.2,` +
	`"recency_score":0.149,"frequency_score":0.04,"confidence":0.135,"topic_boost":1},"chosen":true,"why":"its words match, recent, sure",` +
	`"chosen":false,"why":"over the limit: rag_top_n is 5, and others fit better",` +
	`"evidence":[{"session_id":"01","turn_id":"01","record_id":"01","offset":0,"length":61}]},`
