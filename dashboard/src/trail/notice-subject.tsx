import type { AuditAction, AuditTrail } from '@jobs-delete/accounts/people/audit-trail';
import type { ComponentChild } from 'preact';
import type { Notice } from '../web/notices.ts';
import type { Visit } from '../web/route.ts';
import { Subject } from './subject.tsx';

/** The notices that name their change, with its action in the trail. Those of keys do not: the page of the key shows the result. */
const actions: Partial<Record<Notice, AuditAction>> = {
  'domain-allowed': 'domain.allowed',
  'domain-removed': 'domain.removed',
  'deletions-allowed': 'limit.raised',
  'allowance-ended': 'limit.raise-ended',
  'limit-changed': 'limit.changed',
  'limit-allows-all': 'limit.changed',
  'delay-changed': 'delay.changed',
  'invitation-withdrawn': 'invitation.withdrawn',
  'person-removed': 'person.removed',
  'role-changed': 'person.role-changed',
  'passkey-added': 'passkey.added',
  'passkey-removed': 'passkey.removed',
};

/** As long as the cookie of a notice lives. */
const recentMs = 60_000;

/**
 * Resolves to what the person has just changed, for the notice of the page: the trail knows it, and no address can claim it.
 * Undefined: the trail has nothing.
 */
export async function findNoticeSubject(
  trail: Pick<AuditTrail, 'listActions'>,
  { notice, signedIn, language, nowMs }: Pick<Visit, 'notice' | 'signedIn' | 'language' | 'nowMs'>,
): Promise<ComponentChild> {
  const action = notice && actions[notice];
  if (action === undefined || signedIn === undefined) return undefined;
  const { accountId, email } = signedIn;
  const entries = await trail.listActions({ accountId, pageSize: 20, fromMs: nowMs - recentMs });
  const entry = entries.find((each) => each.action === action && each.actor === email);
  return entry?.subject && <Subject visit={{ accountId, language }} keys={new Map()} entry={entry} />;
}
