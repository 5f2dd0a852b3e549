using System;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

class DeleteJobs
{
    static readonly HttpClient client = new HttpClient { Timeout = TimeSpan.FromSeconds(60) };
    static readonly Random random = new Random();

    static int Main()
    {
        var jobIds = new[] { "DEMO0100", "DEMO0101" };
        var jobs = string.Concat(jobIds.Select(id => "<job><id>" + id + "</id></job>"));
        var body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><jobs>" + jobs + "</jobs>";
        return SendUntilAnsweredAsync(body).GetAwaiter().GetResult() == 200 ? 0 : 1;
    }

    static async Task<int> SendUntilAnsweredAsync(string body)
    {
        // The same key with each attempt: the jobs are deleted once.
        var key = Guid.NewGuid().ToString();
        for (var attempt = 1; ; attempt++)
        {
            var status = 0;
            var retryAfter = 0.0;
            var answer = "No answer.";
            try
            {
                using (var response = await client.SendAsync(CreateRequest(body, key)))
                {
                    answer = await response.Content.ReadAsStringAsync();
                    retryAfter = response.Headers.RetryAfter?.Delta?.TotalSeconds ?? 0;
                    status = (int)response.StatusCode;
                }
            }
            catch (Exception error) when (error is HttpRequestException || error is TaskCanceledException)
            {
                // Without an answer, the jobs may be deleted or not.
            }
            if (!new[] { 0, 429, 502, 503, 504 }.Contains(status) || attempt == 6)
            {
                Console.WriteLine(answer);
                return status;
            }
            var backoff = random.NextDouble() * Math.Pow(2, attempt);
            await Task.Delay(TimeSpan.FromSeconds(Math.Max(retryAfter, backoff)));
        }
    }

    // A request object can be sent once only.
    static HttpRequestMessage CreateRequest(string body, string key)
    {
        var url = Read("JOBS_DELETE_URL") + "/v1-sandbox/xml/jobs-delete";
        var request = new HttpRequestMessage(HttpMethod.Delete, url);
        request.Headers.Add("Authorization", "Bearer " + Read("JOBS_DELETE_TOKEN"));
        request.Headers.Add("Usersecretkey", Read("JOBS_DELETE_SECRET_KEY"));
        request.Headers.Add("Origin", Read("JOBS_DELETE_ORIGIN"));
        request.Headers.Add("Idempotency-Key", key);
        request.Headers.Add("Accept-Language", "en");
        request.Headers.Add("User-Agent", "my-shop/1.0");
        request.Headers.Add("X-Client-Lang", "C#");
        request.Content = new StringContent(body, Encoding.UTF8, "application/xml");
        return request;
    }

    static string Read(string variable)
    {
        return Environment.GetEnvironmentVariable(variable);
    }
}
