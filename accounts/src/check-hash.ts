import type { KeyObject } from 'node:crypto';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Accounts, CredentialRef, StoredCredential } from './accounts.ts';
import { hashCredential, matchingPepper } from './credentials/credential.ts';
import { fingerprintOf, pepperIdOf } from './credentials/fingerprint.ts';
import { createUseRecorder } from './use-recorder.ts';

export interface HashCheckOptions {
  readonly accounts: Pick<Accounts, 'replaceHash'>;
  readonly pepper: KeyObject;
  readonly previousPepper?: KeyObject | undefined;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

interface Move extends CredentialRef {
  readonly text: string;
  readonly from: Buffer;
}

/** Compares credentials under both peppers, and moves those that are used to the current one. */
export function createHashCheck({ accounts, pepper, previousPepper, now, onError }: HashCheckOptions) {
  const peppers = [pepper, ...(previousPepper === undefined ? [] : [previousPepper])];
  const ids = peppers.map((each) => pepperIdOf(fingerprintOf(each)));
  const [pepperId = ''] = ids;
  const move = createUseRecorder<Move>({
    now,
    onError,
    write: (moves) => {
      const moved = moves.map(({ text, from, ...credential }) =>
        accounts.replaceHash(credential, from, { hash: hashCredential(pepper, text), pepperId }),
      );
      return Promise.all(moved).then(() => undefined);
    },
  });

  return {
    /**
     * Returns whether the text fits and the credential is live. Compares in the same time when nothing is stored.
     * @throws Fault if the hash belongs to a pepper that this process does not have: the text may be right
     */
    isValid(text: string, stored: StoredCredential | undefined): stored is StoredCredential {
      const isMatch = matchingPepper(peppers, text, stored?.hash) !== undefined;
      if (stored === undefined || !isLive(stored, now())) return false;
      if (stored.pepperId !== undefined && !ids.includes(stored.pepperId)) throw unknownPepper(stored);
      return isMatch;
    },
    /** Called for valid credentials. Returns at once and never throws. */
    moveToCurrentPepper(text: string, { kind, id, hash, pepperId: storedId }: StoredCredential): void {
      if (previousPepper !== undefined && storedId !== pepperId) move([{ kind, id, text, from: hash }]);
    },
  };
}

function unknownPepper({ kind, id, pepperId }: StoredCredential): Fault {
  return new Fault(
    'unavailable',
    `the hash of the ${kind} ${id} belongs to the pepper ${String(pepperId)}, which this process does not have: ` +
      'set CREDENTIAL_PEPPER and CREDENTIAL_PEPPER_PREVIOUS to the peppers of `jobs-delete pepper status`',
  );
}

function isLive({ expiresAtMs, revokedAtMs }: StoredCredential, nowMs: number): boolean {
  return revokedAtMs === undefined && (expiresAtMs === undefined || nowMs < expiresAtMs);
}
