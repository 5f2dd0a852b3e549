using System;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

class DeleteJobs
{
    static void Main()
    {
        Console.WriteLine(SendAsync().GetAwaiter().GetResult());
    }

    static async Task<string> SendAsync()
    {
        var jobIds = new[] { "DEMO0100", "DEMO0101" };
        var jobs = string.Concat(jobIds.Select(id => "<job><id>" + id + "</id></job>"));
        var body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><jobs>" + jobs + "</jobs>";

        var url = Read("JOBS_DELETE_URL") + "/v1-sandbox/xml/jobs-delete";
        var request = new HttpRequestMessage(HttpMethod.Delete, url);
        request.Headers.Add("Authorization", "Bearer " + Read("JOBS_DELETE_TOKEN"));
        request.Headers.Add("Usersecretkey", Read("JOBS_DELETE_SECRET_KEY"));
        request.Headers.Add("Origin", Read("JOBS_DELETE_ORIGIN"));
        request.Headers.Add("Accept-Language", "en");
        request.Headers.Add("User-Agent", "my-shop/1.0");
        request.Headers.Add("X-Client-Lang", "C#");
        request.Content = new StringContent(body, Encoding.UTF8, "application/xml");

        using (var client = new HttpClient())
        using (var response = await client.SendAsync(request))
        {
            return await response.Content.ReadAsStringAsync();
        }
    }

    static string Read(string variable)
    {
        return Environment.GetEnvironmentVariable(variable);
    }
}
