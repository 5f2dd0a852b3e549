import { createPermits } from '@jobs-delete/runtime/batching/permits';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import { cookiesOf } from './browser-cookie.ts';
import type { Reply, Visit } from './route.ts';
import { createOpenFiles, sendReply, type OpenFiles, type ReplyOptions } from './send-reply.tsx';

const visit = { language: 'en', query: new URLSearchParams() } as Visit;
const options: ReplyOptions = {
  cookies: cookiesOf('http://localhost'),
  files: createOpenFiles(),
  stopping: new AbortController().signal,
  publicUrl: 'http://localhost',
  apiUrl: 'http://localhost',
};

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** Serves the reply. `ended` resolves with how sending the latest one ended. */
async function serve(reply: () => Reply, changed: Partial<ReplyOptions> = {}) {
  const app = express();
  const ended = new Promise<unknown>((resolve) => {
    app.get('/', (_request, response) => {
      sendReply(response, reply(), visit, { ...options, ...changed }).then(() => resolve('done'), resolve);
    });
  });
  const server = app.listen(0, '127.0.0.1');
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, ended };
}

function serveFile(chunks: () => AsyncIterable<string>, files: OpenFiles = createOpenFiles()) {
  return serve(() => ({ kind: 'file', name: 'all.csv', chunks: chunks() }), { files });
}

describe('a browser', () => {
  const headerOf = async (name: string, ...served: Parameters<typeof serve>) => {
    const { url } = await serve(...served);
    return (await fetch(url, { redirect: 'manual' })).headers.get(name);
  };

  test.each([
    ['keeps a page for Back', 'https://dashboard.example', true, 'private, no-cache'],
    ['keeps a page of this machine', 'http://localhost:3001', true, 'private, no-cache'],
    [
      'keeps no page over plain HTTP, where it ignores the order to clear it',
      'http://dashboard.example',
      true,
      'no-store',
    ],
    ['stores no other page', 'https://dashboard.example', undefined, 'no-store'],
  ] as const)('%s', async (_, publicUrl, isKept, expected) => {
    const page = { kind: 'page', title: '', body: '', ...(isKept && { isKept }) } as const;
    expect(await headerOf('cache-control', () => page, { publicUrl })).toBe(expected);
  });

  test.each([
    ['clears its cache at the sign-out', { session: null }, '"cache"'],
    ['clears its cache at the sign-in', { session: 'new' }, '"cache"'],
    ['keeps its cache in a session', {}, null],
  ] as const)('%s', async (_, session, expected) => {
    const redirect = { kind: 'redirect', to: '/', ...session } as const;
    expect(await headerOf('clear-site-data', () => redirect)).toBe(expected);
  });
});

test('a browser that leaves during a file stops its source, and is no fault', async () => {
  let isStopped = false;
  const { url, ended } = await serveFile(async function* () {
    try {
      for (;;) yield await Promise.resolve('x'.repeat(65_536));
    } finally {
      isStopped = true;
    }
  });
  const leaving = new AbortController();
  const response = await fetch(url, { signal: leaving.signal });
  await response.body?.getReader().read();
  leaving.abort();
  expect(await ended).toBe('done');
  expect(isStopped).toBe(true);
});

async function* endless() {
  for (;;) yield await Promise.resolve('x'.repeat(65_536));
}

test('a browser that takes nothing of a file is cut off', async () => {
  const permits = createPermits({ perKey: 1, total: 1 });
  const { url, ended } = await serveFile(endless, { permits, idleMs: 100 });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  stops.push(() => socket.destroy());
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await ended).toBe('done');
  expect(permits.take('')).toBe(true);
});

test.each([
  { perKey: 1, total: 10 },
  { perKey: 10, total: 1 },
])('a file beyond %j is answered with 503', async (limits) => {
  const permits = createPermits(limits);
  const { url, ended } = await serveFile(endless, { permits, idleMs: 60_000 });
  const leaving = new AbortController();
  const first = await fetch(url, { signal: leaving.signal });
  expect(first.status).toBe(200);
  const second = await fetch(url);
  expect(second.status).toBe(503);
  expect(await second.text()).toContain('<!doctype html>');

  leaving.abort();
  await ended;
});

test('a source that fails is a fault', async () => {
  const failure = new Error('the database is away');
  const { url, ended } = await serveFile(async function* () {
    yield await Promise.resolve('x'.repeat(65_536));
    throw failure;
  });
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  expect(await ended).toBe(failure);
});
