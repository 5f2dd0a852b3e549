import { roles } from '@jobs-delete/accounts/people/people';
import { accountPath } from '../web/account-path.ts';
import { Badge } from '../web/marks.tsx';
import type { Language } from '../web/language.ts';
import type { MemberVisit } from '../web/route.ts';
import { overviewTexts } from './overview-texts.ts';

/** The page of each step for a viewer, a manager and an owner. Undefined: they may not. Left out: that of the role before. */
const stepPaths = {
  domain: [undefined, '/domains/new'],
  keys: [undefined, '/keys/new'],
  limit: [undefined, undefined, '/safety/limit'],
  jobs: ['/jobs'],
  sandbox: ['/sandbox'],
  deletion: ['/jobs'],
} as const satisfies Readonly<Record<string, readonly (`/${string}` | undefined)[]>>;
const stepNames = Object.keys(stepPaths) as readonly (keyof typeof stepPaths)[];

/** The operator does this one. The steps after it need its jobs. */
const operatorStep = 'jobs';

/** Whether each step is done. */
export type Steps = Readonly<Record<keyof typeof stepPaths, boolean>>;

interface FirstStepsProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'role'>;
  readonly steps: Steps;
}

/**
 * The first steps of a new account, with a button for each that the person can do now. The first that does not need the operator
 * has the full button. Shows nothing if each that the person may do is done. An account that deletes may stay without
 * a limit: a warning of the page says so.
 */
export function FirstSteps({ visit, steps }: FirstStepsProps) {
  const { checklist: texts } = overviewTexts[visit.language];
  const done = stepNames.filter((name) => steps[name]).length;
  const pathOf = (name: keyof typeof stepPaths) =>
    stepPaths[name].slice(0, roles.length - roles.indexOf(visit.role)).at(-1);
  const waits = (name: keyof typeof stepPaths) =>
    !steps[operatorStep] && stepNames.indexOf(name) > stepNames.indexOf(operatorStep);
  const open = stepNames.filter((name) => !steps[name] && pathOf(name) !== undefined && !waits(name));
  const next = open.find((name) => name !== operatorStep) ?? open[0];
  if (open.every((name) => name === 'limit' && steps.deletion)) return null;
  return (
    <section>
      <div class="heading">
        <h2>{texts.heading}</h2>
        <span class="muted">{texts.progress(done, stepNames.length)}</span>
      </div>
      <ol class="card steps">
        {stepNames.map((name) => {
          const { title, gives, action } = texts.steps[name];
          const path = pathOf(name);
          return (
            <li class={steps[name] ? 'done' : name === next ? 'next' : undefined}>
              <div>
                <strong>{title}</strong>
                <p>{gives}</p>
              </div>
              {steps[name] ? (
                <Badge tone="good" text={texts.done} />
              ) : waits(name) ? (
                <span class="muted">{texts.needsJobs}</span>
              ) : path === undefined ? (
                <span class="muted">{name === 'limit' ? texts.ownerOnly : texts.managerOnly}</span>
              ) : (
                <a class={name === next ? 'button' : 'button quiet'} href={accountPath(visit, path)}>
                  {action}
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** How a deletion works, for an account that has none. */
export function Explanation({ language }: { readonly language: Language }) {
  const { explanation, empty } = overviewTexts[language];
  return (
    <section>
      <h2>{explanation.heading}</h2>
      <div class="card">
        <dl class="timeline">
          {explanation.steps.map(([step, text]) => (
            <div>
              <dt>{step}</dt>
              <dd class="muted">{text}</dd>
            </div>
          ))}
        </dl>
        <p class="hint">{empty}</p>
      </div>
    </section>
  );
}
