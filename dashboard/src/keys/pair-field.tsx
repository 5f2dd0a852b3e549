import type { Accounts, Credential } from '@jobs-delete/accounts/accounts';
import { useContext } from 'preact/hooks';
import { KeptInput } from '../web/form.tsx';
import { ShortId } from '../web/marks.tsx';
import type { Language } from '../web/language.ts';
import type { MemberVisit } from '../web/route.ts';
import { actionsOf, isOpen, partnerOf, type KeyAction } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

/** Returns the partner of a key if the action can be done to it too. */
export function partnerFor(
  action: KeyAction,
  key: Credential,
  all: readonly Credential[],
  nowMs: number,
): Credential | undefined {
  const partner = partnerOf(key, all, nowMs);
  return partner && actionsOf(partner, all, nowMs).includes(action) ? partner : undefined;
}

interface PairFieldProps {
  readonly visit: MemberVisit;
  /** Undefined: shows nothing. */
  readonly partner: Credential | undefined;
  readonly action: KeyAction;
}

/**
 * A box that includes the partner of a key in a change. Checked, unless the change can't be undone. The hidden field tells a sent
 * form without the tick from a new one.
 */
export function PairField({ visit: { form, language }, partner, action }: PairFieldProps) {
  const kept = useContext(KeptInput);
  if (partner === undefined) return null;
  const sent = kept.has('pair') ? kept : form.has('pair') ? form : undefined;
  const texts = keyTexts[language];
  return (
    <div class="field">
      <input type="hidden" name="pair" value={partner.id} />
      <label class="choice">
        <input type="checkbox" name="also" checked={sent ? sent.has('also') : action !== 'revoke'} />{' '}
        <span>
          {texts.also[partner.kind]} <ShortId id={partner.id} />
          <span class="second">{action === 'revoke' ? texts.alsoRevokeHint : texts.alsoHint}</span>
        </span>
      </label>
    </div>
  );
}

interface PairSubmitProps extends Omit<PairFieldProps, 'visit'> {
  readonly language: Language;
  /** The text without the partner. */
  readonly alone: string;
}

/** The text of a form's button. It follows the box of `PairField`, which the style reads. */
export function PairSubmit({ language, partner, action, alone }: PairSubmitProps) {
  if (partner === undefined) return <>{alone}</>;
  return (
    <>
      <span class="with-partner">{keyTexts[language].both[action]}</span>
      <span class="without-partner">{alone}</span>
    </>
  );
}

/** The fields of `PairField`, which survive a new sign-in. */
export const pairFields = ['pair', 'also'];

/** Resolves to the open key of the account that the form includes beside this one. */
export async function findIncluded(
  accounts: Pick<Accounts, 'findCredential'>,
  { form, accountId, nowMs }: MemberVisit,
  key: Credential,
): Promise<Credential | undefined> {
  if (!form.has('also')) return undefined;
  const kind = key.kind === 'token' ? 'secret-key' : 'token';
  const found = await accounts.findCredential({ kind, id: form.get('pair') ?? '' });
  return found?.accountId === accountId && isOpen(found, nowMs) ? found : undefined;
}
