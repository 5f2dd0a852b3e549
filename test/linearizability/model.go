package main

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"strings"

	"github.com/anishathalye/porcupine"
)

// The model is what a caller may believe of the service, and nothing of how it works:
//
//   - A job is available or not. A deletion claims all of its jobs at once; it is refused with exactly those that are
//     unavailable. An import makes an unavailable job available.
//   - A key, and the id that a caller has drawn, belong to the first deletion that was accepted with them.
//   - A deletion is queued, then completed; or cancelled, which frees the jobs that it still claims. The service
//     completes it at a time of its own, so the first answer that says so decides.

// outcomes lists the answers that the model knows.
var outcomes = map[string]map[string]bool{
	opDelete: {"accepted": true, "replayed": true, "unavailable": true, "key-reused": true, unknown: true},
	opCheck:  {"available": true, "unavailable": true, unknown: true},
	opStatus: {"queued": true, "completed": true, "cancelled": true, "missing": true, unknown: true},
	opCancel: {"cancelled": true, "begun": true, "missing": true, unknown: true},
	opImport: {"new": true, "existing": true, unknown: true},
}

// States of a job. A larger number is a claim of the deletion with the number less firstClaim.
const (
	jobAbsent = iota
	jobAvailable
	firstClaim
)

// States of a deletion.
const (
	deletionNone = iota
	deletionActive
	deletionBegun
	deletionCompleted
	deletionCancelled
)

// A step is a call in numbers: indices into the state.
type step struct {
	*call
	// All definite calls are over: what has no answer may now have no effect.
	isEnd bool
	jobs  []int
	named []int
	// -1 for none.
	key, drawn, answer int
	// The number of its list of ids, in their order.
	list uint16
	// The deletion that it makes if it was accepted without a known id.
	anonymous int
}

// state has a number for each job, two for each deletion (state and list), one for each key (its deletion plus 1), and the end.
// It is a string of two bytes for each, so that it can be compared.
type state string

type layout struct {
	jobs, deletions, keys int
	// The deletions whose ids no caller knows yet: those of deletes without an answer.
	anonymous map[int]bool
}

func (l layout) deletion(at int) int { return l.jobs + 2*at }
func (l layout) key(at int) int      { return l.jobs + 2*l.deletions + at }
func (l layout) end() int            { return l.jobs + 2*l.deletions + l.keys }

func (s state) get(at int) uint16 { return binary.BigEndian.Uint16([]byte(s[2*at : 2*at+2])) }

type draft []byte

func (d draft) set(at int, value uint16) { binary.BigEndian.PutUint16(d[2*at:], value) }

var seed = maphash.MakeSeed()

// modelOf returns the model of one partition, and its operations.
func modelOf(part []*call, exists map[string]bool) (porcupine.Model, []porcupine.Operation) {
	steps, shape, initial := number(part, exists)
	operations := make([]porcupine.Operation, 0, len(steps)+1)
	last := int64(0)
	for _, each := range steps {
		operations = append(operations, porcupine.Operation{
			ClientId: each.Client, Input: each, Call: each.Begin, Return: each.Return})
		if each.Return < math.MaxInt64 {
			last = max(last, each.Return)
		}
		last = max(last, each.Begin)
	}
	end := &step{call: &call{}, isEnd: true}
	operations = append(operations, porcupine.Operation{Input: end, Call: last + 1, Return: last + 2})
	return porcupine.Model{
		Init: func() interface{} { return initial },
		Step: func(before, input, _ interface{}) (bool, interface{}) {
			return shape.take(before.(state), input.(*step))
		},
		Hash:              func(of interface{}) uint64 { return maphash.String(seed, string(of.(state))) },
		DescribeOperation: func(input, _ interface{}) string { return describe(input.(*step)) },
		DescribeState:     func(of interface{}) string { return shape.describe(of.(state)) },
	}, operations
}

// number gives jobs, deletions, keys and lists of a partition their numbers. Jobs that occur in the same calls, in the
// same way, share one.
func number(part []*call, exists map[string]bool) ([]*step, layout, state) {
	roles := map[string]*strings.Builder{}
	for index, each := range part {
		for _, id := range each.Ids {
			if roles[id] == nil {
				roles[id] = &strings.Builder{}
				fmt.Fprint(roles[id], exists[node(each.Account, "job", id)])
			}
			fmt.Fprintf(roles[id], " %d", index)
		}
		for _, id := range each.Named {
			if roles[id] == nil {
				roles[id] = &strings.Builder{}
			}
			fmt.Fprint(roles[id], "!")
		}
	}
	jobs, lists, keys, deletions := numbers{}, numbers{}, numbers{}, numbers{}
	anonymous := map[int]bool{}
	steps := make([]*step, len(part))
	for index, each := range part {
		next := &step{call: each, key: -1, drawn: -1, answer: -1}
		steps[index] = next
		isNamed := map[int]bool{}
		for _, id := range each.Named {
			if at := jobs.of(roles[id].String()); !isNamed[at] {
				isNamed[at] = true
				next.named = append(next.named, at)
			}
		}
		seen := map[int]bool{}
		for _, id := range each.Ids {
			if at := jobs.of(roles[id].String()); !seen[at] {
				seen[at] = true
				next.jobs = append(next.jobs, at)
			}
		}
		next.list = uint16(lists.of(strings.Join(each.Ids, " ")))
		if each.Key != "" {
			next.key = keys.of(each.Key)
		}
		if each.Deletion != "" {
			next.drawn = deletions.of(each.Deletion)
		}
		if each.Answer != "" {
			next.answer = deletions.of(each.Answer)
		}
		next.anonymous = next.drawn
		if each.Op == opDelete && each.Outcome == unknown && next.drawn < 0 {
			next.anonymous = deletions.of(fmt.Sprint("\x00", index))
			anonymous[next.anonymous] = true
		}
	}
	shape := layout{len(jobs), len(deletions), len(keys), anonymous}
	initial := make(draft, 2*(shape.end()+1))
	for role, at := range jobs {
		if strings.HasPrefix(role, "true") {
			initial.set(at, jobAvailable)
		}
	}
	return steps, shape, state(initial)
}

type numbers map[string]int

func (n numbers) of(name string) int {
	at, known := n[name]
	if !known {
		at = len(n)
		n[name] = at
	}
	return at
}

// take returns whether the service may give this answer in this state, and the state afterwards.
func (l layout) take(s state, c *step) (bool, state) {
	if c.isEnd {
		return true, l.changed(s, l.end(), 1)
	}
	if c.Outcome == unknown {
		after, hasEffect := l.effectOf(s, c)
		// Without an effect, the call may as well come last.
		return hasEffect || s.get(l.end()) == 1, after
	}
	switch c.Op {
	case opDelete:
		return l.takeDelete(s, c)
	case opCheck:
		if c.Outcome == "available" {
			return l.areAvailable(s, c.jobs), s
		}
		return l.isRefusal(s, c), s
	case opStatus:
		return l.takeStatus(s, c)
	case opCancel:
		return l.takeCancel(s, c)
	default:
		isAvailable := l.areAvailable(s, c.jobs)
		if c.Outcome == "existing" {
			return isAvailable, s
		}
		after, _ := l.effectOf(s, c)
		return !isAvailable, after
	}
}

func (l layout) takeDelete(s state, c *step) (bool, state) {
	if c.drawn >= 0 && s.get(l.deletion(c.drawn)) != deletionNone {
		isSame := s.get(l.deletion(c.drawn)+1) == c.list
		return isSame && c.Outcome == "accepted" && c.answer == c.drawn || !isSame && c.Outcome == "key-reused", s
	}
	if c.key >= 0 && s.get(l.key(c.key)) != 0 {
		first := int(s.get(l.key(c.key))) - 1
		if s.get(l.deletion(first)+1) != c.list {
			return c.Outcome == "key-reused", s
		}
		if c.Outcome != "replayed" {
			return false, s
		}
		if first == c.answer {
			return true, s
		}
		// An attempt without an answer made it: now its id is known.
		isNamed := s.get(l.deletion(c.answer)) != deletionNone
		if !l.anonymous[first] || isNamed {
			return false, s
		}
		return true, l.rename(s, first, c)
	}
	switch c.Outcome {
	case "accepted":
		if !l.areAvailable(s, c.jobs) || s.get(l.deletion(c.answer)) != deletionNone {
			return false, s
		}
		return true, l.accept(s, c, c.answer)
	case "unavailable":
		return l.isRefusal(s, c), s
	default:
		return false, s
	}
}

func (l layout) takeStatus(s state, c *step) (bool, state) {
	at := l.deletion(c.drawn)
	now := s.get(at)
	switch c.Outcome {
	case "queued":
		return now == deletionActive || now == deletionBegun, s
	case "completed":
		if now == deletionActive || now == deletionBegun {
			return true, l.changed(s, at, deletionCompleted)
		}
		return now == deletionCompleted, s
	case "cancelled":
		return now == deletionCancelled, s
	default:
		return now == deletionNone, s
	}
}

func (l layout) takeCancel(s state, c *step) (bool, state) {
	at := l.deletion(c.drawn)
	now := s.get(at)
	switch c.Outcome {
	case "cancelled":
		after, isEffective := l.effectOf(s, c)
		return isEffective || now == deletionCancelled, after
	case "begun":
		if now == deletionActive {
			return true, l.changed(s, at, deletionBegun)
		}
		return now == deletionBegun || now == deletionCompleted, s
	default:
		return now == deletionNone, s
	}
}

// effectOf returns the state after a change, and whether it differs: of a call without an answer, or one that must succeed.
func (l layout) effectOf(s state, c *step) (state, bool) {
	switch c.Op {
	case opImport:
		if l.areAvailable(s, c.jobs) {
			return s, false
		}
		after := draft(s)
		for _, job := range c.jobs {
			after.set(job, jobAvailable)
		}
		return state(after), true
	case opCancel:
		if s.get(l.deletion(c.drawn)) != deletionActive {
			return s, false
		}
		after := draft(l.changed(s, l.deletion(c.drawn), deletionCancelled))
		for job := 0; job < l.jobs; job++ {
			if s.get(job) == uint16(firstClaim+c.drawn) {
				after.set(job, jobAvailable)
			}
		}
		return state(after), true
	default:
		isUsed := c.key >= 0 && s.get(l.key(c.key)) != 0 || s.get(l.deletion(c.anonymous)) != deletionNone
		if isUsed || !l.areAvailable(s, c.jobs) {
			return s, false
		}
		return l.accept(s, c, c.anonymous), true
	}
}

func (l layout) accept(s state, c *step, deletion int) state {
	after := draft(s)
	for _, job := range c.jobs {
		after.set(job, uint16(firstClaim+deletion))
	}
	after.set(l.deletion(deletion), deletionActive)
	after.set(l.deletion(deletion)+1, c.list)
	if c.key >= 0 {
		after.set(l.key(c.key), uint16(deletion+1))
	}
	return state(after)
}

// rename gives an anonymous deletion the id of the answer.
func (l layout) rename(s state, first int, c *step) state {
	after := draft(s)
	for job := 0; job < l.jobs; job++ {
		if s.get(job) == uint16(firstClaim+first) {
			after.set(job, uint16(firstClaim+c.answer))
		}
	}
	for part := 0; part < 2; part++ {
		after.set(l.deletion(c.answer)+part, s.get(l.deletion(first)+part))
		after.set(l.deletion(first)+part, 0)
	}
	after.set(l.key(c.key), uint16(c.answer+1))
	return state(after)
}

func (l layout) areAvailable(s state, jobs []int) bool {
	for _, job := range jobs {
		if s.get(job) != jobAvailable {
			return false
		}
	}
	return true
}

// isRefusal tells if exactly the named jobs are unavailable.
func (l layout) isRefusal(s state, c *step) bool {
	for _, job := range c.named {
		if s.get(job) == jobAvailable {
			return false
		}
	}
	if c.Truncated {
		return true
	}
	missing := 0
	for _, job := range c.jobs {
		if s.get(job) != jobAvailable {
			missing++
		}
	}
	return missing == len(c.named) && missing > 0
}

func (l layout) changed(s state, at int, value uint16) state {
	after := draft(s)
	after.set(at, value)
	return state(after)
}
