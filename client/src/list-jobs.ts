import type { CompleteOptions } from './client-options.ts';
import { askFor } from './send-with-retries.ts';

export interface ListJobsOptions {
  /** Only ids after this one, which need not exist. Default: all. */
  readonly after?: string;
  /** Jobs that one request reads, at most 10,000. Default: 10,000. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

interface Page {
  readonly jobs: readonly { readonly id: string }[];
  readonly next: string | null;
}

/** Reads the next page when the ids of the one before are used up. @throws as `sendWithRetries`; ProblemError */
export async function* listJobs(
  options: CompleteOptions,
  { after, pageSize = 10_000, signal = new AbortController().signal }: ListJobsOptions,
): AsyncGenerator<string, void> {
  for (let next: string | null | undefined = after; next !== null;) {
    const query = `limit=${String(pageSize)}${next === undefined ? '' : `&after=${encodeURIComponent(next)}`}`;
    // A proxy or another server answers 200 too. An empty list from it would look like an account without jobs.
    const page: Page = await askFor(options, `/v1/jobs?${query}`, 'GET', signal, readPage);
    for (const { id } of page.jobs) yield id;
    ({ next } = page);
  }
}

function readPage(body: unknown): Page | undefined {
  // Checked below.
  const page = body as Partial<Page> | null;
  const isPage =
    Array.isArray(page?.jobs) &&
    page.jobs.every(({ id }: Partial<Page['jobs'][number]>) => typeof id === 'string') &&
    (page.next === null || typeof page.next === 'string');
  return isPage ? (page as Page) : undefined;
}
