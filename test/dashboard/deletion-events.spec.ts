import { expect, test } from '@jest/globals';
import {
  startTestDashboard,
  type SignedInBrowser,
} from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { useScene } from './scene.ts';

const scene = useScene();

interface EventStream {
  readonly status: number;
  readonly mediaType: string | null;
  /** Returns the data of the next event; undefined at the end of the stream. */
  next(): Promise<string | undefined>;
  close(): void;
}

async function openStream(browser: SignedInBrowser, url: string): Promise<EventStream> {
  const leaving = new AbortController();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(new URL(url, scene.dashboard.url), {
    headers: { Cookie: cookie, 'Accept-Language': 'en' },
    signal: leaving.signal,
  });
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    mediaType: response.headers.get('Content-Type'),
    next: async () => {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const event = text.slice(0, end);
          text = text.slice(end + 2);
          return event.replaceAll(/^data: /gm, '');
        }
        const chunk = await chunks?.read();
        if (chunk?.value === undefined) return undefined;
        text += chunk.value;
      }
    },
    close: () => leaving.abort(),
  };
}

test('the page follows a deletion until it is completed', async () => {
  const viewer = await scene.dashboard.signIn('acme', 'viewer');
  const deletion = await scene.accept('acme', { jobs: 3 });
  const path = `/a/acme/activity/${deletion.id}/events`;
  const page = await viewer.get(`/activity/${deletion.id}`, { 'Accept-Language': 'en' });
  expect(page.text).toContain(`data-events="${path}"`);

  const stream = await openStream(viewer, path);
  expect([stream.status, stream.mediaType]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const accepted = (await stream.next()) ?? '';
  expect(accepted).toContain('Accepted</span>');
  // The first event has the content of the page, at a later time.
  const withoutTime = (html: string) => html.replace(/As of <time.*?<\/time>/, '');
  const [, head = '', sentence = '', life = ''] =
    /^(<div class="head".*?<\/div>)(<span.*?<\/span>)(.*)$/s.exec(withoutTime(accepted)) ?? [];
  expect(sentence).toContain('The removal starts in a moment.');
  expect(life).toContain('data-unfinished');
  for (const part of [head, sentence]) expect(page.text).toContain(part);
  expect(withoutTime(page.text)).toContain(`>${life}</div>`);

  await scene.complete(deletion);
  const completed = (await stream.next()) ?? '';
  expect(completed).toContain('Completed</span>');
  expect(completed).toContain('3 jobs are deleted.');
  expect(completed).not.toContain('data-unfinished');
  expect(await stream.next()).toBeUndefined();
});

test('the page names the token that cancels a deletion meanwhile', async () => {
  const viewer = await scene.dashboard.signIn('acme', 'viewer');
  const { accounts, store } = scene.service.operator;
  const token = {
    kind: 'token',
    id: 'cancelling',
    accountId: 'acme',
    name: 'Importer',
    createdAtMs: 1,
  } as const;
  await accounts.addCredential({ ...token, hash: Buffer.alloc(32) });
  const { id, origin } = await scene.accept('acme', { delayMs: 3_600_000 });
  const stream = await openStream(viewer, `/a/acme/activity/${id}/events`);
  expect(await stream.next()).not.toContain('Importer');
  const key = { deletionId: id, accountId: 'acme' };
  await store.cancelDeletion(key, Date.now(), { ...origin, tokenId: token.id });
  expect(await stream.next()).toContain('<dd class="muted">Importer</dd>');
  expect(await stream.next()).toBeUndefined();
});

test('a person has a bounded number of open streams', async () => {
  const viewer = await scene.dashboard.signIn('bounded', 'viewer');
  const other = await scene.dashboard.signIn('bounded', 'viewer');
  const { id } = await scene.accept('bounded');
  const open = (browser: SignedInBrowser) => openStream(browser, `/activity/${id}/events`);
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(viewer)));
  expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
  // A browser connects again after a stream without an event.
  const refused = await open(viewer);
  expect([refused.status, await refused.next()]).toEqual([200, undefined]);
  const ofOther = await open(other);
  expect(await ofOther.next()).toContain('data-unfinished');

  // A browser that leaves gives its place back.
  streams[0]?.close();
  let again = await open(viewer);
  while ((await again.next()) === undefined) {
    again.close();
    again = await open(viewer);
  }
  for (const stream of [...streams, refused, again, ofOther]) stream.close();
});

test('an open stream ends when the dashboard stops', async () => {
  const { id } = await scene.accept('acme');
  const another = await startTestDashboard({
    DATA_DIR: scene.service.dataDir,
    DELETER_ADDRESS: scene.service.grpcAddress,
  });
  const viewer = await another.signIn('acme', 'viewer');
  const stream = await openStream(viewer, `${another.url}/activity/${id}/events`);
  expect(await stream.next()).toContain('data-unfinished');
  await another.stop();
  expect(await stream.next()).toBeUndefined();
});
