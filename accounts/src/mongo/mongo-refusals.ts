import { trusted } from 'mongoose';
import {
  type RefusalCount,
  type RefusalCounts,
  maxRefusedRequests,
  type RefusedRequest,
  type RefusedRequests,
} from '../refusal-recorder.ts';
import { fromStored, toStored, type Stored } from './documents.ts';
import type { AccountsModels, RefusedRequestDocument } from './mongo-accounts-schema.ts';
import { before } from './mongo-audit-trail.ts';

export function refusalMethods(models: AccountsModels): RefusalCounts & RefusedRequests {
  return { ...countMethods(models), ...requestMethods(models) };
}

/** Accounts are never removed, so an account that exists now exists when something of it is added. */
async function ofExisting<Value extends { readonly accountId: string }>(
  values: readonly Value[],
  { accounts }: Pick<AccountsModels, 'accounts'>,
): Promise<readonly Value[]> {
  const ids = [...new Set(values.map(({ accountId }) => accountId))];
  const found = await accounts.find({ _id: trusted({ $in: ids }) }, { _id: 1 }).lean();
  const existing = new Set(found.map(({ _id }) => _id));
  return values.filter(({ accountId }) => existing.has(accountId));
}

function countMethods({ accounts, refusals }: AccountsModels): RefusalCounts {
  return {
    addRefusals: async (counts) => {
      // The filter has exactly the fields of the unique index, so the server repeats an upsert that another one overtook.
      const updates = (await ofExisting(counts, { accounts })).map(
        ({ accountId, day, code, count, sandboxCount }) => ({
          updateOne: {
            filter: { account_id: accountId, day, code },
            update: { $inc: toStored({ count, sandboxCount }), $setOnInsert: { day_at: new Date(day) } },
            upsert: true,
          },
        }),
      );
      if (updates.length > 0) await refusals.bulkWrite(updates, { ordered: false });
    },
    listRefusals: async (accountId, fromDay) => {
      const filter = { account_id: accountId, day: trusted({ $gte: fromDay }) };
      const found = refusals.find(filter, { _id: 0, day_at: 0 }).sort({ day: 1, code: 1 });
      return (await found.lean<Stored<RefusalCount>[]>()).map((each) => fromStored<RefusalCount>(each));
    },
    expireRefusals: async (beforeDay) => {
      await refusals.deleteMany({ day_at: trusted({ $lt: new Date(beforeDay) }) });
    },
  };
}

function requestMethods({ accounts, refusedRequests }: AccountsModels): RefusedRequests {
  /** One account after the other: the connections are for the requests of callers. */
  const keepNewest = async (accountId: string) => {
    const tooOld = await refusedRequests
      .findOne({ account_id: accountId }, { at: 1 })
      .sort({ at: -1, _id: -1 })
      .skip(maxRefusedRequests)
      .lean();
    if (tooOld === null) return;
    const { at, _id } = tooOld;
    const older = { $or: [{ at: trusted({ $lt: at }) }, { _id: trusted({ $lte: _id }) }] };
    await refusedRequests.deleteMany({ account_id: accountId, at: trusted({ $lte: at }), ...older });
  };
  return {
    addRefusedRequests: async (requests) => {
      const known = await ofExisting(requests, { accounts });
      if (known.length === 0) return;
      const inserts = known.map(({ id, ...request }) => ({
        updateOne: { filter: { _id: id }, update: { $setOnInsert: toStored(request) }, upsert: true },
      }));
      await refusedRequests.bulkWrite(inserts, { ordered: false });
      for (const accountId of new Set(known.map((each) => each.accountId))) await keepNewest(accountId);
    },
    listRefusedRequests: async ({ accountId, fromMs, pageSize, code, tokenId, environment, after }) => {
      const from = trusted({ $gte: new Date(fromMs) });
      const filter = {
        account_id: accountId,
        ...(code !== undefined && { code }),
        ...(tokenId !== undefined && { token_id: tokenId }),
        ...(environment !== undefined && { environment }),
        ...(after === undefined ? { at: from } : { $and: [{ at: from }, before(after)] }),
      };
      const found = await refusedRequests.find(filter).sort({ at: -1, _id: -1 }).limit(pageSize).lean();
      return found.map(toRequest);
    },
    // Usually the server has removed them.
    expireRefusedRequests: async (beforeMs) => {
      await refusedRequests.deleteMany({ at: trusted({ $lt: new Date(beforeMs) }) });
      return false;
    },
  };
}

function toRequest({ _id, ...request }: RefusedRequestDocument): RefusedRequest {
  return { id: _id, ...fromStored<Omit<RefusedRequest, 'id'>>(request) };
}
