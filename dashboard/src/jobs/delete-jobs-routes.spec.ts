import { expect, test } from '@jest/globals';
import type { Role } from '@jobs-delete/accounts/people/people';
import { setUpDeletionForms as setUp } from '../testing/deletion-forms.ts';
import { textRow } from '../testing/workbook.ts';

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

test('one job is named and confirmed by a button alone, and the number of several is typed', async () => {
  const { state, preview, confirm } = setUp();
  const one = await preview();
  expect(one.text).toMatch(/<code>Here0001<\/code> <bdi[^>]*>Title of Here0001</);
  expect(one.text).not.toContain('id="count"');
  expect((await preview('Here0001 Here0002')).text).toContain('id="count"');
  const { count = '', ...form } = one.form;
  const refused = await confirm(form, '');
  expect([refused.kind, state.accepted.size]).toEqual([422, 0]);
  expect(refused.text).toContain('role="alert">This is not the number of the jobs.');
  expect((await confirm(form, count)).kind).toBe('redirect');
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
  ['GoneName,GoneCity\nGone1Cook,Gone1Lyon\n', true],
  ['Gone0001, Gone0002\nGone0003, Gone0004', false],
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

test.each([
  ['title,ref\nNurse,DEMO0200', true],
  ['ref,city\n"Nurse, night",DEMO0200', true],
  ['bad-id,DEMO0200\nDEMO0201,DEMO0202', false],
  ['id,title\n-,Nurse\nHere0001,Cook', false],
  ['- -\nHere0001', false],
])(
  'the answer to %j says either that no column is titled “id”, or which ids are malformed: %j',
  async (ids, isUntitled) => {
    const { text } = await setUp().preview(ids);
    expect(text.includes('No column is titled “id”')).toBe(isUntitled);
    expect(text.includes('A job id has 4 to 128')).toBe(!isUntitled);
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
    expect(both.filter((text) => !/Not (a job id|job ids): /.test(text))).toEqual([]);
    shown.push([...both.map((text) => text.includes('name="leaveOut"')), workbook.text.length < 10_000]);
  }
  const neither = [false, false, true];
  expect(shown).toEqual([[true, true, true], neither, neither]);
});

test.each([
  ['a wrong number', '7', 422, ' value="7"', 'Not in this account <strong>2</strong>'],
  [
    'a confirmation without an answer',
    '2',
    503,
    '',
    'Not looked up: not in this account, or another deletion has it',
  ],
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
    return ['<p class="warning"', '<a href="/a/acme/safety">Set a delay</a>'].map((part) =>
      text.includes(part),
    );
  };
  expect(await shownTo('owner')).toEqual([false, false]);
  state.delayMs = 0;
  expect([await shownTo('owner'), await shownTo('manager')]).toEqual([
    [true, true],
    [true, false],
  ]);
});

test.each([
  [5, 0, undefined, undefined, '40% of 5 3 jobs'],
  [5, undefined, undefined, undefined, '40% of 5'],
  [4, 0, 'warning', '50% of the 4 jobs of the account. 2 jobs would be left.', '50% of 4 2 jobs'],
  [305, 303, 'warning danger', '100% of the 2 active jobs. 0 jobs would be left.', '▲ 100% of 2 0 jobs'],
  // The account has another job since the count.
  [1, 0, 'warning danger', '100% of the 2 jobs of the account. 0 jobs would be left.', '▲ 100% of 2 0 jobs'],
])(
  'of %d jobs, of which %j wait for deletion, the preview of two has the class %j and says %j',
  async (jobs, waiting, kind, share, facts) => {
    const { state, preview } = setUp();
    Object.assign(state, { jobs, waiting });
    const { text } = await preview('Here0001 Here0002');
    const [, shownKind, shown] =
      /<p(?: class="([\w ]+)")?><strong>2 jobs will be deleted\.<\/strong>(?: That is ([^<]*))?</.exec(
        text,
      ) ?? [];
    const [, terms = ''] = /<dl class="facts">(.*?)<\/dl>/s.exec(text) ?? [];
    const [, ofThem, ofAll, left] =
      /<dt>Share of (the active jobs|all jobs)<\/dt><dd>(.*?)<\/dd><\/div>(?:<div><dt>Left afterwards<\/dt><dd>(.*?)<)?/.exec(
        terms,
      ) ?? [];
    const said = [ofAll?.replaceAll(/<[^>]*>/g, ''), left].filter((each) => each !== undefined).join(' ');
    expect([shownKind, shown, said, ofThem === 'all jobs']).toEqual([kind, share, facts, !waiting]);
  },
);

test('only a deletion of all jobs is 100% of them', async () => {
  const { state, preview } = setUp();
  state.jobs = 1_000;
  const ids = Array.from({ length: 999 }, (_, index) => `Here${String(1_000 + index)}`);
  expect((await preview(ids.join(' '))).text).toContain('That is 99% of the 1,000 jobs');
});

test('the preview names jobs that are allowed beside a limit, and without a limit does not', async () => {
  const { state, preview } = setUp();
  state.allowances = [{ id: 'a', jobs: 15, untilMs: 2_000_000 }];
  const shown = async () => (await preview()).text.includes('Allowed in addition to the limit: 15 jobs');
  expect(await shown()).toBe(false);
  state.limit = 100;
  expect(await shown()).toBe(true);
});

test.each([
  [undefined, 0, 'No limit', 'The removal starts at once, is permanent, and can’t be undone.'],
  [77, 0, 'The limit still allows 65 of 77 jobs in 24 hours.', 'The removal starts at once'],
  [
    10,
    3_600_000,
    'The limit still allows 0 of 10 jobs in 24 hours.',
    'The removal starts in 1 hour. Until then',
  ],
])('with a limit of %j and a delay of %d ms, the form says %j', async (limit, delayMs, ...lines) => {
  const { state, open, post } = setUp();
  Object.assign(state, { limit, delayMs });
  for (const { kind, text } of [await open(), await post('/jobs/delete', { edit: '', ids: 'Here0001' })]) {
    expect(kind).toBe(200);
    for (const line of [...lines, '/a/acme/safety"']) expect(text).toContain(line);
  }
});

test.each([
  ['a malformed id', '-'],
  ['too many ids', Array.from({ length: 10_001 }, (_, index) => `Here${String(index)}`).join(' ')],
  ['unknown ids', 'Gone0001'],
])('the form that comes back because of %s says what the rules allow', async (_, ids) => {
  const { state, preview } = setUp();
  state.limit = 77;
  const { kind, text } = await preview(ids);
  expect(kind).toBe(422);
  for (const rule of ['The limit still allows 65 of 77 jobs', 'The removal starts in 1 day', '/safety"'])
    expect(text).toContain(rule);
});

test('the form is shown while no api tells the rules', async () => {
  const { state, open } = setUp();
  Object.assign(state, { limit: 77, isAway: true });
  expect(await open()).toMatchObject({ kind: 200, text: expect.not.stringContaining('/safety"') });
});

test('a preview that is sent again takes an id for no title of a column', async () => {
  const { post } = setUp();
  const { text } = await post('/jobs/delete', { ids: 'reference', count: '' });
  expect(text).toMatch(/>Jobs to delete<.*>1</s);
});

test('the page of the ids says above its form that nothing happens yet, and which forms of ids it takes', async () => {
  const { text } = await setUp().post('/jobs/delete', { edit: '', ids: 'Here0001' });
  expect(text).toMatch(/^<p>The next page shows [^<]* before you confirm it\.<\/p>.*<form/s);
  expect(text).toMatch(/id="ids-hint">Up to 10,000, [^<]* a column “id”\. XML feeds work too\.</);
});

test('two previews run at a time, 20 wait, and another one is refused', async () => {
  const { state, preview } = setUp();
  let resolve: (() => void) | undefined;
  state.checking = new Promise((done) => (resolve = done));
  const previews = Array.from({ length: 23 }, () => preview());
  expect(state.checks).toBe(2);
  resolve?.();
  const outcomes = await Promise.allSettled(previews);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toEqual([{ status: 'rejected', reason: expect.objectContaining({ code: 'busy' }) }]);
  expect(state.checks).toBe(22);
});
