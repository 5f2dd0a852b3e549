import { expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { partOf } from '../testing/part-of.ts';
import { eventRoutes } from './event-routes.tsx';

test('a live page connects again while no api answers', async () => {
  const away = { getDeletion: () => Promise.reject(new Fault('unavailable', 'deleter: UNAVAILABLE')) };
  const [route] = eventRoutes(partOf<Services>({ deleter: away }));
  const params = { id: '01933a00-0000-7000-8000-000000000005' };
  const reply = await route?.serve(partOf<MemberVisit>({ accountId: 'acme', params }));

  // A browser connects again after a stream with no event. After another status it gives up.
  if (reply?.kind !== 'events') throw new Error('the reply is no stream');
  const events: unknown[] = [];
  for await (const event of reply.open(new AbortController().signal)) events.push(event);
  expect(events).toEqual([]);
});
