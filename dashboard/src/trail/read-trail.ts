import {
  auditActions,
  type AuditAction,
  type AuditEntry,
  type AuditTrail,
} from '@jobs-delete/accounts/people/audit-trail';
import { csvLine } from '@jobs-delete/runtime/text/safe-text';
import {
  type DayRange,
  dayProblems,
  type DayProblems,
  readDayRange,
  timesOf,
} from '../activity/activity-filter.ts';
import type { Cursor } from '../web/places.tsx';
import { isRefusedIn } from './pair-entries.ts';

const pageSize = 50;
const batchSize = 500;

/** Bounds the time for one page of a filter that few entries match. */
const readLimits = { batch: batchSize, entries: 5_000 };

/** One action, or every action but sign-ins and sign-outs, which are most entries. */
type ActionFilter = AuditAction | typeof withoutSignIns;
export const withoutSignIns = 'without-sign-ins';
const actionFilters: readonly ActionFilter[] = [withoutSignIns, ...auditActions];

/** Undefined, or no day: all. */
export interface TrailFilter extends DayRange {
  readonly action?: ActionFilter | undefined;
  /** The name in the query, if no action has it. */
  readonly unknownAction?: string | undefined;
  /** The `actor` of the entries. */
  readonly actor?: string | undefined;
}

function isShown(entry: AuditEntry, { action, actor }: TrailFilter): boolean {
  if (actor !== undefined && entry.actor !== actor) return false;
  if (action === withoutSignIns) return entry.action !== 'signed-in' && entry.action !== 'signed-out';
  if (action === undefined || entry.action === action) return true;
  // Without its refusal, a refused deletion would look like an accepted one.
  return action === 'deletion.requested' && entry.action === 'deletion.refused';
}

export interface TrailPage {
  readonly entries: readonly AuditEntry[];
  /** The last entry that was read. Undefined: there are no older ones. */
  readonly next: Cursor | undefined;
}

/** Reads up to 50 entries that match the filter, and the request of a refusal at their end. Ends after 5,000 entries, and `next` continues there. */
export async function readPage(
  trail: Pick<AuditTrail, 'listActions'>,
  accountId: string,
  filter: TrailFilter,
  after: Cursor | undefined,
  limits = readLimits,
): Promise<TrailPage> {
  const entries: AuditEntry[] = [];
  const times = timesOf(filter);
  const isFiltered = filter.action !== undefined || filter.actor !== undefined;
  let cursor = after;
  for (let read = 0; read < limits.entries;) {
    // One more than fits shows whether there is another page.
    const size = isFiltered ? limits.batch : pageSize + 1;
    const batch = await trail.listActions({ accountId, ...times, pageSize: size, after: cursor });
    for (const entry of batch) {
      const isWanted = isShown(entry, filter);
      // One row shows a refusal and its request.
      const isFull = entries.length >= pageSize && !isRefusedIn(entries, entry);
      if (isWanted && isFull) return { entries, next: cursor };
      if (isWanted) entries.push(entry);
      cursor = entry;
    }
    if (batch.length < size) return { entries, next: undefined };
    read += batch.length;
  }
  return { entries, next: cursor };
}

/** Generates a CSV file with every entry that matches the filter, the newest first. */
export async function* exportTrail(
  trail: AuditTrail,
  accountId: string,
  filter: TrailFilter,
): AsyncGenerator<string> {
  yield csvLine(['time', 'action', 'actor', 'subject', 'network', 'id']);
  const times = timesOf(filter);
  let after: Cursor | undefined;
  for (;;) {
    const batch = await trail.listActions({ accountId, ...times, pageSize: batchSize, after });
    yield batch
      .filter((entry) => isShown(entry, filter))
      .map(toLine)
      .join('');
    after = batch.at(-1);
    if (batch.length < batchSize) return;
  }
}

function toLine({ atMs, action, actor, subject, network, id }: AuditEntry): string {
  return csvLine([new Date(atMs).toISOString(), action, actor, subject, network, id]);
}

/** Without an action, the filter leaves out sign-ins. An empty one means all. */
export function readFilter(query: URLSearchParams): TrailFilter {
  const text = query.get('action')?.slice(0, 100);
  const action = actionFilters.find((filter) => filter === text);
  const actor = (query.get('actor') ?? '').slice(0, 254);
  return {
    action: text === undefined ? withoutSignIns : action,
    unknownAction: action === undefined && text ? text : undefined,
    actor: actor || undefined,
    ...readDayRange(query),
  };
}

/** Returns what is wrong with the fields of a filter. */
export function trailProblems(filter: TrailFilter): DayProblems & { readonly action?: 'unknown' } {
  return { ...dayProblems(filter), ...(filter.unknownAction !== undefined && { action: 'unknown' }) };
}

/** Returns the query of a page of the filter, and of its export. */
export function trailQuery({ action, actor, from, to }: TrailFilter, pages?: string): string {
  return new URLSearchParams({
    action: action ?? '',
    ...(actor && { actor }),
    ...(from && { from }),
    ...(to && { to }),
    ...(pages && { pages }),
  }).toString();
}
