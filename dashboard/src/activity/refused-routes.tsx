import {
  originMatches,
  parseAllowedDomain,
  parseNewDomain,
  type AllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import { refusedRequestRetentionDays, type RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { Badge, ShortId } from '../web/marks.tsx';
import { CopyButton } from '../web/copyable.tsx';
import { SelectFilter } from '../web/form.tsx';
import type { Language } from '../web/language.ts';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { dayMs } from './activity-filter.ts';
import { isMendable, mendableCodes, refusedTexts } from './refused-texts.ts';
import { problemUrl } from './refusals.ts';
import { credentialNames } from '../keys/key-state.ts';

type Needed = Pick<Services, 'accounts' | 'apiUrl'>;

const path = '/activity/refused';
const pageSize = 25;

/** The refused requests of the account, each with what mends it. Needs no deleter. */
export function refusedRoutes(services: Needed): readonly Route[] {
  return [{ method: 'GET', path, access: 'viewer', serve: (visit) => refusedPage(visit, services) }];
}

async function refusedPage(visit: MemberVisit, { accounts, apiUrl }: Needed): Promise<Reply> {
  const { accountId, language, query, nowMs } = visit;
  const texts = refusedTexts[language];
  const code = mendableCodes.find((each) => each === query.get('code'));
  const fromMs = nowMs - refusedRequestRetentionDays * dayMs;
  const [found, tokens, domains] = await Promise.all([
    // One more than fits shows whether there is another page.
    accounts.listRefusedRequests({
      accountId,
      fromMs,
      code,
      after: readCursor(query),
      pageSize: pageSize + 1,
    }),
    accounts.listCredentials('token', accountId),
    accounts.listDomains(accountId),
  ]);
  const requests = found.slice(0, pageSize);
  const last = found.length > pageSize ? requests.at(-1) : undefined;
  const older = new URLSearchParams({
    ...(code && { code }),
    ...(last && { before: `${String(last.atMs)}.${last.id}` }),
  });
  const allowed = domains.map(parseAllowedDomain).filter((domain) => domain !== undefined);
  const body = (
    <>
      <p>{texts.intro}</p>
      <div class="heading">
        <h2 id="requests-heading">{texts.list}</h2>
        <SelectFilter
          action={accountPath(visit, path)}
          button={texts.filter}
          fields={[
            {
              name: 'code',
              label: texts.code,
              options: [
                { value: '', text: texts.all },
                ...mendableCodes.toSorted().map((value) => ({ value, text: value })),
              ],
              value: code ?? '',
            },
          ]}
        />
      </div>
      {requests.length === 0 ? (
        <None visit={visit} isFiltered={code !== undefined} />
      ) : (
        <RequestTable {...{ visit, requests, apiUrl, names: credentialNames(tokens), allowed }} />
      )}
      <p class="actions">
        {last && <a href={accountPath(visit, `${path}?${older.toString()}`)}>{texts.older}</a>}
        {query.has('before') && <a href={accountPath(visit, path)}>{texts.newest}</a>}
      </p>
    </>
  );
  return { kind: 'page', title: texts.title, body };
}

/** Returns undefined, the newest page, for a text that is no cursor. */
function readCursor(query: URLSearchParams): Pick<RefusedRequest, 'atMs' | 'id'> | undefined {
  const [, atMs, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(query.get('before') ?? '') ?? [];
  return atMs === undefined || id === undefined ? undefined : { atMs: Number(atMs), id };
}

function None({ visit, isFiltered }: { readonly visit: MemberVisit; readonly isFiltered: boolean }) {
  const texts = refusedTexts[visit.language];
  if (isFiltered) return <p>{texts.noneOfCode}</p>;
  return (
    <p>
      {texts.none} <a href={accountPath(visit, '/sandbox')}>{texts.tryIt}</a>
    </p>
  );
}

interface RequestTableProps {
  readonly visit: MemberVisit;
  readonly requests: readonly RefusedRequest[];
  readonly apiUrl: string;
  /** The names of the account's tokens by their id. */
  readonly names: ReadonlyMap<string, string>;
  readonly allowed: readonly AllowedDomain[];
}

function RequestTable({ visit, requests, apiUrl, names, allowed }: RequestTableProps) {
  const { language, nowMs } = visit;
  const texts = refusedTexts[language];
  return (
    <Table
      heading="requests-heading"
      look="requests"
      columns={[
        { header: texts.code },
        { aside: texts.time },
        { plain: texts.token },
        { plain: texts.origin },
      ]}
      rows={requests.map((request) => [
        <>
          <a href={problemUrl(apiUrl, request.code)}>
            <code>{request.code}</code>
          </a>{' '}
          {request.environment === 'sandbox' && <Badge tone="ended" text={texts.sandbox} />}
        </>,
        <Time ms={request.atMs} language={language} nowMs={nowMs} withSeconds />,
        names.get(request.tokenId) ?? <ShortId id={request.tokenId} />,
        <span class="long">{request.origin ?? '–'}</span>,
      ])}
      below={requests.map((request) => (
        <details>
          <summary>
            <MendSummary language={language} request={request} />
          </summary>
          <Mend {...{ visit, request, allowed }} />
        </details>
      ))}
    />
  );
}

interface MendSummaryProps {
  readonly language: Language;
  readonly request: RefusedRequest;
}

/** Names the first wrong entry, and how many others there are. */
function MendSummary({ language, request: { wrongEntry, wrongEntries = 1 } }: MendSummaryProps) {
  const texts = refusedTexts[language];
  if (wrongEntry === undefined) return <>{texts.mend}</>;
  return (
    <>
      {texts.mendEntry} <code class="long">{wrongEntry}</code>{' '}
      {wrongEntries > 1 && texts.others(new Intl.NumberFormat(language).format(wrongEntries - 1))}
    </>
  );
}

interface MendProps extends Pick<RequestTableProps, 'visit' | 'allowed'> {
  readonly request: RefusedRequest;
}

/** What mends it, and what the client and the operator know the request by. */
function Mend({ visit, request, allowed }: MendProps) {
  const { language, role } = visit;
  const texts = refusedTexts[language];
  const format = new Intl.NumberFormat(language);
  const { code, origin, jobs } = request;
  const mayAllow =
    code === 'origin_not_allowed' &&
    includesRole(role, 'manager') &&
    origin !== undefined &&
    parseNewDomain(origin) !== undefined &&
    !originMatches(origin, allowed);
  return (
    <div class="mend">
      <div>
        <p>
          {isMendable(code) && texts.mends[code]} {jobs !== undefined && texts.ids(format.format(jobs))}
        </p>
        <p class="muted">
          {texts.client}: <span class="long">{request.client ?? '–'}</span>
        </p>
        <p class="muted">
          {texts.requestId} <ShortId id={request.id} />
        </p>
      </div>
      <p class="inline">
        {mayAllow && (
          <a
            class="button quiet"
            href={accountPath(visit, `/domains/new?domain=${encodeURIComponent(origin)}`)}
          >
            {texts.allow}
          </a>
        )}
        <CopyButton text={request.id} button={texts.copy} language={language} />
      </p>
    </div>
  );
}
