import type { SafetyLog } from '../durability/careful-client.ts';
import type { SentRequest } from '../durability/sent-requests.ts';
import { callOf, readDeletionAnswer, readStatusAnswer, unknown, type History } from './history.ts';

/** Adds what the clients of a kill campaign asked and were told. */
export function addCampaign(
  history: History,
  imported: ReadonlyMap<string, readonly string[]>,
  requests: readonly SentRequest[],
  { cancellations, repostings }: SafetyLog,
): void {
  for (const [account, ids] of imported) history.exist(account, ids);
  for (const { account, jobIds: ids, key, attempts } of requests) {
    for (const { answer, span } of attempts) {
      const told = readDeletionAnswer(answer);
      if (told === undefined) continue;
      history.add(callOf(0, { account: account.accountId, op: 'delete', ids, key }, told, span));
    }
  }
  for (const { account, deletionId: deletion, attempts } of cancellations)
    for (const { answer, span } of attempts) {
      const question = { account: account.accountId, op: 'cancel', deletion } as const;
      history.add(callOf(0, question, readStatusAnswer(answer), span));
    }
  for (const { accountId: account, jobId, isNew, attempts, span } of repostings) {
    const told = isNew === undefined ? unknown : { outcome: isNew ? 'new' : 'existing' };
    // An attempt that got no answer may have imported the job too, so each attempt is a call.
    for (let attempt = 0; attempt < attempts; attempt++)
      history.add(callOf(0, { account, op: 'import', ids: [jobId] }, told, span));
  }
}
