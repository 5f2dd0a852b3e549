import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

public class DeleteJobs {
    public static void main(String[] args) throws InterruptedException {
        var jobIds = List.of("DEMO0100", "DEMO0101");
        var jobs = jobIds.stream().map(id -> "<job><id>" + id + "</id></job>").collect(Collectors.joining());
        var body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><jobs>" + jobs + "</jobs>";

        var request = HttpRequest.newBuilder(URI.create(read("JOBS_DELETE_URL") + "/v1-sandbox/xml/jobs-delete"))
            .method("DELETE", HttpRequest.BodyPublishers.ofString(body))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Bearer " + read("JOBS_DELETE_TOKEN"))
            .header("Usersecretkey", read("JOBS_DELETE_SECRET_KEY"))
            .header("Origin", read("JOBS_DELETE_ORIGIN"))
            // The same key with each attempt: the jobs are deleted once.
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .header("Content-Type", "application/xml")
            .header("Accept-Language", "en")
            .header("User-Agent", "my-shop/1.0")
            .header("X-Client-Lang", "Java")
            .build();
        var response = sendUntilAnswered(request);
        System.out.println(response == null ? "No answer." : response.body());
        System.exit(response != null && response.statusCode() == 200 ? 0 : 1);
    }

    private static HttpResponse<String> sendUntilAnswered(HttpRequest request) throws InterruptedException {
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (var attempt = 1; ; attempt++) {
            HttpResponse<String> response = null;
            try {
                response = client.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (IOException lost) {
                // Without an answer, the jobs may be deleted or not.
            }
            var mayRetry = response == null || List.of(429, 502, 503, 504).contains(response.statusCode());
            if (!mayRetry || attempt == 6) return response;
            var seconds = Math.max(retryAfter(response), Math.random() * Math.pow(2, attempt));
            Thread.sleep((long) (1_000 * seconds));
        }
    }

    private static long retryAfter(HttpResponse<String> response) {
        if (response == null) return 0;
        var header = response.headers().firstValue("Retry-After").orElse("");
        return header.matches("\\d+") ? Long.parseLong(header) : 0;
    }

    private static String read(String variable) {
        return System.getenv(variable);
    }
}
