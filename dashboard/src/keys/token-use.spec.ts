import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import type { Credential } from '@jobs-delete/accounts/accounts';
import type { DeletionsPage } from '../deleter/deleter-calls.ts';
import { htmlOf } from '../testing/visit-page.ts';
import { partOf } from '../testing/part-of.ts';
import type { MemberVisit } from '../web/route.ts';
import { deletionIn } from '../design/samples.ts';
import type { Services } from '../services.ts';
import { changeKeyRoutes } from './change-key-routes.tsx';
import { keyUseTexts } from './key-use-texts.ts';
import {
  isUnused,
  readTokenUse,
  TokensOf,
  type TokensOfProps,
  type TokenUse,
  TokenUseLists,
} from './token-use.tsx';

const token = { kind: 'token', accountId: 'acme', id: 'a'.repeat(24), createdAtMs: 1 } as const;
const accounts = { listRefusedRequests: () => Promise.resolve([]), listDomains: () => Promise.resolve([]) };
const apiUrl = 'https://api.example';
const visit = partOf<MemberVisit>({ accountId: 'acme', language: 'en', nowMs: 1 });

async function cardsWith(listDeletions: () => Promise<DeletionsPage>): Promise<string> {
  const use = await readTokenUse({ accounts, apiUrl, deleter: { listDeletions } }, visit, token);
  return render(TokenUseLists({ visit, token, use }));
}

test('no deletion of the token among those that were searched does not mean none', async () => {
  const page = { deletions: [], examinedFromMs: 1 };
  const cut = await cardsWith(() => Promise.resolve({ ...page, nextPageToken: 'older' }));
  expect(cut).toContain('None of the deletions that were searched names this token. Older ones may.');
  expect(cut).not.toContain('No deletion on record');
  const whole = await cardsWith(() => Promise.resolve({ ...page, nextPageToken: undefined }));
  expect(whole).toContain('No deletion on record names this token.');
});

test('a token whose last refusal is not listed does not claim that there was none', () => {
  const use = { deletions: undefined, refused: [], refusedLive: [], allowed: [], apiUrl };
  const cardOf = (lastRefusedAtMs: number) =>
    render(
      TokenUseLists({
        visit: { ...visit, nowMs: Date.UTC(2026, 0, 31) },
        token: { ...token, lastRefusedAtMs },
        use,
      }),
    );
  const none = 'No request with this token was refused in the last 7 days.';
  expect(cardOf(Date.UTC(2026, 0, 23))).toContain(none);
  const unlisted = cardOf(Date.UTC(2026, 0, 25));
  expect(unlisted).toContain('The latest refused request is not in this list');
  expect(unlisted).not.toContain(none);
  expect(cardOf(Date.UTC(2026, 0, 31) - 14_000)).toContain('appears here within a few seconds');
});

test('the page does not wait for an api that hangs', async () => {
  const text = await cardsWith(() => new Promise(() => 0));
  expect(text).toContain('The deletions are not available at the moment.');
});

/** Returns the page that asks before an action on a key of the account, the first one. */
async function confirmation(
  listDeletions: Services['deleter']['listDeletions'],
  action = 'revoke',
  keys: readonly [Credential, ...Credential[]] = [token],
): Promise<string> {
  const [{ kind: ofKey, id }] = keys;
  const services = partOf<Services>({
    accounts: {
      findCredential: () => Promise.resolve({ ...keys[0], hash: Buffer.alloc(32) }),
      listCredentials: (kind) => Promise.resolve(keys.filter((key) => key.kind === kind)),
    },
    deleter: { listDeletions },
  });
  const route = changeKeyRoutes(services).find(
    ({ method, path }) => method === 'GET' && path.endsWith(action),
  );
  const params = { kind: ofKey, id };
  const form = new URLSearchParams();
  const reply = await route?.serve(partOf<MemberVisit>({ ...visit, form, params }));
  return htmlOf(reply);
}

const waiting = { ...deletionIn('waiting', 'acme'), jobCount: 101 };
const link = `<a href="/a/acme/activity?state=waiting&amp;token=${token.id}">`;

test('the confirmation of a revocation or a pause counts the deletions of the token that wait', async () => {
  for (const action of ['revoke', 'pause']) {
    const queries: object[] = [];
    const text = await confirmation((query) => {
      queries.push(query);
      return Promise.resolve({ deletions: [waiting, waiting, waiting], nextPageToken: undefined });
    }, action);
    expect(queries).toMatchObject([{ accountId: 'acme', tokenId: token.id, state: 'waiting' }]);
    expect(text).toContain(
      `${link}3 deletions of this token wait (303 jobs)</a>. They are still carried out.`,
    );
  }
  const one = await confirmation(() => Promise.resolve({ deletions: [waiting], nextPageToken: undefined }));
  expect(one).toContain(`${link}1 deletion of this token waits (101 jobs)</a>. It is still carried out.`);
});

test('the confirmation for a secret key counts the deletions of the token of its pair', async () => {
  const pair = { ...token, name: 'shop' };
  const secret = { ...pair, kind: 'secret-key', id: 'b'.repeat(24) } as const;
  const page = { deletions: [waiting], nextPageToken: undefined };
  for (const action of ['revoke', 'pause']) {
    const text = await confirmation(() => Promise.resolve(page), action, [secret, pair]);
    expect(text.indexOf(`${link}1 deletion of this token waits`)).toBeGreaterThan(
      text.indexOf('Also the token'),
    );
  }
});

test('the confirmation says if more deletions of the token may wait', async () => {
  const text = await confirmation(() => Promise.resolve({ deletions: [waiting], nextPageToken: 'older' }));
  expect(text).toContain(`${link}At least 3 deletions of this token wait (303 jobs)</a>.`);
});

test.each([
  ['no deletion of the token waits', () => Promise.resolve({ deletions: [], nextPageToken: undefined })],
  ['the api hangs', () => new Promise<never>(() => 0)],
])('the confirmation of a revocation names no deletion if %s', async (_, listDeletions) => {
  const text = await confirmation(listDeletions);
  expect(text).toContain('A revocation cannot be undone.');
  expect(text).not.toContain('of this token wait');
});

test('a key without live use may have been tried in the sandbox', () => {
  const use = { deletions: { deletions: [], nextPageToken: undefined }, refused: [], refusedLive: [] };
  const { unused } = keyUseTexts.en;
  expect([isUnused(token, partOf<TokenUse>(use), 1), unused]).toEqual([true, 'No live use yet']);
});

test('a secret key shows its partner, or else the tokens that work where it does, the last used first', () => {
  const secretKey = { ...token, kind: 'secret-key', id: 'b'.repeat(24) } as const;
  const ids = ['c', 'd', 'e', 'f', '0', '1'].map((digit) => digit.repeat(24));
  const tokens = ids.map((id, index) => ({ ...token, id, name: `t${String(index)}`, lastUsedAtMs: index }));
  const [partner] = tokens;
  const sandboxToken = { ...token, name: 'test', environment: 'sandbox' } as const;
  const shownFor = (more: Partial<TokensOfProps>, all: readonly Credential[] = tokens) => {
    const html = render(TokensOf({ visit, secretKey, partner: undefined, all, ...more }));
    return [...html.matchAll(/keys(?:\/token\/\w+)?">([^<]+)/g)].map(([, text]) => text);
  };
  expect(shownFor({ partner })).toEqual(['t0']);
  expect(shownFor({})).toEqual(['Keys', 't5', 't4', 't3', 't2', 't1']);
  expect(shownFor({}, [sandboxToken, ...tokens.slice(0, 1)])).toEqual(['t0']);
  const inSandbox = { secretKey: { ...secretKey, environment: 'sandbox' } } as const;
  expect(shownFor(inSandbox, [sandboxToken])).toEqual(['test']);
});
