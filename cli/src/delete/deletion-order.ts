import type { NamedCaller } from './read-caller.ts';
import type { IdInput } from './id-input.ts';
import type { JournalPlace } from './target.ts';

/** What one run of the command deletes, and how. */
export interface DeletionOrder {
  readonly caller: NamedCaller;
  /** Sends the credentials over http:// to another machine. */
  readonly allowHttp: boolean;
  readonly input: IdInput;
  /** For messages, such as `jobs.csv`. */
  readonly inputName: string;
  readonly journal: JournalPlace;
  readonly sandbox: boolean;
  readonly requestFormat: 'json' | 'xml';
  readonly concurrency: number;
  readonly jobsPerRequest: number;
  readonly retryForMs: number;
  /** Leaves out refused jobs and invalid ids. Otherwise the first one stops the run. */
  readonly continueOnError: boolean;
  /** Waits until the jobs are removed. */
  readonly wait: boolean;
  /** Starts a live deletion without a question. */
  readonly yes: boolean;
  /** How long the server keeps an idempotency key. */
  readonly keyRetentionMs: number;
  /** Repeats requests without an outcome even if the server may have forgotten their keys. */
  readonly resendExpired: boolean;
}
