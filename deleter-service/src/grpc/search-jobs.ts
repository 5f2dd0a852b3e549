import type { SearchJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/SearchJobsRequest';
import type { SearchJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/SearchJobsResponse';
import type { Store } from '../store/store.ts';
import { invalidField } from './grpc-error.ts';

const maxTextLength = 200;
const maxLimit = 100;
/** How many jobs one read of the database has. */
const batchSize = 1_000;
/** After this time, a search answers with what it has found. No index has words of titles. */
const maxSearchMs = 1_000;

/** Examines the jobs of an account in the order of their ids. */
export async function searchJobs(
  store: Pick<Store, 'listJobs' | 'describeJobs'>,
  { accountId, text, after, limit }: SearchJobsRequest__Output,
  nowMs: () => number = () => performance.now(),
): Promise<SearchJobsResponse> {
  if (text.length > maxTextLength)
    throw invalidField('text', `must have at most ${String(maxTextLength)} characters`);
  const words = fold(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0) throw invalidField('text', 'must have a word');
  if (limit > maxLimit) throw invalidField('limit', `must be at most ${String(maxLimit)}`);
  const endsAtMs = nowMs() + maxSearchMs;
  const jobs: { id: string; title: string; importedAtMs: number }[] = [];
  for (let from = after; ;) {
    const { jobIds, next } = await store.listJobs({ accountId, after: from, limit: batchSize });
    const described = await store.describeJobs(accountId, jobIds);
    for (const id of jobIds) {
      // A deletion may have removed it since.
      const { title, importedAtMs } = described.get(id) ?? { title: '', importedAtMs: 0 };
      const known = fold(`${id} ${title}`);
      if (!words.every((word) => known.includes(word))) continue;
      // One more than the page shows that there is a next page.
      const last = jobs[(limit || maxLimit) - 1];
      if (last !== undefined) return { jobs, next: last.id };
      jobs.push({ id, title, importedAtMs });
    }
    if (next === undefined) return { jobs, next: '' };
    if (nowMs() >= endsAtMs) return { jobs, next };
    from = next;
  }
}

const spellings: Readonly<Record<string, string>> = { æ: 'ae', œ: 'oe', ß: 'ss', '’': "'" };

/** Returns the text in lower case, without accents and ligatures: `infirmiere` finds `Infirmière`, and `l'oeuvre` finds `L’œuvre`. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[æœß’]/g, (letter) => spellings[letter] ?? letter);
}
