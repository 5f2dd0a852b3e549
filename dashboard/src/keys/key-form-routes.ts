import type { Accounts, Credential } from '@jobs-delete/accounts/accounts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import type { KeyAction } from './key-list.tsx';
import { findKey } from './key-state.ts';

/** A form that does something with one key. */
export interface KeyForm {
  /** The last part of its path. */
  readonly action: KeyAction;
  /** Returns whether the form is for the key. */
  readonly isFor: (key: Credential, nowMs: number) => boolean;
  /** The fields that survive a new sign-in. */
  readonly keeps?: readonly string[];
  readonly page: (visit: MemberVisit, key: Credential) => Reply;
  /** Answers the sent form. @param findAgain reads the key once more; undefined if `isFor` is false now */
  readonly submit: (
    visit: MemberVisit,
    key: Credential,
    findAgain: () => Promise<Credential | undefined>,
  ) => Promise<Reply>;
}

/** Returns the routes of the form, for managers after a recent sign-in. They answer 404 if `isFor` is false. */
export function keyFormRoutes(
  accounts: Pick<Accounts, 'findCredential'>,
  { action, isFor, keeps = [], page, submit }: KeyForm,
): readonly Route[] {
  const find = async ({ accountId, params, nowMs }: MemberVisit) => {
    const key = await findKey(accounts, accountId, params);
    return key !== undefined && isFor(key, nowMs) ? key : undefined;
  };
  const form = { path: `/keys/:kind/:id/${action}`, access: 'manager', recent: true } as const;
  return [
    {
      ...form,
      method: 'GET',
      serve: async (visit: MemberVisit): Promise<Reply> => {
        const key = await find(visit);
        return key === undefined ? { kind: 'not-found' } : page(visit, key);
      },
    },
    {
      ...form,
      method: 'POST',
      keeps,
      serve: async (visit: MemberVisit): Promise<Reply> => {
        const key = await find(visit);
        return key === undefined ? { kind: 'not-found' } : submit(visit, key, () => find(visit));
      },
    },
  ];
}
