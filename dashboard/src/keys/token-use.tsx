import {
  maxRefusedRequests,
  refusedRequestRetentionDays,
  type RefusedRequest,
} from '@jobs-delete/accounts/refused-requests';
import type { Credential } from '@jobs-delete/accounts/accounts';
import { dayMs, filterQuery, readFilter } from '../activity/activity-filter.ts';
import { deletionTexts } from '../activity/deletion-texts.ts';
import { findDeletions } from '../activity/list-routes.tsx';
import { refusedTexts } from '../activity/refused-texts.ts';
import { StateBadge } from '../activity/state-badge.tsx';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { deleteJobsTexts } from '../jobs/delete-jobs-texts.ts';
import { overviewTexts } from '../overview/overview-texts.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { keyTexts } from './key-texts.ts';

const shown = 5;

/** The latest deletions and refused requests of a token. */
export interface TokenUse {
  /** Undefined: no api answers. */
  readonly deletions: readonly Deletion[] | undefined;
  readonly refused: readonly RefusedRequest[];
}

export async function readTokenUse(
  { accounts, deleter }: Pick<Services, 'accounts' | 'deleter'>,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
  { id: tokenId }: Credential,
): Promise<TokenUse> {
  const fromMs = nowMs - refusedRequestRetentionDays * dayMs;
  const [page, requests] = await Promise.all([
    ifAvailable(findDeletions(deleter, { accountId, tokenId, pageSize: shown })),
    accounts.listRefusedRequests({ accountId, fromMs, pageSize: maxRefusedRequests }),
  ]);
  const refused = requests.filter((request) => request.tokenId === tokenId).slice(0, shown);
  return { deletions: page?.deletions, refused };
}

interface TokenUseProps {
  readonly visit: MemberVisit;
  readonly token: Credential;
  readonly use: TokenUse;
}

/** Two cards with links to the rest. */
export function TokenUseCards({ visit, token, use: { deletions, refused } }: TokenUseProps) {
  const { language, nowMs } = visit;
  const { use: texts } = keyTexts[language];
  const { unavailable, latest } = overviewTexts[language];
  const { accepted, state, jobs } = deletionTexts[language];
  const query = filterQuery({ ...readFilter(new URLSearchParams()), tokenId: token.id });
  return (
    <>
      <section class="card">
        <h2 id="deletions">{latest}</h2>
        {deletions === undefined || deletions.length === 0 ? (
          <p>{deletions === undefined ? unavailable : texts.none}</p>
        ) : (
          <Table
            heading="deletions"
            columns={[{ header: jobs }, state, accepted]}
            rows={deletions.map((deletion) => [
              <a href={accountPath(visit, `/activity/${deletion.id}`)}>{jobsText(visit, deletion)}</a>,
              <StateBadge language={language} state={deletion.state} />,
              <Time ms={deletion.acceptedAtMs} language={language} nowMs={nowMs} />,
            ])}
            isCompact
          />
        )}
        <p>
          <a href={accountPath(visit, `/activity${query}`)}>{texts.all}</a>
        </p>
      </section>
      <section class="card">
        <h2 id="refused">{refusedTexts[language].title}</h2>
        {refused.length === 0 ? (
          <p>{texts.noneRefused}</p>
        ) : (
          <Table
            heading="refused"
            columns={[{ header: refusedTexts[language].code }, refusedTexts[language].time]}
            rows={refused.map(({ code, atMs }) => [
              <a href={accountPath(visit, `/activity/refused?code=${code}`)}>
                <code>{code}</code>
              </a>,
              <Time ms={atMs} language={language} nowMs={nowMs} />,
            ])}
            isCompact
          />
        )}
      </section>
    </>
  );
}

function jobsText({ language }: Pick<MemberVisit, 'language'>, { jobCount }: Deletion): string {
  const { oneJob, jobs } = deleteJobsTexts[language];
  return jobCount === 1 ? oneJob : jobs(new Intl.NumberFormat(language).format(jobCount));
}
