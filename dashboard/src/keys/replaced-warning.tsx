import type { Credential } from '@jobs-delete/accounts/accounts';
import type { MemberVisit } from '../web/route.ts';
import { formatDistance } from '../web/time.tsx';
import { keyTexts } from './key-texts.ts';
import { keyUseTexts } from './key-use-texts.ts';
import { keyPath } from './key-view.tsx';

interface ReplacedWarningProps {
  readonly visit: MemberVisit;
  readonly old: Credential;
  readonly replacement: Credential;
}

/** Says when a key was replaced, and whether programs still use it. Uses in the sandbox are not recorded. */
export function ReplacedWarning({ visit: { language, nowMs }, old, replacement }: ReplacedWarningProps) {
  const { never, states, toReplacement } = keyTexts[language];
  const texts = keyUseTexts[language];
  const distance = (ms: number) => formatDistance(ms - nowMs, language);
  const lastUseOf = ({ lastUsedAtMs }: Credential) =>
    lastUsedAtMs === undefined ? never : distance(lastUsedAtMs);
  const isIdle = (old.lastUsedAtMs ?? 0) < replacement.createdAtMs;
  const advice = replacement.lastUsedAtMs === undefined ? texts.keepOld : isIdle && texts.mayRevoke;
  return (
    <p class="warning">
      {old.pausedAtMs !== undefined && `${states[old.kind].paused}.`}{' '}
      {texts.replaced(distance(replacement.createdAtMs))}{' '}
      {old.environment === undefined && (
        <>
          {texts.lastUses(lastUseOf(old), lastUseOf(replacement))} {advice}
        </>
      )}{' '}
      <a href={keyPath(replacement)}>{toReplacement}</a>
    </p>
  );
}
