import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { send, type HttpAnswer } from '../harness/http-client.ts';
import { reapAfterEach } from '../harness/spawn-serve.ts';
import { readDocument } from '../readme/readme.ts';
import { startDemoService } from './demo-service.ts';

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
  expect(requests).toHaveLength(7);
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

/** A request of a file for the REST Client extension. */
interface FileRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface HttpFile {
  /** In their order. A value may use earlier variables and answers. */
  readonly variables: ReadonlyMap<string, string>;
  readonly requests: readonly FileRequest[];
}

/** Reads the parts of the format that the generated file uses. */
function readHttpFile(text: string): HttpFile {
  const variables = new Map(
    [...text.matchAll(/^@(\w+) =(.*)$/gm)].map(([, name = '', value = '']) => [name, value.trim()]),
  );
  const requests = text.split(/^###$/m).flatMap((block) => readRequest(block.trim()));
  return { variables, requests };
}

function readRequest(block: string): FileRequest[] {
  const name = /^# @name (\w+)$/m.exec(block)?.[1];
  if (name === undefined) return [];
  const [head = '', ...rest] = block.split('\n\n');
  const [line = '', ...headers] = head.split('\n').filter((text) => !text.startsWith('#'));
  const [method = '', url = ''] = line.split(' ');
  return [
    {
      name,
      method,
      url,
      headers: Object.fromEntries(headers.map(readHeader)),
      body: rest.length === 0 ? undefined : rest.join('\n\n'),
    },
  ];
}

function readHeader(line: string): [name: string, value: string] {
  const [name = '', value = ''] = line.split(/: (.*)/s);
  return [name, value];
}
