import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import type { MemberVisit } from '../web/route.ts';
import { Badge } from '../web/marks.tsx';
import { Table } from '../web/table.tsx';
import { checkNames, readProblem, requestChecks, type CheckName } from './request-checks.ts';
import type { SandboxRequest } from './sandbox-request.ts';
import { safetyTexts } from '../safety/safety-texts.ts';
import { sandboxTexts } from './sandbox-texts.ts';
import type { SandboxAnswer } from './send-request.ts';

interface SandboxResultProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language'>;
  readonly request: SandboxRequest;
  readonly answer: SandboxAnswer;
}

/** The outcome and the answer of the API, the checks that passed, and the request without its secrets. */
export function SandboxResult({ visit, request, answer }: SandboxResultProps) {
  const { language } = visit;
  const texts = sandboxTexts[language];
  return (
    <div class="card">
      <h2 id="answer-heading">{texts.answer}</h2>
      <Answer visit={visit} answer={answer} />
      <Checklist language={language} answer={answer} />
      <details>
        <summary>{texts.sent}</summary>
        <pre>
          <code>{textOfRequest(request, texts.hidden)}</code>
        </pre>
      </details>
    </div>
  );
}

function Answer({ visit, answer }: Pick<SandboxResultProps, 'visit' | 'answer'>) {
  const { language } = visit;
  const texts = sandboxTexts[language];
  if (answer.kind === 'no-answer') return <p class="warning">{texts.noAnswer}</p>;
  if (answer.kind === 'too-large') return <p class="warning">{texts.tooLarge}</p>;
  const { status, statusLine, headers, body } = answer;
  const isAccepted = status === 200;
  const isRefused = status >= 400 && status < 500;
  const outcome = isAccepted ? texts.accepted : isRefused ? texts.refused : '';
  const problem = isAccepted ? undefined : readProblem(body);
  const { title, detail } = problem ?? (isAccepted ? { title: texts.wouldAccept } : {});
  const place = placesToMend.get(problem?.code);
  const shownBody = readable(body);
  const lines = [statusLine, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return (
    <>
      <p>
        <Badge tone={isAccepted ? 'good' : 'attention'} text={`${String(status)} ${outcome}`.trim()} />{' '}
        <strong>{title ?? statusLine}</strong>
      </p>
      {detail !== undefined && <p>{detail}</p>}
      {place && (
        <p>
          <a class="button quiet" href={accountPath(visit, `/${place}`)}>
            {layoutTexts[language][place]}
          </a>
        </p>
      )}
      {body !== '' && (
        <details open={shownBody.split('\n').length <= maxOpenLines}>
          <summary>{texts.received}</summary>
          <pre>
            <code>{shownBody}</code>
          </pre>
        </details>
      )}
      <details>
        <summary>{texts.headers}</summary>
        <pre>
          <code>{lines.join('\n')}</code>
        </pre>
      </details>
    </>
  );
}

const maxOpenLines = 12;

/** The page where somebody mends the cause of a refusal. */
const placesToMend = new Map<string | undefined, 'keys' | 'domains' | 'jobs' | 'safety'>([
  ['token_invalid', 'keys'],
  ['secret_key_invalid', 'keys'],
  ['origin_not_allowed', 'domains'],
  ['job_not_found', 'jobs'],
  ['deletion_limit_exceeded', 'safety'],
]);

/** Says before the first request what the API checks, in this order. */
export function NoResult({ language }: { readonly language: Language }) {
  const texts = sandboxTexts[language];
  return (
    <div class="card">
      <h2>{texts.answer}</h2>
      <p class="muted">{texts.answerHere}</p>
      <ol class="steps">
        {checkNames.map((name) => (
          <li>
            <span>
              <Check language={language} name={name} /> <span class="muted">{texts.wants[name]}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A header as code, another check in words. */
function Check({ language, name }: { readonly language: Language; readonly name: CheckName }) {
  if (name === 'ids') return <>{sandboxTexts[language].fields.ids}</>;
  return name === 'limit' ? <>{safetyTexts[language].limit.heading}</> : <code>{name}</code>;
}

/** The checks that passed take one line, and so do those that were not reached. */
function Checklist({
  language,
  answer,
}: Pick<SandboxResultProps, 'answer'> & { readonly language: Language }) {
  const texts = sandboxTexts[language];
  const checks = requestChecks(answer);
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return (
    <>
      <h3 id="checklist">{texts.checklist}</h3>
      {failed.length > 0 && (
        <Table
          heading="checklist"
          columns={[{ header: texts.check }, texts.outcome, texts.detail]}
          rows={failed.map(({ name, detail }) => [
            <Check language={language} name={name} />,
            texts.failed,
            detail ?? '',
          ])}
        />
      )}
      {(['passed', 'not-reached'] as const).map((wanted) => {
        const some = checks.filter(({ outcome }) => outcome === wanted);
        if (some.length === 0) return null;
        return (
          <details>
            <summary>{texts.checks[wanted](some.length)}</summary>
            <ul class="ids">
              {some.map(({ name }) => (
                <li>
                  <Check language={language} name={name} />
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </>
  );
}

const secretHeaders = ['Authorization', 'Usersecretkey'];

function textOfRequest({ path, headers, body }: SandboxRequest, hidden: string): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${secretHeaders.includes(name) ? hidden : value}`,
  );
  return [`DELETE ${path} HTTP/1.1`, ...lines, '', readable(body)].join('\n');
}

/** Returns JSON with line breaks, and other text as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
