import { expect, test } from '@jest/globals';
import { acme, other } from '../../testing/deletions.ts';
import { noRules, type SafetyRules } from '../safety-rules.ts';
import type { ContractContext } from './store.contract.ts';

const ruled: SafetyRules = {
  removalDelayMs: 86_400_000,
  limit: { kind: 'share', percent: 20 },
  allowances: [{ jobs: 500, untilMs: 1_700_000_000_000 }],
};

export function ruleCases({ store, reopen }: ContractContext): void {
  test('an account without rules is absent', async () => {
    expect(await store().findRules([])).toEqual(new Map());
    expect(await store().findRules([acme, other])).toEqual(new Map());
    await store().setRules(other, ruled);
    expect(await store().findRules([acme, other, acme])).toEqual(new Map([[other, ruled]]));
    expect(await store().findRules([acme])).toEqual(new Map());
  });

  test('only the given rules change', async () => {
    expect(await store().setRules(acme, { removalDelayMs: 60_000 })).toEqual({
      ...noRules,
      removalDelayMs: 60_000,
    });
    const limit = { kind: 'jobs', jobs: 1_000 } as const;
    expect(await store().setRules(acme, { limit })).toEqual({ ...noRules, removalDelayMs: 60_000, limit });
    const { allowances } = ruled;
    const all = { removalDelayMs: 60_000, limit, allowances };
    expect(await store().setRules(acme, { allowances })).toEqual(all);
    expect(await store().setRules(acme, {})).toEqual(all);
    expect(await store().findRules([acme])).toEqual(new Map([[acme, all]]));
  });

  test('rules can be removed again', async () => {
    await store().setRules(acme, ruled);
    expect(await store().setRules(acme, { limit: undefined })).toEqual({ ...ruled, limit: undefined });
    expect(await store().setRules(acme, { removalDelayMs: 0, allowances: [] })).toEqual(noRules);
    expect(await store().findRules([acme])).toEqual(new Map([[acme, noRules]]));
  });

  test('two changes at the same time both hold', async () => {
    const { removalDelayMs, limit, allowances } = ruled;
    await Promise.all(
      [{ removalDelayMs }, { limit }, { allowances }].map((one) => store().setRules(acme, one)),
    );
    expect(await store().findRules([acme])).toEqual(new Map([[acme, ruled]]));
  });

  test('rules survive a restart', async () => {
    await store().setRules(acme, ruled);
    expect(await (await reopen()).findRules([acme])).toEqual(new Map([[acme, ruled]]));
  });
}
