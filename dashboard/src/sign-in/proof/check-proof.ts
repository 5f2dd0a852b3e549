import { setTimeout as delay } from 'node:timers/promises';
import type { Person } from '@jobs-delete/accounts/people/people';
import type { Services } from '../../services.ts';
import { browserMark, hasMark } from '../../web/known-browser.ts';
import type { Visit } from '../../web/route.ts';
import { recordForPerson } from '../record-for-person.ts';
import {
  createAttemptLimits,
  createAttemptCounts,
  type Attempt,
  type AttemptLimits,
} from './attempt-limits.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { seal, stepOf, unseal } from './totp.ts';

export type ProofOutcome =
  { readonly kind: 'right' | 'wrong' } | { readonly kind: 'blocked'; readonly waitMs: number };

/** Checks what somebody knows or has, and limits wrong attempts. */
export interface Proofs {
  readonly passwords: Passwords;
  /** `person` is undefined for an unknown address, which is answered like a wrong password and takes as long. */
  checkPassword(
    visit: Visit,
    email: string,
    person: Person | undefined,
    password: string,
  ): Promise<ProofOutcome>;
  /** Uses a code of the authenticator app, or a recovery code. */
  checkCode(visit: Visit, person: Person, code: string): Promise<ProofOutcome>;
}

type Needed = Pick<Services, 'accounts' | 'keys' | 'now' | 'log'>;

export interface ProofOptions {
  readonly passwords?: Passwords;
  readonly wait?: (ms: number) => Promise<unknown>;
}

export function createProofs(services: Needed, options: ProofOptions = {}): Proofs {
  const { accounts, keys, now, log } = services;
  const { passwords = createPasswords(), wait = delay } = options;
  const passwordLimits = createAttemptLimits({ now, everywhere: { limit: 50, then: 'wait' } });
  // A code has six digits, so a known password must not allow many attempts from many networks.
  const codeLimits = createAttemptLimits({ now, everywhere: { limit: 20, then: 'block' } });
  const recordRefusal = createRefusalRecorder(services);

  const attempt = async (
    limits: AttemptLimits,
    attempted: Attempt,
    check: () => Promise<boolean>,
  ): Promise<ProofOutcome> => {
    const beginning = limits.begin(attempted);
    if (beginning.kind === 'blocked') return beginning;
    if (beginning.delayMs > 0) await wait(beginning.delayMs);
    const isRight = await check().catch((error: unknown) => {
      // Nothing was compared: an overload or a database that is away locks nobody out.
      limits.succeeded(attempted);
      throw error;
    });
    if (!isRight) return { kind: 'wrong' };
    limits.succeeded(attempted);
    return { kind: 'right' };
  };
  const attemptOf = ({ network, browserSecret, browserMarks }: Visit, email: string): Attempt => {
    const mark = browserMark(keys.knownBrowsers, browserSecret, email);
    return { network, email, knownBrowser: hasMark(browserMarks, mark) ? mark : undefined };
  };
  // Not awaited: the write would make the answer for a known address slower.
  const refused = (visit: Visit, person: Person | undefined) => {
    if (person === undefined) return;
    recordRefusal(visit, person).catch((error: unknown) =>
      log.warn({ err: error }, 'recording a refused sign-in failed'),
    );
  };

  return {
    passwords,
    checkPassword: async (visit, email, person, password) => {
      const check = () => passwords.verify(person?.passwordHash, password);
      const outcome = await attempt(passwordLimits, attemptOf(visit, email), check);
      if (outcome.kind === 'wrong') refused(visit, person);
      return outcome;
    },
    checkCode: async (visit, person, code) => {
      const check = () => useCode({ accounts, keys }, visit, person, code);
      const outcome = await attempt(codeLimits, attemptOf(visit, person.email), check);
      if (outcome.kind === 'wrong') refused(visit, person);
      return outcome;
    },
  };
}

async function useCode(
  { accounts, keys }: Pick<Services, 'accounts' | 'keys'>,
  { nowMs }: Visit,
  person: Person,
  text: string,
): Promise<boolean> {
  if (person.totp === undefined) return false;
  const code = text.replace(/\s/g, '');
  if (!/^\d{6}$/.test(code)) return accounts.useRecoveryCode(person.id, hashRecoveryCode(code));
  const secret = unseal(keys.totp, person.totp.secret, person.id);
  if (secret === undefined) return false;
  const step = stepOf(secret, code, nowMs);
  if (step === undefined || !(await accounts.useTotpStep(person.id, step))) return false;
  if (unseal([keys.totp[0]], person.totp.secret, person.id) === undefined) {
    // The pepper is being replaced.
    const totp = { secret: seal(keys.totp[0], secret, person.id), lastStep: step };
    await accounts.setTotp(person.id, { totp, recoveryCodes: person.recoveryCodes });
  }
  return true;
}

/** Records at most one refused sign-in a minute for a person and a network: an attack must not fill the audit trail. */
function createRefusalRecorder({ accounts, now }: Needed) {
  const recorded = createAttemptCounts(now, { windowMs: 60_000 });
  return async (visit: Visit, person: Person) => {
    const key = `${person.id} ${visit.network}`;
    if (recorded.count(key) > 0) return;
    recorded.add(key, 1);
    await recordForPerson(accounts, visit, person, 'sign-in.refused');
  };
}
