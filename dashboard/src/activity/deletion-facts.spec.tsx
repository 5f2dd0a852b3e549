import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import type { DeletionState } from '../deleter/deletion.ts';
import { deletionIn } from '../design/samples.ts';
import { Life } from './deletion-facts.tsx';

/** Returns the steps of a deletion, each with its mark and who did it. */
function stepsIn(state: DeletionState): readonly string[] {
  const html = render(
    <Life language="en" deletion={deletionIn(state, 'acme')} tokenName="Shop" mayCancel={false} />,
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
  ['waiting', ['Accepted: done Shop', 'Removal from: current', 'Started: open', 'Completed: open']],
  ['accepted', ['Accepted: done Shop', 'Started: current', 'Completed: open']],
  ['published', ['Accepted: done Shop', 'Started: done', 'Completed: current']],
  ['completed', ['Accepted: done Shop', 'Started: done', 'Completed: done']],
  ['cancelled', ['Accepted: done Shop', 'Cancelled: done See in the audit trail who cancelled it']],
])('the steps of a deletion that is %s', (state, steps) => {
  expect(stepsIn(state)).toEqual(steps);
});
