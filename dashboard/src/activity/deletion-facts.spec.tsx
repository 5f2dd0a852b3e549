import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import type { DeletionState } from '../deleter/deletion.ts';
import { deletionIn, nowMs } from '../design/samples.ts';
import { Life } from './deletion-facts.tsx';

const names = { tokenName: 'Shop', nowMs };

/** Returns the steps of a deletion, each with its mark and who did it. */
function stepsIn(state: DeletionState): readonly string[] {
  const html = render(
    <Life language="en" deletion={deletionIn(state, 'acme')} {...names} mayCancel={false} />,
  );
  const [, timeline = ''] = /<dl class="timeline">(.*?)<\/dl>/.exec(html) ?? [];
  return timeline.split('<div').flatMap((step) => {
    const [, name] = /<dt>(.*?)<\/dt>/.exec(step) ?? [];
    const mark = step.includes('aria-current="step"') ? 'current' : step.includes('"done"') ? 'done' : 'open';
    const [, by = ''] = /<dd class="muted">(.*?)<\/dd>/.exec(step) ?? [];
    return name === undefined ? [] : [`${name}: ${mark} ${by.replaceAll(/<[^>]+>/g, '')}`.trim()];
  });
}

test.each<[DeletionState, readonly string[]]>([
  ['waiting', ['Accepted: done Shop', 'Removal starts: current', 'Started: open', 'Completed: open']],
  ['accepted', ['Accepted: done Shop', 'Started: current', 'Completed: open']],
  ['published', ['Accepted: done Shop', 'Started: done', 'Completed: current']],
  ['completed', ['Accepted: done Shop', 'Started: done', 'Completed: done']],
  ['cancelled', ['Accepted: done Shop', 'Cancelled: done ada@acme.example']],
])('the steps of a deletion that is %s', (state, steps) => {
  expect(stepsIn(state)).toEqual(steps);
});

test.each([
  [undefined, undefined, 'See in the audit trail who cancelled it'],
  [{ tokenId: 'b'.repeat(24), person: '' }, 'Nightly', 'Nightly'],
  [{ tokenId: 'b'.repeat(24), person: '' }, undefined, 'bbbbbbbb…bbbb'],
])('the canceller %j with the name %s is shown as %s', (cancelOrigin, cancellerName, shown) => {
  const deletion = { ...deletionIn('cancelled', 'acme'), cancelOrigin };
  const html = render(
    <Life language="en" deletion={deletion} {...names} cancellerName={cancellerName} mayCancel />,
  );
  expect(html.replaceAll(/<[^>]+>/g, ' ')).toMatch(new RegExp(`Cancelled .* ${shown}`));
});

test('a deletion that waits says how long until its removal', () => {
  const at = { deletion: deletionIn('waiting', 'acme'), nowMs: nowMs + 4 * 3_600_000 };
  expect(render(<Life language="en" {...names} {...at} mayCancel />)).toMatch(
    /<strong>in 20 hours<\/strong>, <\/span><time /,
  );
});

test('the start of a delayed removal takes the place of its announcement', () => {
  const deletion = { ...deletionIn('completed', 'acme'), removalAtMs: nowMs + 59_000 };
  const html = render(<Life language="en" deletion={deletion} {...names} mayCancel={false} />);
  expect([...html.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, name]) => name)).toEqual([
    'Accepted',
    'Started',
    'Completed',
  ]);
});

/** Returns the text of the part before the steps, and of the part behind them. */
function partsIn(state: DeletionState, mayCancel: boolean): readonly (string | undefined)[] {
  const html = render(
    <Life language="en" deletion={deletionIn(state, 'acme')} {...names} mayCancel={mayCancel} />,
  );
  const [head, rest] = html.split(/<dl class="timeline">.*<\/dl>/);
  return [head, rest].map((part) =>
    part
      ?.replaceAll(/<[^>]+>/g, ' ')
      .trim()
      .replaceAll(/\s+/g, ' '),
  );
}

test.each<[DeletionState, string, string]>([
  ['waiting', 'Waiting Cancel the deletion', 'Reload Updates by itself.'],
  ['accepted', 'Accepted', 'Reload Updates by itself.'],
  ['completed', 'Completed', 'Completed in 1 minute. Kept, because they changed after the request: 4.'],
  ['cancelled', 'Cancelled', 'No job was deleted.'],
])('the state of a deletion that is %s heads its steps, without repeating them', (state, head, rest) => {
  const [actualHead, actualRest] = partsIn(state, true);
  expect(actualHead).toBe(head);
  expect(actualRest).toBe(`As of 15 Jan 2026, 12:00:00 UTC ${rest}`);
  expect(partsIn(state, false)[0]).not.toContain('Cancel the');
});

test('only a page without script asks to reload', () => {
  const html = render(
    <Life language="en" deletion={deletionIn('accepted', 'acme')} {...names} mayCancel={false} />,
  );
  expect(html).toMatch(/<noscript><a [^>]+>Reload<\/a><\/noscript><p class="hint" data-unfinished/);
});
