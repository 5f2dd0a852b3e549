import { expect, test } from '@jest/globals';
import type { Credential } from '@jobs-delete/accounts/accounts';
import { render } from 'preact-render-to-string';
import type { MemberVisit } from '../web/route.ts';
import { partOf } from '../testing/part-of.ts';
import { ReplacedWarning } from './replaced-warning.tsx';

const visit = partOf<MemberVisit>({ language: 'en', nowMs: 1_000_000_000 });
const keyOf = (fields: Partial<Credential>): Credential => ({
  kind: 'token',
  id: 'a'.repeat(24),
  accountId: 'acme',
  createdAtMs: 900_000_000,
  ...fields,
});

test.each([
  ['it is unused', {}, {}, 'Keep this key until the new one is used.'],
  [
    'both are used',
    { lastUsedAtMs: 950_000_000 },
    { lastUsedAtMs: 960_000_000 },
    'of the new one: 11 hours ago.',
  ],
  ['the old one is idle', { lastUsedAtMs: 800_000_000 }, { lastUsedAtMs: 960_000_000 }, 'you can revoke it.'],
] as const)('the warning of a replaced key says whether it is needed: %s', (_, old, replacement, end) => {
  const html = render(
    <ReplacedWarning
      visit={visit}
      old={keyOf(old)}
      replacement={keyOf({ id: 'b'.repeat(24), ...replacement })}
    />,
  );
  expect(html.replace(/ *<a .*/, '')).toMatch(new RegExp(`${end} *$`));
});

test('it says nothing of the uses of a key for the sandbox, which are not recorded', () => {
  const old = keyOf({ environment: 'sandbox' });
  const html = render(<ReplacedWarning visit={visit} old={old} replacement={old} />);
  expect(html).not.toMatch(/use|Keep|revoke/);
});
