import type { Credential } from '@jobs-delete/accounts/accounts';
import type { Language } from '../web/language.ts';
import { Time } from '../web/time.tsx';
import { stateOf, type KeyState } from './key-state.ts';
import { Badge, type Tone } from '../web/badge.tsx';
import { keyTexts } from './key-texts.ts';

export interface KeyFactsProps {
  readonly language: Language;
  readonly credential: Credential;
  readonly nowMs: number;
}

/** Everything that is known about one key. */
export function KeyFacts({ language, credential, nowMs }: KeyFactsProps) {
  const texts = keyTexts[language];
  const times = [
    [texts.created, credential.createdAtMs],
    [texts.lastUsed, credential.lastUsedAtMs],
    [texts.lastRefused, credential.lastRefusedAtMs],
    [texts.expires, credential.expiresAtMs],
    ...(credential.pausedAtMs === undefined ? [] : [[texts.pausedSince, credential.pausedAtMs] as const]),
  ] as const;
  return (
    <dl>
      <dt>{texts.name}</dt>
      <dd>{credential.name ?? texts.unnamed}</dd>
      <dt>{texts.id}</dt>
      <dd>
        <code>{credential.id}</code>
      </dd>
      <dt>{texts.state}</dt>
      <dd>
        <KeyBadge {...{ language, credential, nowMs }} />
      </dd>
      {times.map(([label, ms]) => (
        <>
          <dt>{label}</dt>
          <dd>{ms === undefined ? texts.never : <Time ms={ms} language={language} />}</dd>
        </>
      ))}
    </dl>
  );
}

const tones: Readonly<Record<KeyState, Tone>> = {
  active: 'good',
  'expires-soon': 'attention',
  paused: 'pending',
  expired: 'ended',
  revoked: 'ended',
};

export function KeyBadge({ language, credential, nowMs }: KeyFactsProps) {
  const state = stateOf(credential, nowMs);
  return <Badge tone={tones[state]} text={keyTexts[language].states[credential.kind][state]} />;
}
