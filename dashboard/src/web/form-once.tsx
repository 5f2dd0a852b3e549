import type { Accounts } from '@jobs-delete/accounts/accounts';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { MemberVisit } from './route.ts';

const lifetimeMs = 3_600_000;

/**
 * Returns the value of a form's field `once`. A browser that reloads the answer sends the form again: a form with this
 * field works once, in this session, within an hour.
 */
export async function openForm(
  accounts: Pick<Accounts, 'addOneTimeSecret'>,
  { session, nowMs }: Pick<MemberVisit, 'session' | 'nowMs'>,
): Promise<string> {
  const once = newSecret();
  await accounts.addOneTimeSecret({
    kind: 'form',
    hash: hashOf(once, session),
    expiresAtMs: nowMs + lifetimeMs,
    data: {},
  });
  return once;
}

/** Resolves to true for exactly one of several POSTs of a form. */
export async function takeForm(
  accounts: Pick<Accounts, 'takeOneTimeSecret'>,
  { form, session, nowMs }: Pick<MemberVisit, 'form' | 'session' | 'nowMs'>,
): Promise<boolean> {
  const hash = hashOf(sentOnce(form), session);
  return (await accounts.takeOneTimeSecret('form', hash, nowMs)) !== undefined;
}

/** Returns the field of a form that is shown again with its problems. */
export function sentOnce(form: URLSearchParams): string {
  return (form.get('once') ?? '').slice(0, 43);
}

export function OnceField({ once }: { readonly once: string }) {
  return <input type="hidden" name="once" value={once} />;
}

function hashOf(once: string, { id }: MemberVisit['session']): Buffer {
  return hashSecret(`${once} ${id}`);
}
