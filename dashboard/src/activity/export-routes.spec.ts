import { expect, test } from '@jest/globals';
import type { DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { partOf } from '../testing/part-of.ts';
import { exportRoutes } from './export-routes.ts';

test('an export reads one page at a time, and none after the browser has left', async () => {
  const queries: DeletionsQuery[] = [];
  const services = partOf<Services>({
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: {
      listDeletions: (query: DeletionsQuery) => {
        const number = queries.push(query);
        const id = `id-${String(number)}`;
        const deletion = partOf<Deletion>({ id, state: 'accepted', origin: {}, acceptedAtMs: 0 });
        const page = { deletions: [deletion], nextPageToken: String(number), examinedFromMs: undefined };
        return Promise.resolve(page);
      },
    },
  });
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
