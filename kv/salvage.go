package kv

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	bolt "go.etcd.io/bbolt"

	"memoria/kv/pages"
)

// Salvaged says what [Salvage] found.
type Salvaged struct {
	Records int // carried over, without those of the package itself
	// Unreadable counts the records that were found and are not as they were written, by
	// bucket; Faults the damage of the structure, behind which others may have been lost.
	Unreadable map[string]int
	Faults     int
	// Detached counts the carried records to which no way led any more.
	Detached int
	// Found are readable records on pages that are not in use, or may not be: deleted, an
	// older version of something, or lost. They are not carried over.
	Found []Found
}

// Found is a record as it lay on a page to which nothing leads.
type Found struct {
	Bucket     string
	Key, Value []byte // Value is what the bucket's codec decodes, of layout Version
	Version    uint8
}

// Salvage writes everything readable of the store file at path, however damaged, into a
// new store at to, which must not be there (K2). The records are taken one by one, each
// with its checksum, first by the way that leads to them, then from pages that are in use
// and to which none leads any more. Of buckets, those are known; wanted are those of
// which it is to be told what lies on other pages. The feed and its marks are left
// behind: what is derived from a store is made anew. The error is [ErrDamaged] when not
// even the kind of the file can be seen, ctx's cause, or one of the system.
func Salvage(ctx context.Context, path, to string, known, wanted []string, schema uint64) (out Salvaged, err error) {
	out, err = salvage(ctx, path, to, known, wanted, schema)
	if err != nil {
		return out, fmt.Errorf("salvaging %s: %w", path, errors.Join(Refusal(err), removeIfThere(to)))
	}
	return out, nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func salvage(ctx context.Context, path, to string, known, wanted []string, schema uint64) (out Salvaged, err error) {
	f, err := os.Open(path)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	stat, err := f.Stat()
	if err != nil {
		return out, err
	}
	file, err := pages.Open(f, stat.Size())
	if err != nil {
		return out, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	dst, err := newFile(to)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	out.Unreadable = map[string]int{}
	s := &salvager{to: &copier{dst: dst}, out: &out, known: append(slices.Clone(known), metaName), wanted: wanted}
	found, err := file.Walk(ctx, s.reached)
	if err == nil {
		out.Faults = found.Total
		err = file.Strays(ctx, found, s.stray)
	}
	if err == nil {
		err = s.identify(path, schema)
	}
	if err != nil {
		return out, errors.Join(err, s.to.rollback())
	}
	for _, name := range slices.Concat(ownBuckets(), known) {
		if err == nil {
			err = s.to.begin()
		}
		if err == nil {
			_, err = s.to.bucket([]byte(name))
		}
	}
	if err != nil {
		return out, errors.Join(err, s.to.rollback())
	}
	if err := s.to.commit(); err != nil {
		return out, err
	}
	return out, dst.Sync()
}

// newFile makes an empty file of bbolt that nobody else has.
func newFile(path string) (*bolt.DB, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.Chmod(fileMode), f.Close()); err != nil {
		return nil, err
	}
	b, err := openBolt(path)
	if err != nil {
		return nil, err
	}
	b.NoSync = true // synced once, at the end
	return b, nil
}

// salvager carries records over.
type salvager struct {
	to            *copier
	out           *Salvaged
	known, wanted []string
	info          []byte // the record of what store this is
}

// reached takes a record that a way leads to.
func (s *salvager) reached(bucket string, k, v []byte) error {
	if bucket == feedBucket.name || bucket == markBucket.name || !slices.Contains(s.known, bucket) {
		return nil
	}
	if _, _, err := openRecord(bucket, k, v); err != nil {
		s.out.Unreadable[bucket]++
		return nil
	}
	return s.take(bucket, k, v)
}

func (s *salvager) take(bucket string, k, v []byte) error {
	if bucket == metaName {
		if slices.Equal(k, infoKey) {
			s.info = slices.Clone(v)
		}
	} else {
		s.out.Records++
	}
	return s.to.put(bucket, k, slices.Clone(v)) // bbolt keeps it until the commit
}

// stray takes a record to which no way leads, when its page is in use. Its checksum says
// which bucket it is from.
func (s *salvager) stray(e pages.Stray) error {
	for _, bucket := range s.known {
		version, payload, err := openRecord(bucket, e.Key, e.Value)
		if err != nil {
			continue
		}
		switch there, err := s.to.has(bucket, e.Key); {
		case err != nil || there:
			return err
		case e.Live || bucket == metaName:
			s.out.Detached++
			return s.take(bucket, e.Key, e.Value)
		case slices.Contains(s.wanted, bucket):
			s.out.Found = append(s.out.Found, Found{Bucket: bucket, Key: slices.Clone(e.Key), Value: slices.Clone(payload), Version: version})
		}
		return nil
	}
	return nil
}

// identify sees to it that the new store says which one it is: when its own record is
// lost, by the file beside the old one, or as a store of its own.
func (s *salvager) identify(path string, schema uint64) error {
	if s.info != nil {
		return nil
	}
	info := storeInfo{ID: rand.Text(), Schema: schema}
	if sentinel, err := readSentinel(path); err == nil && sentinel != nil {
		info.ID, info.Created = sentinel.ID, sentinel.Created
	}
	payload, err := infoBucket.codec.Encode(info)
	if err != nil {
		return err
	}
	if err := s.to.put(metaName, infoKey, appendRecord(nil, metaName, infoKey, infoBucket.version, payload)); err != nil {
		return err
	}
	if there, err := s.to.has(metaName, clockKey); err != nil || there {
		return err
	}
	if payload, err = clockBucket.codec.Encode(info.Created); err != nil {
		return err
	}
	return s.to.put(metaName, clockKey, appendRecord(nil, metaName, clockKey, clockBucket.version, payload))
}

// ScratchPath is a path beside a store for what is being made to take its place; what is
// left there is removed when the store is opened.
func ScratchPath(store string) string {
	return filepath.Join(filepath.Dir(store), filepath.Base(store)+newSuffix+"salvage")
}
