import { expect, test } from '@jest/globals';
import type { DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { exportRoutes } from './export-routes.ts';

test('an export reads one page at a time, and none after the browser has left', async () => {
  const queries: DeletionsQuery[] = [];
  // The route uses these two only.
  const services = {
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: {
      listDeletions: (query: DeletionsQuery) => {
        const number = queries.push(query);
        const deletion = { id: `id-${String(number)}`, state: 'accepted', origin: {}, acceptedAtMs: 0 };
        return Promise.resolve({ deletions: [deletion], nextPageToken: String(number) });
      },
    },
  } as unknown as Services;
  const [route] = exportRoutes(services);
  const visit = { accountId: 'acme', query: new URLSearchParams(), nowMs: 0 } as MemberVisit;
  const reply = await route?.serve(visit);
  if (reply?.kind !== 'file') throw new Error('the reply is no file');

  let lines = 0;
  for await (const chunk of reply.chunks) {
    lines += chunk.split('\r\n').length - 1;
    // The header, and a page for each call.
    expect(lines).toBeLessThanOrEqual(queries.length + 1);
    if (lines === 3) break;
  }
  expect(queries.map(({ pageToken }) => pageToken)).toEqual([undefined, '1']);
});
