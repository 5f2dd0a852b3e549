import type { AuditTrail } from '@jobs-delete/accounts/people/audit-trail';
import type { ComponentChild } from 'preact';
import { actorPath } from '../web/account-path.ts';
import type { Visit } from '../web/route.ts';
import { Subject } from './subject.tsx';

/** As long as the cookie of a notice lives. */
const recentMs = 60_000;

/**
 * Resolves to the subject of the change that the notice names. Only the trail knows it: no address can claim it. Undefined if
 * the notice has no entry, or the trail lacks it.
 */
export async function findNoticeSubject(
  trail: Pick<AuditTrail, 'listActions'>,
  { notice, signedIn, language, nowMs }: Pick<Visit, 'notice' | 'signedIn' | 'language' | 'nowMs'>,
): Promise<ComponentChild> {
  if (notice === undefined || signedIn === undefined) return undefined;
  const { accountId } = signedIn;
  if (notice.name === 'joined') return accountId;
  if (notice.entryId === undefined) return undefined;
  const entries = await trail.listActions({ accountId, pageSize: 20, fromMs: nowMs - recentMs });
  const entry = entries.find(({ id }) => id === notice.entryId);
  if (entry?.action === 'person.removed' && entry.subject !== undefined)
    return <a href={actorPath({ accountId }, entry.subject)}>{entry.subject}</a>;
  return entry?.subject && <Subject visit={{ accountId, language }} keys={new Map()} entry={entry} />;
}
