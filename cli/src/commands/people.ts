import type { Accounts } from '@jobs-delete/accounts/accounts';
import { invitationLifetimeMs, invitePerson } from '@jobs-delete/accounts/people/invite-person';
import { operator } from '@jobs-delete/accounts/people/new-audit-entry';
import { listPendingInvitations } from '@jobs-delete/accounts/people/pending-invitations';
import { roles, type Person, type Role } from '@jobs-delete/accounts/people/people';
import { Command, Option } from 'commander';
import { readCliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { noAccount, requireAccount, withAccounts } from '../open-storage.ts';
import { printable } from '../printable.ts';
import { recordOperation } from '../record-operation.ts';
import { fieldLines, report, tableLines, timeJson, timeText, type ReportOptions } from '../report.ts';
import { duration, examples, requiredAccountOption, subcommand } from './options.ts';
import { noEmail, noMember, requireEmail, requireMember, roleIn } from './require-member.ts';
import { resetCommand } from './reset-person.ts';

interface AccountOptions extends ReportOptions {
  readonly account: string;
}

export function peopleCommand(io: Io): Command {
  return new Command('people')
    .description('invite, list, reset and remove the people who use the dashboard of an account')
    .addCommand(inviteCommand(io))
    .addCommand(listCommand(io))
    .addCommand(invitationsCommand(io))
    .addCommand(setRoleCommand(io))
    .addCommand(removeCommand(io))
    .addCommand(resetCommand(io));
}

const roleHelp = 'owner: also manages people; manager: changes keys and domains; viewer: only reads';

function roleOption(): Option {
  return new Option('--role <role>', roleHelp).choices(roles);
}

function inviteCommand(io: Io): Command {
  return subcommand('invite', 'print a one-time link that makes somebody a member of the account')
    .argument('<email>', 'the address of the person')
    .addOption(requiredAccountOption())
    .addOption(roleOption().default('viewer'))
    .option('--expires <duration>', 'validity: 7d, 12h, 30m (default: 7d)', duration)
    .addHelpText('after', '\nThe command sends no e-mail. A second invitation never lowers a role.')
    .addHelpText('after', examples('jobs-delete people invite --account acme --role owner ada@example.com'))
    .action(async (text: string, options: AccountOptions & { role: Role; expires?: number }) => {
      const { account: accountId, role, expires: lifetimeMs = invitationLifetimeMs } = options;
      requireEmail(text);
      const config = readCliConfig(io.env);
      const invitation = await withAccounts(config, async (accounts) => {
        const request = { accountId, email: text, role, invitedBy: operator };
        const outcome = await invitePerson(accounts, request, io.now, lifetimeMs);
        if (outcome.kind === 'invited')
          await recordOperation(accounts, io, {
            accountId,
            action: 'person.invited',
            subject: `${outcome.email}: ${role}`,
          });
        return outcome;
      });
      if (invitation.kind !== 'invited')
        throw invitation.kind === 'no_account' ? noAccount(accountId) : noEmail(text);
      const { email, secret, expiresAtMs } = invitation;
      const link = `${config.dashboardUrl}/link/${secret}`;
      const value = { account_id: accountId, email, role, link, expires_at: timeJson(expiresAtMs) };
      report(io, options, value, () => [
        ...fieldLines([
          ['link', link],
          ['person', email],
          ['role', role],
          ['expires', timeText(expiresAtMs)],
        ]),
        `The link is not shown again, and works once. Send it to ${printable(email)} only.`,
      ]);
    });
}

function listCommand(io: Io): Command {
  return subcommand('list', 'list the members of the account')
    .addOption(requiredAccountOption())
    .addHelpText('after', examples('jobs-delete people list --account acme'))
    .action(async (options: AccountOptions) => {
      const { account: accountId } = options;
      const people = await withAccounts(readCliConfig(io.env), async (accounts) => {
        await requireAccount(accounts, accountId);
        return accounts.listPeople(accountId);
      });
      const members = people.map((person) => memberJson(person, accountId));
      report(io, options, members, () =>
        tableLines(
          ['PERSON', 'ROLE', 'SIGNS IN WITH', 'ADDED'],
          members.map(({ email, role, sign_in_methods, created_at }) => [
            email,
            role ?? '-',
            sign_in_methods.join(', ') || 'nothing yet',
            created_at ?? '-',
          ]),
          `Account ${accountId} has no members. Invite one: jobs-delete people invite --account ${accountId}`,
        ),
      );
    });
}

function invitationsCommand(io: Io): Command {
  return subcommand('invitations', 'list the invitations that nobody has accepted yet')
    .addOption(requiredAccountOption())
    .addHelpText('after', '\nTo withdraw the invitations of an address: jobs-delete people remove')
    .addHelpText('after', examples('jobs-delete people invitations --account acme'))
    .action(async (options: AccountOptions) => {
      const { account: accountId } = options;
      const pending = await withAccounts(readCliConfig(io.env), async (accounts) => {
        await requireAccount(accounts, accountId);
        return listPendingInvitations(accounts, accountId, io.now());
      });
      const invitations = pending.map(({ email, role, invitedBy, expiresAtMs }) => ({
        account_id: accountId,
        email,
        role,
        invited_by: invitedBy,
        expires_at: timeJson(expiresAtMs),
      }));
      report(io, options, invitations, () =>
        tableLines(
          ['PERSON', 'ROLE', 'INVITED BY', 'EXPIRES'],
          pending.map(({ email, role, invitedBy, expiresAtMs }) => [
            email,
            role,
            invitedBy,
            timeText(expiresAtMs),
          ]),
          `Account ${accountId} has no pending invitations.`,
        ),
      );
    });
}

function setRoleCommand(io: Io): Command {
  return subcommand('set-role', 'change the role of a member, from the next request on')
    .argument('<email>', 'the address of the member')
    .addOption(requiredAccountOption())
    .addOption(roleOption().makeOptionMandatory())
    .addHelpText(
      'after',
      examples('jobs-delete people set-role --account acme --role manager ada@example.com'),
    )
    .action(async (text: string, options: AccountOptions & { role: Role }) => {
      const { account: accountId, role } = options;
      const email = requireEmail(text);
      await withAccounts(readCliConfig(io.env), async (accounts) => {
        const { id } = await requireMember(accounts, accountId, email);
        await accounts.setMembership(id, { accountId, role });
        await recordOperation(accounts, io, {
          accountId,
          action: 'person.role-changed',
          subject: `${email}: ${role}`,
        });
      });
      report(io, options, { account_id: accountId, email, role }, () => [
        `${printable(email)} is now ${role === 'owner' ? 'an' : 'a'} ${role} of account ${accountId}.`,
      ]);
    });
}

function removeCommand(io: Io): Command {
  return subcommand('remove', 'remove a member, or withdraw the invitations of an address')
    .argument('<email>', 'the address of the member')
    .addOption(requiredAccountOption())
    .addHelpText(
      'after',
      '\nEnds every session of the person, and cancels the unused links of the address for this account.\n' +
        'Keys that the person created stay valid.',
    )
    .addHelpText('after', examples('jobs-delete people remove --account acme ada@example.com'))
    .action(async (text: string, options: AccountOptions) => {
      const { account: accountId } = options;
      const email = requireEmail(text);
      const removed = await withAccounts(readCliConfig(io.env), async (accounts) => {
        await requireAccount(accounts, accountId);
        // First: nobody uses a link after the removal.
        const linkCount = await accounts.cancelLinks(accountId, email);
        const wasMember = await removeMember(accounts, accountId, email);
        if (!wasMember && linkCount === 0) throw noMember(accountId, email);
        const action = wasMember ? 'person.removed' : 'invitation.withdrawn';
        await recordOperation(accounts, io, { accountId, action, subject: email });
        return { wasMember, linkCount };
      });
      const value = {
        account_id: accountId,
        email,
        was_member: removed.wasMember,
        cancelled_link_count: removed.linkCount,
      };
      report(io, options, value, () => [
        removed.wasMember
          ? `Removed ${printable(email)} from account ${accountId}. Every session of the person has ended.`
          : `Withdrew the invitations of ${printable(email)} to account ${accountId}.`,
      ]);
    });
}

/** Resolves to whether the person was a member. */
async function removeMember(accounts: Accounts, accountId: string, email: string): Promise<boolean> {
  const person = await accounts.findPersonByEmail(email);
  if (person === undefined || !(await accounts.removeMembership(person.id, accountId))) return false;
  await accounts.endOtherSessions(person.id, undefined);
  return true;
}

function memberJson(person: Person, accountId: string) {
  const { email, createdAtMs, passwordHash, totp, passkeys } = person;
  return {
    account_id: accountId,
    email,
    role: roleIn(person, accountId) ?? null,
    sign_in_methods: [
      ...(passwordHash === undefined ? [] : ['password']),
      ...(totp === undefined ? [] : ['second factor']),
      ...(passkeys.length === 0 ? [] : ['passkey']),
    ],
    created_at: timeJson(createdAtMs),
  };
}
