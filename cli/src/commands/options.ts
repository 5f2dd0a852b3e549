import { parseDuration } from '@jobs-delete/accounts/credentials/parse-duration';
import { Command, InvalidArgumentError, Option } from 'commander';

/** The subcommands of a group share this; a group by itself shows its help. */
export function subcommand(usage: string, summary: string): Command {
  return new Command(usage).description(summary).option('--json', 'print exactly one JSON value on stdout');
}

export function accountOption(description = 'the account'): Option {
  return new Option('--account <id>', description);
}

/** The same, for commands that always act on one account. */
export function requiredAccountOption(): Option {
  return accountOption().makeOptionMandatory();
}

export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** For an option's value. */
export function wholeNumberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      `It must be a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
    );
  };
}

/** For an option's value: in milliseconds. */
export function duration(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw new InvalidArgumentError('It must be a whole number and s, m, h, d or w, such as 90d.');
}
