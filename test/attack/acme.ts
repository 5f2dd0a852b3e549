import { randomBytes, randomUUID } from 'node:crypto';
import type { Accounts, CredentialKind } from '@jobs-delete/accounts/accounts';
import {
  type InvitationRequest,
  invitePerson,
  listPendingInvitations,
} from '@jobs-delete/accounts/people/invitations';
import { type Person, newId, roles } from '@jobs-delete/accounts/people/people';
import type { Scene } from '../dashboard/scene.ts';

/** The names that a request can carry. */
export interface AcmeNames {
  readonly accountId: string;
  readonly tokenId: string;
  readonly secretKeyId: string;
  readonly domain: string;
  readonly email: string;
  readonly personId: string;
  readonly passkeyId: string;
  readonly sessionId: string;
  readonly auditId: string;
  readonly invitationId: string;
  readonly deletionId: string;
  /** A job of that deletion. */
  readonly jobId: string;
  /** A deletion that can be cancelled. */
  readonly waitingId: string;
}

/** An account with one of everything, whose names occur nowhere else. */
export interface Acme extends AcmeNames {
  /** The texts that no page of another account may show. */
  readonly marks: readonly string[];
  /** Returns everything that is stored for the account, except what a refused request records. */
  snapshot(): Promise<unknown>;
}

/** Returns names of the same form that belong to no account. */
export function unknownNames(): AcmeNames {
  const unique = randomBytes(6).toString('hex');
  return {
    accountId: `none-${unique}`,
    tokenId: newId(),
    secretKeyId: newId(),
    domain: `${unique}.example`,
    email: `owner@${unique}.example`,
    personId: newId(),
    passkeyId: randomBytes(16).toString('base64url'),
    sessionId: newId(),
    auditId: newId(),
    invitationId: newId(),
    deletionId: randomUUID(),
    jobId: `None${unique}`,
    waitingId: randomUUID(),
  };
}

export async function addAcme({ service, dashboard: { accounts }, accept }: Scene): Promise<Acme> {
  const unique = randomBytes(6).toString('hex');
  const nowMs = Date.now();
  const accountId = `acme-${unique}`;
  await accounts.addAccount({ id: accountId, name: `Name ${unique}`, createdAtMs: nowMs });
  const [tokenId, secretKeyId] = [newId(), newId()];
  const key = { accountId, name: `key ${unique}`, createdAtMs: nowMs, expiresAtMs: nowMs + 86_400_000 };
  await accounts.addCredential({ ...key, kind: 'token', id: tokenId, hash: randomBytes(32) });
  await accounts.addCredential({ ...key, kind: 'secret-key', id: secretKeyId, hash: randomBytes(32) });
  const domain = `${unique}.example`;
  await accounts.allowDomain(accountId, domain);

  const people = await addPeople(accounts, accountId, { domain, nowMs });
  const personId = people[0]?.id ?? '';
  const email = people[0]?.memberships[0]?.email ?? '';
  const passkeyId = randomBytes(16).toString('base64url');
  const passkey = { id: passkeyId, publicKey: randomBytes(77), counter: 0, transports: [], name: unique };
  await accounts.addPasskey(personId, { ...passkey, createdAtMs: nowMs });
  const [sessionId, auditId] = [newId(), newId()];
  const times = { createdAtMs: nowMs, lastSeenAtMs: nowMs, provenAtMs: nowMs };
  const session = { ...times, hash: randomBytes(32), id: sessionId, personId, accountId };
  await accounts.addSession({ ...session, userAgent: `Browser ${unique}` });
  const entry = { accountId, atMs: nowMs, action: 'token.created', actor: email } as const;
  await accounts.recordAction({ ...entry, id: auditId, subject: `subject ${unique}` });
  const invited = { accountId, email: `invited@${unique}.example`, invitedBy: { id: personId, email } };
  const invitationId = await addInvitation(accounts, { ...invited, role: 'owner' }, nowMs);
  const day = new Date(nowMs).toISOString().slice(0, 10);
  await accounts.addRefusals([{ accountId, day, code: 'token_invalid', count: 7_654_321 }]);
  const refused = {
    accountId,
    atMs: nowMs,
    environment: 'live',
    status: 404,
    code: 'job_not_found',
  } as const;
  const refusedId = randomUUID();
  await accounts.addRefusedRequests([{ ...refused, id: refusedId, tokenId, client: `client ${unique}` }]);
  const origin = { webOrigin: `https://${domain}` };
  const { id: deletionId, jobIds } = await accept(accountId, { origin });
  const waiting = await accept(accountId, { origin, delayMs: 86_400_000 });
  const { store } = service.operator;
  await store.setRules(accountId, { limit: { kind: 'jobs', jobs: 6_543_210 }, removalDelayMs: 86_400_000 });

  const ids = [
    tokenId,
    secretKeyId,
    passkeyId,
    sessionId,
    auditId,
    refusedId,
    invitationId,
    deletionId,
    waiting.id,
    ...jobIds,
    ...waiting.jobIds,
    ...people.map(({ id }) => id),
  ];
  return {
    accountId,
    tokenId,
    secretKeyId,
    domain,
    email,
    personId,
    passkeyId,
    sessionId,
    auditId,
    invitationId,
    deletionId,
    jobId: jobIds[0] ?? '',
    waitingId: waiting.id,
    // The names above, and the ids. The count of refusals and the limit may be written with separators.
    marks: [unique, ...ids, '7654321', '7,654,321', '6543210', '6,543,210'],
    snapshot: async () => ({
      ...(await readAccount(accounts, accountId)),
      sessions: await Promise.all(people.map(({ id }) => accounts.listSessions(id))),
      invitations: await accounts.listInvitations(accountId, nowMs),
      deletion: await store.findDeletion(deletionId, undefined),
      waiting: await store.findDeletion(waiting.id, undefined),
      rules: await store.findRules([accountId]),
    }),
  };
}

/** Adds a member of each role, the highest first. */
async function addPeople(
  accounts: Accounts,
  accountId: string,
  { domain, nowMs }: { readonly domain: string; readonly nowMs: number },
): Promise<readonly Person[]> {
  const people = roles.map((role) => ({
    id: newId(),
    createdAtMs: nowMs,
    memberships: [{ accountId, role, email: `${role}@${domain}` }],
    passkeys: [],
  }));
  for (const person of people) await accounts.addPerson(person);
  return people;
}

async function addInvitation(accounts: Accounts, request: InvitationRequest, nowMs: number): Promise<string> {
  await invitePerson(accounts, request, () => nowMs);
  const [invitation] = await listPendingInvitations(accounts, request.accountId, nowMs);
  if (invitation === undefined) throw new Error('the new invitation is not listed');
  return invitation.id;
}

async function readAccount(accounts: Accounts, accountId: string) {
  return {
    account: await accounts.findAccount(accountId),
    tokens: await listKeys(accounts, 'token', accountId),
    secretKeys: await listKeys(accounts, 'secret-key', accountId),
    domains: await accounts.listDomains(accountId),
    people: await accounts.listPeople(accountId),
    trail: await accounts.listActions({ accountId, pageSize: 1_000 }),
  };
}

async function listKeys(accounts: Accounts, kind: CredentialKind, accountId: string) {
  const keys = await accounts.listCredentials(kind, accountId);
  return keys.map((key) => ({ ...key, lastRefusedAtMs: undefined }));
}
