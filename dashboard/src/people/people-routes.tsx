import { listPendingInvitations } from '@jobs-delete/accounts/people/invitations';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { Pager, pageOf } from '../web/table.tsx';
import { includesRole, type Route } from '../web/route.ts';
import { InvitationList, invitationRoutes } from './invitation-routes.tsx';
import { lastOwnerOf, listMembers, MemberList, memberRoutes } from './member-routes.tsx';
import { peopleTexts } from './people-texts.ts';

const pageSize = 50;
/** Fewer: the page has both lists. */
const pendingSize = 20;

/** The pages of the members of an account. Only owners manage them, and see its invitations. */
export function peopleRoutes(
  services: Pick<Services, 'accounts' | 'keys' | 'now' | 'publicUrl'>,
): readonly Route[] {
  const { accounts } = services;
  return [
    {
      method: 'GET',
      path: '/people',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, language, query, nowMs, role } = visit;
        const texts = peopleTexts[language];
        const isOwner = includesRole(role, 'owner');
        const members = await listMembers(accounts, accountId);
        const page = pageOf(members, query, pageSize);
        const invitations = isOwner ? await listPendingInvitations(accounts, accountId, nowMs) : [];
        const pending = pageOf(invitations, query, pendingSize, 'invitations');
        const body = (
          <>
            <p>
              {texts.intro} {!isOwner && texts.ownersChange}
            </p>
            <h2 id="members">{texts.members}</h2>
            <MemberList visit={visit} members={page.items} lastOwner={lastOwnerOf(members)} />
            <Pager page={page} path={accountPath(visit, '/people')} language={language} />
            {isOwner && (
              <>
                <h2 id="invitations">{texts.pending}</h2>
                <InvitationList visit={visit} invitations={pending.items} members={members} />
                <Pager
                  page={pending}
                  path={accountPath(visit, '/people')}
                  field="invitations"
                  language={language}
                />
              </>
            )}
          </>
        );
        const action = isOwner && (
          <a class="button" href={accountPath(visit, '/people/invite')}>
            {texts.invite}
          </a>
        );
        return { kind: 'page', title: texts.title, action, body };
      },
    },
    // The paths with a word come before those with a variable.
    ...invitationRoutes(services),
    ...memberRoutes(services),
  ];
}
