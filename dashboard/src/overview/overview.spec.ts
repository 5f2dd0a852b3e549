import { expect, test } from '@jest/globals';
import { createDayCounter } from '../activity/count-days.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { partOf } from '../testing/part-of.ts';
import { overviewRoutes } from './overview-routes.tsx';

test('connections of one account share a summary that is still being counted', async () => {
  const reads: string[] = [];
  const read = (name: string) => (accountId: string) => {
    reads.push(`${name} ${accountId}`);
    return new Promise<never>(() => undefined);
  };
  const countDeletions: DeleterCalls['countDeletions'] = ({ accountId }) => read('days')(accountId);
  const deleter = { countJobs: read('jobs'), countDeletions };
  const accounts = { listRefusals: read('refusals') };
  const services = partOf<Services>({ deleter, accounts });
  const routes = overviewRoutes({ ...services, dayCounter: createDayCounter(services.deleter) });
  const events = routes.find(({ path }) => path === '/overview/events');
  const connect = async (accountId: string) => {
    const reply = await events?.serve({ accountId, language: 'en', nowMs: 0 } as MemberVisit);
    if (reply?.kind !== 'events') throw new Error('the reply has no events');
    void reply.open(new AbortController().signal)[Symbol.asyncIterator]().next();
  };
  for (const accountId of ['acme', 'acme', 'other']) await connect(accountId);
  expect(reads).toEqual(
    expect.arrayContaining(['jobs acme', 'refusals acme', 'jobs other', 'refusals other']),
  );
  expect(reads.filter((each) => each === 'jobs acme' || each === 'refusals acme')).toHaveLength(2);
});
