import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newId } from '../people/new-id.ts';
import { count, race, type ContractContext } from './fixtures.ts';
import { person } from './people-fixtures.ts';

const newFactor = (lastStep = 100) => ({
  totp: { secret: randomBytes(48), lastStep },
  recoveryCodes: [randomBytes(32), randomBytes(32)],
});

export function secondFactorCases(context: ContractContext): void {
  timeStepCases(context);
  recoveryCodeCases(context);
}

function timeStepCases({ accounts, connect }: ContractContext): void {
  test('setting a second factor replaces the earlier one with all its recovery codes', async () => {
    const added = person();
    await accounts().addPerson(added);
    for (const factor of [newFactor(), newFactor()]) {
      expect(await accounts().setTotp(added.id, factor)).toBe(true);
      expect(await accounts().findPerson(added.id)).toEqual({ ...added, ...factor });
    }
    expect(await accounts().setTotp(added.id, null)).toBe(true);
    expect(await accounts().findPerson(added.id)).toEqual(added);
    expect(await accounts().setTotp(newId(), newFactor())).toBe(false);
  });

  test('a time step is used once, and no earlier one after it', async () => {
    const added = person({ ...newFactor(100) });
    await accounts().addPerson(added);
    const outcomes: boolean[] = [];
    for (const step of [99, 100, 103, 103, 102, 104])
      outcomes.push(await accounts().useTotpStep(added.id, step));
    expect(outcomes).toEqual([false, false, true, false, false, true]);
    expect((await accounts().findPerson(added.id))?.totp?.lastStep).toBe(104);
  });

  test('a person without a second factor, and an unknown person, use no time step', async () => {
    const added = person();
    await accounts().addPerson(added);
    expect(await accounts().useTotpStep(added.id, 1)).toBe(false);
    expect(await accounts().useTotpStep(newId(), 1)).toBe(false);
    expect(await accounts().findPerson(added.id)).toEqual(added);
  });

  test('exactly one of several concurrent callers uses a time step', async () => {
    const added = person({ ...newFactor(100) });
    await accounts().addPerson(added);
    const outcomes = await race({ accounts, connect }, (store) => store.useTotpStep(added.id, 101));
    expect(count(outcomes, true)).toBe(1);
  });
}

function recoveryCodeCases({ accounts, connect }: ContractContext): void {
  test('a recovery code is used once, by its own person', async () => {
    const [added, stranger] = [person({ ...newFactor() }), person({ ...newFactor() })];
    for (const each of [added, stranger]) await accounts().addPerson(each);
    const [code = randomBytes(32), kept] = added.recoveryCodes;
    expect(await accounts().useRecoveryCode(stranger.id, code)).toBe(false);
    expect(await accounts().useRecoveryCode(added.id, code)).toBe(true);
    expect(await accounts().useRecoveryCode(added.id, code)).toBe(false);
    expect(await accounts().findPerson(added.id)).toEqual({ ...added, recoveryCodes: [kept] });
    expect(await accounts().findPerson(stranger.id)).toEqual(stranger);
  });

  test('exactly one of several concurrent callers uses a recovery code', async () => {
    const added = person({ ...newFactor() });
    await accounts().addPerson(added);
    const [code = randomBytes(32)] = added.recoveryCodes;
    const outcomes = await race({ accounts, connect }, (store) => store.useRecoveryCode(added.id, code));
    expect(count(outcomes, true)).toBe(1);
  });
}
