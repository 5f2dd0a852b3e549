import { trusted, type UpdateQuery } from 'mongoose';
import type { Accounts, DomainRef } from '../accounts.ts';
import type { AccountDocument, AccountsModels } from './mongo-accounts-schema.ts';
import type { ClientSession, Recording } from './mongo-audit-trail.ts';

type DomainMethods = Pick<
  Accounts,
  'allowDomain' | 'listDomains' | 'listDomainUses' | 'recordDomainUse' | 'removeDomain'
>;

export function domainMethods({ accounts, domainUses }: AccountsModels, recording: Recording): DomainMethods {
  const change = async (accountId: string, update: UpdateQuery<AccountDocument>, session: ClientSession) => {
    const changed = await accounts.updateOne({ _id: accountId }, update).session(session);
    const { matchedCount, modifiedCount } = changed;
    if (matchedCount === 0) return 'no_account';
    return modifiedCount === 1 ? 'changed' : 'unchanged';
  };
  const forgetUse = (accountId: string, domain: string, session: ClientSession) =>
    domainUses.deleteOne({ _id: useId({ accountId, domain }) }).session(session);
  const list = async (accountId: string) =>
    (await accounts.findById(accountId, { allowed_domains: 1 }).lean())?.allowed_domains.sort() ?? [];
  return {
    allowDomain: async (accountId, domain, entry) => {
      const outcome = await recording(entry, async (session) => {
        const changed = await change(accountId, { $addToSet: { allowed_domains: domain } }, session);
        // A use may be recorded after the removal.
        if (changed === 'changed') await forgetUse(accountId, domain, session);
        return changed;
      });
      return outcome === 'no_account' ? outcome : 'allowed';
    },
    listDomains: list,
    listDomainUses: async (accountId) => {
      const domains = await list(accountId);
      const ids = domains.map((domain) => useId({ accountId, domain }));
      const used = await domainUses.find({ _id: trusted({ $in: ids }) }).lean();
      const times = new Map(used.map(({ _id, last_used_at }) => [_id, last_used_at.getTime()]));
      return domains.map((domain) => {
        const lastUsedAtMs = times.get(useId({ accountId, domain }));
        return { domain, ...(lastUsedAtMs !== undefined && { lastUsedAtMs }) };
      });
    },
    recordDomainUse: async (domains, atMs) => {
      const update = { $max: { last_used_at: new Date(atMs) } };
      const raised = domains.map((ref) =>
        domainUses.updateOne({ _id: useId(ref) }, update, { upsert: true }),
      );
      await Promise.all(raised);
    },
    removeDomain: async (accountId, domain, entry) => {
      const outcome = await recording(entry, async (session) => {
        await forgetUse(accountId, domain, session);
        return change(accountId, { $pull: { allowed_domains: domain } }, session);
      });
      return outcome === 'changed';
    },
  };
}

/** No account id has a space. */
function useId({ accountId, domain }: DomainRef): string {
  return `${accountId} ${domain}`;
}
