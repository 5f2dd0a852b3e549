import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import { addDemoHistory } from './demo-history.ts';
import { useCommandLine } from './program.fixture.ts';

const cli = useCommandLine();
const nowMs = Date.parse('2026-01-15T10:00:00Z');
const accountId = 'acme';

async function addHistory() {
  const job = { id: 'Job00001', posting: { title: 'Baker' } };
  await cli.withStore((store) => store.importJobs(accountId, [job], nowMs));
  await cli.withAccounts(async (accounts) => {
    await accounts.addAccount({ id: accountId, createdAtMs: nowMs });
    await accounts.allowDomain(accountId, 'https://demo.example');
    await accounts.allowDomain(accountId, 'other.example');
  });
  addDemoHistory({ kind: 'sqlite', path: join(cli.dataDir(), 'jobs-delete.db') }, accountId, nowMs);
}

const latest = (times: readonly number[]) => (times.length === 0 ? undefined : Math.max(...times));

test('the last uses of keys and domains are those of the deletions and refused requests', async () => {
  await addHistory();
  const query = { accountId, state: undefined, pageSize: 1_000, after: undefined };
  const { deletions } = await cli.withStore((store) => store.listDeletions(query));
  const usesOf = (tokenId?: string) =>
    deletions
      .filter(({ origin }: Pick<Deletion, 'origin'>) => tokenId === undefined || origin.tokenId === tokenId)
      .map(({ acceptedAtMs }) => acceptedAtMs);
  await cli.withAccounts(async (accounts) => {
    const tokens = await accounts.listCredentials('token', accountId);
    for (const { id, createdAtMs, lastUsedAtMs, revokedAtMs = nowMs, lastRefusedAtMs } of tokens) {
      const uses = usesOf(id);
      expect([id, lastUsedAtMs]).toEqual([id, latest(uses)]);
      expect(uses.filter((atMs) => atMs < createdAtMs || atMs > revokedAtMs)).toEqual([]);
      const refused = await accounts.listRefusedRequests({
        accountId,
        tokenId: id,
        fromMs: 0,
        pageSize: 100,
      });
      const codes = ['secret_key_invalid', 'origin_not_allowed', 'too_many_requests'];
      const times = refused.filter(({ code }) => codes.includes(code)).map(({ atMs }) => atMs);
      expect([id, lastRefusedAtMs]).toEqual([id, latest(times)]);
    }
    expect(tokens.filter(({ lastUsedAtMs }) => lastUsedAtMs !== undefined)).toHaveLength(4);
    const secretKeys = await accounts.listCredentials('secret-key', accountId);
    expect(secretKeys.map(({ name, lastUsedAtMs }) => [name, lastUsedAtMs])).toEqual([
      ['Production', latest(usesOf())],
      ['Sandbox tests', undefined],
    ]);
    expect(await accounts.listDomainUses(accountId)).toEqual([
      { domain: 'https://demo.example', lastUsedAtMs: latest(usesOf()) },
      { domain: 'other.example' },
    ]);
  });
});

test('real uses and refusals stay, also those that no deletion or refused request has', async () => {
  const token = { kind: 'token', id: 'real' } as const;
  await cli.withAccounts(async (accounts) => {
    await accounts.addAccount({ id: accountId, createdAtMs: 1 });
    await accounts.addCredential({ ...token, accountId, createdAtMs: 1, hash: Buffer.alloc(32) });
    await accounts.recordUse([token], 2);
    await accounts.recordRefusal([token], 3);
    await accounts.allowDomain(accountId, 'https://demo.example');
    await accounts.recordDomainUse([{ accountId, domain: 'https://demo.example' }], 4);
  });
  await addHistory();
  await cli.withAccounts(async (accounts) => {
    expect(await accounts.findCredential(token)).toMatchObject({ lastUsedAtMs: 2, lastRefusedAtMs: 3 });
    expect(await accounts.listDomainUses(accountId)).toMatchObject([{ lastUsedAtMs: 4 }, {}]);
  });
});

test('a member who signs in with a passkey has one', async () => {
  await addHistory();
  await cli.withAccounts(async (accounts) => {
    const entries = await accounts.listActions({ accountId, pageSize: 500 });
    const actors = entries.filter(({ subject }) => subject === 'passkey').map(({ actor }) => actor);
    const people = await accounts.listPeople(accountId);
    const withPasskey = people.filter(({ passkeys }) => passkeys.length > 0);
    expect(new Set(withPasskey.map(({ memberships: [member] }) => member?.email))).toEqual(new Set(actors));
  });
});

test('the refused requests of today lie in the past, and the count of the day equals them', async () => {
  await addHistory();
  await cli.withAccounts(async (accounts) => {
    const refused = await accounts.listRefusedRequests({ accountId, fromMs: 0, pageSize: 1_000 });
    const isToday = ({ atMs }: { atMs: number }) => new Date(atMs).toISOString().startsWith('2026-01-15');
    expect(refused.filter(isToday).length).toBeGreaterThan(0);
    expect(refused.filter(({ atMs }) => atMs > nowMs)).toEqual([]);
    const counts = await accounts.listRefusals(accountId, '2026-01-15');
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(refused.filter(isToday).length);
  });
});

test('deletions wait as long as the trail says, and only people have cancelled some', async () => {
  await addHistory();
  const changes = await cli.withAccounts((accounts) => accounts.listActions({ accountId, pageSize: 500 }));
  const ofDelay = changes
    .filter(({ action }) => action === 'delay.changed')
    .toSorted((one, other) => one.atMs - other.atMs);
  expect(ofDelay.map(({ subject }) => subject)).toEqual(['off → 24h', '24h → off', 'off → 24h', '24h → off']);
  const isDelayed = (atMs: number) =>
    ofDelay.findLast((change) => change.atMs <= atMs)?.subject === 'off → 24h';
  const query = { accountId, state: undefined, pageSize: 1_000, after: undefined };
  const { deletions } = await cli.withStore((store) => store.listDeletions(query));
  for (const { acceptedAtMs, removalAtMs, completedAtMs } of deletions) {
    expect(removalAtMs).toBe(isDelayed(acceptedAtMs) ? acceptedAtMs + 86_400_000 : undefined);
    if (completedAtMs !== undefined) expect(completedAtMs).toBeGreaterThan(removalAtMs ?? acceptedAtMs);
  }
  const cancelled = deletions.filter(({ state }) => state === 'cancelled');
  expect(cancelled.map(({ cancelOrigin }) => cancelOrigin?.tokenId)).toEqual(cancelled.map(() => ''));
  const cancellations = changes.filter(({ action }) => action === 'cancellation.requested');
  expect(new Set(cancellations.map(({ subject }) => subject))).toEqual(
    new Set(
      cancelled.map(({ id, jobCount }) => `${id} (${jobCount === 1 ? '1 job' : `${String(jobCount)} jobs`})`),
    ),
  );
  expect(cancelled.map(({ jobCount }) => jobCount)).toContain(1);
});

test('entries about a key name it', async () => {
  await addHistory();
  await cli.withAccounts(async (accounts) => {
    const entries = await accounts.listActions({ accountId, pageSize: 500 });
    const importer = entries.filter(({ subject = '' }) => /^[0-9a-f]{24} \(Old importer\)$/.test(subject));
    expect(importer.map(({ action }) => action)).toEqual(['token.revoked', 'token.created']);
  });
});
