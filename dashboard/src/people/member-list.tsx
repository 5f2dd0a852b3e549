import type { Person } from '@jobs-delete/accounts/people/people';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import type { Member } from './member.ts';
import { peopleTexts } from './people-texts.ts';

export interface MemberListProps {
  /** Of the person who looks at the list. */
  readonly visit: MemberVisit;
  readonly members: readonly Member[];
}

/** A table of the members of an account. */
export function MemberList({ visit, members }: MemberListProps) {
  const texts = peopleTexts[visit.language];
  return (
    <Table
      heading="members"
      columns={[{ header: texts.address }, { aside: texts.role }, texts.methods, { plain: texts.actions }]}
      rows={members.map(({ person, role, email }) => [
        person.id === visit.person.id ? `${email} (${texts.you})` : email,
        texts.roles[role],
        methodsOf(person, texts),
        <a href={accountPath(visit, `/people/${person.id}`)} aria-label={`${texts.change} ${email}`}>
          {texts.change}
        </a>,
      ])}
    />
  );
}

/** Returns how a person signs in. */
export function methodsOf({ passkeys, openId }: Person, texts: typeof peopleTexts.en): string {
  if (openId !== undefined) return texts.openId;
  return passkeys.length === 0 ? texts.noMethod : texts.passkeys(passkeys.length);
}
