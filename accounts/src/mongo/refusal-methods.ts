import type { RefusalCount, RefusalCounts } from '../refusal-counter.ts';
import type { AccountsCollections } from './mongo-accounts-schema.ts';
import { read, write } from './mongo-calls.ts';
import type { PeopleCollections } from './mongo-people-schema.ts';

export function refusalMethods(
  { refusals }: Pick<PeopleCollections, 'refusals'>,
  { accounts }: Pick<AccountsCollections, 'accounts'>,
): RefusalCounts {
  return {
    addRefusals: (counts) =>
      write(async () => {
        const ids = [...new Set(counts.map(({ accountId }) => accountId))];
        const found = await accounts.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
        // Accounts are never removed, so they still exist when the counts are added.
        const existing = new Set(found.map(({ _id }) => _id));
        const updates = counts.filter(({ accountId }) => existing.has(accountId)).map(toUpdate);
        if (updates.length > 0) await refusals.bulkWrite(updates, { ordered: false });
      }),
    listRefusals: (accountId, fromDay) =>
      read(async () => {
        const options = { sort: { day: 1, code: 1 } } as const;
        const filter = { account_id: accountId, day: { $gte: fromDay } };
        const found = await refusals.find(filter, options).toArray();
        return found.map(({ account_id, day, code, count }) => ({ accountId: account_id, day, code, count }));
      }),
    expireRefusals: (beforeDay) =>
      write(async () => {
        await refusals.deleteMany({ day_at: { $lt: new Date(beforeDay) } });
      }),
  };
}

/** The filter has exactly the fields of the unique index, so the server repeats an upsert that another one overtook. */
function toUpdate({ accountId, day, code, count }: RefusalCount) {
  return {
    updateOne: {
      filter: { account_id: accountId, day, code },
      update: { $inc: { count }, $setOnInsert: { day_at: new Date(day) } },
      upsert: true,
    },
  };
}
