import {
  originMatches,
  parseNewDomain,
  type AllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { Credential } from '@jobs-delete/accounts/accounts';
import type { RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import type { ComponentChild } from 'preact';
import { accountPath, queryOf } from '../web/account-path.ts';
import { Badge, ShortId } from '../web/marks.tsx';
import { CopyIcon } from '../web/copyable.tsx';
import { type Fact, Facts } from '../web/facts.tsx';
import type { Language } from '../web/language.ts';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { isMendable, refusedTexts } from './refused-texts.ts';
import { isAlike, type RefusalGroup, problemUrl } from './refusals.ts';
import { credentialNames } from '../keys/key-state.ts';
import { keyTexts } from '../keys/key-texts.ts';
import { safetyTexts } from '../safety/safety-texts.ts';

interface RequestListProps {
  readonly visit: MemberVisit;
  readonly groups: readonly RefusalGroup[];
  readonly apiUrl: string;
  /** The account's tokens. */
  readonly tokens: readonly Credential[];
  readonly allowed: readonly AllowedDomain[];
  /** The address of the list, where a page that mends a request leads back to. */
  readonly back: string;
  /** Returns the address of the list with each request of a group. */
  readonly pathOf: (group: RefusalGroup) => string;
}

/** One line for each cause, with what to fix. Opened, it shows the whole advice and the newest requests with all facts. */
export function RequestList({ visit, groups, apiUrl, tokens, allowed, back, pathOf }: RequestListProps) {
  const names = credentialNames(tokens);
  const byId = new Map(tokens.map((token) => [token.id, token]));
  const { language, nowMs } = visit;
  const texts = refusedTexts[language];
  const { format } = new Intl.NumberFormat(language);
  return (
    <ul class="scroll requests" aria-labelledby="requests-heading">
      <li class="labels" aria-hidden="true">
        <span>{texts.code}</span>
        <span>{texts.sent}</span>
        <span>{texts.mend}</span>
        <span>{texts.token}</span>
        <span>{texts.times}</span>
        <span>{texts.last}</span>
      </li>
      {groups.map((refusals) => {
        const [request] = refusals;
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
                <code>{breakable(request.code)}</code>
                <span>
                  {request.environment === 'sandbox' && <Badge tone="neutral" text={texts.sandbox} />}{' '}
                  <Sent language={language} request={request} />{' '}
                  {!isAlike(refusals, sentFields) && texts.andOthers}
                </span>
                <span>
                  {isAllowed ? texts.allowedNow : isMendable(request.code) && texts.mends[request.code]}
                </span>
                <span>
                  {name ?? id}
                  {name !== token && name !== undefined && <span class="second">{id}</span>}
                </span>
                <span>{refusals.length > 1 && `×${format(refusals.length)}`}</span>
                <Time ms={request.atMs} language={language} nowMs={nowMs} withSeconds />
              </summary>
              <Opened
                {...{ visit, refusals, apiUrl, token, isAllowed, back, pathOf }}
                hasToken={onRecord !== undefined}
              />
            </details>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns a code that a narrow line can break after each underscore. */
function breakable(code: string): ComponentChild {
  return code.split(/(?<=_)/).map((word, index) => [index > 0 && <wbr />, word]);
}

/** What tells requests of one cause apart. */
const sentFields = ['jobs', 'wrongEntry', 'wrongEntries'] as const;
/** A page has room for this many requests of each cause. */
const shownOfGroup = 10;

interface SentProps {
  readonly language: Language;
  readonly request: RefusedRequest;
}

/**
 * What tells a request from others of its code: the first wrong entry and how many others there are, the origin, or the header.
 * Without them, the number of its ids.
 */
function Sent({ language, request }: SentProps) {
  const { code, origin, jobs, wrongEntry, wrongEntries = 1 } = request;
  const { others, idCount } = refusedTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const wrong = wrongEntry ?? (code === 'origin_not_allowed' ? origin : wrongHeaders.get(code));
  if (wrong === undefined && jobs !== undefined) return <>{idCount(format(jobs))}</>;
  if (wrong === undefined) return <>–</>;
  return (
    <>
      <code title={wrong}>{wrong}</code> {wrongEntries > 1 && others(format(wrongEntries - 1))}
    </>
  );
}

/** The header that a code is about, where the request does not name it. */
const wrongHeaders = new Map([['secret_key_invalid', 'Usersecretkey']]);

interface OpenedProps extends Pick<RequestListProps, 'visit' | 'apiUrl' | 'back' | 'pathOf'> {
  readonly refusals: RefusalGroup;
  /** Their origin was refused, and is allowed by now. */
  readonly isAllowed: boolean;
  readonly token: ComponentChild;
  /** The token is on record, so it has a page. */
  readonly hasToken: boolean;
}

/** The facts of requests of one cause, and what can be done about it. */
function Opened({ visit, refusals, isAllowed, apiUrl, token, hasToken, back, pathOf }: OpenedProps) {
  const { language, role } = visit;
  const [request] = refusals;
  const texts = refusedTexts[language];
  const { code, jobs, wrongEntry, wrongEntries = 1 } = request;
  const { format } = new Intl.NumberFormat(language);
  const mend = isAllowed || !includesRole(role, 'manager') ? undefined : mendOf(language, request, back);
  const isSentAlike = isAlike(refusals, sentFields);
  const ifAlike = (field: 'origin' | 'client') => isAlike(refusals, [field]) && (request[field] ?? '–');
  const facts: readonly Fact[] = [
    [
      texts.token,
      hasToken ? <a href={accountPath(visit, `/keys/token/${request.tokenId}`)}>{token}</a> : token,
    ],
    [texts.origin, ifAlike('origin')],
    [texts.ids, isSentAlike && jobs !== undefined && format(jobs)],
    [
      wrongEntries > 1 ? texts.firstOf(format(wrongEntries)) : texts.wrong,
      isSentAlike && wrongEntry !== undefined && <code>{wrongEntry}</code>,
    ],
    [texts.client, ifAlike('client')],
    [
      texts.first,
      refusals.length > shownOfGroup && (
        <Time ms={refusals.at(-1)?.atMs ?? request.atMs} language={language} withSeconds />
      ),
    ],
  ];
  const requests = refusals.slice(0, shownOfGroup).flatMap((each): readonly Fact[] => {
    const time = <Time ms={each.atMs} language={language} withSeconds />;
    const id = (
      <>
        <code>{each.id}</code> <CopyIcon text={each.id} language={language} />
      </>
    );
    if (refusals.length === 1)
      return [
        [texts.time, time],
        [texts.requestId, id],
      ];
    return [
      [
        time,
        <>
          {id} {!isSentAlike && <Sent language={language} request={each} />}
        </>,
      ],
    ];
  });
  const details: Readonly<Partial<Record<string, string>>> = texts.details;
  return (
    <div class="request">
      {!isAllowed && details[code] && <p>{details[code]}</p>}
      <Facts facts={[...facts, ...requests]} />
      <p class="inline">
        {mend && (
          <a class="button quiet" href={accountPath(visit, mend.path)}>
            {mend.text}
          </a>
        )}
        <a href={problemUrl(apiUrl, code)}>{texts.explanation}</a>
        {refusals.length > shownOfGroup && (
          <a href={pathOf(refusals)}>{texts.each(format(refusals.length))}</a>
        )}
      </p>
    </div>
  );
}

export interface Mend {
  readonly path: `/${string}`;
  readonly text: string;
}

/** Returns where a manager mends the cause. Undefined: the caller has to. */
function mendOf(language: Language, { code, origin }: RefusedRequest, back: string): Mend | undefined {
  if (code === 'secret_key_invalid') return { path: '/keys/new', text: keyTexts[language].create };
  if (code === 'deletion_limit_exceeded') return { path: '/safety', text: safetyTexts[language].title };
  return code === 'origin_not_allowed' ? mendOfOrigin(language, origin, back) : undefined;
}

/**
 * Returns where a manager allows an origin. Undefined: nobody can allow this one.
 * @param back the page that the form leads back to. Default: the list of domains
 */
export function mendOfOrigin(language: Language, origin = '', back?: string): Mend | undefined {
  if (parseNewDomain(origin) === undefined) return undefined;
  return { path: `/domains/new${queryOf({ domain: origin, back })}`, text: refusedTexts[language].allow };
}
