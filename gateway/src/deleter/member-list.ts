import type { Connect } from './connection.ts';
import { createMember, type Member } from './member.ts';

export interface MemberList {
  current(): readonly Member[];
  /** Every member that is not closed yet, including those whose address is gone. */
  open(): readonly Member[];
  /** Adds members for new addresses, and retires those whose address is gone. */
  setAddresses(addresses: readonly string[]): void;
  /** Closes the member if it is retired and has no batch in flight. */
  closeIfRetired(member: Member): void;
  closeAll(): void;
}

/** The members of the pool. A retired member gets no calls, and is closed after its last batch. */
export function createMemberList(connect: Connect): MemberList {
  let members: Member[] = [];
  const retired = new Set<Member>();

  const closeIfRetired = (member: Member) => {
    if (member.batches.size > 0 || !retired.delete(member)) return;
    member.connection.close();
  };

  return {
    current: () => members,
    open: () => [...members, ...retired],
    setAddresses: (addresses) => {
      const gone = members.filter(({ connection }) => !addresses.includes(connection.address));
      const known = members.filter((member) => !gone.includes(member));
      const added = [...new Set(addresses)].filter(
        (address) => !known.some(({ connection }) => connection.address === address),
      );
      members = [...known, ...added.map((address) => createMember(connect(address)))];
      for (const member of gone) {
        retired.add(member);
        closeIfRetired(member);
      }
    },
    closeIfRetired,
    closeAll: () => {
      for (const { connection } of [...members, ...retired]) connection.close();
      members = [];
      retired.clear();
    },
  };
}
