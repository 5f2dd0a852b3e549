import { expect, test } from '@jest/globals';
import type { RefusalCount } from '../refusal-counter.ts';
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
      refused('2090-02-01', 'job_not_found', 4),
      refused('2090-02-01', 'job_not_found', 5),
    ]);
    await accounts().addRefusals([]);
    const ofLastDay = [refused('2090-02-01', 'job_not_found', 11), refused('2090-02-01', 'token_invalid', 3)];
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
