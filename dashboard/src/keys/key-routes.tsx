import type { Credential } from '@jobs-delete/accounts/accounts';
import type { ComponentChild } from 'preact';
import type { DeletionsPage } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { WithAside } from '../web/aside.tsx';
import { Blank, pageOf, Pager } from '../web/table.tsx';
import { actorText } from '../trail/trail-texts.ts';
import { docsUrl, originsOf } from '../web/docs-url.ts';
import { ifFound, includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { shortId } from '../web/marks.tsx';
import { changeKeyRoutes } from './change-key-routes.tsx';
import { createKeyRoutes, rotateKeyRoutes } from './create-key-routes.tsx';
import {
  actionsOf,
  findKey,
  findStopper,
  isOpen,
  isValid,
  listBothKinds,
  pairKeys,
  partnerOf,
  readKind,
  replacementOf,
  sortKeys,
} from './key-state.ts';
import { FirstUse, readFirstUse } from './first-use.tsx';
import { keyTexts } from './key-texts.ts';
import { ExpiryWarning } from './expiry-warning.tsx';
import { aboutKey, KeyBadge, KeyLink, KeyList, SandboxBadge } from './key-view.tsx';
import { ReplacedWarning } from './replaced-warning.tsx';
import {
  isUnused,
  listKeys,
  readTokenUse,
  readWaiting,
  TokensOf,
  TokenUseLists,
  WaitingDeletions,
  withLastRefusal,
  type TokenUse,
} from './token-use.tsx';

/** The first page shows so many keys that work, and that have ended, and links to the others. */
const shortListSize = 25;
const pageSize = 40;

/** The pages of tokens and secret keys. */
export function keyRoutes(
  services: Pick<Services, 'accounts' | 'deleter' | 'keys' | 'pepper' | 'apiUrl' | 'now'>,
): readonly Route[] {
  const { accounts, apiUrl } = services;
  return [
    {
      method: 'GET',
      path: '/keys',
      access: 'viewer',
      serve: async (visit) => {
        const [tokens, secretKeys, uses] = await Promise.all([
          listKeys(accounts, 'token', visit),
          listKeys(accounts, 'secret-key', visit),
          accounts.listDomainUses(visit.accountId),
        ]);
        const { language } = visit;
        const texts = keyTexts[language];
        const body = (
          <>
            <p>
              {texts.intro}{' '}
              <a href={docsUrl({ apiUrl, language, origin: originsOf(uses)[0] })}>{texts.docs}</a>
            </p>
            <ExpiryWarning {...listProps(visit)} keys={[...tokens, ...secretKeys]} />
            {tokens.length === 0 && secretKeys.length === 0 ? (
              <NoKeys visit={visit} text={texts.noKey} />
            ) : (
              <AllKeys visit={visit} tokens={tokens} secretKeys={secretKeys} />
            )}
          </>
        );
        // Without keys of a kind, the page has this link in their place.
        const hasBoth = tokens.length > 0 && secretKeys.length > 0;
        const action = hasBoth && includesRole(visit.role, 'manager') && (
          <a class="button" href={accountPath(visit, '/keys/new')}>
            {texts.create}
          </a>
        );
        return { kind: 'page', title: texts.title, action, body };
      },
    },
    // The paths with a word come before those with a variable.
    ...createKeyRoutes(services),
    {
      method: 'GET',
      path: '/keys/:kind',
      access: 'viewer',
      serve: async (visit) => {
        const kind = readKind(visit.params.kind);
        if (kind === undefined) return { kind: 'not-found', problem: 'noKey' };
        const { language, nowMs, query } = visit;
        const keys = await listKeys(accounts, kind, visit);
        const page = pageOf(sortKeys(keys, nowMs), query, pageSize);
        const texts = keyTexts[language];
        const body = (
          <>
            <h2 id="keys">{texts.all[kind](keys.length)}</h2>
            {keys.length === 0 ? (
              <NoKeys visit={visit} text={texts.none[kind]} />
            ) : (
              <KeyList {...listProps(visit)} keys={page.items} all={keys} heading="keys" />
            )}
            <Pager page={page} path={accountPath(visit, `/keys/${kind}`)} language={language} />
          </>
        );
        return { kind: 'page', title: texts.kinds[kind], body };
      },
    },
    {
      method: 'GET',
      path: '/keys/:kind/:id',
      access: 'viewer',
      serve: ifFound(
        (visit) => findKey(services, visit),
        async (visit, key) => {
          const [all, stopper, use, waiting] = await Promise.all([
            listBothKinds(accounts, visit.accountId),
            findStopper(accounts, key),
            key.kind === 'token' ? readTokenUse(services, visit, key) : undefined,
            isValid(key, visit.nowMs) ? undefined : readWaiting(services, key),
          ]);
          const shown = withLastRefusal(key, use?.refusedLive ?? []);
          const partner = partnerOf(key, all, visit.nowMs);
          if (replacementOf(key, all, visit.nowMs) || !isUnused(shown, use, visit.nowMs))
            return keyPage(visit, shown, { all, partner, stopper, use, waiting });
          const firstUse = await readFirstUse(services, { visit, credential: key, partner });
          return keyPage(visit, shown, { all, partner, stopper, use, firstUse: <FirstUse {...firstUse} /> });
        },
        'noKey',
      ),
    },
    ...changeKeyRoutes(services),
    ...rotateKeyRoutes(services),
  ];
}

interface AllKeysProps {
  readonly visit: MemberVisit;
  readonly tokens: readonly Credential[];
  readonly secretKeys: readonly Credential[];
}

/** The keys of both kinds in one table, and those that have ended in a folded one. */
function AllKeys({ visit, tokens, secretKeys }: AllKeysProps) {
  const texts = keyTexts[visit.language];
  const all = [...tokens, ...secretKeys];
  const sorted = pairKeys(all, visit.nowMs);
  const open = sorted.filter((key) => isOpen(key, visit.nowMs));
  const ended = sorted.filter((key) => !open.includes(key));
  const listOf = (some: readonly Credential[], heading: string) => (
    <KeyList {...listProps(visit)} keys={some.slice(0, shortListSize)} all={all} heading={heading} />
  );
  const kinds = [
    ['token', tokens.length],
    ['secret-key', secretKeys.length],
  ] as const;
  return (
    <section>
      <h2 id="open">{texts.open}</h2>
      {open.length > 0 && listOf(open, 'open')}
      {ended.length > 0 && (
        <details class="others" open={open.length === 0}>
          <summary id="ended">{texts.ended(ended.length)}</summary>
          {listOf(ended, 'ended')}
        </details>
      )}
      {Math.max(open.length, ended.length) > shortListSize && (
        <p class="inline">
          {kinds.map(
            ([kind, count]) =>
              count > 0 && <a href={accountPath(visit, `/keys/${kind}`)}>{texts.all[kind](count)}</a>,
          )}
        </p>
      )}
      {kinds.map(([kind, count]) => count === 0 && <NoKeys visit={visit} text={texts.none[kind]} />)}
    </section>
  );
}

function NoKeys({ visit, text }: { readonly visit: MemberVisit; readonly text: string }) {
  const texts = keyTexts[visit.language];
  const mayCreate = includesRole(visit.role, 'manager');
  const create = mayCreate && (
    <a class="button" href={accountPath(visit, '/keys/new')}>
      {texts.create}
    </a>
  );
  return (
    <Blank icon="keys" actions={create}>
      <p>
        <strong>{text}</strong>
      </p>
      <p>{mayCreate ? texts.createHint : texts.askManager}</p>
    </Blank>
  );
}

/**
 * The page of one key: what is known about it, and what a manager may do with it.
 * @param all the keys of both kinds
 * @param stopper who paused or revoked it
 * @param use of a token: deletions and refused requests name no secret key
 */
function keyPage(
  visit: MemberVisit,
  key: Credential,
  {
    all,
    partner,
    stopper,
    use,
    waiting,
    firstUse,
  }: {
    readonly all: readonly Credential[];
    readonly partner: Credential | undefined;
    readonly stopper: string | undefined;
    readonly use: TokenUse | undefined;
    /** Deletions of a token that is not valid. */
    readonly waiting?: DeletionsPage | undefined;
    /** Only for a valid key that was neither used nor replaced. */
    readonly firstUse?: ComponentChild;
  },
): Reply {
  const { language, nowMs, role } = visit;
  const texts = keyTexts[language];
  const mayChange = includesRole(role, 'manager');
  const replacement = isOpen(key, nowMs) ? replacementOf(key, all, nowMs) : undefined;
  const action = (
    <>
      <KeyBadge {...{ language, credential: key, all, nowMs }} />
      <SandboxBadge language={language} credential={key} />
      {mayChange && isOpen(key, nowMs) && (
        <p class="actions">
          {actionsOf(key, all, nowMs).map((each) => (
            <KeyLink
              credential={key}
              action={each}
              text={texts[each]}
              class={`button quiet${each === 'revoke' ? ' danger' : ''}`}
            />
          ))}
        </p>
      )}
    </>
  );
  const body = (
    <>
      {replacement && <ReplacedWarning visit={visit} old={key} replacement={replacement} />}
      {waiting !== undefined && waiting.deletions.length > 0 && (
        <div class="warning">
          <WaitingDeletions language={language} token={key} page={waiting} />
        </div>
      )}
      <WithAside
        isFirst
        aside={aboutKey({
          language,
          all,
          credential: key,
          partner,
          stoppedBy: stopper && actorText(stopper, language),
        })}
      >
        {firstUse ??
          (use === undefined ? (
            <TokensOf visit={visit} secretKey={key} partner={partner} all={all} />
          ) : (
            <TokenUseLists visit={visit} token={key} use={use} />
          ))}
      </WithAside>
    </>
  );
  const title = texts.pageTitle[key.kind](key.name ?? shortId(key.id));
  return { kind: 'page', title, action, body };
}

function listProps({ language, nowMs, role }: MemberVisit) {
  return { language, nowMs, mayChange: includesRole(role, 'manager') };
}
