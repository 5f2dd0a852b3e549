import type { JournalLine, SentLine } from './journal-line.ts';

/**
 * The state of the positions `from` to `to`, without `to` itself:
 *
 *     open ──sent──► sent ──accepted──► done
 *      ▲              │
 *      └── refused, reopened
 *
 * - `open`: a request must be sent for all positions except `refused`. No request for them can have been accepted.
 * - `sent`: the request may have been accepted. Only its own key shows it.
 * - `done`: every job is accepted or refused.
 */
export type Segment = Range &
  (
    | { readonly state: 'done' }
    | { readonly state: 'open'; readonly refused: readonly number[] }
    | { readonly state: 'sent'; readonly refused: readonly number[]; readonly request: SentLine }
  );

interface Range {
  readonly from: number;
  readonly to: number;
}

export interface JournalState {
  /** In the order of the input, without gaps, from position 0. Neighbours that are done are one segment. */
  readonly segments: readonly Segment[];
  readonly acceptedJobs: number;
  /** By the server. */
  readonly refusedJobs: number;
  /** Ids that cannot be sent. */
  readonly invalidJobs: number;
  readonly deletions: number;
}

export const emptyState: JournalState = {
  segments: [],
  acceptedJobs: 0,
  refusedJobs: 0,
  invalidJobs: 0,
  deletions: 0,
};

/** Returns the state after this line. Memory depends on the requests without an outcome only. */
export function afterLine(state: JournalState, line: JournalLine): JournalState {
  const { segments } = state;
  switch (line.kind) {
    case 'run':
      return state;
    case 'invalid':
      return { ...state, invalidJobs: state.invalidJobs + 1 };
    case 'sent':
      return { ...state, segments: afterSent(segments, line) };
    case 'accepted':
      return {
        ...state,
        segments: afterOutcome(segments, line.key, ({ from, to }) => ({ from, to, state: 'done' })),
        acceptedJobs: state.acceptedJobs + line.job_ids.length,
        deletions: state.deletions + 1,
      };
    case 'refused': {
      const positions = line.jobs.map(({ position }) => position);
      return {
        ...state,
        segments: afterOutcome(segments, line.key, ({ from, to, refused }) =>
          openSegment(from, to, [...refused, ...positions]),
        ),
        refusedJobs: state.refusedJobs + positions.length,
      };
    }
    case 'reopened':
      return {
        ...state,
        segments: afterOutcome(segments, line.key, ({ from, to, refused }) => openSegment(from, to, refused)),
      };
  }
}

/** Returns the position after the last one that a request has named. */
export function endOf(segments: readonly Segment[]): number {
  return segments.at(-1)?.to ?? 0;
}

/** Returns whether every position below `jobCount` has its final outcome. */
export function isComplete({ segments }: JournalState, jobCount: number): boolean {
  return endOf(segments) === jobCount && segments.every(({ state }) => state === 'done');
}

/**
 * Returns whether a later run needs the journal: some request was or may have been accepted, and something is left to do.
 * @param isLeft whether the wait for the removal or the report is left to do
 */
export function isUnfinished(state: JournalState, jobCount: number, isLeft: boolean): boolean {
  const wasSent = state.acceptedJobs > 0 || state.segments.some((segment) => segment.state === 'sent');
  return wasSent && (isLeft || !isComplete(state, jobCount));
}

/** Returns an open segment, or one that is done if all its jobs are refused. */
function openSegment(from: number, to: number, refused: readonly number[]): Segment {
  return refused.length === to - from ? { from, to, state: 'done' } : { from, to, state: 'open', refused };
}

function afterSent(segments: readonly Segment[], request: SentLine): Segment[] {
  const { from, to } = request;
  const end = endOf(segments);
  // Requests in flight may be recorded in another order than read.
  const known = from > end ? [...segments, openSegment(end, from, [])] : segments;
  if (from >= end) return [...known, { from, to, state: 'sent', refused: [], request }];
  return known.flatMap((segment) => {
    if (segment.state !== 'open' || from < segment.from || to > segment.to) return [segment];
    const part = (start: number, stop: number) =>
      segment.refused.filter((position) => position >= start && position < stop);
    const before = openSegment(segment.from, from, part(segment.from, from));
    const after = openSegment(to, segment.to, part(to, segment.to));
    const own: Segment = { from, to, state: 'sent', refused: part(from, to), request };
    return [before, own, after].filter((piece) => piece.from < piece.to);
  });
}

function afterOutcome(
  segments: readonly Segment[],
  key: string,
  next: (sent: Extract<Segment, { state: 'sent' }>) => Segment,
): Segment[] {
  const after: Segment[] = [];
  for (const segment of segments) {
    const answered = segment.state === 'sent' && segment.request.key === key ? next(segment) : segment;
    const last = after.at(-1);
    if (last?.state === 'done' && answered.state === 'done')
      after[after.length - 1] = { from: last.from, to: answered.to, state: 'done' };
    else after.push(answered);
  }
  return after;
}
