import type { Person } from '@jobs-delete/accounts/people/people';
import type { Language } from '../web/language.ts';
import { Table } from '../web/table.tsx';
import type { Member } from './member.ts';
import { peopleTexts } from './people-texts.ts';

export interface MemberListProps {
  readonly language: Language;
  readonly members: readonly Member[];
  /** The person who looks at the list. */
  readonly ownId: string;
}

/** A table of the members of an account. */
export function MemberList({ language, members, ownId }: MemberListProps) {
  const texts = peopleTexts[language];
  return (
    <Table heading="members" columns={[texts.address, texts.role, texts.methods, texts.actions]}>
      {members.map(({ person, role, email }) => (
        <tr>
          <th scope="row">
            {email}
            {person.id === ownId && ` (${texts.you})`}
          </th>
          <td>{texts.roles[role]}</td>
          <td>{methodsOf(person, texts)}</td>
          <td>
            <a href={`/people/${person.id}`} aria-label={`${texts.change} ${email}`}>
              {texts.change}
            </a>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Returns how a person signs in. */
export function methodsOf({ passkeys, openId }: Person, texts: typeof peopleTexts.en): string {
  if (openId !== undefined) return texts.openId;
  return passkeys.length === 0 ? texts.noMethod : texts.passkeys(passkeys.length);
}
