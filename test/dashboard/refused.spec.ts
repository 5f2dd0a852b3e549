import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  isMendable,
  mendableCodes,
  onlyCountedCodes,
  refusedTexts,
} from '@jobs-delete/dashboard/activity/refused-texts';
import { languages } from '@jobs-delete/dashboard/web/language';
import type { RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import { problemTable } from '@jobs-delete/gateway/messages/problems';
import { useScene } from './scene.ts';

const scene = useScene();
const english = { 'Accept-Language': 'en' };
const path = '/activity/refused';
const dayMs = 86_400_000;

let accountCount = 0;
async function memberOf(role: 'viewer' | 'manager') {
  const accountId = `refused-${String((accountCount += 1))}`;
  await scene.service.operator.createAccount(accountId);
  const member = await scene.dashboard.signIn(accountId, role);
  const refuse = async (...requests: Partial<RefusedRequest>[]) => {
    const full = requests.map((fields) => ({
      id: randomUUID(),
      accountId,
      atMs: Date.now(),
      environment: 'live' as const,
      status: 403,
      code: 'origin_not_allowed',
      tokenId: '0123456789abcdef01234567',
      ...fields,
    }));
    await scene.service.operator.accounts.addRefusedRequests(full);
    return full.map(({ id }) => id);
  };
  return { accountId, refuse, show: async (query = '') => (await member.get(path + query, english)).text };
}

const idsOf = (text: string) => [...text.matchAll(/data-text="([^"]+)"/g)].map(([, id]) => id);

test('each refused request has its facts, and how to fix it', async () => {
  const { refuse, show } = await memberOf('viewer');
  const [id = ''] = await refuse({
    code: 'job_not_found',
    environment: 'sandbox',
    origin: 'https://<b>.example',
    client: 'client/1.0',
    jobs: 1_200,
    wrongEntries: 2,
    wrongEntry: 'MISSING1',
  });
  const text = await show();
  expect(text).toContain('href="https://api.example.com/problems/job-not-found"');
  // It is no state, so it has no shape.
  expect(text).toContain('_<wbr/>found</code><span><span class="badge neutral">Sandbox</span>');
  expect(text).toContain('How to fix it');
  expect(text).toMatch(/<time datetime="[^"]+" title="[^"]+UTC">/);
  expect(text).toContain('title="0123456789abcdef01234567"');
  expect(text).toContain('https://&lt;b>.example');
  const [, line = ''] = /<summary>(.*?)<\/summary>/.exec(text) ?? [];
  expect(line).toMatch(
    /<code>job_<wbr\/>not_<wbr\/>found<\/code>.*<code title="MISSING1">MISSING1<\/code> and 1 more.*Remove ids/,
  );
  expect(text).toContain(
    '</summary><div class="request"><p>Remove the ids that the account does not have, and',
  );
  expect(text).toContain('<dt>Ids sent</dt><dd>1,200</dd><dt>First of 2 wrong entries</dt>');
  expect(text).toMatch(/<dt>Time<\/dt><dd><time datetime="[^"]+">[^<]+:\d\d UTC</);
  expect(text).toContain(`<dt>Request-Id</dt><dd><code>${id}</code>`);
  expect(text).toContain(`data-text="${id}"`);
});

test.each([
  [{ code: 'origin_not_allowed', origin: 'https://a.example', jobs: 3 }, 'https://a.example'],
  [{ code: 'secret_key_invalid', client: 'shop/1.0' }, 'Usersecretkey'],
  [{ code: 'header_invalid', wrongEntry: 'Origin', client: 'shop/1.0' }, 'Origin'],
  [{ code: 'deletion_limit_exceeded', jobs: 1_200, client: 'shop/1.0' }, '1,200 ids'],
  [{ code: 'too_many_requests', client: 'shop/1.0 (x86)' }, '–'],
])('a line names what was sent: %j', async (fields, sent) => {
  const { refuse, show } = await memberOf('viewer');
  await refuse(fields);
  const [, cell = ''] = /<\/code><span>(.*?)<\/span><span>/.exec(await show()) ?? [];
  expect(cell.replaceAll(/<[^>]*>/g, '').trim()).toBe(sent);
});

test('the list is empty, with the way on, and has no other account’s requests', async () => {
  const other = await memberOf('viewer');
  await other.refuse({});
  const { show } = await memberOf('viewer');
  expect(await show()).toMatch(
    /class="card blank".*No request was refused in the last 7 days\.<.*<a href="[^"]*\/sandbox">/,
  );
  expect((await show()).includes('name="code"')).toBe(false);
  expect(await show('?code=job_not_found')).toContain(
    'No refused request of the last 7 days fits the filter.',
  );
});

test('the pages have each cause once, the one with the newest request first, of 7 days', async () => {
  const { refuse, show } = await memberOf('viewer');
  const now = Date.now();
  const refusalsAt = (atMs: number) =>
    Array.from({ length: 30 }, (_, number) => ({
      atMs: atMs - number,
      origin: `https://a${String(number)}.example`,
    }));
  const ids = await refuse(...refusalsAt(now), ...refusalsAt(now - 60_000), {
    code: 'job_not_found',
    atMs: now - 7 * dayMs - 60_000,
  });
  const both = (from: number, to: number) =>
    ids.slice(from, to).flatMap((id, index) => [id, ids[30 + from + index]]);
  const first = await show('?environment=live');
  expect(idsOf(first)).toEqual(both(0, 25));
  const [, next = ''] = /refused(\?[^"]+)">Next page/.exec(first) ?? [];
  expect(next).toBe('?environment=live&amp;page=2');
  expect(idsOf(await show(next.replaceAll('&amp;', '&')))).toEqual(both(25, 30));
});

test('requests of one cause are one line, also with others between, and open to each Request-Id', async () => {
  const { refuse, show } = await memberOf('viewer');
  const noon = Date.now() - (Date.now() % dayMs) - dayMs / 2;
  const at = (minute: number) => ({ atMs: noon + minute * 60_000 });
  const alike = { code: 'job_not_found', origin: 'https://a.example', wrongEntry: 'MISSING1', client: 'a/1' };
  const [a, b, c, d, e, f] = await refuse(
    { ...alike, ...at(5) },
    { ...alike, ...at(4), environment: 'sandbox' },
    { ...alike, ...at(3), wrongEntry: 'MISSING2', client: 'b/1' },
    { ...at(2), code: 'header_invalid', wrongEntry: 'Origin' },
    { ...at(1), code: 'header_invalid', wrongEntry: 'User-Agent' },
    { ...alike, ...at(0), wrongEntry: 'MISSING2' },
  );
  const text = await show();
  expect(idsOf(text)).toEqual([a, c, f, b, d, e]);
  const lines = [...text.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, line = '']) =>
    line
      .replaceAll(/<[^>]*>/g, (tag) => (tag === '<wbr/>' ? '' : ' '))
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  expect(lines).toEqual([
    expect.stringMatching(/^job_not_found MISSING1 and others Remove .* ×3 [^×]*ago$/),
    expect.stringMatching(/^job_not_found Sandbox MISSING1 Remove [^×]*ago$/),
    expect.stringMatching(/^header_invalid Origin /),
    expect.stringMatching(/^header_invalid User-Agent /),
  ]);
  expect(text.match(/<p>Remove the ids/g)).toHaveLength(2);
  expect(text).toMatch(/12:05:00 UTC<.*MISSING1.*12:03:00 UTC<.*MISSING2.*12:00:00 UTC</);
  const [, opened = ''] = /<dl>(.*?)<\/dl>/.exec(text) ?? [];
  expect([opened.includes('https://a.example'), opened.includes('a/1')]).toEqual([true, false]);
});

test('a cause with many requests opens to the newest, and leads to each of them', async () => {
  const { refuse, show } = await memberOf('viewer');
  const now = Date.now();
  const origin = '"'.repeat(128);
  const ids = await refuse(...Array.from({ length: 30 }, (_, number) => ({ atMs: now - number, origin })), {
    code: 'query_invalid',
    atMs: now - 60_000,
  });
  const list = await show('?code=origin_not_allowed');
  expect(idsOf(list)).toEqual(ids.slice(0, 10));
  const oldest = new Date(now - 29).toISOString();
  expect(list).toContain(`<dt>First time</dt><dd><time datetime="${oldest}">`);
  const [, each = ''] = /refused(\?[^"]+)">Each of the 30 requests/.exec(list) ?? [];
  const first = await show(each.replaceAll('&amp;', '&'));
  expect([idsOf(first), first.includes('/activity/refused?code=origin_not_allowed">All causes<')]).toEqual([
    ids.slice(0, 25),
    true,
  ]);
  const [, next = ''] = /refused(\?[^"]+)">Next page/.exec(first) ?? [];
  expect(idsOf(await show(next.replaceAll('&amp;', '&')))).toEqual(ids.slice(25, 30));
  expect(await show('?cause=other')).toContain('fits the filter.');
});

test('a filter has the live requests or those of the sandbox only', async () => {
  const { refuse, show } = await memberOf('viewer');
  const [live, sandbox] = await refuse({}, { environment: 'sandbox' });
  const first = await show('?environment=sandbox');
  expect(idsOf(first)).toEqual([sandbox]);
  expect(first).toContain('<option value="sandbox" selected>');
  expect(idsOf(await show('?environment=live'))).toEqual([live]);
});

test('two tokens of one name have their ids in a line below it', async () => {
  const { accountId, refuse, show } = await memberOf('viewer');
  const tokenIds = ['a'.repeat(24), 'b'.repeat(24)];
  for (const id of tokenIds) {
    const token = { kind: 'token', accountId, id, name: 'shop', createdAtMs: 1 } as const;
    await scene.service.operator.accounts.addCredential({ ...token, hash: Buffer.alloc(32, id) });
    await refuse({ tokenId: id });
  }
  const text = await show();
  for (const id of tokenIds) expect(text).toContain(`<span>shop<span class="second"><code title="${id}">`);
});

test('a filter by token has its requests only, also of one code', async () => {
  const { accountId, refuse, show } = await memberOf('viewer');
  const [token] = await scene.service.operator.accounts.listCredentials('token', accountId);
  const tokenId = token?.id ?? '';
  const [own, other] = await refuse(
    { tokenId, code: 'job_not_found' },
    { tokenId, code: 'query_invalid' },
    {},
  );
  const shown = await show(`?token=${tokenId}`);
  expect(idsOf(shown).toSorted()).toEqual([own, other].toSorted());
  expect(shown).toContain(`<option value="${tokenId}" selected>`);
  const clear = `<a href="/a/${accountId}/activity/refused">Clear filters</a>`;
  expect([shown.includes(clear), (await show()).includes(clear)]).toEqual([true, false]);
  // A token that is no longer on record has no page.
  const keyLink = `<dd><a href="/a/${accountId}/keys/token/`;
  expect(shown).toContain(`${keyLink}${tokenId}">`);
  expect(await show('?token=0123456789abcdef01234567')).not.toContain(keyLink);
  expect(idsOf(await show(`?token=${tokenId}&code=query_invalid`))).toEqual([other]);
  expect(await show(`?token=${tokenId}&code=header_invalid`)).toContain('fits the filter.');
});

test('a code leads to its explanation, also one whose requests are only counted', async () => {
  const { refuse, show } = await memberOf('viewer');
  const [id] = await refuse({ code: 'job_not_found' });
  const explanationOf = (code: string) =>
    `<code>${code}</code>: <a href="https://api.example.com/problems/${code.replaceAll('_', '-')}">`;
  const listed = await show('?code=job_not_found');
  expect([idsOf(listed), listed.includes(explanationOf('job_not_found'))]).toEqual([[id], true]);
  const unknown = await show('?code=zzz');
  expect(unknown).toContain('There is no code “zzz”.');
  expect(unknown).toContain('<option value="zzz" selected>zzz</option>');
  expect(unknown).not.toContain('/problems/zzz');
  const counted = await show('?code=token_invalid');
  expect([idsOf(counted), counted.includes(explanationOf('token_invalid'))]).toEqual([[], true]);
  expect(counted).toContain('<option value="token_invalid" selected>');
  expect(counted).toContain('they are in the counts only');
});

test('a manager allows a refused origin with the value filled in, and others see no button', async () => {
  const origins = [
    'https://new.example:8443',
    'https://known.example',
    'https://…@else.example',
    'null',
    'https://a.example/path?x=1',
  ];
  const manager = await memberOf('manager');
  await scene.service.operator.accounts.allowDomain(manager.accountId, 'known.example');
  await manager.refuse(...origins.map((origin) => ({ origin })), {
    origin: origins[0] ?? '',
    code: 'query_invalid',
  });
  expect((await manager.show()).match(/Allow this origin/g)).toHaveLength(1);
  const list = '/activity/refused?code=origin_not_allowed';
  const shown = await manager.show(list.replace('/activity/refused', ''));
  const links = [...shown.matchAll(/href="[^"]*(\/domains\/new[^"]*)">Allow this origin/g)];
  expect(links.map(([, link]) => link)).toEqual([
    `/domains/new?domain=${encodeURIComponent('https://new.example:8443')}&amp;back=${encodeURIComponent(list)}`,
  ]);
  const browser = await scene.dashboard.signIn(manager.accountId, 'manager');
  const form = (await browser.get(links[0]?.[1]?.replace('&amp;', '&') ?? '', english)).text;
  expect(form).toContain('value="https://new.example:8443"');
  const [, back = ''] = /<input type="hidden" name="back" value="([^"]*)"/.exec(form) ?? [];
  const allowedNow = async () => (await manager.show()).split('This origin is allowed now.').length - 1;
  expect(await allowedNow()).toBe(1);
  const answer = await browser.post('/domains/new', {
    domain: 'https://new.example:8443',
    back: back.replaceAll('&amp;', '&'),
  });
  expect(answer).toMatchObject({ status: 303, location: `${list}&notice=domain-allowed` });
  expect(await allowedNow()).toBe(2);
  const viewer = await memberOf('viewer');
  await viewer.refuse({ origin: 'https://new.example' });
  expect(await viewer.show()).not.toContain('Allow this origin');
});

test.each([
  ['secret_key_invalid', 'manager', '/keys/new'],
  ['deletion_limit_exceeded', 'manager', '/safety'],
  ['too_many_requests', 'manager'],
  ['secret_key_invalid', 'viewer'],
] as const)(
  'a refusal %s leads a %s to what mends it, if that is in the dashboard',
  async (code, role, ...paths) => {
    const member = await memberOf(role);
    await member.refuse({ code });
    const buttons = (await member.show()).matchAll(/<a class="button quiet" href="\/a\/[^/]*([^"]*)"/g);
    expect([...buttons].map(([, path]) => path)).toEqual(paths);
  },
);

test('each refusal of a known account has a text that mends it, which a line has room for', () => {
  const codes = problemTable.filter(({ status }) => status < 500).map(({ code }) => code);
  expect(codes.filter((code) => !isMendable(code)).toSorted()).toEqual(onlyCountedCodes);
  expect(mendableCodes.filter((code) => !codes.includes(code))).toEqual([]);
  const long = languages.flatMap((language) =>
    Object.values(refusedTexts[language].mends).filter(({ length }) => length > 40),
  );
  expect(long).toEqual([]);
});
