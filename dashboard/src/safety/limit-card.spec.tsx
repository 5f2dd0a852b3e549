import { expect, test } from '@jest/globals';
import type { AccountSafety } from '../deleter/account-safety.ts';
import { partOf } from '../testing/part-of.ts';
import { htmlOf } from '../testing/visit-page.ts';
import type { MemberVisit } from '../web/route.ts';
import { LimitCard } from './limit-card.tsx';

const nowMs = 1_000_000;
const visit = partOf<MemberVisit>({ accountId: 'acme', language: 'en', role: 'viewer', nowMs });
const allowance = { id: 'a', jobs: 200, untilMs: nowMs + 3_600_000 };

function cardOf(safety: AccountSafety, parts: Partial<Parameters<typeof LimitCard>[0]> = {}): string {
  const known = { count: 1_303, busiest: 'none', start: undefined, refused: [] } as const;
  const body = <LimitCard {...{ visit, safety }} {...known} {...parts} />;
  return htmlOf({ kind: 'page', status: 200, title: '', body });
}

const more = '200 allowed in addition until 1 Jan 1970, 01:16 UTC';
const share = '50% of the highest number of jobs in the last 24 hours';

test.each<
  [string, Pick<AccountSafety, 'limit' | 'allowances'>, number | undefined, readonly (string | undefined)[]]
>([
  [
    'a number of jobs',
    { limit: { kind: 'jobs', jobs: 20 }, allowances: [] },
    20,
    ['20 jobs in 24 hours', undefined],
  ],
  [
    'a number of jobs and more for a time',
    { limit: { kind: 'jobs', jobs: 20 }, allowances: [allowance] },
    220,
    ['220 jobs in 24 hours', `20 + ${more}`],
  ],
  [
    'a percentage',
    { limit: { kind: 'percent', percent: 50 }, allowances: [] },
    651,
    ['651 jobs in 24 hours', share],
  ],
  [
    'a percentage and more for a time',
    { limit: { kind: 'percent', percent: 50 }, allowances: [allowance] },
    851,
    ['851 jobs in 24 hours', `651 (${share}) + ${more}`],
  ],
  [
    'a percentage that is not counted yet, and more for a time,',
    { limit: { kind: 'percent', percent: 50 }, allowances: [allowance] },
    undefined,
    ['851 jobs in 24 hours', `651 (50% of the current number of jobs) + ${more}`],
  ],
])('the card says first how %s make the limit in force', (_, rules, limitJobs, shown) => {
  const usage = { used: 0, held: 0, limitJobs };
  const safety = { ...rules, removalDelayMs: 0, usage };
  const [, value, , parts] =
    /<p class="value">([^<]*)(<span class="second">(.*?)<\/span>)?<\/p>/.exec(cardOf(safety)) ?? [];
  expect([value, parts?.replaceAll(/<[^>]*>/g, '')]).toEqual(shown);
});

test.each([
  [5, false],
  [6, true],
])('%d deleted jobs of a limit of 5 are explained: %j', (used, isExplained) => {
  const limit = { kind: 'jobs', jobs: 5 } as const;
  const usage = { used, held: 0, limitJobs: 5 };
  const html = cardOf({ limit, allowances: [], removalDelayMs: 0, usage });
  expect(html.includes('more than the limit: additional jobs were allowed for a time')).toBe(isExplained);
});

test('the card says what is not counted yet, and recommends nothing before it is', () => {
  const later = 'Not counted at the moment. Reload the page.';
  const rules = { allowances: [], removalDelayMs: 0, usage: undefined, limit: undefined };
  const late = cardOf(rules, { busiest: undefined });
  expect(late).toContain(
    `<p>The recommendation follows from the busiest day and the number of jobs. ${later}`,
  );
  expect(late).toContain(`<dt>Busiest day in 30 days</dt><dd>${later}</dd>`);
  expect(late).not.toContain('50%');
  expect(cardOf(rules)).toContain('<p>Recommended: 50% of the jobs');
  expect(cardOf(rules)).not.toContain(later);
  const usage = { used: 1, held: 0, limitJobs: 5 };
  const start = { atMs: nowMs, uncountedJobs: undefined };
  const limited = cardOf({ ...rules, usage, limit: { kind: 'jobs', jobs: 5 } }, { start });
  expect(limited).toContain('do not count. Reload the page to see how many.');
});
