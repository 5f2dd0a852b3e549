import {
  originMatches,
  parseAllowedDomains,
  parseNewDomain,
  type AllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { Credential } from '@jobs-delete/accounts/accounts';
import type { RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import type { ComponentChild } from 'preact';
import type { Services } from '../services.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { Badge, ShortId } from '../web/marks.tsx';
import { CopyIcon } from '../web/copyable.tsx';
import { type Fact, Facts } from '../web/facts.tsx';
import { SelectFilter } from '../web/search-form.tsx';
import { nameClient } from '../web/describe-browser.ts';
import type { Language } from '../web/language.ts';
import {
  lastOf,
  pathsOf,
  PlaceLinks,
  readCursor,
  readPlaces,
  writeCursor,
  writePlaces,
} from '../web/places.tsx';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { Blank } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { activityTexts } from './activity-texts.ts';
import { tokenOptions } from './filter-form.tsx';
import { isMendable, mendableCodes, onlyCountedCodes, refusedTexts } from './refused-texts.ts';
import { problemUrl, refusedFromMs } from './refusals.ts';
import { credentialNames } from '../keys/key-state.ts';
import { keyTexts } from '../keys/key-texts.ts';
import { safetyTexts } from '../safety/safety-texts.ts';

type Needed = Pick<Services, 'accounts' | 'apiUrl'>;

const path = '/activity/refused';
const pageSize = 25;
const codes = [...mendableCodes, ...onlyCountedCodes].toSorted();

/** The refused requests of the account, each with what mends it. Needs no deleter. */
export function refusedRoutes(services: Needed): readonly Route[] {
  return [{ method: 'GET', path, access: 'viewer', serve: (visit) => refusedPage(visit, services) }];
}

async function refusedPage(visit: MemberVisit, { accounts, apiUrl }: Needed): Promise<Reply> {
  const { accountId, language, query, nowMs } = visit;
  const texts = refusedTexts[language];
  const code = (query.get('code') ?? '').slice(0, 100) || undefined;
  const isKnown = code === undefined || codes.some((each) => each === code);
  const tokenId = (query.get('token') ?? '').slice(0, 100);
  const fromMs = refusedFromMs(nowMs);
  const places = readPlaces(query, (text) => readCursor(text) !== undefined);
  const [found, tokens, domains] = await Promise.all([
    // One more than fits shows whether there is another page.
    accounts.listRefusedRequests({
      accountId,
      fromMs,
      code,
      tokenId: tokenId || undefined,
      after: readCursor(lastOf(places).after),
      pageSize: pageSize + 1,
    }),
    accounts.listCredentials('token', accountId),
    accounts.listDomains(accountId),
  ]);
  const requests = found.slice(0, pageSize);
  const last = found.length > pageSize ? requests.at(-1) : undefined;
  const to = pathsOf(places, {
    count: requests.length,
    next: last && writeCursor(last),
    pathOf: (pages) => accountPath(visit, `${path}${queryOf({ code, token: tokenId, pages })}`),
  });
  const allowed = parseAllowedDomains(domains);
  // Without the places of earlier pages, which would make every link of a late page long.
  const back = `${path}${queryOf({ code, token: tokenId, pages: writePlaces([lastOf(places)]) })}`;
  const body = (
    <>
      <p>{texts.intro}</p>
      <div class="heading">
        <h2 id="requests-heading">{texts.list}</h2>
        <SelectFilter
          action={accountPath(visit, path)}
          button={texts.filter}
          clear={activityTexts[language].filter.clear}
          fields={[
            {
              name: 'code',
              label: texts.code,
              options: [
                { value: '', text: texts.all },
                ...(isKnown ? codes : [code, ...codes]).map((value) => ({ value, text: value })),
              ],
              value: code ?? '',
            },
            {
              name: 'token',
              label: texts.token,
              options: [{ value: '', text: texts.all }, ...tokenOptions(tokens, tokenId)],
              value: tokenId,
            },
          ]}
        />
      </div>
      {code !== undefined && isKnown && (
        <p>
          <code>{code}</code>: <a href={problemUrl(apiUrl, code)}>{texts.explanation}</a>
        </p>
      )}
      {requests.length === 0 ? (
        <None visit={visit} code={code} hasFilter={code !== undefined || tokenId !== ''} />
      ) : (
        <RequestList {...{ visit, requests, apiUrl, tokens, allowed, back }} />
      )}
      <PlaceLinks to={to} texts={texts} />
    </>
  );
  return { kind: 'page', title: texts.title, body };
}

interface NoneProps {
  readonly visit: MemberVisit;
  readonly code: string | undefined;
  readonly hasFilter: boolean;
}

function None({ visit, code, hasFilter }: NoneProps) {
  const texts = refusedTexts[visit.language];
  const wayOn = <a href={accountPath(visit, '/sandbox')}>{texts.tryIt}</a>;
  const isOnlyCounted = onlyCountedCodes.some((each) => each === code);
  const none = hasFilter ? texts.noneOfFilter : texts.none;
  return (
    <Blank icon="activity" actions={hasFilter ? undefined : wayOn}>
      <p>{isOnlyCounted ? texts.onlyCounted : none}</p>
    </Blank>
  );
}

interface RequestListProps {
  readonly visit: MemberVisit;
  readonly requests: readonly RefusedRequest[];
  readonly apiUrl: string;
  /** The account's tokens. */
  readonly tokens: readonly Credential[];
  readonly allowed: readonly AllowedDomain[];
  /** The address of the list, where a page that mends a request leads back to. */
  readonly back: string;
}

/** One line for each request, with what to fix. Opened, it shows the whole advice and all facts. */
function RequestList({ visit, requests, apiUrl, tokens, allowed, back }: RequestListProps) {
  const names = credentialNames(tokens);
  const byId = new Map(tokens.map((token) => [token.id, token]));
  const { language, nowMs } = visit;
  const texts = refusedTexts[language];
  return (
    <ul class="scroll requests" aria-labelledby="requests-heading">
      <li class="labels" aria-hidden="true">
        <span>{texts.code}</span>
        <span>{texts.sent}</span>
        <span>{texts.mend}</span>
        <span>{texts.token}</span>
        <span>{texts.time}</span>
      </li>
      {requests.map((request) => {
        const id = <ShortId id={request.tokenId} />;
        const token = names.get(request.tokenId) ?? id;
        const onRecord = byId.get(request.tokenId);
        const name = onRecord?.name;
        const isAllowed =
          request.code === 'origin_not_allowed' && originMatches(request.origin ?? '', allowed);
        return (
          <li>
            <details>
              <summary>
                <code>{request.code}</code>
                <span>
                  {request.environment === 'sandbox' && <Badge tone="neutral" text={texts.sandbox} />}{' '}
                  <Sent language={language} request={request} />
                </span>
                <span class="muted">
                  {isAllowed ? texts.allowedNow : isMendable(request.code) && texts.mends[request.code]}
                </span>
                <span>
                  {name ?? id}
                  {name !== token && name !== undefined && <span class="second">{id}</span>}
                </span>
                <Time ms={request.atMs} language={language} nowMs={nowMs} withSeconds />
              </summary>
              <Request
                {...{ visit, request, apiUrl, token, isAllowed, back }}
                hasToken={onRecord !== undefined}
              />
            </details>
          </li>
        );
      })}
    </ul>
  );
}

interface SentProps {
  readonly language: Language;
  readonly request: RefusedRequest;
}

/**
 * What tells a request from others of its code: the first wrong entry and how many others there are, the origin, or the header.
 * Without them, the number of its ids, or else its client.
 */
function Sent({ language, request }: SentProps) {
  const { code, origin, jobs, client = '', wrongEntry, wrongEntries = 1 } = request;
  const { others, idCount } = refusedTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const wrong = wrongEntry ?? (code === 'origin_not_allowed' ? origin : wrongHeaders.get(code));
  if (wrong === undefined && jobs !== undefined) return <>{idCount(format(jobs))}</>;
  const shown = wrong ?? nameClient(client);
  if (shown === '') return <>–</>;
  return (
    <>
      <code title={shown}>{shown}</code> {wrongEntries > 1 && others(format(wrongEntries - 1))}
    </>
  );
}

/** The header that a code is about, where the request does not name it. */
const wrongHeaders = new Map([['secret_key_invalid', 'Usersecretkey']]);

interface RequestProps extends Pick<RequestListProps, 'visit' | 'apiUrl' | 'back'> {
  readonly request: RefusedRequest;
  /** Its origin was refused, and is allowed by now. */
  readonly isAllowed: boolean;
  readonly token: ComponentChild;
  /** The token is on record, so it has a page. */
  readonly hasToken: boolean;
}

/** The facts of a request, and what can be done about it. */
function Request({ visit, request, isAllowed, apiUrl, token, hasToken, back }: RequestProps) {
  const { language, role } = visit;
  const texts = refusedTexts[language];
  const { code, origin, jobs, wrongEntry, wrongEntries = 1 } = request;
  const { format } = new Intl.NumberFormat(language);
  const mend = isAllowed || !includesRole(role, 'manager') ? undefined : mendOf(language, request, back);
  const facts: readonly Fact[] = [
    [texts.time, <Time ms={request.atMs} language={language} withSeconds />],
    [
      texts.requestId,
      <>
        <code>{request.id}</code> <CopyIcon text={request.id} language={language} />
      </>,
    ],
    [
      texts.token,
      hasToken ? <a href={accountPath(visit, `/keys/token/${request.tokenId}`)}>{token}</a> : token,
    ],
    [texts.origin, origin ?? '–'],
    [texts.ids, jobs !== undefined && format(jobs)],
    [
      wrongEntries > 1 ? texts.firstOf(format(wrongEntries)) : texts.wrong,
      wrongEntry !== undefined && <code>{wrongEntry}</code>,
    ],
    [texts.client, request.client ?? '–'],
  ];
  const details: Readonly<Partial<Record<string, string>>> = texts.details;
  return (
    <div class="request">
      {!isAllowed && details[code] && <p>{details[code]}</p>}
      <Facts facts={facts} />
      <p class="inline">
        {mend && (
          <a class="button quiet" href={accountPath(visit, mend.path)}>
            {mend.text}
          </a>
        )}
        <a href={problemUrl(apiUrl, code)}>{texts.explanation}</a>
      </p>
    </div>
  );
}

interface Mend {
  readonly path: `/${string}`;
  readonly text: string;
}

/** Returns where a manager mends the cause. Undefined: the caller has to. */
function mendOf(language: Language, { code, origin }: RefusedRequest, back: string): Mend | undefined {
  if (code === 'secret_key_invalid') return { path: '/keys/new', text: keyTexts[language].create };
  if (code === 'deletion_limit_exceeded') return { path: '/safety', text: safetyTexts[language].title };
  if (code !== 'origin_not_allowed' || origin === undefined || parseNewDomain(origin) === undefined)
    return undefined;
  return { path: `/domains/new${queryOf({ domain: origin, back })}`, text: refusedTexts[language].allow };
}
