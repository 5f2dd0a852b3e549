import { z } from 'zod';

const job = z.object({ job_id: z.string(), code: z.string(), message: z.string() });

/** The first line: the run that the journal belongs to. */
const run = z.object({
  kind: z.literal('run'),
  version: z.literal(1),
  base_url: z.string(),
  /** The account, if the profile names it, and the public part of the token. */
  account_id: z.string().optional(),
  token_id: z.string().optional(),
  sandbox: z.boolean(),
  /** The user has named the journal, so it stays when the run is complete. */
  named: z.boolean().default(true),
  /** Number of valid ids in the input, and their digest in its order. */
  job_count: z.int(),
  digest: z.string(),
  started_at: z.string(),
});

/** The ids from position `from` to before `to`, without those refused before. */
const sent = z.object({
  kind: z.literal('sent'),
  key: z.string(),
  from: z.int(),
  to: z.int(),
  at: z.string(),
});

const accepted = z.object({
  kind: z.literal('accepted'),
  key: z.string(),
  /** Null in the sandbox. */
  deletion_id: z.string().nullable(),
  job_ids: z.array(z.string()),
});

const refused = z.object({
  kind: z.literal('refused'),
  key: z.string(),
  jobs: z.array(job.extend({ position: z.int() })),
});

/** The request was refused as a whole. Its jobs follow in other requests. */
const reopened = z.object({ kind: z.literal('reopened'), key: z.string(), code: z.string() });

/** An id of the input that cannot be sent. It has no position. */
const invalid = job.extend({ kind: z.literal('invalid'), line: z.int() });

/** A line of a journal: one JSON object. */
const journalLine = z.discriminatedUnion('kind', [run, sent, accepted, refused, reopened, invalid]);

export type JournalLine = z.output<typeof journalLine>;
export type RunLine = z.output<typeof run>;
export type SentLine = z.output<typeof sent>;

/** Returns undefined for a text that is not a whole line. */
export function parseJournalLine(text: string): JournalLine | undefined {
  try {
    return journalLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
