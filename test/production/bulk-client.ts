import type { SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { attempt, type Pool, type SentRequest, type Whereabouts } from '../durability/sent-requests.ts';
import { currentTest } from '../harness/until.ts';

/** Deletes 200 to 2,500 jobs per request, with a key. Large deletions take several events. */
export async function runBulkClient(
  name: string,
  pool: Pool,
  random: SeededRandom,
  service: Whereabouts,
  sent: SentRequest[],
): Promise<void> {
  for (let count = 0; service.goesOn() && pool.next < pool.jobIds.length; count++) {
    const size = random.fraction() < 0.7 ? 200 + random.below(101) : 1_001 + random.below(1_500);
    const request: SentRequest = {
      account: pool.account,
      format: random.fraction() < 0.5 ? 'json' : 'xml',
      jobIds: pool.jobIds.slice(pool.next, pool.next + size),
      key: `bulk-${name}-${String(count)}`,
      attempts: [],
    };
    pool.next += size;
    sent.push(request);
    while (!currentTest.isOver) {
      const answer = await attempt(request, await service.baseUrl());
      if (answer !== undefined && answer.status !== 503) break;
    }
  }
}
