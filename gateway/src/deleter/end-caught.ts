import { Fault } from '@jobs-delete/runtime/fault';
import { rankOf, ranks, smallBatches, troubleOf, type Batch, type Member } from './member.ts';
import { mayRepeat, type QueuedCall } from './queued-call.ts';
import { patienceTicks } from './watch-health.ts';

/** A call that may not be repeated waits 0.5 s longer: its answer may still arrive. */
const rejectTicks = 15;

/**
 * Runs every tick: compares the deleters, and ends the calls that are caught on a sick one while another is well. Rejects
 * the calls that may not be repeated, and returns the others to send again. While all are equally slow, no call ends.
 */
export function endCaught(members: readonly Member[]): QueuedCall[] {
  for (const member of members) comparePace(member, members);
  const again: QueuedCall[] = [];
  for (const member of members) {
    const isOtherWell = members.some((other) => other !== member && rankOf(other) === ranks.well);
    if (!isOtherWell) continue;
    if (rankOf(member) !== ranks.well) for (const read of member.reads) read.abort();
    const { batches, isPatienceOver } = caughtOn(member);
    for (const batch of batches) {
      for (const queued of batch.calls) {
        if (queued.batch !== batch || queued.isSettled) continue;
        if (mayRepeat(queued)) {
          queued.batch = undefined;
          again.push(queued);
        } else if (isPatienceOver) queued.reject(noAnswer(member));
      }
    }
  }
  return again;
}

function comparePace(member: Member, members: readonly Member[]): void {
  const small = smallBatches(member);
  for (const batch of small) batch.ageTicks += 1;
  const [oldest] = small;
  const isOvertaken =
    oldest !== undefined &&
    members.some((other) => other !== member && other.answeredSequence > oldest.sequence);
  if (isOvertaken) oldest.overtakenTicks += 1;
  member.pace.tick(oldest?.overtakenTicks ?? 0);
}

/** A large batch may take seconds, so it only ends when the deleter is silent. */
function caughtOn(member: Member): { batches: Iterable<Batch>; isPatienceOver: boolean } {
  const health = member.health.health();
  if (health.kind === 'silent')
    return { batches: member.batches, isPatienceOver: health.silentTicks >= rejectTicks };
  const small = smallBatches(member);
  const overtakenTicks = small[0]?.overtakenTicks ?? 0;
  if (overtakenTicks >= patienceTicks)
    return { batches: small, isPatienceOver: overtakenTicks >= rejectTicks };
  // A deleter that stops may still answer its batches, or fail them itself.
  if (health.kind === 'not-serving')
    return { batches: small.filter(({ ageTicks }) => ageTicks >= patienceTicks), isPatienceOver: false };
  return { batches: [], isPatienceOver: false };
}

function noAnswer(member: Member): Fault {
  const reason = troubleOf(member) ?? 'it does not answer';
  return new Fault('unknown-outcome', `deleter ${member.connection.address}: ${reason}`);
}
