import {
  type PendingInvitation,
  listPendingInvitations,
  mayInvite,
} from '@jobs-delete/accounts/people/invitations';
import { operator } from '@jobs-delete/accounts/people/audit-trail';
import type { Person } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { trailTexts } from '../trail/trail-texts.ts';
import { accountPath } from '../web/account-path.ts';
import { Pager, pageOf } from '../web/pager.tsx';
import type { MemberVisit, Route } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { inviteRoutes } from './invite-routes.tsx';
import { MemberList } from './member-list.tsx';
import { memberRoutes } from './member-routes.tsx';
import { type Member, listMembers } from './member.ts';
import { peopleTexts } from './people-texts.ts';
import { withdrawRoutes } from './withdraw-routes.tsx';

const pageSize = 50;
/** Fewer: the page has both lists. */
const pendingSize = 20;

/** The pages where owners manage the members of their account, and its invitations. */
export function peopleRoutes(
  services: Pick<Services, 'accounts' | 'keys' | 'now' | 'publicUrl'>,
): readonly Route[] {
  const { accounts } = services;
  return [
    {
      method: 'GET',
      path: '/people',
      access: 'owner',
      serve: async (visit) => {
        const { accountId, language, query, nowMs } = visit;
        const texts = peopleTexts[language];
        const members = await listMembers(accounts, accountId);
        const page = pageOf(members, query, pageSize);
        const invitations = await listPendingInvitations(accounts, accountId, nowMs);
        const pending = pageOf(invitations, query, pendingSize, 'invitations');
        const body = (
          <>
            <p>{texts.intro}</p>
            <div class="heading">
              <h2 id="members">{texts.members}</h2>
              <a class="button" href={accountPath(visit, '/people/invite')}>
                {texts.invite}
              </a>
            </div>
            <MemberList visit={visit} members={page.items} />
            <Pager page={page} path={accountPath(visit, '/people')} language={language} />
            <h2 id="invitations">{texts.pending}</h2>
            <InvitationList visit={visit} invitations={pending.items} members={members} />
            <Pager
              page={pending}
              path={accountPath(visit, '/people')}
              field="invitations"
              language={language}
            />
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    // The paths with a word come before those with a variable.
    ...inviteRoutes(services),
    ...withdrawRoutes(services),
    ...memberRoutes(services),
  ];
}

export interface InvitationListProps {
  readonly visit: MemberVisit;
  readonly invitations: readonly PendingInvitation[];
  /** All members of the account. */
  readonly members: readonly Member[];
}

/** A table of the invitations that nobody has accepted yet. */
export function InvitationList({ visit, invitations, members }: InvitationListProps) {
  const { language, nowMs } = visit;
  const texts = peopleTexts[language];
  if (invitations.length === 0) return <p>{texts.pendingNone}</p>;
  return (
    <Table
      heading="invitations"
      columns={[
        { header: texts.address },
        { aside: texts.role },
        texts.invitedBy,
        texts.validUntil,
        { plain: texts.actions },
      ]}
      rows={invitations.map((invitation) => [
        invitation.email,
        texts.roles[invitation.role],
        <>
          {invitation.invitedBy === operator ? trailTexts[language].operator : invitation.invitedBy.email}
          {!mayInvite(invitation, senderOf(invitation, members)) && (
            <>
              <br />
              <strong class="problem">{texts.noOwner}</strong>
            </>
          )}
        </>,
        <Time ms={invitation.expiresAtMs} language={language} nowMs={nowMs} />,
        <a
          href={accountPath(visit, `/people/withdraw?invitation=${invitation.id}`)}
          aria-label={`${texts.withdraw} ${invitation.email}`}
        >
          {texts.withdraw}
        </a>,
      ])}
    />
  );
}

function senderOf({ invitedBy }: PendingInvitation, members: readonly Member[]): Person | undefined {
  const id = invitedBy === operator ? undefined : invitedBy.id;
  return members.find(({ person }) => person.id === id)?.person;
}
