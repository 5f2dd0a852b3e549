import { forEachGroup } from '@jobs-delete/runtime/batching/groups';
import { asFault, Fault } from '@jobs-delete/runtime/fault';
import { type Clock, withTimeLimit } from '@jobs-delete/runtime/time/clock';
import { noRules, type SafetyRules } from '../store/safety-rules.ts';
import type { Store } from '../store/store.ts';

export interface RuleReaderOptions {
  readonly store: Pick<Store, 'findRules'>;
  readonly clock: Clock;
  readonly maxAccounts?: number;
}

/**
 * Returns rules that were read at most 5 s ago, or at most a minute ago while reads fail. Rules of now are read for the
 * call. @throws Fault `unavailable`
 */
export type ReadRules = (accountId: string, age?: 'recent' | 'now') => Promise<SafetyRules>;

const maxAgeMs = 5_000;
/** From this age on, a request starts the next read and does not wait for it. */
const refreshAfterMs = 4_000;
const maxAgeOnFailureMs = 60_000;
/** A read of several accounts is late after this time. Then each account is read alone: its data may be out of reach. */
const lateMs = 300;
const maxConcurrent = 16;
const maxApart = 1_000;

interface Known {
  readonly readAtMs: number;
  readonly rules: SafetyRules;
}

/**
 * Creates a reader with a cache. Reads the accounts of one turn of the event loop with one query. An account whose own
 * read was late or failed is read apart from the others, until it is in time again.
 */
export function createRuleReader({ store, clock, maxAccounts = 50_000 }: RuleReaderOptions): ReadRules {
  /** The longest unread first. */
  const known = new Map<string, Known>();
  const reading = new Map<string, Reading>();
  const apart = new Set<string>();
  let asked: Reading[] = [];

  const keep = (accountId: string, one: Known) => {
    known.delete(accountId);
    known.set(accountId, one);
    for (const oldest of known.keys()) {
      if (known.size <= maxAccounts) break;
      known.delete(oldest);
    }
  };
  /** Resolves when the query is answered or late, to whether it was answered in time. */
  const query = (readings: readonly Reading[]): Promise<boolean> => {
    const readAtMs = clock.now();
    const answer = store
      .findRules(readings.map(({ accountId }) => accountId))
      .then((found) => {
        for (const { accountId, resolve } of readings) {
          const rules = found.get(accountId) ?? noRules;
          keep(accountId, { readAtMs, rules });
          resolve(rules);
        }
        return true;
      })
      .catch((error: unknown) => {
        // The accounts of a shared query get another one of their own.
        if (readings.length === 1) for (const { reject } of readings) reject(unavailable(error));
        return false;
      });
    return withTimeLimit(answer, lateMs, () => false, clock);
  };
  const queryAlone = async (one: Reading) => {
    if (await query([one])) apart.delete(one.accountId);
    else if (apart.size < maxApart) apart.add(one.accountId);
  };
  const readAsked = async () => {
    const taken = asked;
    asked = [];
    const isApart = ({ accountId }: Reading) => apart.has(accountId);
    const together = taken.filter((one) => !isApart(one));
    const alone = taken.filter(isApart);
    const readTogether = async () => {
      const [first, ...others] = together;
      if (first === undefined) return;
      if (others.length === 0) await queryAlone(first);
      else if (!(await query(together))) await forEachGroup([...together], maxConcurrent, queryAlone);
    };
    await Promise.all([readTogether(), forEachGroup(alone, maxConcurrent, queryAlone)]);
  };
  const read = (accountId: string): Promise<SafetyRules> => {
    const shared = reading.get(accountId);
    if (shared !== undefined) return shared.rules;
    if (asked.length === 0) clock.defer(() => void readAsked());
    const started = startReading(accountId, () => reading.delete(accountId));
    reading.set(accountId, started);
    asked.push(started);
    return started.rules;
  };
  /** Takes no read that began before the call. */
  const readNow = async (accountId: string) => {
    const shared = reading.get(accountId);
    if (shared !== undefined && !asked.includes(shared)) await shared.rules.catch(() => undefined);
    return read(accountId);
  };

  return async (accountId, age = 'recent') => {
    if (age === 'now') return readNow(accountId);
    const last = known.get(accountId);
    // A clock that was set back makes an entry old, not young.
    const ageMs = last === undefined || last.readAtMs > clock.now() ? Infinity : clock.now() - last.readAtMs;
    if (last === undefined || ageMs >= maxAgeOnFailureMs) return read(accountId);
    if (ageMs < refreshAfterMs) return last.rules;
    const fresh = read(accountId).catch(() => last.rules);
    return ageMs < maxAgeMs ? last.rules : fresh;
  };
}

interface Reading {
  readonly accountId: string;
  readonly rules: Promise<SafetyRules>;
  readonly resolve: (rules: SafetyRules) => void;
  readonly reject: (fault: Fault) => void;
}

function startReading(accountId: string, onEnd: () => void): Reading {
  let resolve: Reading['resolve'] = () => undefined;
  let reject: Reading['reject'] = () => undefined;
  const rules = new Promise<SafetyRules>((...settle) => ([resolve, reject] = settle));
  rules.then(onEnd, onEnd);
  return { accountId, rules, resolve, reject };
}

/** A Fault of this read says nothing about the request: it has changed nothing. */
function unavailable(error: unknown): Fault {
  return new Fault(
    'unavailable',
    `the safety rules of the account can't be read: ${asFault(error).message}`,
    error,
  );
}
