import { Fault } from '@jobs-delete/runtime/fault';
import { Option, type Command } from 'commander';
import { readCliConfig } from '../config.ts';
import { importRecords, type ImportTotals, type StoppedImport } from '../import/import-records.ts';
import { ImportError, type ImportRecord } from '../import/import-record.ts';
import { openSource, SourceError } from '../import/open-source.ts';
import { readCsv } from '../import/read-csv.ts';
import { readJson } from '../import/read-json.ts';
import { readNdjson } from '../import/read-ndjson.ts';
import { readXml } from '../import/read-xml.ts';
import { startProgress } from '../import/show-progress.ts';
import type { ByteChunks } from '../import/utf8-chunks.ts';
import type { Io } from '../io.ts';
import { requireAccount, withAccounts, withStore } from '../open-storage.ts';
import { printable } from '../printable.ts';
import { explainFault, Refusal, wrongUsage } from '../refusal.ts';
import { counted, report, wholeNumber, type ReportOptions } from '../report.ts';
import { examples, requiredAccountOption, subcommand } from './options.ts';

const readers = {
  ndjson: readNdjson,
  json: readJson,
  csv: readCsv,
  xml: readXml,
} satisfies Record<string, (input: ByteChunks) => AsyncGenerator<ImportRecord>>;
type Format = keyof typeof readers;

const extensions: Readonly<Record<string, Format>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  csv: 'csv',
  xml: 'xml',
};

interface ImportOptions extends ReportOptions {
  readonly account: string;
  readonly format?: Format;
  readonly dryRun?: true;
}

const formatHelp = `
Formats, all in UTF-8; a record is at most 1 MiB:
  ndjson  one object per line (.ndjson, .jsonl)
  json    an array of objects, or {"jobs": {"job": […]}} (.json)
  csv     comma-separated, with a header that has a column 'id' (.csv)
  xml     <jobs><job><id>…</id><title>…</title></job></jobs> (.xml)

Every record has an 'id' of 4 to 128 letters and digits; its other fields are the posting. Existing jobs are not
changed, so you can run an import again. The first invalid record stops the import. Earlier batches of up to 1,000
records stay imported, and the command prints how many.`;

export function importCommand(io: Io): Command {
  return subcommand('import', 'import jobs from a file')
    .argument('<file>', 'the file, - for standard input')
    .addOption(requiredAccountOption())
    .addOption(
      new Option('--format <format>', "the file's format (default: by its extension)").choices(
        Object.keys(readers),
      ),
    )
    .option('--dry-run', 'check the whole file and import nothing')
    .addHelpText('after', formatHelp)
    .addHelpText(
      'after',
      examples(
        'jobs-delete jobs import jobs.csv --account acme',
        'zcat jobs.ndjson.gz | jobs-delete jobs import - --format ndjson --account acme',
        'jobs-delete jobs import jobs.xml --account acme --dry-run',
      ),
    )
    .action((file: string, options: ImportOptions) => importJobs(io, file, options));
}

async function importJobs(io: Io, file: string, options: ImportOptions): Promise<void> {
  const read = readers[options.format ?? formatOf(file)];
  const config = readCliConfig(io.env);
  await withAccounts(config, (accounts) => requireAccount(accounts, options.account));
  const startedMs = io.now();
  const outcome = await withStore(config, async (store) => {
    const source = await openSource(file, io.stdin).catch((error: unknown) => {
      throw error instanceof SourceError ? cannotRead(file, error) : error;
    });
    const progress = startProgress(io.stderr, source.sizeBytes);
    const disarm = io.onInterrupt(() => source.stop(new Interruption()));
    try {
      return await importRecords({
        records: read(source.chunks),
        importBatch: (jobs) =>
          options.dryRun
            ? Promise.resolve({ imported: 0, existing: 0 })
            : store.importJobs(options.account, jobs, io.now()),
        onBatch: ({ records }) => progress.update(source.bytesRead(), records),
      });
    } finally {
      disarm();
      progress.stop();
      source.stop();
    }
  });
  if (outcome.kind === 'stopped') throw explainStop(io, file, options, outcome);

  const seconds = ((io.now() - startedMs) / 1_000).toFixed(1);
  const { imported, existing, records } = outcome.totals;
  const value = { account_id: options.account, imported, existing };
  report(io, options, options.dryRun ? { ...value, dry_run: true, checked: records } : value, () => [
    options.dryRun
      ? `Checked ${counted(records, 'job')} in ${seconds} s: all valid. Nothing was imported: this was a dry run.`
      : `Imported ${counted(imported, 'job')} in ${seconds} s; ${wholeNumber(existing)} existed already.`,
  ]);
}

function formatOf(file: string): Format {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const format = Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
  if (format !== undefined) return format;
  throw wrongUsage(
    `The format of ${nameOf(file)} is unknown. Set --format to one of ${Object.keys(readers).join(', ')}.`,
  );
}

class Interruption extends Error {
  override readonly name = 'Interruption';
}

/** Returns the error that stopped the import, with the jobs imported before it. */
function explainStop(
  io: Io,
  file: string,
  options: ImportOptions,
  { totals, stoppedBy }: StoppedImport,
): unknown {
  const done = options.dryRun ? 'Nothing was imported: this was a dry run.' : doneText(totals);
  if (stoppedBy instanceof Interruption) return new Refusal(`Interrupted. ${done}`, 130);
  if (stoppedBy instanceof ImportError)
    return new Refusal(
      `${nameOf(file)}, line ${wholeNumber(stoppedBy.line)}: ${stoppedBy.message}.\n${done}`,
    );
  if (stoppedBy instanceof SourceError) return cannotRead(file, stoppedBy, done);
  if (stoppedBy instanceof Fault && stoppedBy.code !== 'internal')
    return new Refusal(`${explainFault(stoppedBy)}\n${done}`);
  io.stderr.write(`${done}\n`);
  return stoppedBy;
}

function cannotRead(file: string, { message }: SourceError, done = ''): Refusal {
  return new Refusal(`Cannot read ${nameOf(file)}: ${message}.\n${done}`.trim());
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : printable(file);
}

function doneText({ imported, existing, records, lastLine }: ImportTotals): string {
  if (records === 0) return 'Nothing was imported.';
  const were = imported === 1 ? 'was' : 'were';
  const also = existing === 0 ? '' : ` and ${wholeNumber(existing)} existed already`;
  return (
    `${counted(imported, 'job')} ${were} imported${also} (lines 1 to ${wholeNumber(lastLine)}), and no later ones. ` +
    'You can run the import again: existing jobs are not changed.'
  );
}
