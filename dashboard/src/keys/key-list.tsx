import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { accountPath } from '../web/account-path.ts';
import { ShortId } from '../web/short-id.tsx';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import type { Language } from '../web/language.ts';
import { KeyBadge } from './key-facts.tsx';
import { isValid } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

export interface KeyListProps {
  readonly language: Language;
  readonly kind: CredentialKind;
  readonly keys: readonly Credential[];
  readonly nowMs: number;
  /** Shows the links for changes. */
  readonly mayChange: boolean;
  /** The id of the heading above the list. */
  readonly heading: string;
}

/** A table of tokens or secret keys. */
export function KeyList({ language, kind, keys, nowMs, mayChange, heading }: KeyListProps) {
  const texts = keyTexts[language];
  if (keys.length === 0) return <p>{texts.none[kind]}</p>;
  return (
    <Table
      heading={heading}
      columns={[
        { header: texts.name },
        texts.id,
        texts.state,
        texts.created,
        texts.lastUsed,
        texts.lastRefused,
        texts.expires,
        mayChange && texts.actions,
      ]}
      rows={keys.map((key) => [
        key.name ?? '–',
        <ShortId id={key.id} />,
        <KeyBadge {...{ language, credential: key, nowMs }} />,
        ...[key.createdAtMs, key.lastUsedAtMs, key.lastRefusedAtMs, key.expiresAtMs].map((ms) =>
          ms === undefined ? texts.never : <Time ms={ms} language={language} nowMs={nowMs} />,
        ),
        isValid(key, nowMs) && (
          <span class="actions">
            <KeyLink credential={key} action="rotate" text={texts.rotate} />
            <KeyLink credential={key} action="revoke" text={texts.revoke} />
          </span>
        ),
      ])}
    />
  );
}

interface KeyLinkProps {
  readonly credential: Credential;
  readonly action: 'rotate' | 'revoke';
  readonly text: string;
}

export function KeyLink({ credential, action, text }: KeyLinkProps) {
  return (
    <a href={keyPath(credential, action)} aria-label={`${text} ${credential.name ?? credential.id}`}>
      {text}
    </a>
  );
}

export function keyPath(credential: Credential, action: KeyLinkProps['action']): string {
  return accountPath(credential, `/keys/${credential.kind}/${credential.id}/${action}`);
}
