import { listPendingInvitations } from '@jobs-delete/accounts/people/invitations';
import type { Services } from '../services.ts';
import { pageOf, Pager } from '../web/pager.tsx';
import type { Route } from '../web/route.ts';
import { InvitationList } from './invitation-list.tsx';
import { inviteRoutes } from './invite-routes.tsx';
import { listMembers } from './member.ts';
import { memberRoutes } from './member-routes.tsx';
import { MemberList } from './member-list.tsx';
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
      recent: true,
      serve: async ({ accountId, language, query, person, nowMs }) => {
        const texts = peopleTexts[language];
        const members = await listMembers(accounts, accountId);
        const page = pageOf(members, query, pageSize);
        const invitations = await listPendingInvitations(accounts, accountId, nowMs);
        const pending = pageOf(invitations, query, pendingSize, 'invitations');
        const body = (
          <>
            <p>{texts.intro}</p>
            <h2 id="members">{texts.members}</h2>
            <MemberList language={language} members={page.items} ownId={person.id} />
            <Pager page={page} path="/people" language={language} />
            <p>
              <a class="button" href="/people/invite">
                {texts.invite}
              </a>
            </p>
            <h2 id="invitations">{texts.pending}</h2>
            <InvitationList language={language} invitations={pending.items} members={members} />
            <Pager page={pending} path="/people" field="invitations" language={language} />
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
