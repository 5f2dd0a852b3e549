import { credentialKey } from '@jobs-delete/accounts/authenticator';
import type { Credential } from '@jobs-delete/accounts/accounts';
import { accountPath } from '../web/account-path.ts';
import { type Aside, details } from '../web/aside.tsx';
import { CopyIcon } from '../web/copyable.tsx';
import { Badge, type Tone, ShortId } from '../web/marks.tsx';
import { FactGrid, type GridFact } from '../web/facts.tsx';
import type { Language } from '../web/language.ts';
import { withNotice } from '../web/notices.ts';
import { ifFound, type MemberVisit, type Reply, type Serve } from '../web/route.ts';
import type { Services } from '../services.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import {
  actionsOf,
  findKey,
  isOpen,
  partnersOf,
  stateOf,
  type KeyAction,
  type KeyState,
} from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { keyUseTexts } from './key-use-texts.ts';

interface KeyListProps {
  readonly language: Language;
  readonly keys: readonly Credential[];
  /** All keys of the kind, or of both, to name those that replace others. */
  readonly all: readonly Credential[];
  readonly nowMs: number;
  /** Shows the links for changes. */
  readonly mayChange: boolean;
  /** The id of the heading above the list. */
  readonly heading: string;
}

/**
 * A table of tokens, secret keys or both. A row has two lines; that of a key which names another key has three. The second row of a
 * pair has no name, and the actions of both keys if both have the same. The cells of the first row are level with its last line, its id.
 */
export function KeyList({ language, keys, nowMs, all, mayChange, heading }: KeyListProps) {
  const texts = keyTexts[language];
  const hasBoth = new Set(all.map(({ kind }) => kind)).size > 1;
  const partners = partnersOf(all, nowMs);
  const isSecond = keys.map((key, row) => row > 0 && partners.get(credentialKey(key)) === keys[row - 1]);
  const actions = keys.map((key) =>
    actionsOf(key, all, nowMs).filter((action) => rowActions.includes(action)),
  );
  const isShared = (row: number) =>
    isSecond[row] === true && String(actions[row]) === String(actions[row - 1]);
  /** The row whose actions stand in this one. */
  const rowOfActions = (row: number) => (isShared(row) ? row - 1 : isShared(row + 1) ? undefined : row);
  const relationsIn = (key: Credential) =>
    relationsOf(key, all, language).map(({ label, other }) => (
      <span class="second detail">
        {label}{' '}
        <a href={keyPath(other)}>
          <ShortId id={other.id} />
        </a>
      </span>
    ));
  const actionLinks = (row: number | undefined) => {
    const credential = row === undefined ? undefined : keys[row];
    if (credential === undefined || row === undefined || actions[row]?.length === 0) return undefined;
    return (
      <span class="actions">
        {actions[row]?.map((action) => (
          <KeyLink
            credential={credential}
            action={action}
            text={texts[action]}
            class={action === 'revoke' ? 'danger' : undefined}
          />
        ))}
      </span>
    );
  };
  return (
    <Table
      heading={heading}
      look="keys"
      columns={[
        { header: texts.name },
        hasBoth && { plain: texts.kind },
        { aside: texts.state },
        texts.lastUsed,
        texts.lastRefused,
        texts.expires,
        mayChange && { plain: texts.actions },
      ]}
      joined={isSecond.flatMap((is, row) => (is ? row : []))}
      rows={keys.map((key, row) => [
        <>
          <a href={keyPath(key)} class="one-line" title={key.name}>
            {isSecond[row] ? <ShortId id={key.id} /> : (key.name ?? texts.unnamed)}
          </a>
          {!isSecond[row] && <SandboxBadge language={language} credential={key} />}{' '}
          {isSecond[row + 1] && relationsIn(key)}
          <span class="second">
            {!isSecond[row] && <ShortId id={key.id} />}{' '}
            <CopyIcon text={key.id} of={key.name ?? key.id} language={language} />
          </span>
          {!isSecond[row + 1] && relationsIn(key)}
        </>,
        texts.kindOf[key.kind],
        <KeyBadge {...{ language, credential: key, all, nowMs }} />,
        <LastUse {...{ language, credential: key, nowMs }} />,
        key.lastRefusedAtMs === undefined ? (
          key.kind === 'token' && <span class="none">–</span>
        ) : (
          <Time ms={key.lastRefusedAtMs} language={language} nowMs={nowMs} />
        ),
        <Expiry language={language} credential={key} nowMs={nowMs} />,
        actionLinks(rowOfActions(row)),
      ])}
    />
  );
}

/** The page of a key has the others. */
const rowActions: readonly KeyAction[] = ['resume', 'rotate', 'revoke'];

/** Returns the key that this one replaces, and its replacements. */
function relationsOf({ kind, id, replacesId }: Credential, all: readonly Credential[], language: Language) {
  const texts = keyTexts[language];
  return [
    ...all.filter((key) => key.id === replacesId).map((other) => ({ label: texts.replaces, other })),
    ...all.filter((key) => key.replacesId === id).map((other) => ({ label: texts.replacedBy[kind], other })),
  ];
}

interface KeyLinkProps {
  readonly credential: Credential;
  readonly action: KeyAction;
  readonly text: string;
  readonly class?: string | undefined;
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

export function BackToKey({ language, credential }: Pick<KeyFactsProps, 'language' | 'credential'>) {
  return <a href={keyPath(credential)}>{keyTexts[language].backToKey}</a>;
}

/** Returns the path of an action, or of the page of the key. */
export function keyPath(credential: Credential, action?: KeyAction): string {
  const page = `/keys/${credential.kind}/${credential.id}` as const;
  return accountPath(credential, action === undefined ? page : `${page}/${action}`);
}

/** Serves a change of a key. Redirects to the page of the key if it is expired or revoked. */
export function ifOpen(
  services: Pick<Services, 'accounts'>,
  serve: (visit: MemberVisit, key: Credential) => Reply | Promise<Reply>,
): Serve {
  return ifFound(
    (visit) => findKey(services, visit),
    (visit, key) => {
      if (isOpen(key, visit.nowMs)) return serve(visit, key);
      const notice = key.revokedAtMs === undefined ? 'key-expired-already' : 'key-revoked-already';
      return { kind: 'redirect', to: withNotice(keyPath(key), notice) };
    },
    'noKey',
  );
}

interface KeyFactsProps {
  readonly language: Language;
  readonly credential: Credential;
  /** The keys of both kinds, to name its partner and those that replace others. */
  readonly all: readonly Credential[];
  /** In a form: shows the state at this time, and not the last refusal, which only the list of refused requests knows exactly. */
  readonly nowMs?: number;
  /** On the page of the key: the one that forms a pair with it. */
  readonly partner?: Credential | undefined;
  /** Who paused or revoked it. Undefined: nobody did, or no page says it. */
  readonly stoppedBy?: string | undefined;
}

/** Returns what stands beside a form or the page of a key. */
export function aboutKey(facts: KeyFactsProps): Aside {
  return details(facts.language, <KeyFacts {...facts} />);
}

/** What is known about one key, beside its name. */
function KeyFacts({ language, credential, all, nowMs, partner, stoppedBy }: KeyFactsProps) {
  const texts = keyTexts[language];
  const timeOf = (ms: number | undefined, otherwise = texts.never) =>
    ms === undefined ? otherwise : <Time ms={ms} language={language} />;
  // A refused request is recorded with its token, and often with nothing else.
  const notRefused = credential.kind === 'token' ? texts.never : texts.refusedWithToken;
  const { revokedAtMs, pausedAtMs } = credential;
  const stoppedAtMs = revokedAtMs ?? pausedAtMs;
  return (
    <FactGrid
      facts={[
        [texts.state, nowMs !== undefined && <KeyBadge {...{ language, credential, all, nowMs }} />],
        [texts.created, timeOf(credential.createdAtMs)],
        [texts.lastUsed, timeOf(credential.lastUsedAtMs)],
        [texts.lastRefused, nowMs === undefined && timeOf(credential.lastRefusedAtMs, notRefused)],
        [texts.expires, revokedAtMs === undefined && <Expiry language={language} credential={credential} />],
        [
          revokedAtMs === undefined ? texts.pausedSince : texts.revokedOn,
          stoppedAtMs !== undefined && (
            <>
              <Time ms={stoppedAtMs} language={language} />
              {stoppedBy !== undefined && <span class="second">{stoppedBy}</span>}
            </>
          ),
          true,
        ],
        [
          <>
            {texts.id} <CopyIcon text={credential.id} language={language} />
          </>,
          <code>{credential.id}</code>,
        ],
        ...[
          ...(partner === undefined ? [] : [{ label: texts.kindOf[partner.kind], other: partner }]),
          ...relationsOf(credential, all, language),
        ].map(({ label, other }): GridFact => [
          label,
          <a href={keyPath(other)}>
            <ShortId id={other.id} />
          </a>,
        ]),
      ]}
    />
  );
}

type ExpiryProps = Pick<KeyFactsProps, 'language' | 'credential' | 'nowMs'>;

/** A revoked key has no expiry. In a list on a phone, the class `none` hides `never`. */
function Expiry({ language, credential: { revokedAtMs, expiresAtMs }, nowMs }: ExpiryProps) {
  if (revokedAtMs !== undefined) return <span class="none">–</span>;
  if (expiresAtMs === undefined)
    return <span class={nowMs === undefined ? undefined : 'none'}>{keyTexts[language].never}</span>;
  return <Time ms={expiresAtMs} language={language} {...(nowMs !== undefined && { nowMs })} />;
}

const tones: Readonly<Record<KeyState, Tone>> = {
  active: 'good',
  replaced: 'attention',
  'expires-soon': 'attention',
  paused: 'pending',
  expired: 'ended',
  revoked: 'ended',
};

interface KeyBadgeProps extends Pick<KeyListProps, 'all'> {
  readonly language: Language;
  readonly credential: Credential;
  readonly nowMs: number;
}

export function KeyBadge({ language, credential, all, nowMs }: KeyBadgeProps) {
  const state = stateOf(credential, all, nowMs);
  return <Badge tone={tones[state]} text={keyTexts[language].states[credential.kind][state]} />;
}

/** Marks a key that works in the sandbox only. */
export function SandboxBadge({ language, credential }: Pick<KeyBadgeProps, 'language' | 'credential'>) {
  if (credential.environment === undefined) return null;
  return <Badge tone="neutral" text={keyUseTexts[language].sandboxOnly} />;
}

/** When a key was last used for a live request, in a list. */
export function LastUse({ language, credential: { lastUsedAtMs }, nowMs }: Omit<KeyBadgeProps, 'all'>) {
  if (lastUsedAtMs === undefined) return <span class="muted">{keyTexts[language].never}</span>;
  return <Time ms={lastUsedAtMs} language={language} nowMs={nowMs} />;
}
