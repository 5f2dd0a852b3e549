import { createPermits } from '@jobs-delete/runtime/batching/permits';
import type { ComponentChild } from 'preact';
import { findSomeJobs } from '../deleter/answer-to.ts';
import { issueKeys, problemOf } from '../keys/issue-key.ts';
import { isOpen, isValid, kinds, listBothKinds } from '../keys/key-state.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { originsOf } from '../web/docs-url.ts';
import { CsrfField, Form } from '../web/form.tsx';
import { OnceField, openForm } from '../web/form-once.tsx';
import { type Refusal, includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { formatMinute } from '../web/time.tsx';
import { createWriteLimit } from '../web/write-limit.ts';
import { resultId, SandboxForm, testKeysForm, type Offer } from './sandbox-form.tsx';
import {
  missingIn,
  problemsOf,
  withoutField,
  readFields,
  sandboxRequest,
  type FieldProblems,
  type SandboxFields,
} from './sandbox-request.ts';
import { NoResult, SandboxResult } from './sandbox-result.tsx';
import { sandboxTexts } from './sandbox-texts.ts';
import { sendSandboxRequest } from './send-request.ts';

type SandboxServices = Pick<
  Services,
  'accounts' | 'deleter' | 'keys' | 'pepper' | 'apiUrl' | 'internalApiUrl' | 'log' | 'now'
>;

/** How long a test key is valid. It works in the sandbox only. */
const testKeyMs = 3_600_000;

const offeredJobs = 2;

const maxPerPerson = 2;
/** Requests of one person in 15 minutes. */
const maxRequests = 100;
/** Refused credentials of one person in 15 minutes. A gateway that does not trust the dashboard counts them for its address. */
const maxRefused = 10;

/** The page that sends a request to the sandbox of the API, and shows the exact answer. */
export function sandboxRoutes(services: SandboxServices): readonly Route[] {
  const { accounts, deleter, apiUrl, internalApiUrl, log, now } = services;
  const page = (visit: MemberVisit, parts: PageParts) => sandboxPage(visit, openForm(services, visit), parts);
  const permits = createPermits({ perKey: maxPerPerson });
  const requests = createWriteLimit(now, maxRequests);
  const refused = createWriteLimit(now, maxRefused);
  const offerTo = async ({ accountId, nowMs }: MemberVisit): Promise<Offer> => {
    const [uses, tokens, secretKeys, jobs] = await Promise.all([
      accounts.listDomainUses(accountId),
      accounts.listCredentials('token', accountId),
      accounts.listCredentials('secret-key', accountId),
      findSomeJobs(deleter, accountId),
    ]);
    return {
      origins: originsOf(uses),
      jobIds: jobs?.jobIds.slice(0, offeredJobs) ?? [],
      hasNoJob: jobs?.jobIds.length === 0 && jobs.next === undefined,
      hasKeys: [tokens, secretKeys].every((keys) => keys.some((key) => isValid(key, nowMs))),
    };
  };
  const send = (fields: SandboxFields, { signal, network }: MemberVisit) =>
    sendSandboxRequest(sandboxRequest(fields), {
      apiUrl: internalApiUrl,
      network,
      signal,
      onError: (error) => log.warn({ err: error }, 'a sandbox request of the dashboard got no answer'),
    });

  const answerTo = async (sent: SandboxFields, visit: MemberVisit): Promise<AnswerParts> => {
    const missing = Object.entries(missingIn(sent));
    const named = visit.form.get(withoutField)?.split(' ') ?? [];
    const unnamed = missing.filter(([name]) => !named.includes(name));
    const problems = { ...Object.fromEntries(unnamed), ...problemsOf(sent) };
    if (Object.keys(problems).length > 0)
      return { status: 422, problems, without: missing.map(([name]) => name) };
    const { language, person } = visit;
    if (refused.isReached(person.id) || !requests.allows(person.id) || !permits.take(person.id)) {
      const result = <p class="problem">{sandboxTexts[language].busy}</p>;
      return { status: 429, result, refusal: { code: 'too_many_requests' } };
    }
    try {
      const answer = await send(sent, visit);
      if (answer.kind === 'answered' && isRefused(answer.status)) refused.allows(person.id);
      const request = sandboxRequest(sent);
      return { result: <SandboxResult {...{ visit, apiUrl, request, answer }} /> };
    } finally {
      permits.give(person.id);
    }
  };

  return [
    {
      method: 'GET',
      path: '/sandbox',
      access: 'viewer',
      serve: async (visit) => {
        const offer = await offerTo(visit);
        return page(visit, { fields: initialFields(visit, offer), offer });
      },
    },
    {
      method: 'POST',
      path: '/sandbox',
      access: 'viewer',
      keeps: ['origin', 'acceptLanguage', 'userAgent', 'clientLang', 'format', 'ids'],
      serve: async (visit) => {
        const sent = readFields(visit.form);
        const [offer, parts] = await Promise.all([offerTo(visit), answerTo(sent, visit)]);
        // No page shows again what was sent.
        return page(visit, { fields: { ...sent, token: '', secretKey: '' }, offer, ...parts });
      },
    },
    {
      method: 'POST',
      path: '/sandbox/keys',
      access: 'manager',
      recent: true,
      serve: async (visit) => {
        const name = await nameOfTestKey(accounts, visit);
        const request = { kinds, name, lifetimeMs: testKeyMs, environment: 'sandbox' } as const;
        const issuance = await issueKeys(services, visit, request);
        const offer = await offerTo(visit);
        const fields = initialFields(visit, offer);
        if (issuance.kind !== 'issued') {
          const notice = <p class="problem">{problemOf(visit.language, issuance)}</p>;
          return page(visit, { status: 422, fields, offer, notice });
        }
        const [token = '', secretKey = ''] = issuance.keys.map(({ secret }) => secret);
        return page(visit, {
          fields: { ...fields, token, secretKey },
          offer,
          expiresAtMs: issuance.keys[0]?.credential.expiresAtMs,
        });
      },
    },
  ];
}

/** Resolves to a name that no open key has: keys of one name are a pair. */
async function nameOfTestKey(
  accounts: Services['accounts'],
  { accountId, language, nowMs, zone }: MemberVisit,
): Promise<string> {
  const keys = await listBothKinds(accounts, accountId);
  const names = new Set(keys.filter((key) => isOpen(key, nowMs)).map(({ name }) => name));
  const name = `${sandboxTexts[language].testKeys.name} ${formatMinute(nowMs, language, zone)}`;
  let free = name;
  for (let number = 2; names.has(free); number += 1) free = `${name} (${String(number)})`;
  return free;
}

/** A token, secret key or origin was refused. */
function isRefused(status: number): boolean {
  return status === 401 || status === 403;
}

interface PageParts {
  readonly status?: number;
  readonly fields: SandboxFields;
  readonly offer: Offer;
  readonly problems?: FieldProblems;
  /** The missing credentials that the page names, or one before it. */
  readonly without?: readonly string[];
  /** Why there is no test key, above the form. */
  readonly notice?: ComponentChild;
  /** When the test key in the fields expires. */
  readonly expiresAtMs?: number | undefined;
  readonly result?: ComponentChild;
  readonly refusal?: Refusal;
}

type AnswerParts = Omit<PageParts, 'fields' | 'offer'>;

function sandboxPage(
  visit: MemberVisit,
  once: string,
  {
    status = 200,
    fields,
    offer,
    problems = {},
    without = [],
    notice,
    expiresAtMs,
    result,
    refusal,
  }: PageParts,
): Reply {
  const texts = sandboxTexts[visit.language];
  const body = (
    <>
      <p>{texts.intro}</p>
      {notice}
      <div class="columns panes">
        <SandboxForm {...{ visit, fields, problems, without, offer, expiresAtMs }} />
        <section id="answer" aria-live="polite" tabindex={-1}>
          {result ? <div id={resultId}>{result}</div> : <NoResult language={visit.language} />}
        </section>
      </div>
      {includesRole(visit.role, 'manager') && (
        <Form method="post" action={accountPath(visit, '/sandbox/keys')} id={testKeysForm} hidden>
          <CsrfField visit={visit} />
          <OnceField once={once} />
        </Form>
      )}
    </>
  );
  return { kind: 'page', status, title: texts.title, body, refusal };
}

function initialFields({ language }: MemberVisit, { origins, jobIds }: Offer): SandboxFields {
  return {
    token: '',
    secretKey: '',
    origin: origins[0] ?? '',
    acceptLanguage: language,
    userAgent: 'sandbox-console/1.0',
    clientLang: 'JavaScript',
    format: 'json',
    ids: jobIds.join('\n'),
  };
}
