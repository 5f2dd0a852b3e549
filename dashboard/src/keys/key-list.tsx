import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { accountPath } from '../web/account-path.ts';
import { ShortId } from '../web/short-id.tsx';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import type { Language } from '../web/language.ts';
import { KeyBadge } from './key-facts.tsx';
import { isEnded } from './key-state.ts';
import { keyTexts } from './key-texts.ts';

export interface KeyListProps {
  readonly language: Language;
  readonly kind: CredentialKind;
  readonly keys: readonly Credential[];
  /** All keys of the kind, to name those that replace others. */
  readonly all: readonly Credential[];
  readonly nowMs: number;
  /** Shows the links for changes. */
  readonly mayChange: boolean;
  /** The id of the heading above the list. */
  readonly heading: string;
}

/** A table of tokens or secret keys. */
export function KeyList({ language, kind, keys, nowMs, all, mayChange, heading }: KeyListProps) {
  const texts = keyTexts[language];
  if (keys.length === 0) return <p>{texts.none[kind]}</p>;
  const timeOf = (ms: number | undefined) =>
    ms === undefined ? texts.never : <Time ms={ms} language={language} nowMs={nowMs} />;
  return (
    <Table
      heading={heading}
      look="keys"
      columns={[
        { header: texts.name },
        { detail: texts.id },
        { aside: texts.state },
        { detail: texts.created },
        texts.lastUsed,
        texts.expires,
        mayChange && { detail: texts.actions },
      ]}
      rows={keys.map((key) => [
        <>
          <a href={keyPath(key)}>{key.name ?? texts.unnamed}</a>
          <KeyRelation language={language} credential={key} keys={all} />
        </>,
        <ShortId id={key.id} />,
        <KeyBadge {...{ language, credential: key, nowMs }} />,
        timeOf(key.createdAtMs),
        <>
          {timeOf(key.lastUsedAtMs)}
          {key.lastRefusedAtMs !== undefined && (
            <p class="hint">
              {texts.lastRefused}: {timeOf(key.lastRefusedAtMs)}
            </p>
          )}
        </>,
        timeOf(key.expiresAtMs),
        !isEnded(key, nowMs) && (
          <span class="actions">
            {key.pausedAtMs === undefined && <KeyLink credential={key} action="rotate" text={texts.rotate} />}
            <KeyLink credential={key} action="revoke" text={texts.revoke} />
          </span>
        ),
      ])}
    />
  );
}

export interface KeyRelationProps {
  readonly language: Language;
  readonly credential: Credential;
  /** All keys of the kind. */
  readonly keys: readonly Credential[];
}

/** Links to the key that this one replaces, and to its replacements. */
export function KeyRelation({ language, credential: { id, replacesId }, keys }: KeyRelationProps) {
  const texts = keyTexts[language];
  const related = [
    ...keys.filter((key) => key.id === replacesId).map((key) => [texts.replaces, key] as const),
    ...keys.filter((key) => key.replacesId === id).map((key) => [texts.replacedBy, key] as const),
  ];
  return (
    <>
      {related.map(([text, key]) => (
        <p class="hint">
          {text}{' '}
          <a href={keyPath(key)}>
            <ShortId id={key.id} />
          </a>
        </p>
      ))}
    </>
  );
}

export type KeyAction = 'rename' | 'pause' | 'resume' | 'rotate' | 'revoke';

interface KeyLinkProps {
  readonly credential: Credential;
  readonly action: KeyAction;
  readonly text: string;
  readonly class?: string;
}

export function KeyLink({ credential, action, text, class: look }: KeyLinkProps) {
  return (
    <a
      class={look}
      href={keyPath(credential, action)}
      aria-label={`${text} ${credential.name ?? credential.id}`}
    >
      {text}
    </a>
  );
}

/** Returns the path of an action, or of the page of the key. */
export function keyPath(credential: Credential, action?: KeyAction): string {
  const page = `/keys/${credential.kind}/${credential.id}` as const;
  return accountPath(credential, action === undefined ? page : `${page}/${action}`);
}
