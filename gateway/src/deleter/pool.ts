import { Fault } from '@jobs-delete/runtime/fault';
import type { Connect } from './connection.ts';
import { createDispatcher } from './dispatcher.ts';
import { endCaught } from './end-caught.ts';
import { createMemberList } from './member-list.ts';
import type { Member } from './member.ts';
import type { QueuedCall } from './queued-call.ts';

export interface Pool {
  send(queued: QueuedCall): void;
  /** Replaces the addresses of the deleters. */
  setAddresses(addresses: readonly string[]): void;
  /** Rejects calls with this reason while there is no address. */
  failResolution(reason: string): void;
  members(): readonly Member[];
  /** Called every `tickMs`. */
  tick(): void;
  close(): void;
}

/**
 * Distributes calls over the deleters (docs/decisions/sick-replicas.md). Small calls share batches, and accounts take
 * turns. The member with the least work in flight takes the next batch. A sick member gets no calls while another is well.
 */
export function createPool(connect: Connect): Pool {
  const members = createMemberList(connect);
  const dispatcher = createDispatcher(members);
  // A resolution may still end after the pool is closed.
  let isClosed = false;
  return {
    send: dispatcher.send,
    setAddresses: (addresses) => {
      if (isClosed) return;
      members.setAddresses(addresses);
      dispatcher.rejectWithoutMembers(undefined);
    },
    failResolution: (reason) => {
      if (isClosed) return;
      dispatcher.rejectWithoutMembers(new Fault('unknown-outcome', `deleter: UNAVAILABLE: ${reason}`));
    },
    members: members.current,
    tick: () => {
      for (const { connection, health } of members.current())
        if (connection.link() === 'ready') health.tick();
      dispatcher.sendAgain(endCaught(members.current()));
    },
    close: () => {
      isClosed = true;
      for (const { batches } of members.open())
        for (const { calls } of batches)
          for (const queued of calls) queued.reject(new Fault('unknown-outcome', 'deleter: closed'));
      members.closeAll();
      dispatcher.rejectWithoutMembers(new Fault('unavailable', 'deleter: closed'));
    },
  };
}
