import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import type { DeletionState } from '../deleter/deletion.ts';
import { deletionIn, nowMs } from '../design/samples.ts';
import { DeletionHead, Life, Outcome } from './deletion-facts.tsx';

const names = { tokenName: 'Shop', nowMs };

/** Returns the steps of a deletion, each with its mark and who did it. */
function stepsIn(state: DeletionState): readonly string[] {
  const html = render(<Life language="en" deletion={deletionIn(state, 'acme')} {...names} />);
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
  ['completed', ['Accepted: done Shop', 'Started: done', 'Completed: done took 1 minute']],
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
  const html = render(<Life language="en" deletion={deletion} {...names} cancellerName={cancellerName} />);
  expect(html.replaceAll(/<[^>]+>/g, ' ')).toMatch(new RegExp(`Cancelled .* ${shown}`));
});

test('a deletion that waits says how long until its removal', () => {
  const at = { deletion: deletionIn('waiting', 'acme'), nowMs: nowMs + 4 * 3_600_000 };
  expect(render(<Life language="en" {...names} {...at} />)).toMatch(
    /<strong>in 20 hours<\/strong>, <\/span><time /,
  );
});

test('the start of a delayed removal takes the place of its announcement', () => {
  const deletion = { ...deletionIn('completed', 'acme'), removalAtMs: nowMs + 59_000 };
  const html = render(<Life language="en" deletion={deletion} {...names} />);
  expect([...html.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, name]) => name)).toEqual([
    'Accepted',
    'Started',
    'Completed',
  ]);
});

const textOf = (html = '') =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .trim()
    .replaceAll(/\s+/g, ' ');

test.each<[DeletionState, string, string, string]>([
  [
    'waiting',
    'Waiting Cancel the deletion',
    'Accepted. The removal starts on 16 Jan 2026, 12:00 UTC.',
    'Reload Updates by itself.',
  ],
  ['accepted', 'Accepted', 'Accepted. The removal starts in a moment.', 'Reload Updates by itself.'],
  ['published', 'In progress', 'The jobs are being deleted.', 'Reload Updates by itself.'],
  ['completed', 'Completed', '1,230 jobs are deleted. Kept, because they changed after the request: 4.', ''],
  ['cancelled', 'Cancelled', 'No job was deleted.', ''],
])(
  'a deletion that is %s has its state beside the title and in a sentence, and its steps do not repeat it',
  (state, head, sentence, rest) => {
    const deletion = deletionIn(state, 'acme');
    const headFor = (mayCancel: boolean) =>
      textOf(render(<DeletionHead language="en" deletion={deletion} mayCancel={mayCancel} />));
    expect([headFor(true), headFor(false)]).toEqual([head, head.replace(' Cancel the deletion', '')]);
    expect(textOf(render(<Outcome language="en" deletion={deletion} />))).toBe(sentence);
    const life = render(<Life language="en" deletion={deletion} {...names} />);
    expect(life.split(/<dl class="timeline">.*<\/dl>/).map(textOf)).toEqual([
      '',
      `As of 15 Jan 2026, 12:00:00 UTC ${rest}`.trim(),
    ]);
  },
);

test('only a page without script asks to reload', () => {
  const html = render(<Life language="en" deletion={deletionIn('accepted', 'acme')} {...names} />);
  expect(html).toMatch(/<noscript><a [^>]+>Reload<\/a><\/noscript><p class="hint" data-unfinished/);
});
