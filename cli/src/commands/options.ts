import { parseDuration } from '@jobs-delete/accounts/credentials/credential';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ReportOptions } from '../report.ts';

/** A command with the parts that several commands share. */
export class DescribedCommand extends Command {
  constructor(name: string, description: string) {
    super(name);
    this.description(description);
  }

  notes(text: string): this {
    return this.addHelpText('after', `\n${text}`);
  }

  examples(...lines: readonly string[]): this {
    return this.notes(['Examples:', ...lines.map((line) => `  ${line}`)].join('\n'));
  }

  choiceOption(flags: string, description: string, choices: readonly string[], fallback?: string): this {
    return this.addOption(new Option(flags, description).choices(choices).default(fallback));
  }

  requiredChoiceOption(flags: string, description: string, choices: readonly string[]): this {
    return this.addOption(new Option(flags, description).choices(choices).makeOptionMandatory());
  }

  durationOption(flags: string, description: string, fallback: string): this {
    const option = new Option(flags, description).argParser(duration);
    return this.addOption(option.default(duration(fallback), fallback));
  }

  /** Adds the options that `readCaller` reads. */
  callerOptions(): this {
    return this.option('--profile <file>', 'the profile (default: ~/.config/jobs-delete/profile.json)')
      .option('--base-url <url>', 'the address of the service')
      .option('--allow-http', 'send the credentials over http:// to another machine')
      .option('--token <token>', 'the API token; other users can see it in the list of processes')
      .option('--secret-key <key>', 'the secret key; other users can see it in the list of processes')
      .option('--origin <origin>', 'an allowed domain of the account, such as https://example.com');
  }

  /** Adds the options of a run that deletes jobs through the HTTP API. */
  runOptions(): this {
    return this.option('--wait', 'wait until the jobs are removed')
      .option('--yes', 'do not ask before a live deletion')
      .option('--report <file>', 'write the outcome of each job to a .json or .csv file')
      .durationOption('--retry-for <duration>', 'longest time for one request and its retries', '5m');
  }
}

export function commandGroup(name: string, description: string, ...commands: readonly Command[]): Command {
  const group = new DescribedCommand(name, description);
  for (const command of commands) group.addCommand(command);
  return group;
}

/** Creates a subcommand with the option --json. */
export function subcommand(name: string, description: string): DescribedCommand {
  return new DescribedCommand(name, description).option('--json', 'print exactly one JSON value on stdout');
}

/** Creates a subcommand that requires --account. */
export function accountSubcommand(name: string, description: string): DescribedCommand {
  return subcommand(name, description).requiredOption('--account <id>', 'the account');
}

/** Options of a subcommand that requires --account. */
export interface AccountOptions extends ReportOptions {
  readonly account: string;
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
