package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	jobIDs := []string{"DEMO0100", "DEMO0101"}
	jobs := []map[string]string{}
	for _, id := range jobIDs {
		jobs = append(jobs, map[string]string{"id": id})
	}
	body, err := json.Marshal(map[string]any{"jobs": map[string]any{"job": jobs}})
	if err != nil {
		log.Fatal(err)
	}

	url := os.Getenv("JOBS_DELETE_URL") + "/v1-sandbox/json/jobs-delete"
	request, err := http.NewRequest(http.MethodDelete, url, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("JOBS_DELETE_TOKEN"))
	request.Header.Set("Usersecretkey", os.Getenv("JOBS_DELETE_SECRET_KEY"))
	request.Header.Set("Origin", os.Getenv("JOBS_DELETE_ORIGIN"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept-Language", "en")
	request.Header.Set("User-Agent", "my-shop/1.0")
	request.Header.Set("X-Client-Lang", "Go")

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}
