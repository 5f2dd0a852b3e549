package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"math"
	mathrand "math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	jobs := []map[string]string{{"id": "DEMO0100"}, {"id": "DEMO0101"}}
	body, err := json.Marshal(map[string]any{"jobs": map[string]any{"job": jobs}})
	if err != nil {
		panic(err)
	}
	status, answer := sendUntilAnswered(string(body))
	fmt.Println(answer)
	if status != http.StatusOK {
		os.Exit(1)
	}
}

func sendUntilAnswered(body string) (int, string) {
	// The same key with each attempt: the jobs are deleted once.
	random := make([]byte, 16)
	rand.Read(random)
	key := fmt.Sprintf("%x", random)
	for attempt := 1; ; attempt++ {
		status, retryAfter, answer := send(body, key)
		switch status {
		case 0, 429, 502, 503, 504:
		default:
			return status, answer
		}
		if attempt == 6 {
			return status, answer
		}
		seconds := math.Max(retryAfter, mathrand.Float64()*math.Pow(2, float64(attempt)))
		time.Sleep(time.Duration(seconds * float64(time.Second)))
	}
}

// send returns the status, the seconds of Retry-After, and the body.
func send(body, key string) (int, float64, string) {
	url := os.Getenv("JOBS_DELETE_URL") + "/v1-sandbox/json/jobs-delete"
	request, err := http.NewRequest(http.MethodDelete, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("JOBS_DELETE_TOKEN"))
	request.Header.Set("Usersecretkey", os.Getenv("JOBS_DELETE_SECRET_KEY"))
	request.Header.Set("Origin", os.Getenv("JOBS_DELETE_ORIGIN"))
	request.Header.Set("Idempotency-Key", key)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept-Language", "en")
	request.Header.Set("User-Agent", "my-shop/1.0")
	request.Header.Set("X-Client-Lang", "Go")

	// Without an answer, the jobs may be deleted or not.
	client := http.Client{Timeout: time.Minute}
	response, err := client.Do(request)
	if err != nil {
		return 0, 0, err.Error()
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, 0, err.Error()
	}
	retryAfter, _ := strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
	return response.StatusCode, retryAfter, string(answer)
}
