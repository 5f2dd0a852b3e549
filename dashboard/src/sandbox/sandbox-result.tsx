import type { ComponentChildren } from 'preact';
import { mendOfOrigin, type Mend } from '../activity/refused-list.tsx';
import { curlCommand, placeholders } from '../keys/key-examples.ts';
import { keyActionTexts } from '../keys/key-action-texts.ts';
import { safetyTexts } from '../safety/safety-texts.ts';
import { accountPath } from '../web/account-path.ts';
import { Copyable } from '../web/copyable.tsx';
import type { Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { Badge } from '../web/marks.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { checkNames, readProblem, requestChecks, type CheckName } from './request-checks.ts';
import type { SandboxRequest } from './sandbox-request.ts';
import { sandboxTexts } from './sandbox-texts.ts';
import type { SandboxAnswer } from './send-request.ts';

interface SandboxResultProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'role'>;
  /** The public address of the API. */
  readonly apiUrl: string;
  readonly request: SandboxRequest;
  readonly answer: SandboxAnswer;
}

/** The outcome, each check, the answer of the API, and the request without its secrets. */
export function SandboxResult({ visit, apiUrl, request, answer }: SandboxResultProps) {
  const { language } = visit;
  const texts = sandboxTexts[language];
  return (
    <div class="card">
      <h2 id="answer-heading">{texts.answer}</h2>
      {answer.kind === 'answered' ? (
        <Answered visit={visit} request={request} answer={answer} />
      ) : (
        <p class="warning">{answer.kind === 'no-answer' ? texts.noAnswer : texts.tooLarge}</p>
      )}
      <details>
        <summary>{texts.sent}</summary>
        <Copyable
          id="command"
          text={commandOf(request, apiUrl)}
          button={keyActionTexts[language].copy.command}
          language={language}
        />
      </details>
    </div>
  );
}

interface AnsweredProps extends Pick<SandboxResultProps, 'visit' | 'request'> {
  readonly answer: SandboxAnswer & { readonly kind: 'answered' };
}

function Answered({ visit, request, answer }: AnsweredProps) {
  const { language } = visit;
  const texts = sandboxTexts[language];
  const { status, statusLine, headers, body } = answer;
  const isAccepted = status === 200;
  const isRefused = status >= 400 && status < 500;
  const outcome = isAccepted ? texts.accepted : isRefused ? texts.refused : '';
  const { code, title, detail } = isAccepted ? { title: texts.wouldAccept } : (readProblem(body) ?? {});
  const mend = mendOf(visit, request, code);
  const checks = requestChecks(answer);
  // The check that failed has the explanation.
  const isExplained = checks.some(({ outcome }) => outcome === 'failed');
  return (
    <>
      <p>
        <Badge tone={isAccepted ? 'good' : 'attention'} text={`${String(status)} ${outcome}`.trim()} />{' '}
        <strong>{title ?? statusLine}</strong>
      </p>
      {!isExplained && detail !== undefined && <p>{detail}</p>}
      <ol class="checks" aria-label={texts.checklist}>
        {checks.map(({ name, outcome, detail }) => (
          <Check language={language} name={name} outcome={outcome}>
            {outcome !== 'failed' ? (
              texts.outcomes[outcome]
            ) : (
              <>
                {detail ?? texts.outcomes.failed}
                {mend && (
                  <p class="actions">
                    <a class="button quiet" href={accountPath(visit, mend.path)}>
                      {mend.text}
                    </a>
                  </p>
                )}
              </>
            )}
          </Check>
        ))}
      </ol>
      <h3 id="received">{texts.received}</h3>
      <pre class="long" tabindex={0} role="region" aria-labelledby="received">
        <code>{`${statusLine}\n\n${readable(body)}`.trimEnd()}</code>
      </pre>
      <details>
        <summary>{texts.headers}</summary>
        <pre>
          <code>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</code>
        </pre>
      </details>
    </>
  );
}

/** The page where somebody mends the cause of a refusal. */
const placesToMend = new Map<string | undefined, 'keys' | 'domains' | 'jobs' | 'safety'>([
  ['token_invalid', 'keys'],
  ['secret_key_invalid', 'keys'],
  ['origin_not_allowed', 'domains'],
  ['job_not_found', 'jobs'],
  ['deletion_limit_exceeded', 'safety'],
]);

/** Returns the page that mends a refusal: for a manager, the form that allows the origin. */
function mendOf(
  { language, role }: SandboxResultProps['visit'],
  { headers }: SandboxRequest,
  code: string | undefined,
): Mend | undefined {
  if (code === 'origin_not_allowed' && includesRole(role, 'manager')) {
    const mend = mendOfOrigin(language, headers.Origin, '/sandbox');
    if (mend) return mend;
  }
  const place = placesToMend.get(code);
  return place && { path: `/${place}`, text: layoutTexts[language][place] };
}

/** Says before the first request what the API checks, in this order. */
export function NoResult({ language }: { readonly language: Language }) {
  const texts = sandboxTexts[language];
  return (
    <div class="card">
      <h2>{texts.answer}</h2>
      <p class="muted">{texts.answerHere}</p>
      <ol class="checks">
        {checkNames.map((name) => (
          <Check language={language} name={name}>
            {texts.wants[name]}
          </Check>
        ))}
      </ol>
    </div>
  );
}

interface CheckProps {
  readonly language: Language;
  readonly name: CheckName;
  /** Undefined: no request was sent. */
  readonly outcome?: 'passed' | 'failed' | 'not-reached';
  /** What it wants, or what came of it. */
  readonly children: ComponentChildren;
}

/** A check of a header, as code, or another one, in words. */
function Check({ language, name, outcome, children }: CheckProps) {
  const words =
    name === 'ids'
      ? sandboxTexts[language].fields.ids
      : name === 'limit' && safetyTexts[language].limit.heading;
  return (
    <li class={outcome}>
      {words ? <span>{words}</span> : <code>{name}</code>} <div>{children}</div>
    </li>
  );
}

/** Returns the request as a command. The dashboard shows no secret again: a placeholder takes its place. */
function commandOf({ path, headers, body }: SandboxRequest, apiUrl: string): string {
  const hidden: Readonly<Record<string, string>> = {
    Authorization: `Bearer ${placeholders.token}`,
    Usersecretkey: placeholders['secret-key'],
  };
  // Without a value, curl leaves out the header that it would add itself.
  const sent = { ...('User-Agent' in headers ? {} : { 'User-Agent': '' }), ...headers };
  const shown = Object.entries(sent).map(([name, value]) => [name, hidden[name] ?? value] as const);
  return curlCommand({ url: `${apiUrl}${path}`, body, headers: shown });
}

/** Returns JSON with line breaks, and other text as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
