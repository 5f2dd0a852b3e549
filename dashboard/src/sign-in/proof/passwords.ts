import { createTaskQueue } from './task-queue.ts';

/** Stores and checks passwords as argon2id hashes. Both take the same time and happen off the main thread. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash: an unknown person answers like a wrong password. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

interface Hasher {
  hash(password: string, options: typeof cost): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** The least that OWASP recommends for argon2id: 19 MiB and 2 passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each check takes 19 MiB and a thread of libuv. A flood of checks is answered with 503 after a wait of about 2 s. */
const limits = { running: 2, waiting: 64 };

/** Loads the hasher at the first use: most processes of `serve` never check a password. */
export function createPasswords(load: () => Promise<Hasher> = () => import('@node-rs/argon2')): Passwords {
  let dummy: Promise<string> | undefined;
  const dummyHash = async () => (dummy ??= (await load()).hash('no password', cost));

  const inTurn = createTaskQueue(limits);

  return {
    hash: (password) => inTurn(async () => (await load()).hash(normalize(password), cost)),
    verify: (hash, password) =>
      inTurn(async () => {
        const dummy = await dummyHash();
        const isRight = await (await load()).verify(hash ?? dummy, normalize(password));
        return isRight && hash !== undefined;
      }),
  };
}

/** Keyboards and systems spell the same character in several ways (NIST SP 800-63B). */
export function normalize(password: string): string {
  return password.normalize('NFKC');
}
