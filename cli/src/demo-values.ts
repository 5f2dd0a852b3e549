import { createHash } from 'node:crypto';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { uuidAt } from '@jobs-delete/runtime/time/clock';

/** Values of the demo and its history. Each follows from its number or label, so every start has the same. */

export function hexOf(label: string, length: number): string {
  return createHash('sha256').update(`demo history: ${label}`).digest('hex').slice(0, length);
}

export function uuidOf(atMs: number, label: string): string {
  return uuidAt(atMs, Buffer.from(hexOf(label, 32), 'hex'));
}

/** Returns at least 0 and less than 1. */
export function fractionOf(label: string): number {
  return Number.parseInt(hexOf(label, 12), 16) / 16 ** 12;
}

const roles = [
  'Night nurse',
  'Baker',
  'Electrician',
  'Truck driver',
  'Teacher',
  'Accountant',
  'Welder',
  'Cook',
];
const cities = ['Lyon', 'Geneva', 'Madrid', 'Brussels', 'Leeds', 'Montréal', 'Valencia'];

/** Returns the title of a job. */
export function titleOf(index: number): string {
  return [roles, cities].map((names) => names[index % names.length]).join(', ');
}

/** Ages in days. Nobody knows the secret of these credentials. */
export const credentials = [
  { kind: 'token', name: 'Career site', age: 30 },
  { kind: 'token', name: 'Nightly clean-up', age: 30 },
  { kind: 'token', name: 'Applicant system', age: 21 },
  { kind: 'token', name: 'Sandbox tests', age: 12, expires: 9 },
  { kind: 'token', name: 'Old importer', age: 30, revoked: 20 },
  { kind: 'secret-key', name: 'Production', age: 30 },
  { kind: 'secret-key', name: 'Sandbox tests', age: 12 },
] as const;

/** The refusals of a working day. `usual`: about how many. */
export const refusals = [
  {
    code: 'job_not_found',
    status: 404,
    usual: 1.6,
    facts: { jobs: 12, wrong_entries: 1, wrong_entry: 'REF17' },
  },
  { code: 'origin_not_allowed', status: 403, usual: 0.8, facts: { origin: 'https://staging.demo.example' } },
  { code: 'secret_key_invalid', status: 403, usual: 0.4, facts: {} },
  { code: 'too_many_requests', status: 429, usual: 0.8, facts: {} },
  { code: 'body_malformed', status: 400, usual: 0.4, facts: {} },
] as const;

export function credentialId(name: string, kind: string): string {
  return hexOf(`${kind} ${name}`, 24);
}

export const demoOrigin = 'https://demo.example';
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The periods in which the demo account delayed its removals by a day, as ages in ms. */
const delays = [
  { from: 15 * dayMs, to: 10 * dayMs },
  { from: 7 * hourMs, to: hourMs },
] as const;

export function isDelayed(atMs: number, nowMs: number): boolean {
  return delays.some(({ from, to }) => nowMs - atMs <= from && nowMs - atMs > to);
}

export type TrailEntry = Required<Pick<AuditEntry, 'actor' | 'atMs' | 'action' | 'subject'>>;

/** Returns the changes of the safety rules, as the trail has them. They end as they began: off. */
export function ruleChanges(
  nowMs: number,
  { owner, manager }: Record<'owner' | 'manager', string>,
): TrailEntry[] {
  const raisedMs = nowMs - 9 * dayMs;
  const until = new Date(raisedMs + 4 * hourMs).toISOString();
  const limit = { action: 'limit.changed', actor: owner } as const;
  const delay = { action: 'delay.changed', actor: owner } as const;
  return [
    { ...limit, atMs: nowMs - 16 * dayMs, subject: 'off → 50%' },
    { action: 'limit.raised', actor: manager, atMs: raisedMs, subject: `5000 until ${until}` },
    { ...limit, atMs: nowMs - 2 * dayMs, subject: '50% → off' },
    ...delays.flatMap(({ from, to }) => [
      { ...delay, atMs: nowMs - from, subject: 'off → 24h' },
      { ...delay, atMs: nowMs - to, subject: '24h → off' },
    ]),
  ];
}
