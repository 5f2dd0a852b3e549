import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { Time } from '../web/time.tsx';
import type { Language } from '../web/language.ts';
import { keyTexts, type KeyTexts } from './key-texts.ts';

export interface KeyListProps {
  readonly language: Language;
  readonly kind: CredentialKind;
  readonly keys: readonly Credential[];
  readonly nowMs: number;
}

/** The tokens or secret keys of an account. */
export function KeyList({ language, kind, keys, nowMs }: KeyListProps) {
  const texts = keyTexts[language];
  const heading = `${kind}-heading`;
  const time = (ms: number | undefined) =>
    ms === undefined ? texts.never : <Time ms={ms} language={language} />;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{texts.kinds[kind]}</h2>
      {keys.length === 0 ? (
        <p>{texts.none[kind]}</p>
      ) : (
        <div class="scroll" tabindex={0} role="region" aria-labelledby={heading}>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.name}</th>
                <th scope="col">{texts.id}</th>
                <th scope="col">{texts.state}</th>
                <th scope="col">{texts.created}</th>
                <th scope="col">{texts.lastUsed}</th>
                <th scope="col">{texts.lastRefused}</th>
                <th scope="col">{texts.expires}</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <tr>
                  <th scope="row">{key.name ?? '–'}</th>
                  <td>
                    <code>{key.id}</code>
                  </td>
                  <td>{stateText(key, nowMs, texts)}</td>
                  <td>{time(key.createdAtMs)}</td>
                  <td>{time(key.lastUsedAtMs)}</td>
                  <td>{time(key.lastRefusedAtMs)}</td>
                  <td>{time(key.expiresAtMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function stateText({ revokedAtMs, expiresAtMs }: Credential, nowMs: number, { states }: KeyTexts): string {
  if (revokedAtMs !== undefined) return states.revoked;
  return expiresAtMs !== undefined && expiresAtMs <= nowMs ? states.expired : states.valid;
}
