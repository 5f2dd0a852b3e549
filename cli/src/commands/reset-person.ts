import type { Accounts } from '@jobs-delete/accounts/accounts';
import type { Person } from '@jobs-delete/accounts/people/people';
import { resetLifetimeMs, resetSignIn } from '@jobs-delete/accounts/people/reset-sign-in';
import type { Command } from 'commander';
import { confirm } from '../ask.ts';
import { readCliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { withAccounts } from '../open-storage.ts';
import { printable } from '../printable.ts';
import { recordOperation } from '../record-operation.ts';
import { fieldLines, report, timeJson, timeText, type ReportOptions } from '../report.ts';
import { duration, examples, requiredAccountOption, subcommand } from './options.ts';
import { requireEmail, requireMember } from './require-member.ts';

interface ResetOptions extends ReportOptions {
  readonly account: string;
  readonly expires?: number;
  readonly yes?: boolean;
}

/** The way back for a person who has lost every sign-in method. */
export function resetCommand(io: Io): Command {
  return subcommand('reset', 'remove the sign-in methods of a member, and print a one-time sign-in link')
    .argument('<email>', 'the address of the member')
    .addOption(requiredAccountOption())
    .option('--expires <duration>', 'validity of the link: 1d, 12h, 30m (default: 1d)', duration)
    .option('--yes', 'do not ask before the removal')
    .addHelpText(
      'after',
      '\nRemoves the password, the second factor, the recovery codes and the passkeys. Ends every session.\n' +
        'Roles, keys and a sign-in with OpenID Connect stay. Check first who asks: the link signs in.',
    )
    .addHelpText('after', examples('jobs-delete people reset --account acme ada@example.com'))
    .action(async (text: string, options: ResetOptions) => {
      const { account: accountId, expires: lifetimeMs = resetLifetimeMs } = options;
      const email = requireEmail(text);
      const config = readCliConfig(io.env);
      const { secret, expiresAtMs } = await withAccounts(config, async (accounts) => {
        const person = await requireMember(accounts, accountId, email);
        const question = `Remove every sign-in method and session of ${printable(email)}?`;
        if (options.yes !== true) await confirm(io, question, 'Nothing was changed.');
        const link = await resetSignIn(accounts, person, accountId, io.now, lifetimeMs);
        await recordReset(accounts, io, person);
        return link;
      });
      const link = `${config.dashboardUrl}/link/${secret}`;
      const value = { account_id: accountId, email, link, expires_at: timeJson(expiresAtMs) };
      report(io, options, value, () => [
        ...fieldLines([
          ['link', link],
          ['person', email],
          ['expires', timeText(expiresAtMs)],
        ]),
        `The link is not shown again, and works once. Send it to ${printable(email)} only.`,
      ]);
    });
}

/** In each account of the person: the link opens them all. */
async function recordReset(accounts: Accounts, io: Io, { email, memberships }: Person): Promise<void> {
  for (const { accountId } of memberships)
    await recordOperation(accounts, io, { accountId, action: 'person.sign-in-reset', subject: email });
}
