import type { Credential } from '@jobs-delete/accounts/accounts';
import type { Language } from '../web/language.ts';
import { formatTime, useTimeZone } from '../web/time.tsx';
import { stateOf } from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { KeyLink } from './key-view.tsx';

interface ExpiryWarningProps {
  readonly language: Language;
  readonly keys: readonly Credential[];
  readonly nowMs: number;
  /** Shows the way to replace each. */
  readonly mayChange: boolean;
}

/** Bounds the page. The table marks every such key. */
const maxNamed = 10;

/** Names the keys that expire soon and are not replaced, the next one first. */
export function ExpiryWarning({ language, keys, nowMs, mayChange }: ExpiryWarningProps) {
  const texts = keyTexts[language];
  const zone = useTimeZone();
  const expiring = keys.flatMap((key) =>
    key.expiresAtMs !== undefined && stateOf(key, keys, nowMs) === 'expires-soon'
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
