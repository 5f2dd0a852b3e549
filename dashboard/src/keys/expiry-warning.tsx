import type { Credential } from '@jobs-delete/accounts/accounts';
import type { Language } from '../web/language.ts';
import { useTimeZone } from '../web/time-zone.ts';
import { formatTime } from '../web/time.tsx';
import { KeyLink } from './key-list.tsx';
import { stateOf } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

export interface ExpiryWarningProps {
  readonly language: Language;
  readonly keys: readonly Credential[];
  readonly nowMs: number;
  /** Shows the way to replace each. */
  readonly mayChange: boolean;
}

/** Bounds the page. The table marks every such key. */
const maxNamed = 10;

/** Nobody replaces keys for less than a day, such as test keys of the sandbox. */
const minLifetimeMs = 86_400_000;

/** Names the keys that expire soon, the next one first. */
export function ExpiryWarning({ language, keys, nowMs, mayChange }: ExpiryWarningProps) {
  const texts = keyTexts[language];
  const zone = useTimeZone();
  const expiring = keys.flatMap((key) =>
    key.expiresAtMs !== undefined &&
    key.expiresAtMs - key.createdAtMs >= minLifetimeMs &&
    stateOf(key, nowMs) === 'expires-soon'
      ? [{ ...key, expiresAtMs: key.expiresAtMs }]
      : [],
  );
  if (expiring.length === 0) return null;
  expiring.sort((one, other) => one.expiresAtMs - other.expiresAtMs);
  return (
    <section class="warning" aria-labelledby="expiring">
      <h2 id="expiring">{texts.warningHeading}</h2>
      <ul>
        {expiring.slice(0, maxNamed).map((key) => (
          <li>
            {texts.warning[key.kind](key.name ?? key.id, formatTime(key.expiresAtMs, language, zone))}{' '}
            {mayChange && <KeyLink credential={key} action="rotate" text={texts.rotate} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The choices of the form, in days. */
export const expiries = ['30', '90', '180', '365', 'never'] as const;

export type Expiry = (typeof expiries)[number];

export function lifetimeOf(expiry: Expiry): number | undefined {
  return expiry === 'never' ? undefined : Number(expiry) * 86_400_000;
}
