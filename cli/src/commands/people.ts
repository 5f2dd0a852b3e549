import type { Accounts } from '@jobs-delete/accounts/accounts';
import {
  invitationLifetimeMs,
  invitePerson,
  listPendingInvitations,
  parseEmail,
} from '@jobs-delete/accounts/people/invitations';
import { operator } from '@jobs-delete/accounts/people/audit-trail';
import {
  type Membership,
  type Person,
  type Role,
  membershipOf,
  roles,
} from '@jobs-delete/accounts/people/people';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import type { Command } from 'commander';
import { readCliConfig } from '../config.ts';
import { pickedDashboardUrl } from '../dashboard-port.ts';
import type { Io } from '../io.ts';
import { noAccount, operationEntry, withAccount, withAccounts } from '../open-storage.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import { fieldLines, printable, report, tableLines, timeJson, timeText } from '../report.ts';
import { type AccountOptions, accountSubcommand, commandGroup, duration } from './options.ts';

export function peopleCommand(io: Io): Command {
  return commandGroup(
    'people',
    'invite, list and remove the people who use the dashboard of an account',
    inviteCommand(io),
    listCommand(io),
    invitationsCommand(io),
    setRoleCommand(io),
    removeCommand(io),
  );
}

const roleHelp = 'owner: also manages people; manager: changes keys and domains; viewer: only reads';

function inviteCommand(io: Io): Command {
  return accountSubcommand('invite', 'print a one-time link that makes somebody a member of the account')
    .argument('<email>', 'the address of the person')
    .choiceOption('--role <role>', roleHelp, roles, 'viewer')
    .option('--expires <duration>', 'validity: 7d, 12h, 30m (default: 7d)', duration)
    .notes(
      'The command sends no e-mail. A new invitation replaces the open one of the address, and never lowers a role.',
    )
    .examples('jobs-delete people invite --account acme --role owner ada@example.com')
    .action(async (text: string, options: AccountOptions & { role: Role; expires?: number }) => {
      const { account: accountId, role, expires: lifetimeMs = invitationLifetimeMs } = options;
      if (parseEmail(text) === undefined) throw noEmail(text);
      const { dataDir, dashboardUrl = pickedDashboardUrl(dataDir) } = readCliConfig(io.env);
      if (dashboardUrl === undefined)
        throw new ConfigurationError([
          'DASHBOARD_PORT: is 0, and no dashboard runs from the data folder. Set DASHBOARD_URL to the address that people open.',
        ]);
      const invitation = await withAccounts(io, (accounts) => {
        const request = { accountId, email: text, role, invitedBy: operator } as const;
        const entryOf = (email: string) =>
          operationEntry(io, { accountId, action: 'person.invited', subject: `${email}: ${role}` });
        return invitePerson(accounts, request, io.now, { lifetimeMs, entryOf });
      });
      if (invitation.kind !== 'invited')
        throw invitation.kind === 'no_account' ? noAccount(accountId) : noEmail(text);
      const { email, secret, expiresAtMs, isReplacing } = invitation;
      const link = `${dashboardUrl}/link/${secret}`;
      const value = { account_id: accountId, email, role, link, expires_at: timeJson(expiresAtMs) };
      report(io, options, value, () => [
        ...fieldLines([
          ['link', link],
          ['person', email],
          ['role', role],
          ['expires', timeText(expiresAtMs)],
        ]),
        ...(isReplacing ? [`The earlier link for ${printable(email)} no longer works.`] : []),
        `The link is not shown again, and works once. Whoever has it can join: send it to ${printable(email)} only.`,
      ]);
    });
}

function listCommand(io: Io): Command {
  return accountSubcommand('list', 'list the members of the account')
    .examples('jobs-delete people list --account acme')
    .action(async (options: AccountOptions) => {
      const { account: accountId } = options;
      const people = await withAccount(io, accountId, (accounts) => accounts.listPeople(accountId));
      const members = people.map((person) => memberJson(person, accountId));
      report(io, options, members, () =>
        tableLines(
          ['PERSON', 'ID', 'ROLE', 'SIGNS IN WITH', 'ADDED'],
          members.map(({ email, person_id, role, sign_in_methods, created_at }) => [
            email ?? '-',
            person_id,
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
  return accountSubcommand('invitations', 'list the invitations that nobody has accepted yet')
    .notes('To withdraw the invitation of an address: jobs-delete people remove')
    .examples('jobs-delete people invitations --account acme')
    .action(async (options: AccountOptions) => {
      const { account: accountId } = options;
      const pending = await withAccount(io, accountId, (accounts) =>
        listPendingInvitations(accounts, accountId, io.now()),
      );
      const invitations = pending.map(({ email, role, invitedBy, expiresAtMs }) => ({
        account_id: accountId,
        email,
        role,
        invited_by: invitedBy === operator ? operator : invitedBy.email,
        expires_at: timeJson(expiresAtMs),
      }));
      report(io, options, invitations, () =>
        tableLines(
          ['PERSON', 'ROLE', 'INVITED BY', 'EXPIRES'],
          invitations.map(({ email, role, invited_by, expires_at }) => [
            email,
            role,
            invited_by,
            expires_at ?? '-',
          ]),
          `Account ${accountId} has no pending invitations.`,
        ),
      );
    });
}

const memberArgument = 'the id of the member, or the address if only one member has it';

function setRoleCommand(io: Io): Command {
  return accountSubcommand('set-role', 'change the role of a member, from the next request on')
    .argument('<member>', memberArgument)
    .requiredChoiceOption('--role <role>', roleHelp, roles)
    .examples('jobs-delete people set-role --account acme --role manager ada@example.com')
    .action(async (text: string, options: AccountOptions & { role: Role }) => {
      const { account: accountId, role } = options;
      const email = await withAccount(io, accountId, async (accounts) => {
        const member = await findMember(accounts, accountId, text);
        if (member === undefined) throw noMember(accountId, text);
        const subject = `${member.email}: ${member.role} → ${role}`;
        const entry = operationEntry(io, { accountId, action: 'person.role-changed', subject });
        requireChanged(await accounts.changeRole(accountId, member.id, role, entry), member, accountId);
        return member.email;
      });
      report(io, options, { account_id: accountId, email, role }, () => [
        `${printable(email)} is now ${role === 'owner' ? 'an' : 'a'} ${role} of account ${accountId}.`,
      ]);
    });
}

function removeCommand(io: Io): Command {
  return accountSubcommand('remove', 'remove a member, or withdraw the invitation of an address')
    .argument('<member>', memberArgument)
    .notes(
      'Ends the sessions of the person in this account, and cancels the unused invitation of the address and\n' +
        'those that the person has sent. The last membership also ends the passkeys. Keys that the person created stay valid.',
    )
    .examples('jobs-delete people remove --account acme ada@example.com')
    .action(async (text: string, options: AccountOptions) => {
      const { account: accountId } = options;
      const { email, wasMember } = await withAccount(io, accountId, async (accounts) => {
        const member = await findMember(accounts, accountId, text);
        const address = member?.email ?? parseEmail(text);
        if (address === undefined) throw noMember(accountId, text);
        const action = member === undefined ? 'invitation.withdrawn' : 'person.removed';
        const entry = operationEntry(io, { accountId, action, subject: address });
        if (member !== undefined)
          requireChanged(await accounts.removeMember(accountId, member.id, entry), member, accountId);
        else if (!(await accounts.cancelInvitation(accountId, address, entry)))
          throw noMember(accountId, text);
        return { email: address, wasMember: member !== undefined };
      });
      const value = { account_id: accountId, email, was_member: wasMember };
      report(io, options, value, () => [
        wasMember
          ? `Removed ${printable(email)} from account ${accountId}, with every session there.`
          : `Withdrew the invitation of ${printable(email)} to account ${accountId}.`,
      ]);
    });
}

interface Member extends Membership {
  /** The id of the person. */
  readonly id: string;
}

/** @throws Refusal when several members have the address */
async function findMember(accounts: Accounts, accountId: string, text: string): Promise<Member | undefined> {
  const members = (await accounts.listPeople(accountId)).flatMap((person): Member[] => {
    const membership = membershipOf(person, accountId);
    return membership === undefined ? [] : [{ ...membership, id: person.id }];
  });
  const email = parseEmail(text);
  const found = members.filter((member) => member.id === text || member.email === email);
  if (found.length > 1)
    throw new Refusal(
      `Several members of account ${accountId} have the address ${printable(text)}. Use one of their ids: ${found.map(({ id }) => id).join(', ')}`,
    );
  return found[0];
}

type Outcome = Awaited<ReturnType<Accounts['changeRole' | 'removeMember']>>;

/** @throws Refusal */
function requireChanged(outcome: Outcome, { email }: Member, accountId: string): void {
  if (outcome === 'not_found') throw noMember(accountId, email);
  if (outcome === 'last_owner')
    throw new Refusal(
      `${printable(email)} is the last owner of account ${accountId}. Invite another one first: jobs-delete people invite --account ${accountId} --role owner`,
    );
}

function noMember(accountId: string, text: string): Refusal {
  return new Refusal(
    `${printable(text)} is not a member of account ${accountId}. List them: jobs-delete people list --account ${accountId}`,
  );
}

function noEmail(text: string): Refusal {
  return wrongUsage(`'${printable(text)}' is not an e-mail address. Use one such as ada@example.com.`);
}

function memberJson(person: Person, accountId: string) {
  const { id, createdAtMs, openId, passkeys } = person;
  const membership = membershipOf(person, accountId);
  return {
    account_id: accountId,
    person_id: id,
    email: membership?.email ?? null,
    role: membership?.role ?? null,
    sign_in_methods: [
      ...(openId === undefined ? [] : ['OpenID Connect']),
      ...(passkeys.length === 0 ? [] : ['passkey']),
    ],
    created_at: timeJson(createdAtMs),
  };
}
