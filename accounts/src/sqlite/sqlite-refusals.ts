import { type RefusalCounts, maxRefusedRequests, type RefusedRequests } from '../refusal-recorder.ts';
import type { Calls, Statements } from './statements.ts';

export function refusalCalls(sql: Statements): Calls<RefusalCounts & RefusedRequests> {
  return { ...countCalls(sql), ...requestCalls(sql) };
}

function countCalls(sql: Statements): Calls<RefusalCounts> {
  const add = `
    INSERT INTO refusal_counts (account_id, day, code, count, sandbox_count)
    SELECT id, ?, ?, ?, ? FROM accounts WHERE id = ?
    ON CONFLICT (account_id, day, code) DO UPDATE SET count = count + excluded.count,
      sandbox_count = coalesce(sandbox_count + excluded.sandbox_count, sandbox_count, excluded.sandbox_count)`;
  const list = `
    SELECT account_id, day, code, count, sandbox_count FROM refusal_counts
    WHERE account_id = ? AND day >= ? ORDER BY day, code`;
  return {
    addRefusals: (counts) => {
      if (counts.length === 0) return;
      sql.write(() => {
        for (const { accountId, day, code, count, sandboxCount } of counts)
          sql.run(add, day, code, count, sandboxCount, accountId);
      });
    },
    listRefusals: (accountId, fromDay) => sql.all(list, accountId, fromDay),
    expireRefusals: (beforeDay) => {
      sql.run('DELETE FROM refusal_counts WHERE day < ?', beforeDay);
    },
  };
}

const expiredPerWrite = 1_000;

function requestCalls(sql: Statements): Calls<RefusedRequests> {
  const fields =
    'at_ms, id, environment, status, code, token_id, origin, client, jobs, wrong_entries, wrong_entry';
  const add = `
    INSERT INTO refused_requests (account_id, ${fields})
    SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ?
    ON CONFLICT DO NOTHING`;
  const newestFirst = 'ORDER BY at_ms DESC, id DESC LIMIT ?';
  const keepNewest = `
    DELETE FROM refused_requests WHERE account_id = ? AND (at_ms, id) <= (
      SELECT at_ms, id FROM refused_requests WHERE account_id = ? ${newestFirst} OFFSET ?
    )`;
  const expire = `
    DELETE FROM refused_requests WHERE id IN (
      SELECT id FROM refused_requests WHERE at_ms < ? ORDER BY at_ms LIMIT ?
    )`;
  return {
    addRefusedRequests: (requests) => {
      if (requests.length === 0) return;
      sql.write(() => {
        for (const { accountId, atMs, id, environment, status, code, tokenId, ...request } of requests) {
          const { origin, client, jobs, wrongEntries, wrongEntry } = request;
          const facts = [environment, status, code, tokenId, origin, client, jobs, wrongEntries, wrongEntry];
          sql.run(add, atMs, id, ...facts, accountId);
        }
        for (const accountId of new Set(requests.map((request) => request.accountId)))
          sql.run(keepNewest, accountId, accountId, 1, maxRefusedRequests);
      });
    },
    listRefusedRequests: ({ accountId, fromMs, pageSize, code, tokenId, environment, after }) =>
      sql.all(
        `SELECT account_id, ${fields} FROM refused_requests
         WHERE account_id = ? AND at_ms >= ? AND code = coalesce(?, code) AND token_id = coalesce(?, token_id)
           AND environment = coalesce(?, environment) AND (at_ms, id) < (?, ?) ${newestFirst}`,
        ...[accountId, fromMs, code, tokenId, environment],
        ...[after?.atMs ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', pageSize],
      ),
    expireRefusedRequests: (beforeMs) => sql.run(expire, beforeMs, expiredPerWrite) === expiredPerWrite,
  };
}
