import { expect, test } from '@jest/globals';
import type { RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import { useScene } from './scene.ts';

const scene = useScene();
const [tokenId, otherId] = ['a'.repeat(24), 'b'.repeat(24)];

async function addToken(accountId: string, id: string): Promise<void> {
  const token = { kind: 'token', accountId, id, name: 'Shop', createdAtMs: 1 } as const;
  await scene.dashboard.accounts.addCredential({ ...token, hash: Buffer.alloc(32, id) });
}

test('the page of a token has its latest deletions and refused requests, and leads to all', async () => {
  const viewer = await scene.dashboard.signIn('acme', 'viewer');
  await addToken('acme', tokenId);
  const nowMs = Date.now();
  const deletions = [];
  for (let age = 6; age > 0; age -= 1)
    deletions.unshift(
      await scene.accept('acme', { jobs: age, acceptedAtMs: nowMs - age * 60_000, origin: { tokenId } }),
    );
  const foreign = await scene.accept('acme', { origin: { tokenId: otherId } });
  const refused = (id: string, code: string, token: string): RefusedRequest => {
    const request = { accountId: 'acme', atMs: nowMs - 60_000, environment: 'live', status: 403 } as const;
    return { ...request, id, code, tokenId: token, origin: 'https://else.example' };
  };
  await scene.dashboard.accounts.addRefusedRequests([
    refused('r1', 'origin_not_allowed', tokenId),
    refused('r2', 'too_many_requests', otherId),
  ]);

  const { text } = await viewer.get(`/keys/token/${tokenId}`, { 'Accept-Language': 'en' });
  const linked = [...text.matchAll(/\/activity\/([0-9a-f-]{36})"/g)].map(([, id]) => id);
  expect(linked).toEqual(deletions.slice(0, 5).map(({ id }) => id));
  expect(linked).not.toContain(foreign.id);
  expect(text).toContain('>5 jobs</a>');
  expect(text).toContain('<code title="https://else.example">https://else.example</code>');
  expect(text).toContain('/problems/origin-not-allowed"');
  expect(text).toMatch(/\/activity\/refused\?token=\w+">All refused requests of this token</);
  expect(text).not.toContain('too_many_requests');
  const all = await viewer.get(`/activity?token=${tokenId}`);
  expect(text).toContain(`/activity?token=${tokenId}"`);
  expect(all.text.match(/title="[0-9a-f-]{36}"/g)).toHaveLength(6);
});

test('the page of a revoked token names its deletions that still wait', async () => {
  const owner = await scene.dashboard.signIn('revoked', 'owner');
  const id = 'e'.repeat(24);
  await addToken('revoked', id);
  await scene.accept('revoked', { jobs: 3, delayMs: 3_600_000, origin: { tokenId: id } });
  const textOf = async () => (await owner.get(`/keys/token/${id}`, { 'Accept-Language': 'en' })).text;
  const sentence = '1 deletion of this token waits (3 jobs)</a>. It is still carried out.';
  expect(await textOf()).not.toContain(sentence);
  await scene.dashboard.accounts.revokeCredential('revoked', { kind: 'token', id }, Date.now());
  expect(await textOf()).toContain(sentence);
});

test('a token without requests says so, and leads to the sandbox', async () => {
  const viewer = await scene.dashboard.signIn('other', 'viewer');
  const id = 'c'.repeat(24);
  const token = { kind: 'token', accountId: 'other', id, createdAtMs: 1 } as const;
  await scene.dashboard.accounts.addCredential({ ...token, hash: Buffer.alloc(32, 1) });
  const { text } = await viewer.get(`/keys/token/${id}`, { 'Accept-Language': 'en' });
  expect(text).toMatch(/No live use yet.*any secret key of the account.*\/sandbox".*curl.*YOUR_TOKEN/s);
  const secretKey = { ...token, kind: 'secret-key', name: 'Shop' } as const;
  for (const [index, key] of [secretKey, { ...token, id: 'd'.repeat(24), name: 'Shop' }].entries())
    await scene.dashboard.accounts.addCredential({ ...key, hash: Buffer.alloc(32, `pair ${String(index)}`) });
  const ofPair = await viewer.get(`/keys/token/${'d'.repeat(24)}`, { 'Accept-Language': 'en' });
  expect(ofPair.text).toMatch(/Works with<\/dt><dd><a href="[^"]*\/keys\/secret-key\/c{24}">Secret key/);
  await scene.dashboard.accounts.recordUse([token], 2);
  const used = await viewer.get(`/keys/token/${id}`, { 'Accept-Language': 'en' });
  expect(used.text).toContain('No deletion on record names this token.');
  expect(used.text).toContain('No request with this token was refused');
});
