import { expect, test } from '@jest/globals';
import { type RefusalCount, maxRefusedRequests, type RefusedRequest } from '../refusal-recorder.ts';
import type { Accounts } from '../accounts.ts';
import { type ContractContext, acme, other, race } from './accounts.fixture.ts';

export function refusalCases({ accounts, connect, reopen }: ContractContext): void {
  const refused = (day: string, code: string, count: number, accountId = acme.id): RefusalCount => ({
    accountId,
    day,
    code,
    count,
  });

  test('refusals add up by account, day and code, and are listed by day, then code', async () => {
    for (const account of [acme, other]) await accounts().addAccount(account);
    await accounts().addRefusals([
      refused('2090-02-01', 'token_invalid', 3),
      refused('2090-01-31', 'job_not_found', 1),
      refused('2090-02-01', 'job_not_found', 2),
      refused('2090-02-01', 'job_not_found', 10, other.id),
    ]);
    await accounts().addRefusals([
      { ...refused('2090-02-01', 'job_not_found', 4), sandboxCount: 20 },
      { ...refused('2090-02-01', 'job_not_found', 5), sandboxCount: 10 },
      { ...refused('2090-02-02', 'job_not_found', 0), sandboxCount: 1 },
    ]);
    await accounts().addRefusals([refused('2090-02-02', 'job_not_found', 2)]);
    await accounts().addRefusals([]);
    const ofLastDay = [
      { ...refused('2090-02-01', 'job_not_found', 11), sandboxCount: 30 },
      refused('2090-02-01', 'token_invalid', 3),
      { ...refused('2090-02-02', 'job_not_found', 2), sandboxCount: 1 },
    ];
    const all = [refused('2090-01-31', 'job_not_found', 1), ...ofLastDay];
    expect(await accounts().listRefusals(acme.id, '2090-01-31')).toEqual(all);
    expect(await accounts().listRefusals(acme.id, '2090-02-01')).toEqual(ofLastDay);
    expect(await accounts().listRefusals('ACME', '2090-01-31')).toEqual([]);
    const again = await reopen();
    expect(await again.listRefusals(acme.id, '2090-01-31')).toEqual(all);
  });

  test('a count of an unknown account is ignored, and the others are added', async () => {
    await accounts().addAccount(acme);
    const known = refused('2090-02-01', 'token_invalid', 1);
    await accounts().addRefusals([refused('2090-02-01', 'token_invalid', 1, 'nobody'), known]);
    expect(await accounts().listRefusals('nobody', '2090-01-01')).toEqual([]);
    expect(await accounts().listRefusals(acme.id, '2090-01-01')).toEqual([known]);
  });

  test('concurrent additions lose no refusal', async () => {
    await accounts().addAccount(acme);
    await race({ accounts, connect }, (store) =>
      store.addRefusals([refused('2090-02-01', 'token_invalid', 2)]),
    );
    expect(await accounts().listRefusals(acme.id, '2090-02-01')).toEqual([
      refused('2090-02-01', 'token_invalid', 24),
    ]);
  });

  test('counts of earlier days expire', async () => {
    await accounts().addAccount(acme);
    const kept = refused('2090-02-01', 'token_invalid', 1);
    await accounts().addRefusals([refused('2090-01-31', 'token_invalid', 1), kept]);
    await accounts().expireRefusals('2090-02-01');
    expect(await accounts().listRefusals(acme.id, '2090-01-01')).toEqual([kept]);
  });
}

/** Returns a live request of acme whose id ends with `number`. */
export function refusedRequest(number: number, fields: Partial<RefusedRequest> = {}): RefusedRequest {
  return {
    id: `request-${String(number).padStart(6, '0')}`,
    accountId: acme.id,
    atMs: Date.UTC(2090, 0, 31) + number,
    environment: 'live',
    status: 404,
    code: 'job_not_found',
    tokenId: 'token',
    ...fields,
  };
}

export function refusedRequestCases({ accounts, connect, reopen }: ContractContext): void {
  const list = async (query: Partial<Parameters<Accounts['listRefusedRequests']>[0]> = {}) =>
    accounts().listRefusedRequests({ accountId: acme.id, fromMs: 0, pageSize: 2_000, ...query });

  test('refused requests are listed with every fact, newest first, apart for each account', async () => {
    for (const account of [acme, other]) await accounts().addAccount(account);
    const full = refusedRequest(1, {
      environment: 'sandbox',
      origin: 'https://www.example.com',
      client: 'my-client/1.0 – Ünïcode',
      jobs: 0,
      wrongEntries: 3,
      wrongEntry: '/jobs/job/0/id',
    });
    const [second, third] = [refusedRequest(2), refusedRequest(3, { atMs: refusedRequest(2).atMs })];
    const foreign = refusedRequest(4, { accountId: other.id });
    await accounts().addRefusedRequests([second, foreign, third, full]);
    await accounts().addRefusedRequests([]);
    const again = await reopen();
    const query = { fromMs: 0, pageSize: 10 };
    expect(await again.listRefusedRequests({ ...query, accountId: acme.id })).toEqual([third, second, full]);
    expect(await again.listRefusedRequests({ ...query, accountId: other.id })).toEqual([foreign]);
    expect(await again.listRefusedRequests({ ...query, accountId: 'ACME' })).toEqual([]);
  });

  test('the pages of a filter have each of its refused requests once', async () => {
    await accounts().addAccount(acme);
    const { atMs } = refusedRequest(0);
    const requests = Array.from({ length: 7 }, (_, number) =>
      refusedRequest(number, { atMs: atMs + (number >> 1), ...(number === 3 && { code: 'query_invalid' }) }),
    );
    await accounts().addRefusedRequests(requests);
    const seen: RefusedRequest[] = [];
    for (;;) {
      const page = await list({ pageSize: 2, code: 'job_not_found', fromMs: atMs + 1, after: seen.at(-1) });
      seen.push(...page);
      if (page.length < 2) break;
    }
    expect(seen.map(({ id }) => Number(id.slice(-6)))).toEqual([6, 5, 4, 2]);
  });

  test('the refused requests of one token are listed, also of one code', async () => {
    await accounts().addAccount(acme);
    const [first, second, third] = [
      refusedRequest(1, { tokenId: 'shop' }),
      refusedRequest(2, { tokenId: 'shop', code: 'query_invalid' }),
      refusedRequest(3),
    ];
    await accounts().addRefusedRequests([first, second, third]);
    expect(await list({ tokenId: 'shop' })).toEqual([second, first]);
    expect(await list({ tokenId: 'shop', pageSize: 1 })).toEqual([second]);
    expect(await list({ tokenId: 'shop', code: 'job_not_found' })).toEqual([first]);
    expect(await list({ tokenId: 'SHOP' })).toEqual([]);
  });

  test('the refused requests of one environment are listed', async () => {
    await accounts().addAccount(acme);
    const [live, sandbox] = [refusedRequest(1), refusedRequest(2, { environment: 'sandbox' })];
    await accounts().addRefusedRequests([live, sandbox]);
    expect(await list({ environment: 'live' })).toEqual([live]);
    expect(await list({ environment: 'sandbox', pageSize: 1 })).toEqual([sandbox]);
  });

  test('a refused request that is added again changes nothing, and one of no account is ignored', async () => {
    await accounts().addAccount(acme);
    const ofNobody = refusedRequest(2, { accountId: 'nobody' });
    await accounts().addRefusedRequests([refusedRequest(1)]);
    await accounts().addRefusedRequests([ofNobody, refusedRequest(1, { code: 'other' }), refusedRequest(3)]);
    expect(await list()).toEqual([refusedRequest(3), refusedRequest(1)]);
    expect(await list({ accountId: 'nobody' })).toEqual([]);
  });

  test('only the newest refused requests of an account are kept, also if several processes add them', async () => {
    for (const account of [acme, other]) await accounts().addAccount(account);
    const { atMs } = refusedRequest(0);
    const foreign = refusedRequest(999_999, { accountId: other.id, atMs: 1 });
    await accounts().addRefusedRequests([foreign]);
    await race({ accounts, connect }, (store, index) =>
      store.addRefusedRequests(
        // Some at the same time: their ids decide.
        Array.from({ length: 100 }, (_, number) => refusedRequest(index * 100 + number, { atMs })),
      ),
    );
    // The next write removes what a race has left.
    await accounts().addRefusedRequests([refusedRequest(1_200, { atMs: atMs + 1 })]);
    const kept = await list();
    expect(kept).toHaveLength(maxRefusedRequests);
    expect([kept[0]?.id, kept.at(-1)?.id]).toEqual(['request-001200', 'request-000201']);
    expect(await list({ accountId: other.id })).toEqual([foreign]);
  });

  test('earlier refused requests expire', async () => {
    await accounts().addAccount(acme);
    await accounts().addRefusedRequests([1, 2, 3].map((number) => refusedRequest(number)));
    let mayBeMore = true;
    while (mayBeMore) mayBeMore = await accounts().expireRefusedRequests(refusedRequest(2).atMs);
    expect(await list()).toEqual([refusedRequest(3), refusedRequest(2)]);
  });
}
