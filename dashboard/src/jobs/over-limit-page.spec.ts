import { describe, expect, test } from '@jest/globals';
import { type Fields, setUpDeletionForms as setUp } from '../testing/deletion-forms.ts';

describe('above the limit', () => {
  const ids = 'Here0001 Here0002';
  const setUpLimited = async () => {
    const { state, preview, post } = setUp();
    Object.assign(state, { limit: 10, apiLimit: 10 });
    const { text, form } = await preview(ids);
    expect(text).toMatch(
      /<h2>This deletion<\/h2><dl class="facts"><div><dt>Limit in 24 hours<.*>10 jobs<.*>Counted already<.*>12 jobs<.*>Above the limit<.*>4 jobs</s,
    );
    const allow = (fields: Fields = {}) =>
      post('/jobs/delete/allow', { ...form, hours: '1', ids, ...fields });
    return { state, preview, allow };
  };
  const soon =
    /role="alert">Nothing was deleted\. The limit now allows these jobs.*>Here0001 Here0002<\/textarea>/s;

  test('ids without a job hide nothing: the others exceed the limit, and their button allows those', async () => {
    const { state, preview, allow } = await setUpLimited();
    const mixed = `Gone0001 ${ids}`;
    const { text, form } = await preview(mixed);
    expect(text).toMatch(
      />2 jobs, but .*Gone0001 Here0001 Here0002<\/textarea>.*>Above the limit<.*>4 jobs</s,
    );
    await allow({ ...form, ids: mixed });
    expect(state.allowed).toEqual([4]);
  });

  test('an allowance asks for patience until the api knows it, and not for another one', async () => {
    const { state, preview, allow } = await setUpLimited();
    for (const next of [await allow(), await preview(ids), await allow()])
      expect(next).toMatchObject({ kind: 200, form: {}, text: expect.stringMatching(soon) });
    state.apiLimit = state.limit;
    expect((await allow()).text).toContain('2 jobs will be deleted.');
    expect((await preview(ids)).text).toContain('2 jobs will be deleted.');
    expect([state.allowed, state.actions]).toEqual([[4], ['limit.raised']]);
  });

  test('ids that have changed and need more than the button said allow nothing, and the next button says it', async () => {
    const { state, allow } = await setUpLimited();
    const edited = `${ids} Here0003`;
    const again = await allow({ ids: edited, hours: '4' });
    expect(again).toMatchObject({ kind: 422, form: { more: '5' } });
    expect(again.text).toContain('More jobs are needed than you allowed, so none is allowed yet.');
    expect(again.text).toMatch(
      /<option value="4" selected>.*>Allow 5 more, and preview<.*Here0003<\/textarea>/s,
    );
    expect([state.allowed, state.actions]).toEqual([[], []]);
    await allow({ ...again.form, ids: edited });
    expect(state.allowed).toEqual([5]);
  });

  test('ids that have changed and need less than the button said allow what they need', async () => {
    const { state, allow } = await setUpLimited();
    await allow({ ids: 'Here0001' });
    expect(state.allowed).toEqual([3]);
  });

  test.each([
    ['a wrong id', 422, { ids: 'Here0001 -' }, {}],
    ['ids that the account does not have', 422, { ids: 'Gone0001' }, {}],
    ['a limit that was removed', 200, {}, { limit: undefined }],
    ['a limit that others have raised', 200, {}, { limit: 14 }],
    ['no answer', 503, {}, { isAway: true }],
    ['a form that has expired', 422, { once: 'forged' }, {}],
    ['a form that does not say how many more', 422, { more: '' }, {}],
    ['more that others have used', 422, {}, { apiLimit: 9, limit: 9 }],
  ])('%s allows nothing, and is in no trail', async (_, kind, fields, change) => {
    const { state, allow } = await setUpLimited();
    Object.assign(state, change);
    expect((await allow(fields)).kind).toBe(kind);
    expect([state.allowed, state.actions]).toEqual([[], []]);
  });

  test.each([
    [1, 10, '1 job, but the limit allows none now. Nothing was deleted.'],
    [2, 12, '2 jobs, but the limit allows none now. Nothing was deleted.'],
    [2, 13, '2 jobs, but the limit still allows 1: 1 too many. Nothing was deleted.'],
    [30, 32, '30 jobs, but the limit still allows 20: 10 too many. Nothing was deleted.'],
  ])('of %d jobs, the warning at a limit of %d says the sum', async (jobs, limit, sum) => {
    const { state, preview } = setUp();
    Object.assign(state, { limit, apiLimit: limit });
    const some = Array.from({ length: jobs }, (_, index) => `Here${String(1_000 + index)}`);
    expect((await preview(some.join(' '))).text).toContain(`role="alert"><p>${sum}</p>`);
  });

  test('the limit names the jobs that are allowed in addition', async () => {
    const { state, preview } = await setUpLimited();
    state.allowances = [3, 4].map((added) => ({ id: String(added), jobs: added, untilMs: 2_000_000 }));
    expect((await preview(ids)).text).toMatch(/>Limit in 24 hours, with 7 allowed in addition<.*?>10 jobs</);
  });

  test('only the text is announced', async () => {
    const { preview } = await setUpLimited();
    const [, alert] = /role="alert">(.*?)<\/div>/s.exec((await preview(ids)).text) ?? [];
    expect(alert).toContain('Nothing was deleted');
    expect(alert).not.toMatch(/<(select|button)/);
  });
});

test('above a limit, the main button changes the ids, whose closed details have all of them', async () => {
  const { state, preview } = setUp();
  Object.assign(state, { limit: 10, apiLimit: 10 });
  const jobs = Array.from({ length: 21 }, (_, index) => `Here${String(1_000 + index)}`);
  const { text } = await preview(jobs.join('\n'));
  const details =
    /<details><summary class="button">Change the ids<.*<textarea[^>]*>Here1000\n(Here\d+\n){19}Here1020</s;
  expect(text).toMatch(details);
  const buttons = [...text.matchAll(/(<details>)|<button([^>]*)>([^<]*)/g)];
  expect(
    buttons.map(([, fold, attributes, label]) => fold ?? [attributes?.includes('quiet'), label]),
  ).toEqual([
    [false, ''],
    [true, 'Preview again'],
    [true, 'Allow 23 more, and preview'],
    '<details>',
    [false, 'Preview'],
    '<details>',
  ]);
});

test.each([
  ['manager', 20, 'An owner can change the limit.', false],
  ['owner', 21, 'You can also <a href="/a/acme/safety/limit">change the limit</a>.', true],
] as const)('above a limit, a %s sees all of %d jobs, and reads: %s', async (role, count, who, isFolded) => {
  const { state, preview } = setUp();
  Object.assign(state, { limit: 10, apiLimit: 10 });
  const jobs = Array.from({ length: count }, (_, index) => `Here${String(1_000 + index)}`);
  const { text } = await preview(jobs.join('\n'), role);
  expect(text).toContain(who);
  expect(text.includes('<summary>Show all 21</summary><textarea aria-label="Job ids"')).toBe(isFolded);
  // They are sent once.
  expect(text.match(/name="ids"/g)).toHaveLength(1);
});

test('the trail calls no deletion refused that another POST of the form has got accepted meanwhile', async () => {
  const { state, preview, confirm } = setUp();
  const { form } = await preview();
  let resolve: (() => void) | undefined;
  state.checking = new Promise((done) => (resolve = done));
  const first = confirm(form);
  await new Promise(setImmediate);
  state.checking = Promise.resolve();
  expect((await confirm(form)).text).toMatch(/notice=deletion-accepted$/);
  state.apiLimit = 1;
  resolve?.();
  expect((await first).text).toMatch(/notice=deletion-sent$/);
  expect(state.actions).not.toContain('deletion.refused');
});
