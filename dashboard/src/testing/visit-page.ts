import { Fragment, h } from 'preact';
import { render } from 'preact-render-to-string';
import type { MemberVisit, Reply } from '../web/route.ts';
import { partOf } from './part-of.ts';

/** A visit of a manager of the account `acme`, with this query. */
export function visitWith(query: Readonly<Record<string, string>>): MemberVisit {
  const member = { accountId: 'acme', language: 'en', role: 'manager', nowMs: 0 } as const;
  return partOf<MemberVisit>({ ...member, query: new URLSearchParams(query) });
}

/** Renders what is on a page beside its frame and title. Throws for another reply. */
export function htmlOf(reply: Reply | undefined): string {
  if (reply?.kind !== 'page') throw new Error('the reply is no page');
  return render(h(Fragment, null, reply.action, reply.body));
}
