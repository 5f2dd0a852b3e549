package main

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// verdict checks one partition. It is Unknown if the time was not enough.
func verdict(part []*call, exists map[string]bool, timeout time.Duration) porcupine.CheckResult {
	model, operations := modelOf(part, exists)
	return porcupine.CheckOperationsTimeout(model, operations, timeout)
}

// shortest returns a short part of a partition that still contradicts itself. It ends the history as early as possible,
// which leaves some calls without an answer, and drops reads and refusals: they have no effect on the rest.
func shortest(part []*call, exists map[string]bool, timeout time.Duration) []*call {
	isWrong := func(some []*call) bool {
		return verdict(some, exists, timeout) == porcupine.Illegal
	}
	ends := make([]int64, 0, len(part))
	for _, each := range part {
		if each.Return < math.MaxInt64 {
			ends = append(ends, each.Return)
		}
	}
	sort.Slice(ends, func(a, b int) bool { return ends[a] < ends[b] })
	at := sort.Search(len(ends), func(index int) bool { return isWrong(useful(until(part, ends[index]))) })
	if at == len(ends) {
		return part
	}
	short := useful(until(part, ends[at]))
	for index := 0; index < len(short); {
		without := append(append([]*call{}, short[:index]...), short[index+1:]...)
		if isEffective(short[index]) || !isWrong(without) {
			index++
		} else {
			short = without
		}
	}
	return short
}

// until returns what had begun at a time. Calls that had not returned have no answer yet.
func until(part []*call, end int64) []*call {
	var begun []*call
	for _, each := range part {
		if each.Begin > end {
			continue
		}
		if each.Return > end {
			open := *each
			open.Return, open.Outcome, open.Answer, open.Named, open.Truncated = math.MaxInt64, unknown, "", nil, false
			each = &open
		}
		begun = append(begun, each)
	}
	return begun
}

// isEffective tells if other calls may be legal only because of this one. A replay makes the id of a deletion known.
func isEffective(c *call) bool {
	switch c.Outcome {
	case unknown, "accepted", "replayed", "new":
		return c.changes()
	case "cancelled":
		return c.Op == opCancel
	}
	return false
}

// story tells the calls in plain words, in the order in which they began.
func story(part []*call, exists map[string]bool) []string {
	var told, there []string
	names := map[string]bool{}
	for _, each := range part {
		for _, id := range each.Ids {
			if !names[id] && exists[node(each.Account, "job", id)] {
				there = append(there, id)
			}
			names[id] = true
		}
	}
	told = append(told, fmt.Sprintf("account %s; available at the beginning: %s", part[0].Account, list(there)))
	for _, each := range part {
		when := fmt.Sprintf("%10.3f ms", float64(each.Begin-part[0].Begin)/1e6)
		took := "no answer"
		if each.Return < math.MaxInt64 {
			took = fmt.Sprintf("until %.3f ms", float64(each.Return-part[0].Begin)/1e6)
		}
		told = append(told, fmt.Sprintf("%s  caller %d %s (%s)", when, each.Client, sentence(each), took))
	}
	return told
}

func sentence(c *call) string {
	asks := ""
	switch c.Op {
	case opDelete:
		asks = "deletes " + list(c.Ids)
		if c.Key != "" {
			asks += " with the key " + c.Key
		}
		if c.Deletion != "" {
			asks += " as deletion " + c.Deletion
		}
	case opCheck:
		asks = "asks the sandbox to delete " + list(c.Ids)
	case opStatus:
		asks = "reads deletion " + c.Deletion
	case opCancel:
		asks = "cancels deletion " + c.Deletion
	case opImport:
		asks = "imports " + list(c.Ids)
	}
	told := c.Outcome
	if c.Answer != "" {
		told += " as " + c.Answer
	}
	if len(c.Named) > 0 {
		told += ": " + list(c.Named)
		if c.Truncated {
			told += " and others"
		}
	}
	return asks + ": " + told
}

func list(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	if len(ids) > 8 {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:8], ", "), len(ids)-8)
	}
	return strings.Join(ids, ", ")
}

func describe(c *step) string {
	if c.isEnd {
		return "the end"
	}
	return sentence(c.call)
}

func (l layout) describe(s state) string {
	numbers := make([]string, l.end())
	for at := range numbers {
		numbers[at] = fmt.Sprint(s.get(at))
	}
	return fmt.Sprintf("jobs %v, deletions %v, keys %v",
		numbers[:l.jobs], numbers[l.jobs:l.key(0)], numbers[l.key(0):])
}
