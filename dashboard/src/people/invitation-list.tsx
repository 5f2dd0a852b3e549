import { operator } from '@jobs-delete/accounts/people/new-audit-entry';
import { mayInvite, type PendingInvitation } from '@jobs-delete/accounts/people/invitations';
import type { Person } from '@jobs-delete/accounts/people/people';
import { trailTexts } from '../trail/trail-texts.ts';
import type { Language } from '../web/language.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import type { Member } from './member.ts';
import { peopleTexts } from './people-texts.ts';

export interface InvitationListProps {
  readonly language: Language;
  readonly invitations: readonly PendingInvitation[];
  /** All members of the account. */
  readonly members: readonly Member[];
}

/** A table of the invitations that nobody has accepted yet. */
export function InvitationList({ language, invitations, members }: InvitationListProps) {
  const texts = peopleTexts[language];
  if (invitations.length === 0) return <p>{texts.pendingNone}</p>;
  return (
    <Table
      heading="invitations"
      columns={[texts.address, texts.role, texts.invitedBy, texts.validUntil, texts.actions]}
    >
      {invitations.map((invitation) => {
        const { id, email, role, invitedBy, expiresAtMs } = invitation;
        return (
          <tr>
            <th scope="row">{email}</th>
            <td>{texts.roles[role]}</td>
            <td>
              {invitedBy === operator ? trailTexts[language].operator : invitedBy.email}
              {!mayInvite(invitation, senderOf(invitation, members)) && (
                <>
                  <br />
                  <strong class="problem">{texts.noOwner}</strong>
                </>
              )}
            </td>
            <td>
              <Time ms={expiresAtMs} language={language} />
            </td>
            <td>
              <a href={`/people/withdraw?invitation=${id}`} aria-label={`${texts.withdraw} ${email}`}>
                {texts.withdraw}
              </a>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function senderOf({ invitedBy }: PendingInvitation, members: readonly Member[]): Person | undefined {
  const id = invitedBy === operator ? undefined : invitedBy.id;
  return members.find(({ person }) => person.id === id)?.person;
}
