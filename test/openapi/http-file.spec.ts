import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { send, type HttpAnswer } from '../harness/http-client.ts';
import { reapAfterEach } from '../harness/spawn-serve.ts';
import { readDocument } from '../readme/readme.ts';
import { startDemoService } from './demo-service.ts';
import { readHttpFile, type FileRequest } from './read-http-file.ts';

const newPath = temporaryFolder();
reapAfterEach();

test('every request of the .http file gets a 200 from a demo service', async () => {
  const values: Readonly<Record<string, string>> = await startDemoService(newPath('data'));
  const { variables, requests } = readHttpFile(readDocument('docs/jobs-delete.http'));
  const answers = new Map<string, HttpAnswer>();
  const valueOf = (name: string): string => {
    const [request = '', part, , header = ''] = name.split('.');
    if (part === 'response') return String(answers.get(request)?.headers[header.toLowerCase()]);
    return values[name] ?? fill(variables.get(name) ?? `no variable ${name}`);
  };
  const fill = (text: string): string =>
    text.replace(/\{\{([^}]+)\}\}/g, (_match, name: string) => valueOf(name));

  for (const request of requests) answers.set(request.name, await sendFilled(request, fill));
  const statuses = requests.map(({ name }) => [name, answers.get(name)?.status]);
  expect(statuses).toEqual(requests.map(({ name }) => [name, 200]));
  expect(requests).toHaveLength(5);
});

function sendFilled(
  { method, url, headers, body }: FileRequest,
  fill: (text: string) => string,
): Promise<HttpAnswer> {
  const { origin, pathname, search } = new URL(fill(url));
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value)] as const);
  return send(origin, {
    method,
    path: pathname + search,
    headers: Object.fromEntries(filled),
    ...(body !== undefined && { body: fill(body) }),
  });
}
