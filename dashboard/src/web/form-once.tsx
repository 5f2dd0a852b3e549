import { uuidAt } from '@jobs-delete/runtime/time/clock';
import type { Services } from '../services.ts';
import type { MemberVisit } from './route.ts';
import { createHash, hkdfSync } from 'node:crypto';
import { checkTicket, issueTicket, useTicket, type TicketPurpose } from './ticket.ts';

/** How long a form can be sent. Its id has the time when it was opened. */
export const formLifetimeMs = 3_600_000;

/** How long new keys are shown, and how much longer than it can be sent a form can be read. */
export const shownMs = 900_000;

type Holder = Pick<MemberVisit, 'session' | 'accountId' | 'nowMs'>;
type SentForm = Holder & Pick<MemberVisit, 'form'>;
type WithKeys = Pick<Services, 'keys'>;

/**
 * Returns the value of a form's field `once`. A browser that reloads the answer sends the form again: a form with this
 * field works once, in this session and account, within an hour.
 */
export function openForm({ keys }: WithKeys, visit: Holder): string {
  return issueTicket(keys.tickets, purposeOf(visit), visit.nowMs + formLifetimeMs);
}

/** Returns false for a form that has expired. */
export function isOpenForm(services: WithKeys, visit: SentForm): boolean {
  return readTicket(services, visit) !== undefined;
}

/** Resolves to true for exactly one of several POSTs of a form with the same values. */
export function takeForm(
  { accounts, keys }: Pick<Services, 'accounts' | 'keys'>,
  visit: SentForm,
  values: readonly string[] = [],
): Promise<boolean> {
  return useTicket(accounts, keys.tickets, purposeOf(visit), sentOnce(visit.form), visit.nowMs, values);
}

/**
 * Returns an id of 24 characters of lower-case hex that all POSTs of one form with the same values share, for changes that
 * have the effect of one when they are repeated. Undefined: the form has expired.
 */
export function readFormId(
  services: WithKeys,
  visit: SentForm,
  values: readonly string[],
): string | undefined {
  const sent = readTicket(services, visit);
  const text = [sent?.ticket, ...values].join(' ');
  return sent && createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/**
 * Returns a UUID of version 7 that all POSTs of one form share, so that a reload or a double click asks for one deletion.
 * Undefined: the form has expired.
 */
export function readFormUuid(
  services: WithKeys,
  visit: SentForm,
  once = sentOnce(visit.form),
): string | undefined {
  const sent = readTicket(services, visit, once);
  if (sent === undefined) return undefined;
  const { ticket, expiresAtMs } = sent;
  const random = createHash('sha256').update(`uuid ${ticket}`).digest().subarray(0, 16);
  return uuidAt(expiresAtMs - formLifetimeMs, random);
}

/**
 * Returns a source of random bytes that all POSTs of one form share, so that a reload or a double click shows the same secret. No
 * other session can draw them, and the service stores no ticket of a form. Undefined: the form has expired.
 */
export function randomOfForm(
  { keys }: WithKeys,
  visit: SentForm,
  purpose: string,
): ((size: number) => Buffer) | undefined {
  const sent = readTicket({ keys }, visit);
  if (sent === undefined) return undefined;
  let drawn = 0;
  return (size) =>
    Buffer.from(hkdfSync('sha256', keys.secrets, sent.ticket, `${purpose} ${String(drawn++)}`, size));
}

/** Returns the form that the query names, for the page after it. It counts for 15 minutes longer than it can be sent. */
export function formBefore(visit: MemberVisit): SentForm {
  return { ...visit, form: visit.query, nowMs: visit.nowMs - shownMs };
}

/** Returns undefined for a ticket that is forged, foreign or expired. */
function readTicket({ keys }: WithKeys, visit: SentForm, ticket = sentOnce(visit.form)) {
  const expiresAtMs = checkTicket(keys.tickets, purposeOf(visit), ticket, visit.nowMs);
  return expiresAtMs === undefined ? undefined : { ticket, expiresAtMs };
}

/** Returns the field of a form that is shown again with its problems. */
export function sentOnce(form: URLSearchParams): string {
  return (form.get('once') ?? '').slice(0, 100);
}

export function OnceField({ once }: { readonly once: string }) {
  return <input type="hidden" name="once" value={once} />;
}

function purposeOf({ session, accountId }: Holder): TicketPurpose {
  return { purpose: 'form', holder: `${session.id} ${accountId}` };
}
