import { listPendingInvitations } from '@jobs-delete/accounts/people/invitations';
import { roles } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { Pager, pageOf, Table } from '../web/table.tsx';
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
            <div class="columns">
              {isOwner && (
                <section>
                  <h2 id="invitations">{texts.pending}</h2>
                  <InvitationList visit={visit} invitations={pending.items} members={members} />
                  <Pager
                    page={pending}
                    path={accountPath(visit, '/people')}
                    field="invitations"
                    language={language}
                  />
                </section>
              )}
              <section>
                <h2 id="abilities">{texts.abilities}</h2>
                <AbilityTable language={language} />
              </section>
            </div>
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

/** What each role may do. Each role may do what the roles before it may. */
function AbilityTable({ language }: { readonly language: Language }) {
  const texts = peopleTexts[language];
  const columns = roles.toReversed();
  return (
    <Table
      heading="abilities"
      isCompact
      columns={[{ header: texts.ability }, ...columns.map((role) => ({ number: texts.roles[role] }))]}
      rows={columns.flatMap((least) =>
        texts.may[least].map((ability) => [
          ability,
          ...columns.map((role) =>
            includesRole(role, least) ? (
              <span class="yes" role="img" aria-label={texts.yes} />
            ) : (
              <span class="muted" role="img" aria-label={texts.no}>
                –
              </span>
            ),
          ),
        ]),
      )}
    />
  );
}
