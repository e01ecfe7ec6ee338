package index

import "encoding/binary"

// The format of postings, from package ice.
const (
	perChunk   = 1024    // postings in a chunk, approximately; see chunkMode
	oneHit     = 1 << 63 // marks a posting stored in the dictionary
	oneHitBits = 31      // of each of its two numbers
)

// postings writes the postings of a term and returns its dictionary value: the place of
// the postings, or a single posting itself.
func (w *segmentWriter) postings(list []posting) uint64 {
	for _, p := range list {
		w.holds[p.document] = true
	}
	if p := list[0]; len(list) == 1 && p.tf == 1 {
		return oneHit | uint64(w.length(p.document))<<oneHitBits | uint64(p.document)
	}
	chunksAt := len(w.out)
	w.frequencies(list)
	at := len(w.out)
	w.uvarints(chunksAt, 0) // no positions
	w.bitmap(list)
	return uint64(at)
}

// frequencies writes the frequency of each posting and the length of its field, in
// chunks of equal numbers of documents.
func (w *segmentWriter) frequencies(list []posting) {
	size := w.documents / (len(list)/perChunk + 1)
	w.chunks, w.ends = w.chunks[:0], w.ends[:0]
	for _, p := range list {
		for len(w.ends) < int(p.document)/size {
			w.ends = append(w.ends, len(w.chunks))
		}
		w.chunks = binary.AppendUvarint(w.chunks, uint64(p.tf)<<1) // the lowest bit: has positions
		w.chunks = binary.AppendUvarint(w.chunks, uint64(w.length(p.document)))
	}
	for len(w.ends) < (w.documents-1)/size+1 {
		w.ends = append(w.ends, len(w.chunks))
	}
	w.uvarints(len(w.ends))
	w.uvarints(w.ends...)
	w.out = append(w.out, w.chunks...)
}

// The format of a roaring bitmap without runs.
const (
	bitmapCookie = 12346
	mostInArray  = 4096 // a larger container is a bitmap
	bitmapWords  = 1024 // of 64 bits
)

// bitmap writes the documents of the postings as a roaring bitmap, preceded by its
// length. Documents with the same upper 16 bits share a container.
func (w *segmentWriter) bitmap(list []posting) {
	containers := w.containers[:0]
	for from, i := 0, 1; i <= len(list); i++ {
		if i == len(list) || list[i].document>>16 != list[from].document>>16 {
			containers = append(containers, list[from:i])
			from = i
		}
	}
	w.containers = containers
	size := 8 + 8*len(containers)
	w.ends = w.ends[:0]
	for _, c := range containers {
		w.ends = append(w.ends, size)
		if len(c) > mostInArray {
			size += 8 * bitmapWords
		} else {
			size += 2 * len(c)
		}
	}
	w.uvarints(size)
	w.out = binary.LittleEndian.AppendUint32(w.out, bitmapCookie)
	w.out = binary.LittleEndian.AppendUint32(w.out, uint32(len(containers)))
	for _, c := range containers {
		w.out = binary.LittleEndian.AppendUint16(w.out, uint16(c[0].document>>16))
		w.out = binary.LittleEndian.AppendUint16(w.out, uint16(len(c)-1))
	}
	for _, at := range w.ends {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(at))
	}
	for _, c := range containers {
		w.container(c)
	}
}

func (w *segmentWriter) container(list []posting) {
	if len(list) <= mostInArray {
		for _, p := range list {
			w.out = binary.LittleEndian.AppendUint16(w.out, uint16(p.document))
		}
		return
	}
	var bits [bitmapWords]uint64
	for _, p := range list {
		low := uint16(p.document)
		bits[low/64] |= 1 << (low % 64)
	}
	for _, word := range bits {
		w.out = binary.LittleEndian.AppendUint64(w.out, word)
	}
}
