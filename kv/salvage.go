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

// Salvaged is the result of [Salvage].
type Salvaged struct {
	Records int // copied, without those of the package itself
	// Unreadable counts the corrupt records by bucket. Faults counts the structural
	// faults; each may have lost further records.
	Unreadable map[string]int
	Faults     int
	// Detached counts the copied records that were unreachable in the tree.
	Detached int
	// Found are readable records on pages that are free, or may be: deleted, outdated,
	// or lost. They are not copied.
	Found []Found
}

// Found is a record from an unreachable page.
type Found struct {
	Bucket     string
	Key, Value []byte // Value is the codec's input, in layout Version
	Version    uint8
}

// Salvage copies all readable records of the store file at path, however damaged, into
// a new store at to, which must not exist (K2). It verifies each record's checksum. It
// takes reachable records first, then those on used pages that are no longer reachable.
// Only the buckets in known are copied; records of the buckets in wanted are also
// reported from other pages. The feed and its marks are not copied: derived data is
// rebuilt. The error is [ErrDamaged] if the file is not recognisable at all, ctx's
// cause, or a system error.
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

// newFile creates an empty bbolt file at path, which must not exist.
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

// salvager copies records.
type salvager struct {
	to            *copier
	out           *Salvaged
	known, wanted []string
	info          []byte // the encoded storeInfo record
}

// reached copies a reachable record.
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

// stray handles an unreachable record and copies it if its page is in use. The checksum
// determines its bucket.
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
			found := Found{Bucket: bucket, Key: slices.Clone(e.Key), Value: slices.Clone(payload), Version: version}
			s.out.Found = append(s.out.Found, found)
		}
		return nil
	}
	return nil
}

// identify makes sure that the new store has an identity. If its own record is lost, it
// takes the old sentinel's, or a new one.
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

// ScratchPath returns a path beside a store for building its replacement. The next open
// removes a file left there.
func ScratchPath(store string) string {
	return filepath.Join(filepath.Dir(store), filepath.Base(store)+newSuffix+"salvage")
}
