import { expect, test } from '@jest/globals';
import { acme, other } from '../../testing/deletions.ts';
import { maxAllowances, noRules, type Allowance, type SafetyRules } from '../safety-rules.ts';
import type { ContractContext } from './store.contract.ts';

const ruled: SafetyRules = {
  removalDelayMs: 86_400_000,
  limit: { kind: 'share', percent: 20 },
  allowances: [],
};
const nowMs = 1_700_000_000_000;
const allowance = (id: string, untilMs = nowMs + 1): Allowance => ({ id, jobs: 500, untilMs });

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
    const all = { removalDelayMs: 60_000, limit, allowances: [allowance('a')] };
    expect(await store().addAllowance(acme, allowance('a'), nowMs)).toEqual(all);
    expect(await store().setRules(acme, {})).toEqual(all);
    expect(await store().findRules([acme])).toEqual(new Map([[acme, all]]));
  });

  test('rules can be removed again', async () => {
    await store().setRules(acme, ruled);
    expect(await store().setRules(acme, { limit: undefined })).toEqual({ ...ruled, limit: undefined });
    expect(await store().setRules(acme, { removalDelayMs: 0 })).toEqual(noRules);
    expect(await store().findRules([acme])).toEqual(new Map([[acme, noRules]]));
  });

  test('two changes at the same time both hold', async () => {
    const { removalDelayMs, limit } = ruled;
    await Promise.all([
      ...[{ removalDelayMs }, { limit }].map((one) => store().setRules(acme, one)),
      ...['a', '$id'].map((id) => store().addAllowance(acme, allowance(id), nowMs)),
    ]);
    const rules = (await store().findRules([acme])).get(acme);
    expect(rules).toEqual({
      ...ruled,
      allowances: expect.arrayContaining([allowance('a'), allowance('$id')]),
    });
    expect(rules?.allowances).toHaveLength(2);
  });

  test('an allowance is added once by its id, and forgotten after its end', async () => {
    const add = async (one: Allowance, atMs = nowMs) =>
      (await store().addAllowance(acme, one, atMs)).allowances;
    expect(await add(allowance('a'))).toEqual([allowance('a')]);
    expect(await add(allowance('a', nowMs + 9))).toEqual([allowance('a')]);
    const later = allowance('b', nowMs + 9);
    expect(await add(later)).toEqual([allowance('a'), later]);
    expect(await add(later, nowMs + 1)).toEqual([later]);
  });

  test('an account has a bounded number of allowances that have not ended', async () => {
    const ids = Array.from({ length: maxAllowances }, (_, index) => String(index));
    for (const id of ids) await store().addAllowance(acme, allowance(id), nowMs);
    const { allowances } = await store().addAllowance(acme, allowance('more'), nowMs);
    expect(allowances.map(({ id }) => id)).toEqual(ids);
    expect((await store().addAllowance(acme, allowance('more', nowMs + 9), nowMs + 1)).allowances).toEqual([
      allowance('more', nowMs + 9),
    ]);
  });

  test('rules survive a restart', async () => {
    await store().setRules(acme, ruled);
    const rules = await store().addAllowance(acme, allowance('a'), nowMs);
    expect(await (await reopen()).findRules([acme])).toEqual(new Map([[acme, rules]]));
  });
}
