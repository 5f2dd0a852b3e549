import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { openFeed, type FeedLimits } from './open-feed.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const stdin = Readable.from([]);

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/feed.csv`;
}

async function read(url: string, etag?: string, limits?: FeedLimits) {
  const feed = await openFeed(url, etag, stdin, limits);
  if (feed === 'unchanged') return feed;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of feed.chunks) chunks.push(chunk);
  } finally {
    feed.stop();
  }
  return { text: Buffer.concat(chunks).toString(), etag: feed.etag };
}

test('reads the feed and its version, and no version that is known', async () => {
  const url = await serve(({ headers }, response) => {
    if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.setHeader('ETag', '"1"').end('id\nJOB1\n');
  });
  expect(await read(url)).toEqual({ text: 'id\nJOB1\n', etag: '"1"' });
  expect(await read(url, '"0"')).toMatchObject({ text: 'id\nJOB1\n' });
  expect(await read(url, '"1"')).toBe('unchanged');
});

test.each<[string, RequestListener, RegExp]>([
  ['an error', (_, response) => response.writeHead(500).end(), /^the server answered 500$/],
  ['a 304 that nobody asked for', (_, response) => response.writeHead(304).end(), /answered 304$/],
  [
    'a redirect without https',
    (_, response) => response.writeHead(302, { location: '/feed2.csv' }).end(),
    /^the server redirects to an address without https$/,
  ],
  [
    'a body that is cut off',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('id\n');
      setImmediate(() => response.destroy());
    },
    /^the server did not send it \(/,
  ],
  ['no answer', (request) => request.socket.destroy(), /^the server did not send it \(/],
])('%s is a SourceError', async (_, listener, message) => {
  const failed = read(await serve(listener));
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.toMatchObject({ name: 'SourceError' });
});

test('a feed that is too large, or takes too long, is a SourceError', async () => {
  const large = await serve((_, response) => response.end('x'.repeat(1_001)));
  await expect(read(large, undefined, { maxBytes: 1_000, timeoutMs: 60_000 })).rejects.toThrow(
    'it is larger than 1000 bytes',
  );
  const slow = await serve((_, response) => void response.write('id\n'));
  await expect(read(slow, undefined, { maxBytes: 1_000, timeoutMs: 50 })).rejects.toThrow('it took too long');
  const silent = await serve(() => undefined);
  await expect(read(silent, undefined, { maxBytes: 1_000, timeoutMs: 50 })).rejects.toThrow(
    'it took too long',
  );
});

test.each([
  ['http://acme.example/feed.csv', 'its address must begin with https://'],
  ['ftp://acme.example/feed.csv', 'its address must begin with https://'],
  ['https://user:secret@acme.example/feed.csv', 'its address must have no password'],
  ['https://', 'it is not a URL'],
])('%s is refused', async (url, message) => {
  await expect(read(url)).rejects.toThrow(message);
});
