import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJobId } from '@jobs-delete/proto/ids';
import type { Command } from 'commander';
import {
  idsOfArguments,
  idsOfFile,
  readingError,
  withoutRepetitions,
  type IdInput,
} from '../delete/id-input.ts';
import type { JournalPlace, RunOptions } from '../delete/prepare-run.ts';
import { readCaller, type CallerOptions } from '../delete/read-caller.ts';
import { runDeletion } from '../delete/run-deletion.ts';
import { requireReport } from '../delete/write-report.ts';
import { formatOf, nameOf, readers, type Format } from '../import/formats.ts';
import type { Io } from '../io.ts';
import { printable } from '../report.ts';
import { wrongUsage } from '../refusal.ts';
import { subcommand, wholeNumberBetween } from './options.ts';

interface DeleteOptions extends CallerOptions, RunOptions {
  readonly format?: Format;
  readonly column: string;
  readonly journal?: string;
}

const formats = Object.keys(readers) as Format[];

const help = `Deletes through the HTTP API, with the credentials of an account. The address, the token, the secret key and the origin
come from options, environment variables (JOBS_DELETE_BASE_URL, JOBS_DELETE_TOKEN, JOBS_DELETE_SECRET_KEY,
JOBS_DELETE_ORIGIN) or a profile: a JSON file with base_url, token, secret_key and origin, which only you can read.

A journal makes the run repeatable: after an interruption, run the same command again. docs/command-line.md explains it.`;

export function deleteCommand(io: Io): Command {
  return subcommand('delete', 'delete jobs through the HTTP API')
    .argument('<ids...>', 'ids of jobs, or one file with ids, or - for standard input')
    .callerOptions()
    .choiceOption('--format <format>', 'format of the file (default: by its extension)', formats)
    .option('--column <name>', 'the CSV column with the ids', 'id')
    .choiceOption('--request-format <format>', 'format of the requests', ['json', 'xml'], 'json')
    .option('--sandbox', 'run every check and delete nothing')
    .option('--concurrency <n>', 'requests at the same time', wholeNumberBetween(1, 64), 2)
    .option('--jobs-per-request <n>', 'most jobs in a request', wholeNumberBetween(1, 10_000), 10_000)
    .option('--continue-on-error', 'leave out invalid ids and refused jobs, and delete the others')
    .option('--journal <file>', 'the journal (default: beside the file, and removed at the end)')
    .durationOption('--key-retention <duration>', 'how long the service keeps idempotency keys', '24h')
    .option('--resend-expired', 'send requests without an answer again when their keys may have expired')
    .runOptions()
    .notes(help)
    .examples(
      'jobs-delete delete NURSE001 NURSE002 --profile data/demo.json',
      'jobs-delete delete jobs.csv --column job_id --continue-on-error --report refused.csv',
      'cat ids.txt | jobs-delete delete - --format txt --yes --journal ids.journal --wait',
    )
    .action((words: string[], options: DeleteOptions) => deleteJobs(io, words, options));
}

async function deleteJobs(io: Io, words: readonly string[], options: DeleteOptions): Promise<void> {
  if (options.report !== undefined) requireReport(options.report);
  const caller = readCaller(io, options);
  const target = targetOf(words);
  const inputName = target.kind === 'ids' ? 'the command line' : nameOf(target.file);
  const opened = await openInput(io, target, options).catch((error: unknown) => {
    throw readingError(inputName, error);
  });
  const input = withoutRepetitions(opened);
  const journal = journalPlace(target, options.journal);
  await runDeletion(io, { ...options, caller, input, inputName, journal });
}

function openInput(io: Io, target: Target, { format, column }: DeleteOptions): Promise<IdInput> {
  if (target.kind === 'ids') return Promise.resolve(idsOfArguments(target.jobIds));
  const { file } = target;
  return idsOfFile({ file, format: format ?? formatOf(file, formats), column }, io.stdin);
}

/** The ids on the command line, or the file that has them; `-` is standard input. */
type Target =
  | { readonly kind: 'ids'; readonly jobIds: readonly string[] }
  | { readonly kind: 'file'; readonly file: string };

/** @throws Refusal for words that are neither ids nor one file, or could be both */
function targetOf(words: readonly string[]): Target {
  const ambiguous = words.find((word) => isJobId(word) && existsSync(word));
  if (ambiguous !== undefined)
    throw wrongUsage(
      `${ambiguous} is an id and the name of a file. Write ./${ambiguous} for the file, or run the command in another folder.`,
    );
  const wrong = words.find((word): boolean => !isJobId(word));
  if (wrong === undefined) return { kind: 'ids', jobIds: words };
  if (words.length === 1) return { kind: 'file', file: wrong };
  throw wrongUsage(
    `'${printable(wrong, 140)}' is not a job id, which has 4 to 128 letters and digits. Give either ids, or one file, or -.`,
  );
}

/** By default, the journal of a file is beside it, and any other is a new temporary file. */
function journalPlace(target: Target, named: string | undefined): JournalPlace {
  if (named !== undefined) return { path: named, isNamed: true, isFound: true };
  if (target.kind === 'file' && target.file !== '-')
    return { path: `${target.file}.journal`, isNamed: false, isFound: true };
  return { path: join(tmpdir(), `jobs-delete-${randomUUID()}.journal`), isNamed: false, isFound: false };
}
