package kv_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"memoria/kv"
)

// killKeep is how many records the writer keeps; it deletes older ones.
const killKeep = 20

var killed = kv.NewBucket("killed", 1, kv.Bytes())

func killOptions(path string) kv.Options {
	opts := options(path)
	opts.Now = time.Now
	opts.LockTimeout = 5 * time.Second
	opts.Buckets = []string{killed.Name()}
	return opts
}

// killPayload makes record n recognisable; sizes run from bytes to many pages.
func killPayload(n uint64) []byte {
	return bytes.Repeat([]byte(strconv.FormatUint(n, 10)+" "), 1+int(n*n*37%3000))
}

// writerChild writes for ever, and prints the number of a record when it is
// acknowledged.
func writerChild(path string) error {
	db, err := kv.Open(killOptions(path))
	if err != nil {
		return err
	}
	for {
		var seq uint64
		err := db.Update(func(tx *kv.Tx) (err error) {
			if seq, err = tx.Append(kv.Change{Kind: "killed", Op: "put"}); err != nil {
				return err
			}
			if seq > killKeep {
				if err := killed.Delete(tx, kv.Key(seq-killKeep)); err != nil {
					return err
				}
			}
			return killed.Put(tx, kv.Key(seq), killPayload(seq))
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Println(seq); err != nil {
			return err
		}
	}
}

// Q3: after a kill at any moment no acknowledged write is lost, and the feed
// says exactly what the records say.
func TestKillLosesNothing(t *testing.T) {
	rounds := 30
	if s := os.Getenv("MEMORIA_KILL_ROUNDS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		rounds = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	path := storePath(t)
	acked := uint64(0)
	for round := range rounds {
		if n := killRound(t, path, rnd); n > 0 {
			acked = n
		}
		last := wantKillState(t, path, acked)
		if t.Failed() {
			t.Fatalf("round %d: acknowledged %d, store ends at %d", round, acked, last)
		}
	}
	if acked < uint64(rounds) {
		t.Errorf("only %d writes in %d rounds: nothing was proven", acked, rounds)
	}
	t.Logf("%d rounds, %d acknowledged writes", rounds, acked)
}

// killRound lets a writer run and kills it: in every fourth round by the clock,
// so that opening and creating are hit too, else soon after some writes. It
// returns the last number that was acknowledged, or 0.
func killRound(t *testing.T, path string, rnd *rand.Rand) (acked uint64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=writer", childEnv+"_PATH="+path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { _ = cmd.Process.Kill() }
	writes := 1 + rnd.IntN(40)
	if rnd.IntN(4) == 0 {
		writes = -1
		time.AfterFunc(time.Duration(rnd.IntN(40_000))*time.Microsecond, kill)
	}
	lines := bufio.NewScanner(out)
	for seen := 1; lines.Scan(); seen++ {
		if acked, err = strconv.ParseUint(lines.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
		if seen == writes {
			time.AfterFunc(time.Duration(rnd.IntN(1500))*time.Microsecond, kill)
		}
	}
	if err := cmd.Wait(); err == nil || stderr.Len() > 0 {
		t.Fatalf("the writer ended by itself: %v %s", err, stderr.String())
	}
	return acked
}

func wantKillState(t *testing.T, path string, acked uint64) (last uint64) {
	t.Helper()
	db, err := kv.Open(killOptions(path))
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, db)
	view(t, db, func(tx *kv.Tx) error {
		if _, last, err = tx.FeedBounds(); err != nil {
			return err
		}
		if last < acked {
			t.Errorf("acknowledged %d, but the feed ends at %d", acked, last)
		}
		next := uint64(1)
		if last > killKeep {
			next = last - killKeep + 1
		}
		for e, err := range killed.Scan(tx, nil) {
			if err != nil {
				return err
			}
			if !bytes.Equal(e.Key, kv.Key(next)) || !bytes.Equal(e.Value, killPayload(next)) {
				t.Errorf("record %d is not as it was written", next)
			}
			next++
		}
		if next != last+1 {
			t.Errorf("records end at %d, the feed at %d", next-1, last)
		}
		return nil
	})
	if err := db.Check(context.Background(), nil); err != nil {
		t.Error(err)
	}
	return last
}
