import {
  formatAllowedDomain,
  parseAllowedDomain,
  parseNewDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import { Command } from 'commander';
import { readCliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { noAccount, operationEntry, requireAccount, withAccounts } from '../open-storage.ts';
import { printable } from '../printable.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import { report, type ReportOptions } from '../report.ts';
import { examples, requiredAccountOption, subcommand } from './options.ts';

interface AccountOptions extends ReportOptions {
  readonly account: string;
}

const forms = 'a host (example.com), an origin (https://example.com:8443) or a wildcard (*.example.com)';

export function originsCommand(io: Io): Command {
  return new Command('origins')
    .description("allow, list and remove an account's allowed domains for the Origin header")
    .addCommand(allowCommand(io))
    .addCommand(listCommand(io))
    .addCommand(removeCommand(io));
}

function allowCommand(io: Io): Command {
  return subcommand('allow', 'allow a domain')
    .argument('<domain>', forms)
    .addOption(requiredAccountOption())
    .addHelpText(
      'after',
      examples(
        'jobs-delete origins allow example.com --account acme',
        "jobs-delete origins allow '*.example.com' --account acme",
      ),
    )
    .action(async (text: string, options: AccountOptions) => {
      const domain = parseNewDomain(text);
      if (domain === undefined) throw wrongUsage(`'${printable(text)}' is not a domain. Use ${forms}.`);
      const origin = formatAllowedDomain(domain);
      const outcome = await withAccounts(readCliConfig(io.env), async (accounts) => {
        const operation = { accountId: options.account, action: 'domain.allowed', subject: origin } as const;
        return accounts.allowDomain(options.account, origin, operationEntry(io, operation));
      });
      if (outcome === 'no_account') throw noAccount(options.account);
      report(io, options, { account_id: options.account, origin }, () => [
        `Account ${options.account} allows ${origin}. A running service accepts it within 5 seconds.`,
      ]);
    });
}

function listCommand(io: Io): Command {
  return subcommand('list', "list the account's allowed domains")
    .addOption(requiredAccountOption())
    .addHelpText('after', examples('jobs-delete origins list --account acme'))
    .action(async (options: AccountOptions) => {
      const origins = await withAccounts(readCliConfig(io.env), async (accounts) => {
        await requireAccount(accounts, options.account);
        return accounts.listDomains(options.account);
      });
      const value = origins.map((origin) => ({ account_id: options.account, origin }));
      report(io, options, value, () =>
        origins.length > 0
          ? origins.map((origin) => printable(origin))
          : [`Account ${options.account} allows no domain.`],
      );
    });
}

function removeCommand(io: Io): Command {
  return subcommand('remove', 'remove an allowed domain')
    .argument('<domain>', 'as `origins list` shows it')
    .addOption(requiredAccountOption())
    .addHelpText('after', examples('jobs-delete origins remove example.com --account acme'))
    .action(async (text: string, options: AccountOptions) => {
      const domain = parseAllowedDomain(text);
      const origin = domain === undefined ? text : formatAllowedDomain(domain);
      const removed = await withAccounts(readCliConfig(io.env), async (accounts) => {
        await requireAccount(accounts, options.account);
        const operation = { accountId: options.account, action: 'domain.removed', subject: origin } as const;
        return accounts.removeDomain(options.account, origin, operationEntry(io, operation));
      });
      if (!removed)
        throw new Refusal(
          `Account ${options.account} does not allow ${printable(origin)}. Nothing was removed.`,
        );
      report(io, options, { account_id: options.account, origin }, () => [
        `Account ${options.account} no longer allows ${origin}. A running service refuses it within 5 seconds.`,
      ]);
    });
}
