import { parseAllowedDomains } from '@jobs-delete/accounts/origins/allowed-domain';
import type { Services } from '../services.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { SelectFilter } from '../web/search-form.tsx';
import {
  lastOf,
  pathsOf,
  PlaceLinks,
  readCursor,
  readPlaces,
  writeCursor,
  writePlaces,
} from '../web/places.tsx';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { Blank } from '../web/table.tsx';
import { activityTexts } from './activity-texts.ts';
import { tokenOptions } from './filter-form.tsx';
import { RequestList } from './refused-list.tsx';
import { mendableCodes, onlyCountedCodes, refusedTexts } from './refused-texts.ts';
import { problemUrl, refusedFromMs } from './refusals.ts';

type Needed = Pick<Services, 'accounts' | 'apiUrl'>;

const path = '/activity/refused';
const pageSize = 25;
const environments = ['live', 'sandbox'] as const;
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
  const environment = environments.find((each) => each === query.get('environment'));
  const filter = { code, token: tokenId || undefined, environment };
  const fromMs = refusedFromMs(nowMs);
  const places = readPlaces(query, (text) => readCursor(text) !== undefined);
  const [found, tokens, domains] = await Promise.all([
    // One more than fits shows whether there is another page.
    accounts.listRefusedRequests({
      accountId,
      fromMs,
      code,
      tokenId: filter.token,
      environment,
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
    pathOf: (pages) => accountPath(visit, `${path}${queryOf({ ...filter, pages })}`),
  });
  const allowed = parseAllowedDomains(domains);
  // Without the places of earlier pages, which would make every link of a late page long.
  const back = `${path}${queryOf({ ...filter, pages: writePlaces([lastOf(places)]) })}`;
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
            {
              name: 'environment',
              label: texts.environment,
              options: [
                { value: '', text: texts.all },
                ...environments.map((value) => ({ value, text: texts[value] })),
              ],
              value: environment ?? '',
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
        <None visit={visit} code={code} isKnown={isKnown} hasFilter={queryOf(filter) !== ''} />
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
  readonly isKnown: boolean;
  readonly hasFilter: boolean;
}

function None({ visit, code, isKnown, hasFilter }: NoneProps) {
  const texts = refusedTexts[visit.language];
  const wayOn = <a href={accountPath(visit, '/sandbox')}>{texts.tryIt}</a>;
  const isOnlyCounted = onlyCountedCodes.some((each) => each === code);
  const noneOfFilter = isKnown ? texts.noneOfFilter : texts.unknownCode(code ?? '');
  const none = hasFilter ? noneOfFilter : texts.none;
  return (
    <Blank icon="activity" actions={hasFilter ? undefined : wayOn}>
      <p>{isOnlyCounted ? texts.onlyCounted : none}</p>
    </Blank>
  );
}
