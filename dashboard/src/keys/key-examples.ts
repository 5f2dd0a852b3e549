import type { CredentialKind } from '@jobs-delete/accounts/accounts';
import type { Language } from '../web/language.ts';

interface ExampleOptions {
  /** The new credentials. The page that shows them once shows the examples too. */
  readonly secrets: Partial<Readonly<Record<CredentialKind, string>>>;
  readonly apiUrl: string;
  /** An origin that the account allows. Default: a placeholder. */
  readonly origin?: string | undefined;
  /** A job of the account. Default: a placeholder. */
  readonly jobId?: string | undefined;
  readonly language: Language;
}

/** The reader replaces these: the dashboard does not know the values. */
export const placeholders = {
  token: 'YOUR_TOKEN',
  'secret-key': 'YOUR_SECRET_KEY',
  origin: 'https://YOUR_ALLOWED_DOMAIN',
  job: 'NURSE001',
} as const;

/** A complete program, or the command itself, that sends one request to the sandbox. */
export interface Example {
  readonly id: string;
  /** The name of the language. */
  readonly name: string;
  readonly text: string;
  /** The file that has the text, and the command that runs it. */
  readonly file?: string;
  readonly run?: string;
}

/** The languages of the documentation of the API. No value needs an escape: see the forms of credentials, origins and ids. */
export function examplesOf({
  secrets,
  apiUrl,
  origin = placeholders.origin,
  jobId = placeholders.job,
  language,
}: ExampleOptions): readonly Example[] {
  const values = { ...placeholders, ...secrets };
  const url = `${apiUrl}/v1-sandbox/json/jobs-delete`;
  const body = `{"jobs": {"job": [{"id": "${jobId}"}]}}`;
  const headersFor = (technology: string) =>
    [
      ['Authorization', `Bearer ${values.token}`],
      ['Usersecretkey', values['secret-key']],
      ['Origin', origin],
      ['Content-Type', 'application/json'],
      ['Accept-Language', language],
      ['User-Agent', 'my-shop/1.0'],
      ['X-Client-Lang', technology],
    ] as const;
  return [
    { id: 'curl', name: 'curl', text: curlCommand({ url, body, headers: headersFor('Shell') }) },
    ...programs.map(({ id, name, file, run, write }) => {
      return { id, name, file, run, text: write({ url, body, headers: headersFor(name) }) };
    }),
  ];
}

interface ExampleRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Returns a command for a shell, in which a value may have any character. */
export function curlCommand({ url, body, headers }: ExampleRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl --request DELETE ${quoted(url)}`,
    ...headers.map(([name, value]) => `  --header ${quoted(`${name}: ${value}`.trimEnd())}`),
    `  --data ${quoted(body)}`,
  ].join(' \\\n');
}

interface Program extends Required<Omit<Example, 'text'>> {
  readonly write: (request: ExampleRequest) => string;
}

const programs: readonly Program[] = [
  {
    id: 'javascript',
    name: 'JavaScript',
    file: 'delete-jobs.mjs',
    run: 'node delete-jobs.mjs',
    write: ({ url, body, headers }) => `const response = await fetch('${url}', {
  method: 'DELETE',
  headers: {
${lines(headers, (name, value) => `    '${name}': '${value}',`)}
  },
  body: '${body}',
});
console.log(await response.text());`,
  },
  {
    id: 'python',
    name: 'Python',
    file: 'delete-jobs.py',
    run: 'python3 delete-jobs.py',
    write: ({ url, body, headers }) => `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    method="DELETE",
    headers={
${lines(headers, (name, value) => `        "${name}": "${value}",`)}
    },
    data=b'${body}',
)
try:
    answer = urlopen(request)
except HTTPError as refusal:
    answer = refusal
print(answer.read().decode("utf-8"))`,
  },
  {
    id: 'php',
    name: 'PHP',
    file: 'delete-jobs.php',
    run: 'php delete-jobs.php',
    write: ({ url, body, headers }) => `<?php
$request = stream_context_create(['http' => [
    'method' => 'DELETE',
    'header' => [
${lines(headers, (name, value) => `        '${name}: ${value}',`)}
    ],
    'content' => '${body}',
    'ignore_errors' => true,
]]);
echo file_get_contents('${url}', false, $request), "\\n";`,
  },
  {
    id: 'csharp',
    name: 'C#',
    file: 'DeleteJobs.cs',
    run: 'dotnet run DeleteJobs.cs',
    write: ({ url, body, headers }) => `using System;
using System.Net.Http;
using System.Text;

class DeleteJobs
{
    static void Main()
    {
        var request = new HttpRequestMessage(HttpMethod.Delete, "${url}");
        var body = "${body.replaceAll('"', '\\"')}";
        request.Content = new StringContent(body, Encoding.UTF8, "application/json");
${lines(
  headers.filter(([name]) => name !== 'Content-Type'),
  (name, value) => `        request.Headers.Add("${name}", "${value}");`,
)}
        var response = new HttpClient().SendAsync(request).GetAwaiter().GetResult();
        Console.WriteLine(response.Content.ReadAsStringAsync().GetAwaiter().GetResult());
    }
}`,
  },
  {
    id: 'java',
    name: 'Java',
    file: 'DeleteJobs.java',
    run: 'java DeleteJobs.java',
    write: ({ url, body, headers }) => `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class DeleteJobs {
    public static void main(String[] args) throws Exception {
        var body = "${body.replaceAll('"', '\\"')}";
        var request = HttpRequest.newBuilder(URI.create("${url}"))
            .method("DELETE", HttpRequest.BodyPublishers.ofString(body))
${lines(headers, (name, value) => `            .header("${name}", "${value}")`)}
            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.body());
    }
}`,
  },
  {
    id: 'go',
    name: 'Go',
    file: 'delete-jobs.go',
    run: 'go run delete-jobs.go',
    write: ({ url, body, headers }) => `package main

import (
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(\`${body}\`)
	request, err := http.NewRequest("DELETE", "${url}", body)
	if err != nil {
		panic(err)
	}
${lines(headers, (name, value) => `	request.Header.Set("${name}", "${value}")`)}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}`,
  },
];

function lines(headers: ExampleRequest['headers'], write: (name: string, value: string) => string): string {
  return headers.map(([name, value]) => write(name, value)).join('\n');
}

/** Returns a program for the TypeScript client. It reads both credentials from its environment. */
export function clientExample({
  apiUrl,
  origin = placeholders.origin,
  jobId = placeholders.job,
}: Pick<ExampleOptions, 'apiUrl' | 'origin' | 'jobId'>): string {
  return `import { JobsDeleteClient } from '@jobs-delete/client';

const client = new JobsDeleteClient({
  baseUrl: '${apiUrl}',
  token: process.env.${variables.token} ?? '',
  secretKey: process.env.${variables['secret-key']} ?? '',
  origin: '${origin}',
  userAgent: 'my-shop/1.0',
  sandbox: true,
});

const report = await client.deleteJobs(['${jobId}']);
console.log(report.acceptedJobs, report.refused);`;
}

/** The variables of the client example. */
export const variables: Readonly<Record<CredentialKind, string>> = {
  token: 'JOBS_DELETE_TOKEN',
  'secret-key': 'JOBS_DELETE_SECRET_KEY',
};
