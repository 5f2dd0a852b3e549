import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import type { DeletionsPage } from '../deleter/deleter-calls.ts';
import { partOf } from '../testing/part-of.ts';
import type { MemberVisit } from '../web/route.ts';
import { readTokenUse, TokenUseLists } from './token-use.tsx';

const token = { kind: 'token', accountId: 'acme', id: 'a'.repeat(24), createdAtMs: 1 } as const;
const accounts = { listRefusedRequests: () => Promise.resolve([]) };
const visit = partOf<MemberVisit>({ accountId: 'acme', language: 'en', nowMs: 1 });

async function cardsWith(listDeletions: () => Promise<DeletionsPage>): Promise<string> {
  const use = await readTokenUse({ accounts, deleter: { listDeletions } }, visit, token);
  return render(TokenUseLists({ visit, token, use }));
}

test('no deletion of the token among those that were searched does not mean none', async () => {
  const page = { deletions: [], examinedFromMs: 1 };
  const cut = await cardsWith(() => Promise.resolve({ ...page, nextPageToken: 'older' }));
  expect(cut).toContain('None of the deletions that were searched names this token. Older ones may.');
  expect(cut).not.toContain('No deletion on record');
  const whole = await cardsWith(() => Promise.resolve({ ...page, nextPageToken: undefined }));
  expect(whole).toContain('No deletion on record names this token.');
});

test('the page does not wait for an api that hangs', async () => {
  const text = await cardsWith(() => new Promise(() => 0));
  expect(text).toContain('The deletions are not available at the moment.');
});
