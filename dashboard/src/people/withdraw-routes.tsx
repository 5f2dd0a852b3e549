import { listPendingInvitations, type PendingInvitation } from '@jobs-delete/accounts/people/invitations';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { peopleTexts } from './people-texts.ts';

/** The form that withdraws an invitation. */
export function withdrawRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  /** An invitation to another account is as unknown as one that does not exist. */
  const find = async ({ accountId, nowMs }: MemberVisit, id: string | null) =>
    (await listPendingInvitations(accounts, accountId, nowMs)).find((invitation) => invitation.id === id);
  return [
    {
      method: 'GET',
      path: '/people/withdraw',
      access: 'owner',
      recent: true,
      serve: async (visit) => {
        const invitation = await find(visit, visit.query.get('invitation'));
        return invitation === undefined ? { kind: 'not-found' } : withdrawPage(visit, invitation);
      },
    },
    {
      method: 'POST',
      path: '/people/withdraw',
      access: 'owner',
      recent: true,
      serve: async (visit) => {
        const invitation = await find(visit, visit.form.get('invitation'));
        if (invitation === undefined) return { kind: 'not-found' };
        const entry = auditEntry(visit, 'invitation.withdrawn', invitation.email);
        const taken = await accounts.takeOneTimeSecret('invitation', invitation.hash, visit.nowMs, entry);
        if (taken === undefined) return { kind: 'not-found' };
        return { kind: 'redirect', to: withNotice(accountPath(visit, '/people'), 'invitation-withdrawn') };
      },
    },
  ];
}

function withdrawPage(visit: MemberVisit, { id, email, role, expiresAtMs }: PendingInvitation): Reply {
  const texts = peopleTexts[visit.language];
  const body = (
    <form method="post" action={accountPath(visit, '/people/withdraw')}>
      <CsrfField visit={visit} />
      <input type="hidden" name="invitation" value={id} />
      <p class="warning">{texts.withdrawWarning}</p>
      <dl>
        <dt>{texts.address}</dt>
        <dd>{email}</dd>
        <dt>{texts.role}</dt>
        <dd>{texts.roles[role]}</dd>
        <dt>{texts.validUntil}</dt>
        <dd>
          <Time ms={expiresAtMs} language={visit.language} />
        </dd>
      </dl>
      <p class="actions">
        <button class="danger">{texts.withdrawSubmit}</button>
        <a href={accountPath(visit, '/people')}>{texts.back}</a>
      </p>
    </form>
  );
  return { kind: 'page', title: texts.withdrawTitle, body };
}
