import type { DeadLetter, DeadLetters } from '@jobs-delete/deleter-service/event-log/event-log';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { withEventLog } from '../open-storage.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import {
  counted,
  printable,
  report,
  tableLines,
  timeJson,
  timeText,
  wholeNumber,
  type ReportOptions,
} from '../report.ts';
import { commandGroup, subcommand, wholeNumberBetween } from './options.ts';

export function deadLettersCommand(io: Io): Command {
  return commandGroup(
    'dead-letters',
    'list, replay and discard dead letters: events that could not be processed',
    listCommand(io),
    replayCommand(io),
    discardCommand(io),
  );
}

function listCommand(io: Io): Command {
  return subcommand('list', 'list the dead letters, oldest first')
    .option('--limit <n>', 'maximum number to show', wholeNumberBetween(1, 10_000), 100)
    .examples('jobs-delete dead-letters list', 'jobs-delete dead-letters list --json')
    .action(async (options: ReportOptions & { limit: number }) => {
      const letters = await withEventLog(io, (log) => log.listDeadLetters(options.limit));
      report(io, options, letters.map(letterJson), () =>
        tableLines(
          ['DEAD LETTER', 'FAILED', 'ATTEMPTS', 'REASON'],
          letters.map(({ id, failedAtMs, attempts, reason }) => [
            id,
            timeText(failedAtMs),
            wholeNumber(attempts),
            reason,
          ]),
          'There are no dead letters.',
        ),
      );
    });
}

function letterJson({ id, reason, attempts, failedAtMs, event }: DeadLetter) {
  return {
    dead_letter_id: id,
    reason,
    attempts,
    failed_at: timeJson(failedAtMs),
    event_key: event.key,
    event_position: event.position,
    event_headers: event.headers,
    event_value_base64: event.value.toString('base64'),
  };
}

function replayCommand(io: Io): Command {
  return subcommand('replay', 'publish the original event again')
    .argument('[id]', 'the dead letter, as `dead-letters list` shows it')
    .option('--all', 'replay all current dead letters')
    .examples('jobs-delete dead-letters replay EVENT-ID', 'jobs-delete dead-letters replay --all')
    .action(async (id: string | undefined, options: ReportOptions & { all?: true }) => {
      if ((id === undefined) === (options.all === undefined))
        throw wrongUsage('Give either the id of a dead letter or --all.');
      if (id === undefined) {
        const count = await withEventLog(io, replayAll);
        report(io, options, { replayed_count: count }, () => [`Replayed ${counted(count, 'dead letter')}.`]);
        return;
      }
      if (!(await withEventLog(io, (log) => log.replayDeadLetter(id)))) throw noDeadLetter(id);
      report(io, options, { dead_letter_id: id, replayed_count: 1 }, () => [
        `Replayed the dead letter ${printable(id)}.`,
      ]);
    });
}

/** Replays each dead letter once. One that fails again meanwhile stays. */
async function replayAll(letters: DeadLetters): Promise<number> {
  const seen = new Set<string>();
  let replayed = 0;
  for (;;) {
    const fresh = (await letters.listDeadLetters(1_000)).filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return replayed;
    for (const { id } of fresh) {
      seen.add(id);
      if (await letters.replayDeadLetter(id)) replayed += 1;
    }
  }
}

function discardCommand(io: Io): Command {
  return subcommand('discard', 'delete a dead letter permanently')
    .argument('<id>', 'the dead letter, as `dead-letters list` shows it')
    .examples('jobs-delete dead-letters discard EVENT-ID')
    .action(async (id: string, options: ReportOptions) => {
      const discarded = await withEventLog(io, (log) => log.discardDeadLetter(id));
      if (!discarded) throw noDeadLetter(id);
      report(io, options, { dead_letter_id: id, discarded_count: 1 }, () => [
        `Discarded the dead letter ${printable(id)}.`,
      ]);
    });
}

function noDeadLetter(id: string): Refusal {
  return new Refusal(`There is no dead letter ${printable(id)}. List them: jobs-delete dead-letters list`);
}
