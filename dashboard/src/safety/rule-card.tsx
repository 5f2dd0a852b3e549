import type { ComponentChildren } from 'preact';
import { Badge } from '../web/marks.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { safetyTexts } from './safety-texts.ts';

interface RuleCardProps {
  readonly visit: Pick<MemberVisit, 'language' | 'role'>;
  readonly texts: Readonly<Record<'heading' | 'intro' | 'none' | 'noneText' | 'set' | 'ask', string>>;
  /** Undefined: the rule is not set. */
  readonly value: string | undefined;
  /** The rule is set, but protects nothing at the moment. */
  readonly isIdle?: boolean;
  readonly children: ComponentChildren;
}

/** A rule, or what to do about one that is not set. */
export function RuleCard({ visit, texts, value, isIdle = false, children }: RuleCardProps) {
  const { unprotected } = safetyTexts[visit.language];
  return (
    <section class="card rule">
      <h2>{texts.heading}</h2>
      <p class="value">
        {value ?? texts.none}
        {(value === undefined || isIdle) && (
          <>
            {' '}
            <Badge tone="attention" text={unprotected} />
          </>
        )}
      </p>
      {value === undefined ? (
        <p>
          {texts.noneText} {includesRole(visit.role, 'owner') ? texts.set : texts.ask}
        </p>
      ) : (
        <p class="muted">{texts.intro}</p>
      )}
      {children}
    </section>
  );
}
