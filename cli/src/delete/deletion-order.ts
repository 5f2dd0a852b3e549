import type { Caller } from './read-caller.ts';
import type { IdInput } from './id-input.ts';

/** What one run of the command deletes, and how. */
export interface DeletionOrder {
  readonly caller: Caller;
  readonly input: IdInput;
  /** For messages, such as `jobs.csv`. */
  readonly inputName: string;
  readonly journalPath: string;
  readonly sandbox: boolean;
  readonly requestFormat: 'json' | 'xml';
  readonly concurrency: number;
  readonly jobsPerRequest: number;
  readonly retryForMs: number;
  /** Whether refused jobs and invalid ids are left out. Otherwise the first one stops the run. */
  readonly continueOnError: boolean;
  /** Whether to wait until the jobs are removed. */
  readonly wait: boolean;
  /** Whether not to ask before a live deletion. */
  readonly yes: boolean;
  /** How long the server keeps an idempotency key. */
  readonly keyRetentionMs: number;
  /** Whether to send requests without an outcome again when the server may have forgotten their keys. */
  readonly resendExpired: boolean;
}
