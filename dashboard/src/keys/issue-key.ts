import type { Accounts, Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import {
  issueCredential,
  newCredentialText,
  type IssuedText,
} from '@jobs-delete/accounts/credentials/credential';
import { credentialSubject } from '@jobs-delete/accounts/people/audit-trail';
import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { formBefore, randomOfForm, shownMs } from '../web/form-once.tsx';
import type { Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import type { MemberVisit } from '../web/route.ts';
import { keyActionTexts } from './key-action-texts.ts';
import { isOpen, kinds } from './key-state.ts';

/** Keys of one kind in an account that have not ended. N concurrent forms may exceed it by N. */
const maxLiveKeys = 100;

type IssueServices = Pick<Services, 'accounts' | 'keys' | 'pepper' | 'now'>;

interface KeyRequest {
  readonly kinds: readonly CredentialKind[];
  /** Checked by the caller. */
  readonly name: string | undefined;
  /** Undefined: the keys do not expire. */
  readonly lifetimeMs: number | undefined;
  readonly environment: Credential['environment'];
  /** The keys that the new ones replace, in a rotation: one of each kind at most. */
  readonly olds?: readonly Credential[];
}

export interface IssuedKey {
  readonly credential: Credential;
  /** The whole credential, which only the page after the form shows. */
  readonly secret: string;
}

export type Issuance =
  | { readonly kind: 'issued'; readonly keys: readonly IssuedKey[] }
  | { readonly kind: 'expired' }
  | { readonly kind: 'too-many'; readonly of: CredentialKind };

/**
 * Creates a key of each kind, and records it. The same form gives the same keys until it expires: their ids are drawn from the
 * form, and unique. So a form that is sent again creates what a crash left out. The audit trail has public ids and names only.
 */
export async function issueKeys(
  services: IssueServices,
  visit: MemberVisit,
  request: KeyRequest,
): Promise<Issuance> {
  const { accounts, keys } = services;
  const draws: Draw[] = [];
  for (const kind of request.kinds) {
    const random = randomOfForm({ keys }, visit, kind);
    if (random === undefined) return { kind: 'expired' };
    const drawn = newCredentialText(kind, random);
    const known = await accounts.findCredential({ kind, id: drawn.id });
    // An earlier POST of the form created a key for the other environment.
    const isOther = known !== undefined && known.environment !== request.environment;
    if (isOther || (known && !isOpen(known, visit.nowMs))) return { kind: 'expired' };
    draws.push({ kind, drawn, known });
  }
  // Checks all limits before it creates a key.
  for (const { kind, known } of draws)
    if (known === undefined && (await isFull(accounts, visit, kind))) return { kind: 'too-many', of: kind };
  // A pair has one name, also if the form draws another one when it is sent again.
  const name = draws.find(({ known }) => known !== undefined)?.known?.name ?? request.name;
  const issued: IssuedKey[] = [];
  for (const draw of draws) {
    const credential = draw.known ?? (await issueDrawn(services, visit, draw, { ...request, name }));
    issued.push({ credential, secret: draw.drawn.text });
  }
  return { kind: 'issued', keys: issued };
}

/**
 * Resolves to the keys that a form created in the last 15 minutes. The query names the form, which may have expired since. Empty: there
 * are none.
 */
export async function findIssuedKeys(
  { accounts, keys }: Pick<IssueServices, 'accounts' | 'keys'>,
  visit: MemberVisit,
): Promise<readonly IssuedKey[]> {
  const issued: IssuedKey[] = [];
  for (const kind of kinds) {
    const random = randomOfForm({ keys }, formBefore(visit), kind);
    if (random === undefined) return [];
    const { id, text } = newCredentialText(kind, random);
    const credential = await accounts.findCredential({ kind, id });
    const isNew = credential !== undefined && credential.createdAtMs > visit.nowMs - shownMs;
    if (isNew && isOpen(credential, visit.nowMs)) issued.push({ credential, secret: text });
  }
  return issued;
}

/** Returns why no key was created, as the page with the form says it. */
export function problemOf(language: Language, issuance: Issuance): string | undefined {
  if (issuance.kind === 'expired') return layoutTexts[language].formEnded;
  return issuance.kind === 'too-many' ? keyActionTexts[language].tooMany[issuance.of] : undefined;
}

interface Draw {
  readonly kind: CredentialKind;
  readonly drawn: IssuedText;
  /** Created by an earlier POST of the form. */
  readonly known: Credential | undefined;
}

async function isFull(accounts: Accounts, { accountId, nowMs }: MemberVisit, kind: CredentialKind) {
  const keys = await accounts.listCredentials(kind, accountId);
  return keys.filter((key) => isOpen(key, nowMs)).length >= maxLiveKeys;
}

async function issueDrawn(
  { accounts, pepper, now }: IssueServices,
  visit: MemberVisit,
  { kind, drawn }: Draw,
  { name, lifetimeMs, environment, olds = [] }: KeyRequest,
): Promise<Credential> {
  const expiresAtMs = lifetimeMs === undefined ? undefined : visit.nowMs + lifetimeMs;
  const old = olds.find((each) => each.kind === kind);
  const action = old === undefined ? 'created' : 'rotated';
  const entryOf = (id: string) =>
    auditEntry(visit, `${kind}.${action}`, credentialSubject({ id, name }, old));
  try {
    const { accountId } = visit;
    const shared = { kind, accountId, name, expiresAtMs, environment };
    const request = { ...shared, replacesId: old?.id, entryOf, drawn };
    const issued = await issueCredential(accounts, pepper, request, now);
    if (issued.kind !== 'issued') throw new Error(`creating a key failed: ${issued.kind}`);
    return issued.credential;
  } catch (error) {
    // The other POST of a double click was faster.
    const other = await accounts.findCredential({ kind, id: drawn.id });
    if (other === undefined) throw error;
    return other;
  }
}
