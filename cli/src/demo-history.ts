import { randomBytes } from 'node:crypto';
import { credentialSubject, deletionSubject } from '@jobs-delete/accounts/people/audit-trail';
import { refusedRequestRetentionDays } from '@jobs-delete/accounts/refusal-recorder';
import type { RequestOrigin } from '@jobs-delete/deleter-service/store/deletion';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import { openSqlite, sqliteReason, type Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import {
  credentialId,
  credentials,
  dayMs,
  demoOrigin,
  fractionOf,
  hexOf,
  hourMs,
  isDelayed,
  refusals,
  ruleChanges,
  uuidOf,
  type TrailEntry,
  titleOf,
} from './demo-values.ts';

const days = 30;
const minuteMs = 60_000;

const [ada, sam] = ['ada@demo.example', 'sam@demo.example'];
const members = [
  { email: ada, role: 'manager' },
  { email: sam, role: 'viewer' },
] as const;
const passkey = { public_key: randomBytes(77), counter: 0, transports: '[]', name: 'Laptop' };
const owner = 'owner@demo.example';

/**
 * Adds a month of deletions, refusals, keys, members and trail entries to the demo account, in one transaction, and only
 * once. But for random keys, the data follows from a fixed seed and `nowMs`. It writes rows directly: no adapter accepts the past.
 * @throws StartupError
 */
export function addDemoHistory(database: DatabaseUrl, accountId: string, nowMs: number): void {
  if (database.kind !== 'sqlite') throw new StartupError('--demo-history needs embedded storage');
  // The services that use the file have created its tables.
  const sqlite = openSqlite(database.path, { name: 'demo', migrations: [] });
  try {
    sqlite.transaction(() => fill(sqlite, accountId, nowMs)).immediate();
  } catch (error) {
    throw new StartupError(`Cannot add the demo history to the database: ${sqliteReason(error)}`, {
      cause: error,
    });
  } finally {
    sqlite.close();
  }
}

function fill(sqlite: Sqlite, accountId: string, nowMs: number): void {
  // Trail entries never expire.
  const marker = hexOf('first entry', 24);
  if (sqlite.prepare('SELECT 1 FROM audit_entries WHERE id = ?').get(marker) !== undefined) return;
  const insert: History['insert'] = (table, row) => {
    const marks = Object.keys(row).map(() => '?');
    const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`;
    return Number(sqlite.prepare(sql).run(Object.values(row)).lastInsertRowid);
  };
  const record: History['record'] = ({ atMs: at_ms, action, actor, subject }, id) => {
    id ??= hexOf(`${action} ${subject} ${String(at_ms)}`, 24);
    const network = '192.0.2.7';
    insert('audit_entries', { account_id: accountId, at_ms, id, action, actor, subject, network });
  };
  const newClaims: History['newClaims'] = (count) => {
    const update = "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'jobs' RETURNING seq";
    const [last] = sqlite.prepare(update).raw().get(count) as [number];
    return Array.from({ length: count }, (_, index) => last - count + 1 + index);
  };
  const history: History = { accountId, nowMs, insert, record, newClaims };
  record({ atMs: nowMs - days * dayMs, action: 'signed-in', actor: owner, subject: 'link' }, marker);
  addMembers(history);
  addCredentials(history);
  const allowedMs = nowMs - days * dayMs + hourMs;
  // `seedDemo` has just allowed the domain. The history needs it a month earlier.
  sqlite
    .prepare(
      "UPDATE audit_entries SET at_ms = ? WHERE account_id = ? AND action = 'domain.allowed' AND subject = ?",
    )
    .run(allowedMs, accountId, demoOrigin);
  for (const change of ruleChanges(nowMs, { owner, manager: ada })) record(change);
  for (let ago = days - 1; ago >= 0; ago--) addDay(history, ago);
  for (const [index, jobs] of [40, 3, 260].entries()) {
    const atMs = nowMs - (index + 1) * 2 * hourMs;
    addDeletion(history, { atMs, jobs, token: 'Applicant system', end: 'waiting' });
  }
  addUses(sqlite, accountId);
}

interface History {
  readonly accountId: string;
  readonly nowMs: number;
  /** Returns the number of the row. */
  insert(table: string, row: Readonly<Record<string, string | number | Buffer | null>>): number;
  /** @param id Default: derived from the entry */
  record(entry: TrailEntry, id?: string): void;
  newClaims(count: number): readonly number[];
}

function addMembers({ accountId, nowMs, insert, record }: History): void {
  for (const [index, { email, role }] of members.entries()) {
    const atMs = nowMs - (28 - index) * dayMs;
    const id = hexOf(email, 24);
    insert('people', { id, created_at_ms: atMs });
    const seenMs = nowMs - index * dayMs;
    insert('memberships', {
      account_id: accountId,
      person_id: id,
      role,
      email,
      last_seen_at_ms: seenMs - (seenMs % dayMs),
    });
    insert('passkeys', { ...passkey, id: hexOf(`passkey ${email}`, 32), person_id: id, created_at_ms: atMs });
    record({ atMs: atMs - hourMs, action: 'person.invited', actor: owner, subject: `${email}: ${role}` });
    record({ atMs, action: 'person.joined', actor: email, subject: `${email}: ${role}` });
  }
}

function addCredentials({ accountId, nowMs, insert, record }: History): void {
  for (const [index, credential] of credentials.entries()) {
    const { kind, name, age } = credential;
    const id = credentialId(name, kind);
    const createdMs = nowMs - age * dayMs + index * minuteMs;
    const revokedMs = 'revoked' in credential ? nowMs - credential.revoked * dayMs : null;
    insert('credentials', {
      kind,
      id,
      account_id: accountId,
      hash: randomBytes(32),
      name,
      created_at_ms: createdMs,
      expires_at_ms: 'expires' in credential ? nowMs + credential.expires * dayMs : null,
      revoked_at_ms: revokedMs,
    });
    const entry = { actor: owner, subject: credentialSubject({ id, name }) };
    record({ ...entry, atMs: createdMs, action: `${kind}.created` });
    if (revokedMs !== null) record({ ...entry, atMs: revokedMs, action: `${kind}.revoked`, actor: ada });
  }
}

/** Adds a UTC day up to now. Working days have the most requests, in the hours of the office. */
function addDay(history: History, ago: number): void {
  const { accountId, nowMs, insert, record } = history;
  const startMs = nowMs - (nowMs % dayMs) - ago * dayMs;
  const day = new Date(startMs).toISOString().slice(0, 10);
  const draw = (label: string) => fractionOf(`${String(ago)} ${label}`);
  const isWeekend = [0, 6].includes(new Date(startMs).getUTCDay());
  const planned: PlannedDeletion[] = [
    // Once each night.
    {
      atMs: startMs + 2 * hourMs,
      jobs: 30 + Math.floor(draw('night') * (isWeekend ? 40 : 190)),
      token: 'Nightly clean-up',
      end: 'completed',
    },
  ];
  const requests = isWeekend ? 2 + draw('requests') * 3 : 9 + draw('requests') * 9;
  for (let index = 0; index < requests; index++) {
    const of = (label: string) => draw(`${label} ${String(index)}`);
    const token =
      ago > 20 ? 'Old importer' : ago < 20 && of('token') < 0.4 ? 'Applicant system' : 'Career site';
    const atMs = startMs + (7 + of('hour') * 11) * hourMs;
    planned.push({
      atMs,
      // Most are small.
      jobs: 1 + Math.floor(of('jobs') ** 4 * 60),
      token: index % 3 === 0 ? 'Career site' : token,
      end: isDelayed(atMs, nowMs) && of('end') < 0.12 ? 'cancelled' : 'completed',
    });
  }
  for (const each of planned) {
    const isWaiting = isDelayed(each.atMs, nowMs) && each.atMs > nowMs - dayMs;
    // A deletion of the last hour could still be in progress.
    if (each.atMs <= nowMs - hourMs && !isWaiting)
      addDeletion(history, { ...each, atMs: Math.floor(each.atMs) });
  }
  for (const { code, usual, status, facts } of refusals) {
    const times = Array.from(
      { length: Math.round(usual * draw(code) * (isWeekend ? 0.3 : 1.6)) },
      (_, index) => startMs + Math.floor((7 + draw(`${code} ${String(index)}`) * 11) * hourMs),
    ).filter((atMs) => atMs <= nowMs);
    if (times.length === 0) continue;
    insert('refusal_counts', { account_id: accountId, day, code, count: times.length });
    for (const [index, atMs] of ago < refusedRequestRetentionDays ? times.entries() : []) {
      insert('refused_requests', {
        account_id: accountId,
        at_ms: atMs,
        id: uuidOf(atMs, `refused ${code} ${String(index)}`),
        environment: 'live',
        status,
        code,
        token_id: credentialId('Career site', 'token'),
        origin: demoOrigin,
        client: 'demo/1.0',
        ...facts,
      });
    }
  }
  for (const [actor, hour] of [
    [ada, 7],
    [sam, 9],
  ] as const) {
    const atMs = startMs + Math.floor((hour + draw(actor)) * hourMs);
    if (!isWeekend && atMs < nowMs && ago < 27)
      record({ atMs, action: 'signed-in', actor, subject: 'passkey' });
  }
}

interface PlannedDeletion {
  readonly atMs: number;
  readonly jobs: number;
  readonly token: (typeof credentials)[number]['name'];
  readonly end: 'completed' | 'cancelled' | 'waiting';
}

/** Adds the jobs of a waiting deletion too. Those of the others are gone, or were never claimed. */
function addDeletion(
  { accountId, insert, record, newClaims, nowMs }: History,
  { atMs, jobs, token, end }: PlannedDeletion,
): void {
  const label = `deletion ${token} ${String(nowMs - atMs)}`;
  const claims = newClaims(jobs);
  const jobIds = claims.map((claim) => `REF${String(100_000 + claim)}`);
  const id = uuidOf(atMs, label);
  const origin: RequestOrigin = {
    requestId: uuidOf(atMs, `${label} request`),
    language: 'en',
    tokenId: credentialId(token, 'token'),
    userAgent: 'demo/1.0',
    clientTechnology: 'node',
    webOrigin: demoOrigin,
  };
  const onDashboard = { tokenId: '', userAgent: 'Mozilla/5.0', clientTechnology: '', webOrigin: '' };
  const canceller = { ...origin, ...onDashboard, person: ada };
  const isWaiting = end === 'waiting';
  const isCancelled = end === 'cancelled';
  const removalAtMs = isDelayed(atMs, nowMs) ? atMs + dayMs : null;
  const endedMs = isCancelled ? atMs + 20 * minuteMs : (removalAtMs ?? atMs) + 400 + jobs;
  const seq = insert('deletions', {
    id,
    account_id: accountId,
    job_ids: JSON.stringify(jobIds),
    job_count: jobs,
    claims: JSON.stringify(isCancelled ? [] : claims),
    state: end,
    accepted_at_ms: atMs,
    completed_at_ms: isWaiting ? null : endedMs,
    due_at_ms: isWaiting ? removalAtMs : null,
    publications: isWaiting ? 0 : 1,
    origin: JSON.stringify(origin),
    removal_at_ms: removalAtMs,
    removed_parts: JSON.stringify(end === 'completed' ? [{ from: 0, to: jobs }] : []),
    ...(isCancelled && { cancelled_at_ms: endedMs, cancel_origin: JSON.stringify(canceller) }),
  });
  const subject = deletionSubject(id, jobs);
  if (isCancelled) record({ atMs: endedMs, action: 'cancellation.requested', actor: ada, subject });
  if (!isWaiting) return;
  for (const [index, claim] of claims.entries())
    insert('jobs', {
      seq: claim,
      account_id: accountId,
      id: jobIds[index] ?? '',
      claimed_by: seq,
      posting: JSON.stringify({ title: titleOf(claim) }),
      imported_at_ms: atMs - dayMs,
    });
}

/** Takes the uses of keys and domains from the deletions and refused requests. The times of real ones stay. */
function addUses(sqlite: Sqlite, accountId: string): void {
  const used = 'SELECT max(accepted_at_ms) FROM deletions WHERE account_id = @accountId';
  // The gateway records no other refusal at a credential.
  const refusedWith = (codes: string) =>
    `SELECT max(at_ms) FROM refused_requests WHERE account_id = @accountId AND code IN (${codes})`;
  const ofBoth = "'origin_not_allowed', 'too_many_requests'";
  const secretKeyId = credentialId('Production', 'secret-key');
  for (const update of [
    `credentials SET
      last_used_at_ms = coalesce(last_used_at_ms, (${used} AND origin ->> 'tokenId' = credentials.id)),
      last_refused_at_ms = coalesce(last_refused_at_ms,
        (${refusedWith(`${ofBoth}, 'secret_key_invalid'`)} AND token_id = credentials.id))
      WHERE account_id = @accountId AND kind = 'token'`,
    `credentials SET last_used_at_ms = (${used}), last_refused_at_ms = (${refusedWith(ofBoth)})
      WHERE kind = 'secret-key' AND id = @secretKeyId`,
    `allowed_domains SET last_used_at_ms = coalesce(last_used_at_ms, (${used}))
      WHERE account_id = @accountId AND @webOrigin IN (domain, 'https://' || domain)`,
  ])
    sqlite.prepare(`UPDATE ${update}`).run({ accountId, secretKeyId, webOrigin: demoOrigin });
}
