import type { Accounts } from '@jobs-delete/accounts/accounts';
import type { Person, Session } from '@jobs-delete/accounts/people/people';
import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { partOf } from '../testing/part-of.ts';
import { cookiesOf } from './browser-cookie.ts';
import { readVisit, type VisitOptions } from './read-visit.ts';
import { createSessionLookUps } from './browser-sessions.ts';

/** Reads a request with this cookie. The function reads these members only. */
function visitWith(options: VisitOptions, cookie: string) {
  const request = { headers: { cookie }, ip: '192.0.2.7', originalUrl: '/', acceptsLanguages: () => false };
  const response = { cookie: () => undefined, once: () => undefined };
  return readVisit(request as unknown as Request, response as unknown as Response, options);
}

const unused = { cookies: cookiesOf('http://localhost'), keys: { csrf: Buffer.alloc(32) } };

test('the first request of a day to an account is recorded, and no other one', async () => {
  const times = ['2026-01-30T23:59:00Z', '2026-01-31T00:00:00Z', '2026-01-31T11:00:00Z'].map(Date.parse);
  const [startMs = 0] = times;
  const session: Session = {
    hash: Buffer.alloc(32),
    id: 's',
    personId: 'ada',
    accountId: 'acme',
    createdAtMs: startMs,
    lastSeenAtMs: startMs,
    provenAtMs: startMs,
  };
  let person: Person = { id: 'ada', createdAtMs: 1, passkeys: [], memberships: [] };
  const seen = (days: { readonly lastSeenAtMs?: number }) =>
    (person = { ...person, memberships: [{ accountId: 'acme', role: 'viewer', email: 'a@x', ...days }] });
  seen({});
  const recorded: (string | number)[][] = [];
  const accounts = partOf<Accounts>({
    findSession: () => Promise.resolve(session),
    findPerson: () => Promise.resolve(person),
    findAccounts: () => Promise.resolve([]),
    changeSession: () => Promise.resolve(true),
    recordMemberSeen: (accountId, personId, lastSeenAtMs) => {
      recorded.push([accountId, personId, new Date(lastSeenAtMs).toISOString()]);
      seen({ lastSeenAtMs });
      return Promise.resolve();
    },
  });
  for (const nowMs of [times, times].flat().toSorted())
    await visitWith(
      {
        ...unused,
        accounts,
        now: () => nowMs,
        onError: (error) => {
          throw error;
        },
        lookUpSession: createSessionLookUps({ maxWaiting: 1, maxRunning: 1 }),
      },
      `session=${'1'.repeat(43)}`,
    );
  expect(recorded).toEqual([
    ['acme', 'ada', '2026-01-30T00:00:00.000Z'],
    ['acme', 'ada', '2026-01-31T00:00:00.000Z'],
  ]);
});

test('cookies of unknown sessions cause one look-up at a time, and then a fault', async () => {
  const lookUps: (() => void)[] = [];
  const findSession = () => new Promise<undefined>((resolve) => lookUps.push(() => resolve(undefined)));
  const options: VisitOptions = {
    accounts: partOf<Accounts>({ findSession }),
    ...unused,
    now: () => 0,
    onError: () => undefined,
    lookUpSession: createSessionLookUps({ maxWaiting: 1, maxRunning: 1 }),
  };
  const visit = (cookie: string) => visitWith(options, cookie);
  const unknown = (digit: string) => visit(`session=${digit.repeat(43)}`);

  const first = unknown('1');
  const second = unknown('2');
  await expect(unknown('3')).rejects.toMatchObject({ code: 'unavailable' });
  expect(lookUps).toHaveLength(1);
  expect((await visit('session=short')).signedIn).toBeUndefined();
  expect((await visit('')).signedIn).toBeUndefined();
  lookUps.shift()?.();
  expect((await first).signedIn).toBeUndefined();
  while (lookUps.length === 0) await new Promise(setImmediate);
  lookUps.shift()?.();
  expect((await second).signedIn).toBeUndefined();
});
