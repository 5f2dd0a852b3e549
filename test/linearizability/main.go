// Checks a history of calls for linearizability. It prints its findings as JSON, and fails unless every partition is
// linearizable: a partition that is not decided in time is a failure too.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

type report struct {
	Operations int            `json:"operations"`
	Unknown    int            `json:"unknown"`
	Outcomes   map[string]int `json:"outcomes"`
	Partitions int            `json:"partitions"`
	Largest    int            `json:"largest"`
	Undecided  int            `json:"undecided"`
	Violations int            `json:"violations"`
	Seconds    float64        `json:"seconds"`
	// The shortest of the partitions that are wrong or undecided, in plain words.
	Story []string `json:"story"`
}

func main() {
	picture := flag.String("picture", "", "a file for the picture of a violation, as HTML")
	timeout := flag.Duration("timeout", 30*time.Second, "the longest time for one partition")
	flag.Parse()
	read, err := readHistory(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	found := check(read, *timeout, *picture)
	json.NewEncoder(os.Stdout).Encode(found)
	if found.Violations+found.Undecided > 0 {
		os.Exit(1)
	}
}

func check(h *history, timeout time.Duration, picture string) report {
	begun := time.Now()
	parts := h.partitions()
	found := report{Operations: len(h.calls), Partitions: len(parts), Outcomes: map[string]int{}, Story: []string{}}
	for _, each := range h.calls {
		found.Outcomes[each.Op+" "+each.Outcome]++
		if each.Outcome == unknown {
			found.Unknown++
		}
	}
	var wrong, undecided []*call
	var lock sync.Mutex
	var workers sync.WaitGroup
	queue := make(chan []*call)
	for range runtime.NumCPU() {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for part := range queue {
				result := verdict(useful(part), h.exists, timeout)
				lock.Lock()
				found.Largest = max(found.Largest, len(part))
				switch result {
				case porcupine.Illegal:
					found.Violations++
					if wrong == nil || len(part) < len(wrong) {
						wrong = part
					}
				case porcupine.Unknown:
					found.Undecided++
					if undecided == nil || len(part) < len(undecided) {
						undecided = part
					}
				}
				lock.Unlock()
			}
		}()
	}
	for _, part := range parts {
		queue <- part
	}
	close(queue)
	workers.Wait()
	if wrong != nil {
		short := shortest(wrong, h.exists, timeout)
		found.Story = story(short, h.exists)
		if picture != "" {
			model, operations := modelOf(short, h.exists)
			_, info := porcupine.CheckOperationsVerbose(model, operations, timeout)
			if err := porcupine.VisualizePath(model, info, picture); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	} else if undecided != nil {
		found.Story = story(undecided, h.exists)
	}
	found.Seconds = time.Since(begun).Seconds()
	return found
}
