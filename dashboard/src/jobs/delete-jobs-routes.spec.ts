import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Role } from '@jobs-delete/accounts/people/people';
import type { AccountSafety, Allowance } from '../deleter/account-safety.ts';
import type { Deletion, DeletionRequest } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { htmlOf } from '../testing/visit-page.ts';
import { partOf } from '../testing/part-of.ts';
import { packWorkbook, textRow } from '../testing/workbook.ts';
import { deleteJobsRoutes } from './delete-jobs-routes.tsx';

const dayMs = 86_400_000;
/** The jobs that the account has deleted within 24 hours. */
const used = 12;

type Fields = Readonly<Record<string, string>>;

interface Shown {
  readonly kind: string | number | undefined;
  readonly text: string;
  readonly form: Fields;
}

/** A deleter with a delay, which may be away, and the forms before it. The api learns of another limit when `apiLimit` is set. */
function setUp() {
  const state = {
    delayMs: dayMs,
    isAway: false,
    apiLimit: undefined as number | undefined,
    limit: undefined as number | undefined,
    allowed: [] as number[],
    actions: [] as string[],
    accepted: new Set<string>(),
  };
  const answer = <Value>(value: () => Value) =>
    state.isAway ? Promise.reject(new Fault('unavailable', 'away')) : Promise.resolve(value());
  const services = partOf<Services>({
    keys: { tickets: Buffer.alloc(32, 1) },
    accounts: {
      recordAction: ({ action }) => {
        state.actions.push(action);
        return Promise.resolve('recorded');
      },
    },
    deleter: {
      getSafety: () =>
        answer(() => {
          const { delayMs: removalDelayMs, limit: limitJobs } = state;
          if (limitJobs === undefined) return partOf<AccountSafety>({ removalDelayMs });
          const limit = { kind: 'jobs', jobs: limitJobs } as const;
          return partOf<AccountSafety>({ removalDelayMs, limit, usage: { used, held: 0, limitJobs } });
        }),
      getDeletion: (_: string, id: string) =>
        answer(() => (state.accepted.has(id) ? partOf<Deletion>({ id }) : undefined)),
      countJobs: () => Promise.resolve(2),
      allowDeletions: (_: string, { jobs }: Allowance) => {
        state.allowed.push(jobs);
        state.limit = (state.limit ?? 0) + jobs;
        return Promise.resolve('allowed' as const);
      },
      getJob: () => answer(() => undefined),
      listDeletions: () => answer(() => undefined),
      getJobTitles: (_: string, ids: readonly string[]) =>
        answer(() => new Map(ids.map((id) => [id, `Title of ${id}`]))),
      deleteJobs: ({ deletionId, jobIds, isCheck }: DeletionRequest) =>
        answer(() => {
          const positions = [...jobIds.keys()].filter((each) => jobIds[each]?.startsWith('Gone'));
          if (positions.length > 0) return { kind: 'jobs-not-found', positions };
          const { apiLimit: limit = Infinity } = state;
          if (used + jobIds.length > limit) return { kind: 'limit-exceeded', limit, used };
          if (!isCheck) state.accepted.add(deletionId);
          return { kind: 'accepted' };
        }),
    },
  });
  const post = async (path: string, fields: Fields, role: Role = 'manager'): Promise<Shown> => {
    const route = deleteJobsRoutes(services).find((each) => each.method === 'POST' && each.path === path);
    const visit = partOf<MemberVisit>({
      accountId: 'acme',
      language: 'en',
      role,
      session: { id: 's' },
      email: 'm@acme.example',
      network: '192.0.2.1',
      nowMs: 1_000_000,
      query: new URLSearchParams(),
      form: new URLSearchParams(fields),
    });
    const reply = await route?.serve(visit);
    if (reply?.kind !== 'page')
      return { kind: reply?.kind, text: reply?.kind === 'redirect' ? reply.to : '', form: {} };
    const text = htmlOf(reply);
    const hidden = text.matchAll(/name="(once|ids|leftOut|repeated|delay|jobs)" value="([^"]*)"/g);
    const form = Object.fromEntries<string>([...hidden].map(([, name = '', value = '']) => [name, value]));
    return { kind: reply.status, text, form };
  };
  const confirm = (form: Fields, count = '1') => post('/jobs/delete/confirm', { ...form, count });
  const preview = (ids = 'Here0001', role?: Role) => post('/jobs/delete', { ids }, role);
  const readWorkbook = (rows: string) =>
    post('/jobs/delete/file', { file: Buffer.from(packWorkbook(rows)).toString('base64') });
  return { state, post, preview, confirm, readWorkbook };
}

test('a delay that has changed since the preview, which names the jobs, is shown before anything is deleted', async () => {
  const { state, preview, confirm } = setUp();
  const { form, text } = await preview();
  expect(text).toMatch(/<code>Here0001<\/code> <bdi[^>]*>Title of Here0001</);
  state.delayMs = 0;
  const again = await confirm(form);
  expect([again.kind, again.form.delay, state.accepted.size]).toEqual([409, '0', 0]);
  expect(again.text).toContain('The delay before the removal has changed');
  expect((await confirm(again.form)).kind).toBe('redirect');
  expect(state.accepted.size).toBe(1);
});

describe('above the limit', () => {
  const ids = 'Here0001 Here0002';
  const setUpLimited = async () => {
    const { state, preview, post } = setUp();
    Object.assign(state, { limit: 10, apiLimit: 10 });
    const { text, form } = await preview(ids);
    expect(text).toContain('12 used, none left. Delete fewer, or allow 4 more for a time.');
    const allow = (fields: Fields = {}) =>
      post('/jobs/delete/allow', { once: form.once ?? '', jobs: '4', hours: '1', ids, ...fields });
    return { state, preview, allow };
  };
  const soon =
    /role="alert">Nothing was deleted\. The limit allows these jobs.*>Here0001 Here0002<\/textarea>/s;

  test('an allowance asks for patience until the api knows it, and not for another one', async () => {
    const { state, preview, allow } = await setUpLimited();
    for (const next of [await allow(), await preview(ids), await allow()])
      expect(next).toMatchObject({ kind: 200, form: {}, text: expect.stringMatching(soon) });
    state.apiLimit = state.limit;
    expect((await allow()).text).toContain('2 jobs will be deleted.');
    expect((await preview(ids)).text).toContain('2 jobs will be deleted.');
    expect([state.allowed, state.actions]).toEqual([[4], ['limit.raised']]);
  });

  test('ids that have changed are allowed as they are now', async () => {
    const { state, allow } = await setUpLimited();
    await allow({ ids: `${ids} Here0003` });
    expect(state.allowed).toEqual([5]);
  });

  test.each([
    ['a wrong id', 422, { ids: 'Here0001 -' }, {}],
    ['ids that the account does not have', 422, { ids: 'Gone0001' }, {}],
    ['a limit that was removed', 200, {}, { limit: undefined }],
    ['a limit that others have raised', 200, {}, { limit: 14 }],
    ['no answer', 503, {}, { isAway: true }],
    ['a form that has expired', 422, { once: 'forged' }, {}],
  ])('%s allows nothing, and is in no trail', async (_, kind, fields, change) => {
    const { state, allow } = await setUpLimited();
    Object.assign(state, change);
    expect((await allow(fields)).kind).toBe(kind);
    expect([state.allowed, state.actions]).toEqual([[], []]);
  });

  test('only the text is announced', async () => {
    const { preview } = await setUpLimited();
    const [, alert] = /role="alert">(.*?)<\/div>/s.exec((await preview(ids)).text) ?? [];
    expect(alert).toContain('Delete fewer');
    expect(alert).not.toMatch(/<(select|button)/);
  });
});

test('a button of the preview says how many jobs it deletes, and another one leads back to all pasted ids', async () => {
  const { preview, post } = setUp();
  const { text, form } = await preview('Gone0001 Here0001 Here0002 Here0001');
  expect(text).toContain('<button class="danger">Delete 2 jobs</button>');
  const [, field = '', path = ''] =
    /<button class="quiet" name="(\w+)" value="yes" formaction="\/a\/acme([^"]*)"/.exec(text) ?? [];
  const again = await post(path, { ...form, [field]: 'yes' });
  expect(again.kind).toBe(200);
  expect(again.text).toMatch(
    /<textarea[^>]* name="ids"[^>]*>Here0001\nHere0002\nGone0001\nHere0001<\/textarea>/,
  );
  expect((await preview()).text).toContain('>Delete 1 job</button>');
});

test.each([
  ['Gone1name,Gone1city\nGone1Cook,Gone1Lyon\n', true],
  ['Gone0001, Gone0002\n', false],
  ['Gone0001\nGone0002, Gone0003', false],
  ['Gone0001; Gone0002\nGone0003', false],
  ['id,city\nGone0001,Lyon', false],
])(
  'the answer to %j, whose words the account does not have, names the titles for ids: %j',
  async (ids, isNamed) => {
    const { kind, text } = await setUp().preview(ids);
    expect(kind).toBe(422);
    expect(text.includes('one of these titles: id, job_id, jobid,')).toBe(isNamed);
  },
);

test('an id that could be the title of a column is deleted', async () => {
  const { state, preview, confirm } = setUp();
  const { form } = await preview('{"jobs": {"job": [{"id": "reference"}]}}');
  expect((await confirm(form)).kind).toBe('redirect');
  expect(state.accepted.size).toBe(1);
});

test('a form without a delay deletes nothing', async () => {
  const { state, preview, confirm } = setUp();
  const { once = '', ids = '' } = (await preview()).form;
  expect((await confirm({ once, ids })).kind).toBe(409);
  expect(state.accepted.size).toBe(0);
});

test('a form that is sent again leads to its deletion, whatever the delay is now, and says so', async () => {
  const { state, preview, confirm } = setUp();
  const { form } = await preview();
  expect((await confirm(form)).text).toMatch(/notice=deletion-accepted$/);
  state.delayMs = 0;
  const [id = ''] = state.accepted;
  const again = { kind: 'redirect', text: `/a/acme/activity/${id}?notice=deletion-sent` };
  expect(await confirm(form)).toMatchObject(again);
  expect([state.accepted.size, state.actions.length]).toEqual([1, 1]);
});

test('while the delay is unknown nothing is previewed or deleted, and the form stays the same', async () => {
  const { state, preview, confirm } = setUp();
  const { form } = await preview();
  state.isAway = true;
  expect(await preview()).toMatchObject({ kind: 503, form: {} });
  expect(await confirm(form)).toMatchObject({ kind: 503, form });
  expect(state.accepted.size).toBe(0);
});

test('the preview counts the duplicates of a workbook', async () => {
  const { preview, readWorkbook } = setUp();
  const rows = ['id', 'Twice001', 'Twice002', 'Twice001', 'Twice001'].map((id) => textRow(id));
  const [, ids] = />([^<]*)<\/textarea>/.exec((await readWorkbook(rows.join(''))).text) ?? [];
  const { text, form } = await preview(ids);
  expect(form.ids).toBe('Twice001 Twice002');
  expect(text).toMatch(/Duplicate, counted once <strong>2<\/strong>.*<code>Twice001<\/code><\/li><\/ul>/);
});

test('malformed ids can be left out, but not more of them than a form can send', async () => {
  const { preview, readWorkbook } = setUp();
  const descriptions = Array.from({ length: 20_000 }, (_, index) => `description-${String(index)}`);
  const shown = [];
  for (const wrong of [['no-id'], descriptions, ['-', '+', '/'].map((text) => text.repeat(30_000))]) {
    const cells = ['Here0001', ...wrong];
    const workbook = await readWorkbook(cells.map((text) => textRow(text)).join(''));
    const both = [workbook.text, (await preview(cells.join('\n'))).text];
    expect(both.filter((text) => !text.includes('These are none: '))).toEqual([]);
    shown.push([...both.map((text) => text.includes('name="leaveOut"')), workbook.text.length < 10_000]);
  }
  const neither = [false, false, true];
  expect(shown).toEqual([[true, true, true], neither, neither]);
});

test.each([
  ['a wrong number', '7', 422, ' value="7"', 'Not in this account <strong>2</strong>'],
  ['a confirmation without an answer', '2', 503, '', 'Not in this account, or another deletion has it'],
])('%s shows the same preview again', async (_, count, status, typed, why) => {
  const { state, preview, confirm } = setUp();
  const { form, text } = await preview('Here0001 Gone0001 Here0002 Here0001 Gone0002 Here0001');
  expect(text).toContain('Not in this account <strong>2</strong>');
  state.isAway = status === 503;
  const again = await confirm(form, count);
  expect([again.kind, again.form]).toEqual([status, { ...form, once: again.form.once }]);
  expect(again.text).toContain(why);
  expect(again.text).toMatch(
    /<code>Gone0001<\/code>.*<code>Gone0002<\/code>.*counted once <strong>2<\/strong>/,
  );
  expect(/<input id="count"[^>]*?( value="[^"]*")/.exec(again.text)?.[1] ?? '').toBe(typed);
  expect(state.accepted.size).toBe(0);
});

test('a closed part of the preview has all the ids, once, and confirms them', async () => {
  const { state, preview, confirm } = setUp();
  const jobs = Array.from({ length: 1_000 }, (_, index) => `Here${String(1_000 + index)}`);
  const [all, few] = [await preview(jobs.join(' ')), await preview(jobs.slice(0, 20).join(' '))];
  const [, shown, ids = ''] =
    /<details><summary>([^<]*)<.*?<textarea name="ids"[^>]*>([^<]*)</s.exec(all.text) ?? [];
  expect([shown, ids.split('\n')]).toEqual(['Show all 1,000', jobs]);
  expect(all.text.match(/Here1999/g)).toHaveLength(1);
  expect(few.text).not.toContain('<details>');
  expect((await confirm({ ...all.form, ids: ids.replaceAll('\n', '\r\n') }, '1000')).kind).toBe('redirect');
  expect(state.accepted.size).toBe(1);
});

test('the preview of a removal at once is a warning, and leads an owner to the delay', async () => {
  const { state, preview } = setUp();
  const shownTo = async (role: Role) => {
    const { text } = await preview(undefined, role);
    return ['class="warning"', '<a href="/a/acme/safety">Set a delay</a>'].map((part) => text.includes(part));
  };
  expect(await shownTo('owner')).toEqual([false, false]);
  state.delayMs = 0;
  expect([await shownTo('owner'), await shownTo('manager')]).toEqual([
    [true, true],
    [true, false],
  ]);
});
