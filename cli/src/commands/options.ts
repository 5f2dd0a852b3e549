import { parseDuration } from '@jobs-delete/accounts/credentials/credential';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ReportOptions } from '../report.ts';

/** Creates a subcommand with the option --json. */
export function subcommand(usage: string, summary: string): Command {
  return new Command(usage).description(summary).option('--json', 'print exactly one JSON value on stdout');
}

/** Creates a subcommand that requires --account. */
export function accountSubcommand(usage: string, summary: string): Command {
  return subcommand(usage, summary).requiredOption('--account <id>', 'the account');
}

/** Options of a subcommand that requires --account. */
export interface AccountOptions extends ReportOptions {
  readonly account: string;
}

/** Adds the options that `readCaller` reads. */
export function withCallerOptions(command: Command): Command {
  return command
    .option('--profile <file>', 'the profile (default: ~/.config/jobs-delete/profile.json)')
    .option('--base-url <url>', 'the address of the service')
    .option('--allow-http', 'send the credentials over http:// to another machine')
    .option('--token <token>', 'the API token; other users can see it in the list of processes')
    .option('--secret-key <key>', 'the secret key; other users can see it in the list of processes')
    .option('--origin <origin>', 'an allowed domain of the account, such as https://example.com');
}

/** Adds the options of a run that deletes jobs through the HTTP API. */
export function withRunOptions(command: Command): Command {
  return command
    .option('--wait', 'wait until the jobs are removed')
    .option('--yes', 'do not ask before a live deletion')
    .option('--report <file>', 'write the outcome of each job to a .json or .csv file')
    .addOption(
      new Option('--retry-for <duration>', 'longest time for one request and its retries')
        .argParser(duration)
        .default(5 * 60_000, '5m'),
    );
}

export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Returns a parser of an option's value. */
export function wholeNumberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      `It must be a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
    );
  };
}

/** Parses an option's value to milliseconds. */
export function duration(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw new InvalidArgumentError('It must be a whole number followed by s, m, h, d or w, such as 90d.');
}
