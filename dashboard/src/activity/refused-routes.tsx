import { environments } from '@jobs-delete/accounts/accounts';
import { maxRefusedRequests } from '@jobs-delete/accounts/refusal-recorder';
import { parseAllowedDomains } from '@jobs-delete/accounts/origins/allowed-domain';
import type { Services } from '../services.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { SelectFilter } from '../web/search-form.tsx';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { addPage, Blank, pageOf, Pager } from '../web/table.tsx';
import { activityTexts } from './activity-texts.ts';
import { tokenOptions } from './filter-form.tsx';
import { RequestList } from './refused-list.tsx';
import { mendableCodes, onlyCountedCodes, refusedTexts } from './refused-texts.ts';
import { causeOf, groupRefusals, problemUrl, refusedFromMs, type RefusalGroup } from './refusals.ts';

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
  const environment = environments.find((each) => each === query.get('environment'));
  const filter = { code, token: tokenId || undefined, environment };
  const cause = query.get('cause')?.slice(0, 500);
  const [found, tokens, domains] = await Promise.all([
    accounts.listRefusedRequests({
      accountId,
      fromMs: refusedFromMs(nowMs),
      code,
      tokenId: filter.token,
      environment,
      pageSize: maxRefusedRequests,
    }),
    accounts.listCredentials('token', accountId),
    accounts.listDomains(accountId),
  ]);
  const groups =
    cause === undefined
      ? groupRefusals(found)
      : found.filter((request) => causeOf(request) === cause).map((request) => [request] as const);
  const page = pageOf(groups, query, pageSize);
  const allowed = parseAllowedDomains(domains);
  const list: `/${string}` = `${path}${queryOf({ ...filter, cause })}`;
  const back = page.number === 1 ? list : addPage(list, page.number);
  const pathTo = ([request]: RefusalGroup) =>
    accountPath(visit, `${path}${queryOf({ ...filter, cause: causeOf(request) })}`);
  const body = (
    <>
      <p>{texts.intro}</p>
      <div class="heading">
        <h2 id="requests-heading">{texts.list}</h2>
        {(found.length > 0 || list !== path) && (
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
        )}
      </div>
      {code !== undefined && isKnown && (
        <p>
          <code>{code}</code>: <a href={problemUrl(apiUrl, code)}>{texts.explanation}</a>
        </p>
      )}
      {cause !== undefined && (
        <p>
          <a href={accountPath(visit, `${path}${queryOf(filter)}`)}>{texts.causes}</a>
        </p>
      )}
      {groups.length === 0 ? (
        <None visit={visit} code={code} isKnown={isKnown} hasFilter={list !== path} />
      ) : (
        <RequestList {...{ visit, groups: page.items, apiUrl, tokens, allowed, back }} pathOf={pathTo} />
      )}
      <Pager page={page} path={accountPath(visit, list)} language={language} />
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
