import type { Accounts, PepperCount, PepperFingerprints } from '@jobs-delete/accounts/accounts';
import { fingerprintOf, pepperIdOf } from '@jobs-delete/accounts/credentials/credential';
import { countOf, readExistingPeppers } from '@jobs-delete/accounts/pepper/load-pepper';
import type { Command } from 'commander';
import { readCliConfig, type CliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { withAccounts } from '../open-storage.ts';
import { report, tableLines, wholeNumber, type ReportOptions } from '../report.ts';
import { commandGroup, subcommand } from './options.ts';

interface PepperRow {
  readonly id: string;
  /** How this environment configures the pepper. */
  readonly use: 'current' | 'previous' | 'missing';
  readonly credentials: number;
  /** The pepper that a rotation replaces. */
  readonly isFirst: boolean;
}

export function pepperCommand(io: Io): Command {
  return commandGroup('pepper', 'show how far the rotation of CREDENTIAL_PEPPER is', statusCommand(io));
}

function statusCommand(io: Io): Command {
  return subcommand('status', 'count the credentials under each pepper, without revoked and expired ones')
    .notes(
      'USE is current (CREDENTIAL_PEPPER or its file), previous (CREDENTIAL_PEPPER_PREVIOUS), or missing in this ' +
        'environment.\nA credential moves to the current pepper when it is used.',
    )
    .examples('jobs-delete pepper status', 'jobs-delete pepper status --json')
    .action(async (options: ReportOptions) => {
      const config = readCliConfig(io.env);
      const rows = await withAccounts(io, (accounts) => readRows(accounts, config, io.now()));
      const value = rows.map(({ id, use, credentials }) => ({ pepper_id: id, use, credentials }));
      report(io, options, value, () => [
        ...tableLines(
          ['PEPPER', 'USE', 'CREDENTIALS'],
          rows.map(({ id, use, credentials }) => [id, use, wholeNumber(credentials)]),
          'The database has no pepper and no credentials.',
        ),
        ...adviceFor(rows),
      ]);
    });
}

async function readRows(accounts: Accounts, config: CliConfig, nowMs: number): Promise<PepperRow[]> {
  const counts = await accounts.countByPepper(nowMs);
  const stored = await accounts.findPepperFingerprints();
  const { pepper, previousPepper } = readExistingPeppers(config.accounts);
  const uses = new Map<string, PepperRow['use']>();
  for (const id of storedIds(stored, counts)) uses.set(id, 'missing');
  if (previousPepper) uses.set(pepperIdOf(fingerprintOf(previousPepper)), 'previous');
  if (pepper) uses.set(pepperIdOf(fingerprintOf(pepper)), 'current');
  return [...uses].map(([id, use]) => ({
    id,
    use,
    credentials: countOf(id, stored, counts),
    isFirst: stored !== undefined && id === pepperIdOf(stored.first),
  }));
}

function storedIds(stored: PepperFingerprints | undefined, counts: readonly PepperCount[]): string[] {
  const fingerprints = [stored?.first, stored?.second].filter((each) => each !== undefined);
  return [...fingerprints.map(pepperIdOf), ...counts.flatMap(({ pepperId }) => pepperId ?? [])];
}

function adviceFor(rows: readonly PepperRow[]): string[] {
  return rows.flatMap(({ id, use, credentials, isFirst }) => {
    if (use === 'missing' && credentials > 0)
      return [`Credentials of ${id} do not work here: set CREDENTIAL_PEPPER_PREVIOUS to this pepper.`];
    if (use === 'previous' && credentials === 0 && isFirst)
      return [
        'No credential is left under the previous pepper: remove CREDENTIAL_PEPPER_PREVIOUS after the people with an ' +
          'authenticator app have signed in to the dashboard. Their secrets are not counted here.',
      ];
    return [];
  });
}
