import { accountPath } from '../web/account-path.ts';
import { Badge } from '../web/marks.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { overviewTexts } from './overview-texts.ts';

const stepPaths = {
  jobs: ['/jobs'],
  domain: ['/domains', '/domains/new'],
  keys: ['/keys', '/keys/new'],
  sandbox: ['/sandbox'],
  deletion: ['/jobs'],
} as const;
const stepNames = Object.keys(stepPaths) as readonly (keyof typeof stepPaths)[];

/** Whether each step is done. */
export type Steps = Readonly<Record<keyof typeof stepPaths, boolean>>;

interface FirstStepsProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'role'>;
  readonly steps: Steps;
}

/** The first steps of a new account, with a button for the next one. Shows nothing if each is done. */
export function FirstSteps({ visit, steps }: FirstStepsProps) {
  const { checklist: texts } = overviewTexts[visit.language];
  const done = stepNames.filter((name) => steps[name]).length;
  const next = stepNames.find((name) => !steps[name]);
  if (next === undefined) return null;
  return (
    <section>
      <div class="heading">
        <h2>{texts.heading}</h2>
        <span class="muted">{texts.progress(done, stepNames.length)}</span>
      </div>
      <ol class="card steps">
        {stepNames.map((name) => {
          const { title, gives, action } = texts.steps[name];
          const [path, managerPath = path] = stepPaths[name];
          const isManager = includesRole(visit.role, 'manager');
          return (
            <li class={steps[name] ? 'done' : name === next ? 'next' : undefined}>
              <div>
                <strong>{title}</strong>
                <p>{gives}</p>
              </div>
              {steps[name] ? (
                <Badge tone="good" text={texts.done} />
              ) : (
                <a
                  class={name === next ? 'button' : 'button quiet'}
                  href={accountPath(visit, isManager ? managerPath : path)}
                >
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
