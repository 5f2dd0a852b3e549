import type { DeleterCalls, DeletionsPage, DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { formLifetimeMs } from '../web/form-once.tsx';

/** Pages appear within 100 ms. A call that examines 2,000 deletions takes up to 20 ms. */
const maxCalls = 3;

/**
 * Returns a page of deletions. An answer of the deleter may have fewer than a page, because it examines a bounded number:
 * then this asks again, a few times. Returns undefined for an invalid page token.
 */
export async function findDeletions(
  deleter: Pick<DeleterCalls, 'listDeletions'>,
  query: DeletionsQuery,
): Promise<DeletionsPage | undefined> {
  const deletions: Deletion[] = [];
  let { pageToken } = query;
  let examinedFromMs: number | undefined;
  for (let call = 0; call < maxCalls; call++) {
    const pageSize = query.pageSize - deletions.length;
    const page = await deleter.listDeletions({ ...query, pageSize, pageToken });
    if (page === undefined) return undefined;
    deletions.push(...page.deletions);
    pageToken = page.nextPageToken;
    examinedFromMs = page.examinedFromMs;
    if (pageToken === undefined || deletions.length >= query.pageSize) break;
  }
  return { deletions, nextPageToken: pageToken, examinedFromMs };
}

/** A part of a Deletion-Id, in hexadecimal digits without hyphens. */
interface IdPart {
  /** 8 digits or more. */
  readonly start: string;
  /** Empty for a beginning of an id. */
  readonly end: string;
}

/** Reads the short id that lists show, such as `01a2b3c4…89ab`, also with three dots or a space, or a beginning of an id. */
export function readIdPart(text: string): IdPart | undefined {
  const found = /^([\da-f-]+)(?:\s*(?:…|\.{3}|\s)\s*([\da-f]{0,12}))?$/.exec(text.trim().toLowerCase());
  const [, first = '', end = ''] = found ?? [];
  const start = first.replaceAll('-', '');
  return start.length < 8 || start.length > 32 ? undefined : { start, end };
}

export interface DeletionsWithId {
  /** Newest first. */
  readonly deletions: readonly Deletion[];
  /** Others may fit too: there are too many to read. */
  readonly isPartial: boolean;
}

/** Between the clock that drew an id and the one that accepted the deletion. */
const clockSkewMs = 60_000;
const searchPage = 1_000;
const maxSearchPages = 5;

/**
 * Finds the deletions whose id fits. An id of version 7 begins with the milliseconds of its time, so no index is needed:
 * this reads the deletions of that time, and those that a form with such an id may have sent later, with a limit each.
 */
export async function findByIdPart(
  deleter: Pick<DeleterCalls, 'listDeletions'>,
  accountId: string,
  { start, end }: IdPart,
): Promise<DeletionsWithId> {
  const timeOf = (digit: string) => parseInt(start.slice(0, 12).padEnd(12, digit), 16);
  const lastMs = timeOf('f') + clockSkewMs;
  const fits = ({ id }: Deletion) => id.replaceAll('-', '').startsWith(start) && id.endsWith(end);
  const search = async (acceptedFromMs: number, acceptedToMs: number): Promise<DeletionsWithId> => {
    const deletions: Deletion[] = [];
    let pageToken: string | undefined;
    for (let read = 0; read < maxSearchPages; read++) {
      const query = { accountId, acceptedFromMs, acceptedToMs, pageSize: searchPage, pageToken };
      const page = await deleter.listDeletions(query);
      deletions.push(...(page?.deletions ?? []).filter(fits));
      pageToken = page?.nextPageToken;
      if (pageToken === undefined) break;
    }
    return { deletions, isPartial: pageToken !== undefined };
  };
  const [near, later] = await Promise.all([
    search(Math.max(0, timeOf('0') - clockSkewMs), lastMs),
    search(lastMs, lastMs + formLifetimeMs),
  ]);
  return {
    deletions: [...later.deletions, ...near.deletions],
    isPartial: near.isPartial || later.isPartial,
  };
}
