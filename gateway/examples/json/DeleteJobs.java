import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;

public class DeleteJobs {
    public static void main(String[] args) throws Exception {
        var jobIds = List.of("DEMO0100", "DEMO0101");
        var jobs = jobIds.stream().map(id -> "{\"id\": \"" + id + "\"}").collect(Collectors.joining(","));
        var body = "{\"jobs\": {\"job\": [" + jobs + "]}}";

        var request = HttpRequest.newBuilder(URI.create(read("JOBS_DELETE_URL") + "/v1-sandbox/json/jobs-delete"))
            .method("DELETE", HttpRequest.BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + read("JOBS_DELETE_TOKEN"))
            .header("Usersecretkey", read("JOBS_DELETE_SECRET_KEY"))
            .header("Origin", read("JOBS_DELETE_ORIGIN"))
            .header("Content-Type", "application/json")
            .header("Accept-Language", "en")
            .header("User-Agent", "my-shop/1.0")
            .header("X-Client-Lang", "Java")
            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.body());
    }

    private static String read(String variable) {
        return System.getenv(variable);
    }
}
