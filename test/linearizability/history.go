package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
)

// A call is one line of a history: what a caller asked, and what it was told. test/linearizability/history.ts writes them.
type call struct {
	Client  int    `json:"client"`
	Account string `json:"account"`
	// Nanoseconds of one monotonic clock. Return is 0 if the outcome is unknown: the call may take effect at any later time.
	Begin  int64  `json:"call"`
	Return int64  `json:"return"`
	Op     string `json:"op"`
	// The job ids of a delete, check or import.
	Ids []string `json:"ids"`
	// The idempotency key of a delete.
	Key string `json:"key"`
	// The deletion of a status or cancel, or the id that the caller of a delete has drawn.
	Deletion string `json:"deletion"`
	Outcome  string `json:"outcome"`
	// The deletion that an accepted or replayed delete was told.
	Answer string `json:"answer"`
	// The ids that a refusal names. If it is truncated, others may be unavailable too.
	Named     []string `json:"named"`
	Truncated bool     `json:"truncated"`
}

// The outcome of a call without a definite answer.
const unknown = "unknown"

// Operations of the model. A line with the operation `exists` is a fact: the account has these jobs before the first call.
const (
	opExists = "exists"
	opDelete = "delete"
	opCheck  = "check"
	opStatus = "status"
	opCancel = "cancel"
	opImport = "import"
)

func (c *call) changes() bool {
	return c.Op == opDelete || c.Op == opCancel || c.Op == opImport
}

// node names a job, key or deletion. Calls that share a node are in the same partition.
func node(account, kind, name string) string {
	return account + "\x00" + kind + "\x00" + name
}

func (c *call) nodes() []string {
	nodes := make([]string, 0, len(c.Ids)+3)
	for _, id := range c.Ids {
		nodes = append(nodes, node(c.Account, "job", id))
	}
	if c.Key != "" {
		nodes = append(nodes, node(c.Account, "key", c.Key))
	}
	for _, deletion := range []string{c.Deletion, c.Answer} {
		if deletion != "" {
			nodes = append(nodes, node(c.Account, "deletion", deletion))
		}
	}
	return nodes
}

type history struct {
	calls  []*call
	exists map[string]bool
}

func readHistory(path string) (*history, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read := &history{exists: map[string]bool{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	for number := 1; lines.Scan(); number++ {
		next := &call{}
		if err := json.Unmarshal(lines.Bytes(), next); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		switch {
		case next.Op == opExists:
			for _, id := range next.Ids {
				read.exists[node(next.Account, "job", id)] = true
			}
		case outcomes[next.Op] == nil || !outcomes[next.Op][next.Outcome]:
			return nil, fmt.Errorf("line %d: no model of %q with outcome %q", number, next.Op, next.Outcome)
		case next.Outcome != unknown && next.Return < next.Begin:
			return nil, fmt.Errorf("line %d: the call returned before it began", number)
		default:
			if next.Outcome == unknown {
				next.Return = math.MaxInt64
			}
			read.calls = append(read.calls, next)
		}
	}
	return read, lines.Err()
}

// partitions splits the calls by the jobs, keys and deletions that connect them. Each part is in the order of the calls.
func (h *history) partitions() [][]*call {
	parents := map[string]string{}
	var rootOf func(name string) string
	rootOf = func(name string) string {
		parent, known := parents[name]
		if !known || parent == name {
			parents[name] = name
			return name
		}
		root := rootOf(parent)
		parents[name] = root
		return root
	}
	for _, each := range h.calls {
		nodes := each.nodes()
		for _, other := range nodes[1:] {
			parents[rootOf(other)] = rootOf(nodes[0])
		}
	}
	parts := map[string][]*call{}
	for _, each := range h.calls {
		root := rootOf(each.nodes()[0])
		parts[root] = append(parts[root], each)
	}
	sorted := make([][]*call, 0, len(parts))
	for _, part := range parts {
		sort.SliceStable(part, func(a, b int) bool { return part[a].Begin < part[b].Begin })
		sorted = append(sorted, part)
	}
	sort.Slice(sorted, func(a, b int) bool { return sorted[a][0].Begin < sorted[b][0].Begin })
	return sorted
}

// useful prepares a partition for the check. It drops the calls that cannot contradict anything:
//   - reads without an answer,
//   - repetitions of a keyed delete without an answer: one attempt with a key has an effect, and the earliest of them may have it
//     whenever a later one may.
func useful(part []*call) []*call {
	kept := make([]*call, 0, len(part))
	attempts := map[string]bool{}
	for _, each := range part {
		if each.Outcome == unknown {
			if !each.changes() {
				continue
			}
			if each.Op == opDelete && each.Key+each.Deletion != "" {
				attempt := strings.Join(append([]string{each.Key, each.Deletion}, each.Ids...), "\x00")
				if attempts[attempt] {
					continue
				}
				attempts[attempt] = true
			}
		}
		kept = append(kept, each)
	}
	return splitRefusals(kept)
}

// splitRefusals lets a refusal hold for each of its jobs at a moment of its own, if jobs became available meanwhile. The
// service reads first which jobs exist, and then which are claimed: an import or a cancellation may come between.
func splitRefusals(part []*call) []*call {
	split := make([]*call, 0, len(part))
	for _, each := range part {
		if each.Outcome != "unavailable" || each.Truncated || !isFreedDuring(each, part) {
			split = append(split, each)
			continue
		}
		isNamed := map[string]bool{}
		for _, id := range each.Named {
			isNamed[id] = true
			one := *each
			one.Ids, one.Named = []string{id}, []string{id}
			split = append(split, &one)
		}
		for _, id := range each.Ids {
			if isNamed[id] {
				continue
			}
			one := call{Client: each.Client, Account: each.Account, Begin: each.Begin, Return: each.Return,
				Op: opCheck, Ids: []string{id}, Outcome: "available"}
			split = append(split, &one)
		}
	}
	return split
}

func isFreedDuring(refusal *call, part []*call) bool {
	for _, other := range part {
		isOverlap := other.Begin <= refusal.Return && other.Return >= refusal.Begin
		if isOverlap && (other.Op == opImport || other.Op == opCancel) && (other.Outcome == "new" || other.Outcome == "cancelled" || other.Outcome == unknown) {
			return true
		}
	}
	return false
}
