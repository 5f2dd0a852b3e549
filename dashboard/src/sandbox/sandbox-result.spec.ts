import { expect, test } from '@jest/globals';
import type { Role } from '@jobs-delete/accounts/people/people';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { checkNames } from './request-checks.ts';
import { NoResult, SandboxResult } from './sandbox-result.tsx';

const request = { path: '/v1-sandbox/json/jobs-delete', headers: {}, body: '{}' };

function resultOf(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  role: Role = 'viewer',
): string {
  const text = JSON.stringify(body);
  const html = render(
    h(SandboxResult, {
      visit: { accountId: 'acme', language: 'en', role },
      apiUrl: 'https://api.example.com',
      request: { ...request, headers },
      answer: { kind: 'answered', statusLine: `HTTP/1.1 ${String(status)}`, status, headers: [], body: text },
    }),
  );
  return html.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}

test('the page says of each check what it wants', () => {
  const html = render(h(NoResult, { language: 'en' }));
  expect(html.match(/<div>\w[^<]*<\/div><\/li>/g)).toHaveLength(checkNames.length);
  expect(html).toContain('<code>Origin</code> <div>an allowed domain</div>');
});

test('the explanation of a refusal that belongs to no check stands above them', () => {
  const html = resultOf(429, { code: 'too_many_requests', title: 'Too many.', detail: 'Wait a minute.' });
  expect(html).toContain('<strong>Too many.</strong></p><p>Wait a minute.</p>');
});

test.each([
  ['manager', 'https://shop.example', '/domains/new?domain=https%3A%2F%2Fshop.example&amp;back=%2Fsandbox'],
  ['viewer', 'https://shop.example', '/domains'],
  ['manager', 'nonsense of a client', '/domains'],
] as const)('a %s whose origin %s is refused finds %s', (role, origin, path) => {
  const html = resultOf(
    403,
    { code: 'origin_not_allowed', detail: 'Not allowed.' },
    { Origin: origin },
    role,
  );
  expect(/Not allowed\..*?href="\/a\/acme([^"]*)"/.exec(html)?.[1]).toBe(path);
});

test('the command hides the secrets, escapes its values for a shell, and sends no header that was empty', () => {
  const html = resultOf(
    200,
    {},
    { Authorization: 'Bearer jdt_1', Usersecretkey: 'jds_1', Origin: "https://a'b" },
  );
  expect(html).toContain(
    [
      `curl --request DELETE 'https://api.example.com/v1-sandbox/json/jobs-delete'`,
      `  --header 'User-Agent:'`,
      `  --header 'Authorization: Bearer YOUR_TOKEN'`,
      `  --header 'Usersecretkey: YOUR_SECRET_KEY'`,
      `  --header 'Origin: https://a'\\''b'`,
      `  --data '{}'`,
    ].join(' \\\n'),
  );
});
