import {
  auditDeletions,
  type Audited,
  type AuditFinding,
} from '@jobs-delete/deleter-service/deletion/audit-deletions';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { withEventLog, withStore } from '../open-storage.ts';
import { counted, report, tableLines, wholeNumber, type ReportOptions } from '../report.ts';
import { subcommand, wholeNumberBetween } from './options.ts';

interface AuditCommandOptions extends ReportOptions {
  readonly olderThan: number;
  readonly since: number;
  readonly limit: number;
  readonly repair?: boolean;
}

export function auditCommand(io: Io): Command {
  return subcommand('audit', 'compare deletions, jobs and events, and report violated guarantees')
    .durationOption('--older-than <duration>', 'a deletion older than this must be completed', '15m')
    .durationOption('--since <duration>', 'check deletions completed within this time', '24h')
    .option('--limit <n>', 'maximum number of findings to show', wholeNumberBetween(1, 10_000), 1_000)
    .option('--repair', 'publish stuck deletions again, so that workers complete them')
    .notes(
      'Writes nothing without --repair. Exits with 1 if there is a finding, also with --repair: run the audit again to\n' +
        'check the repair.',
    )
    .examples(
      'jobs-delete audit',
      'jobs-delete audit --older-than 1h --since 7d --json',
      'jobs-delete audit --repair',
    )
    .action(async (options: AuditCommandOptions) => {
      const { audited, findings, count } = await audit(io, options);
      const value = {
        healthy: count === 0,
        open_count: audited.openDeletions,
        completed_count: audited.completedDeletions,
        finding_count: count,
        findings: findings.map(findingJson),
      };
      report(io, options, value, () => [
        ...tableLines(
          ['FINDING', 'DELETION OR DEAD LETTER', 'ACCOUNT', 'WHAT'],
          findings.map(({ kind, deletionId, deadLetterId, accountId, message, republished }) => [
            kind,
            deletionId ?? deadLetterId ?? '-',
            accountId ?? '-',
            republished ? `${message} (published again)` : message,
          ]),
          `No findings in ${summary(audited)}.`,
        ),
        ...(count > findings.length
          ? [
              `There are ${wholeNumber(count)} findings; these are the first ${wholeNumber(findings.length)}. See --limit.`,
            ]
          : []),
      ]);
      if (count > 0) io.exitCode = 1;
    });
}

/** Returns the first findings and the count of all. */
async function audit(io: Io, { olderThan, since, limit, repair = false }: AuditCommandOptions) {
  const findings: AuditFinding[] = [];
  let count = 0;
  const audited = await withStore(io, (store) =>
    withEventLog(io, (eventLog) =>
      auditDeletions({
        store,
        eventLog,
        now: io.now,
        repair,
        olderThanMs: olderThan,
        sinceMs: since,
        maxDeadLetters: limit,
        onFinding: (finding) => {
          count += 1;
          if (findings.length < limit) findings.push(finding);
        },
      }),
    ),
  );
  return { audited, findings, count };
}

function findingJson({ kind, deletionId, accountId, deadLetterId, message, republished }: AuditFinding) {
  return {
    kind,
    deletion_id: deletionId ?? null,
    account_id: accountId ?? null,
    dead_letter_id: deadLetterId ?? null,
    message,
    republished,
  };
}

function summary({ openDeletions, completedDeletions }: Audited): string {
  return `${counted(openDeletions, 'open deletion')} and ${counted(completedDeletions, 'completed deletion')}`;
}
