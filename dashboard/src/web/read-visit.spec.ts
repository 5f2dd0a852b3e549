import type { Accounts } from '@jobs-delete/accounts/accounts';
import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { cookiesOf } from './browser-cookie.ts';
import { readVisit, type VisitOptions } from './read-visit.ts';
import { createSessionLookUps } from './browser-sessions.ts';

test('cookies of unknown sessions cause one look-up at a time, and then a fault', async () => {
  const lookUps: (() => void)[] = [];
  const findSession = () => new Promise<undefined>((resolve) => lookUps.push(() => resolve(undefined)));
  const options: VisitOptions = {
    // The function uses no other method for an unknown session.
    accounts: { findSession } as unknown as Accounts,
    cookies: cookiesOf('http://localhost'),
    keys: { csrf: Buffer.alloc(32) },
    now: () => 0,
    onError: () => undefined,
    lookUpSession: createSessionLookUps({ maxWaiting: 1, maxRunning: 1 }),
  };
  const visit = (cookie: string) => {
    const request = { headers: { cookie }, ip: '192.0.2.7', originalUrl: '/', acceptsLanguages: () => false };
    const response = { cookie: () => undefined, once: () => undefined };
    // The function reads these members only.
    return readVisit(request as unknown as Request, response as unknown as Response, options);
  };
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
