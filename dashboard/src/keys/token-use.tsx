import { parseAllowedDomains, type AllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import type { RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { sumOf } from '@jobs-delete/runtime/batching/groups';
import { jobsText } from '../activity/deletion-facts.tsx';
import { StateCell } from '../activity/deletion-table.tsx';
import { deletionTexts } from '../activity/deletion-texts.ts';
import { findDeletions } from '../activity/find-deletions.ts';
import { RequestList } from '../activity/refused-list.tsx';
import { refusedTexts } from '../activity/refused-texts.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import type { DeletionsPage } from '../deleter/deleter-calls.ts';
import { overviewTexts } from '../overview/overview-texts.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import type { MemberVisit } from '../web/route.ts';
import { ShortId } from '../web/marks.tsx';
import { Blank, Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { groupRefusals, refusedFromMs } from '../activity/refusals.ts';
import { isValid } from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { keyUseTexts } from './key-use-texts.ts';
import { KeyBadge, keyPath, LastUse } from './key-view.tsx';

const shown = 5;

/** The list has a refused request 15 seconds after it at the latest. */
const listingMs = 15_000;

/** Bounds what a list of keys reads for the last refusals. The page of a token reads its own. */
const maxRead = 200;

/** The latest deletions and refused requests of a token. */
export interface TokenUse {
  /** Undefined: no api answers in time. */
  readonly deletions: DeletionsPage | undefined;
  readonly refused: readonly RefusedRequest[];
  /** For the list of refused requests, with `apiUrl`. */
  readonly allowed: readonly AllowedDomain[];
  readonly apiUrl: string;
  /** The latest one that was no test. */
  readonly refusedLive: readonly RefusedRequest[];
}

interface TokenUseServices {
  readonly accounts: Pick<Services['accounts'], 'listRefusedRequests' | 'listDomains'>;
  readonly apiUrl: string;
  readonly deleter: Pick<Services['deleter'], 'listDeletions'>;
}

export async function readTokenUse(
  { accounts, apiUrl, deleter }: TokenUseServices,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
  { id: tokenId }: Credential,
): Promise<TokenUse> {
  const fromMs = refusedFromMs(nowMs);
  const query = { accountId, tokenId, fromMs };
  const [deletions, refused, refusedLive] = await Promise.all([
    ifSoon(findDeletions(deleter, { accountId, tokenId, pageSize: shown })),
    accounts.listRefusedRequests({ ...query, pageSize: shown }),
    accounts.listRefusedRequests({ ...query, environment: 'live', pageSize: 1 }),
  ]);
  const domains = refused.length === 0 ? [] : await accounts.listDomains(accountId);
  return { deletions, refused, refusedLive, allowed: parseAllowedDomains(domains), apiUrl };
}

/** Resolves to the account's keys of a kind. A token has the time of its newest refused live request. */
export async function listKeys(
  accounts: Pick<Services['accounts'], 'listCredentials' | 'listRefusedRequests'>,
  kind: CredentialKind,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<readonly Credential[]> {
  const query = { accountId, fromMs: refusedFromMs(nowMs), environment: 'live', pageSize: maxRead } as const;
  const [keys, refused] = await Promise.all([
    accounts.listCredentials(kind, accountId),
    kind === 'token' ? accounts.listRefusedRequests(query) : [],
  ]);
  return keys.map((key) => withLastRefusal(key, refused));
}

/**
 * The gateway updates `lastRefusedAtMs` only for a refused credential, Origin or rate, and at most once a minute.
 * @param refused live requests, the newest first
 */
export function withLastRefusal(key: Credential, refused: readonly RefusedRequest[]): Credential {
  const newest = refused.find(({ tokenId }) => key.kind === 'token' && tokenId === key.id);
  if (newest === undefined) return key;
  return { ...key, lastRefusedAtMs: Math.max(newest.atMs, key.lastRefusedAtMs ?? 0) };
}

/** Resolves to some of the token's deletions that wait; to undefined for a secret key, or while no api answers in time. */
export async function readWaiting(
  { deleter }: Pick<TokenUseServices, 'deleter'>,
  { accountId, kind, id: tokenId }: Credential,
): Promise<DeletionsPage | undefined> {
  if (kind !== 'token') return undefined;
  return ifSoon(findDeletions(deleter, { accountId, tokenId, state: 'waiting', pageSize: 100 }));
}

interface WaitingDeletionsProps {
  readonly language: Language;
  readonly token: Credential;
  readonly page: DeletionsPage;
}

/** Says that deletions of a token wait, and that nothing done to the token stops them. */
export function WaitingDeletions({
  language,
  token,
  page: { deletions, nextPageToken },
}: WaitingDeletionsProps) {
  const texts = keyUseTexts[language];
  const count = deletions.length;
  const jobs = sumOf(deletions, 'jobCount');
  return (
    <p>
      <a href={accountPath(token, `/activity?state=waiting&token=${token.id}`)}>
        {texts.waiting(count, jobsText(jobs, language), nextPageToken !== undefined)}
      </a>
      . {texts.stillDone(count)}
    </p>
  );
}

/**
 * Returns whether no live use and no refusal of this valid key is on record.
 * @param use undefined for a secret key
 */
export function isUnused(key: Credential, use: TokenUse | undefined, nowMs: number): boolean {
  if (key.lastUsedAtMs !== undefined || key.lastRefusedAtMs !== undefined || !isValid(key, nowMs))
    return false;
  if (use === undefined) return true;
  const { deletions, refused } = use;
  return deletions?.deletions.length === 0 && deletions.nextPageToken === undefined && refused.length === 0;
}

interface TokenUseProps {
  readonly visit: MemberVisit;
  readonly token: Credential;
  readonly use: TokenUse;
}

/** Two lists. Each leads to all of its kind. */
export function TokenUseLists({ visit, token, use }: TokenUseProps) {
  const { language, nowMs } = visit;
  const { deletions: page, refused, allowed, apiUrl } = use;
  const texts = keyUseTexts[language];
  const { unavailable, latest } = overviewTexts[language];
  const { accepted, state, jobs } = deletionTexts[language];
  const { lastRefusedAtMs = 0 } = token;
  const noneListed = nowMs - lastRefusedAtMs < listingMs ? texts.listedSoon : texts.noneListed;
  return (
    <>
      <section>
        <div class="heading">
          <h2 id="deletions">{latest}</h2>
          <a href={accountPath(visit, `/activity?token=${token.id}`)}>{texts.all}</a>
        </div>
        {page === undefined || page.deletions.length === 0 ? (
          <div class="card muted">
            {page === undefined
              ? unavailable
              : page.nextPageToken === undefined
                ? texts.none
                : texts.noneSearched}
          </div>
        ) : (
          <Table
            heading="deletions"
            look="use"
            isCompact
            columns={[{ header: jobs }, { aside: state }, accepted]}
            rows={page.deletions.map((deletion) => [
              <a href={accountPath(visit, `/activity/${deletion.id}`)}>
                {jobsText(deletion.jobCount, language)}
              </a>,
              <StateCell
                {...{ language, nowMs, state: deletion.state, removalAtMs: deletion.removalAtMs }}
              />,
              <Time ms={deletion.acceptedAtMs} language={language} nowMs={nowMs} />,
            ])}
          />
        )}
      </section>
      <section>
        <div class="heading">
          <h2 id="requests-heading">{refusedTexts[language].title}</h2>
          <a href={accountPath(visit, `/activity/refused?token=${token.id}`)}>
            {refusedTexts[language].allRequests}
          </a>
        </div>
        {refused.length === 0 ? (
          <div class="card muted">
            {lastRefusedAtMs < refusedFromMs(nowMs) ? texts.noneRefused : noneListed}
          </div>
        ) : (
          <RequestList
            {...{ visit, apiUrl, allowed, tokens: [token] }}
            groups={groupRefusals(refused)}
            back={`/activity/refused?token=${token.id}`}
            pathOf={([{ code }]) => accountPath(visit, `/activity/refused?code=${code}&token=${token.id}`)}
          />
        )}
      </section>
    </>
  );
}

export interface TokensOfProps {
  readonly visit: MemberVisit;
  readonly secretKey: Credential;
  readonly partner: Credential | undefined;
  /** The keys of both kinds. */
  readonly all: readonly Credential[];
}

/** The tokens that requests with a secret key carry: its partner, or else each that works where it does, the last used first. */
export function TokensOf({ visit, secretKey, partner, all }: TokensOfProps) {
  const { language, nowMs } = visit;
  const texts = keyTexts[language];
  const { goesWith, willHave, ofAll } = keyUseTexts[language];
  const worksWith = ({ environment }: Credential) =>
    environment === undefined || environment === secretKey.environment;
  const tokens = partner
    ? [partner]
    : all
        .filter((key) => key.kind === 'token' && isValid(key, nowMs) && worksWith(key))
        .toSorted((one, other) => (other.lastUsedAtMs ?? 0) - (one.lastUsedAtMs ?? 0));
  if (tokens.length === 0)
    return (
      <Blank
        icon="activity"
        actions={
          <a class="button quiet" href={accountPath(visit, '/activity')}>
            {ofAll}
          </a>
        }
      >
        <p>{willHave['secret-key']}</p>
      </Blank>
    );
  return (
    <section>
      <div class="heading">
        <h2 id="tokens">{goesWith}</h2>
        {tokens.length > shown && <a href={accountPath(visit, '/keys')}>{texts.title}</a>}
      </div>
      <Table
        heading="tokens"
        look="use"
        isCompact
        columns={[{ header: texts.kindOf.token }, { aside: texts.state }, texts.lastUsed]}
        rows={tokens
          .slice(0, shown)
          .map((token) => [
            <a href={keyPath(token)}>{token.name ?? <ShortId id={token.id} />}</a>,
            <KeyBadge {...{ language, credential: token, all, nowMs }} />,
            <LastUse {...{ language, credential: token, nowMs }} />,
          ])}
      />
      <p class="muted">{willHave['secret-key']}</p>
    </section>
  );
}
