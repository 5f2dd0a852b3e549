import type { ComponentChild, ComponentChildren } from 'preact';
import { type Fact, Facts } from '../web/facts.tsx';
import { Badge } from '../web/marks.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { safetyTexts } from './safety-texts.ts';

type RuleTexts = Readonly<Record<'heading' | 'intro' | 'ifSet' | 'none' | 'noneText' | 'ask', string>>;

interface RuleCardProps {
  readonly visit: Pick<MemberVisit, 'language' | 'role'>;
  readonly texts: RuleTexts & { readonly recommended: string };
  /** Undefined: the rule is not set. */
  readonly value: ComponentChild;
  /** The rule is set, but protects nothing at the moment. */
  readonly isIdle?: boolean;
  readonly facts?: readonly Fact[];
  readonly actions: ComponentChildren;
  /** What the rule has stopped. */
  readonly effects: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A rule with its state, or what to do about one that is not set. */
export function RuleCard({ visit, texts, value, isIdle = false, children, ...parts }: RuleCardProps) {
  const { protects, unprotected } = safetyTexts[visit.language];
  const { facts = [], actions, effects } = parts;
  const isOn = value !== undefined && !isIdle;
  return (
    <section class="card rule">
      <div class="heading">
        <h2>{texts.heading}</h2>
        <Badge tone={isOn ? 'good' : 'attention'} text={isOn ? protects : unprotected} />
      </div>
      <p class="value">{value ?? texts.none}</p>
      <p class="muted">{value === undefined ? `${texts.noneText} ${texts.ifSet}` : texts.intro}</p>
      {value === undefined && (
        <p>
          {texts.recommended} {!includesRole(visit.role, 'owner') && texts.ask}
        </p>
      )}
      {children}
      <Facts facts={facts} />
      <p class="actions">{actions}</p>
      {effects}
    </section>
  );
}
