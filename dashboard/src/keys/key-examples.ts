import type { CredentialKind } from '@jobs-delete/accounts/accounts';
import { originOf } from '../web/docs-url.ts';
import type { Language } from '../web/language.ts';

export interface ExampleOptions {
  readonly kind: CredentialKind;
  /** The new credential. The page that shows it once shows the example too. */
  readonly secret: string;
  readonly apiUrl: string;
  /** The domains of the account. */
  readonly domains: readonly string[];
  readonly language: Language;
}

/** The reader replaces these: the dashboard does not know the values. */
export const placeholders = {
  token: 'YOUR_TOKEN',
  'secret-key': 'YOUR_SECRET_KEY',
  origin: 'https://YOUR_ALLOWED_DOMAIN',
  job: 'NURSE001',
} as const;

/** Returns a command that sends one request to the sandbox. */
export function curlExample({ kind, secret, apiUrl, domains, language }: ExampleOptions): string {
  const values = { ...placeholders, [kind]: secret };
  const headers = [
    `Authorization: Bearer ${values.token}`,
    `Usersecretkey: ${values['secret-key']}`,
    `Origin: ${originOf(domains) ?? placeholders.origin}`,
    'Content-Type: application/json',
    `Accept-Language: ${language}`,
    'User-Agent: my-shop/1.0',
    'X-Client-Lang: Shell',
  ];
  return [
    `curl --request DELETE '${apiUrl}/v1-sandbox/json/jobs-delete'`,
    ...headers.map((header) => `  --header '${header}'`),
    `  --data '{"jobs": {"job": [{"id": "${placeholders.job}"}]}}'`,
  ].join(' \\\n');
}

/** Returns a program for the TypeScript client. It reads both credentials from its environment. */
export function clientExample({ apiUrl, domains }: Pick<ExampleOptions, 'apiUrl' | 'domains'>): string {
  return `import { JobsDeleteClient } from '@jobs-delete/client';

const client = new JobsDeleteClient({
  baseUrl: '${apiUrl}',
  token: process.env.JOBS_DELETE_TOKEN ?? '',
  secretKey: process.env.JOBS_DELETE_SECRET_KEY ?? '',
  origin: '${originOf(domains) ?? placeholders.origin}',
  userAgent: 'my-shop/1.0',
  sandbox: true,
});

const report = await client.deleteJobs(['${placeholders.job}']);
console.log(report.acceptedJobs, report.refused);`;
}

/** The variable of the client example that takes the new credential. */
export const variables: Readonly<Record<CredentialKind, string>> = {
  token: 'JOBS_DELETE_TOKEN',
  'secret-key': 'JOBS_DELETE_SECRET_KEY',
};
