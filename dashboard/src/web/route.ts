import type { NamedAccount } from './account-name.tsx';
import { roles, type Person, type Role, type Session } from '@jobs-delete/accounts/people/people';
import type { ComponentChild, VNode } from 'preact';
import type { Language } from './language.ts';
import type { ShownNotice } from './notices.ts';
import type { TimeZone } from './time.tsx';

/** Who uses the browser, if its session is alive. */
export interface SignedIn {
  readonly session: Session;
  readonly person: Person;
  /** The account of the page, if the person is a member of it; otherwise that of the session. */
  readonly accountId: string;
  /** The account of the page. */
  readonly account: NamedAccount;
  /** The accounts of the person, in the order of their ids. */
  readonly ownAccounts: readonly NamedAccount[];
  readonly role: Role;
  /** The person's address in this account: a label. */
  readonly email: string;
  /** The operator has disabled the account. */
  readonly isDisabled: boolean;
}

/** One request of a browser. */
export interface Visit {
  readonly language: Language;
  readonly zone: TimeZone;
  /** The path with its query, to come back to. */
  readonly url: string;
  /** The variable parts of the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The notice of the redirect to this page. */
  readonly notice: ShownNotice | undefined;
  /** The fields of a form; empty for GET. */
  readonly form: URLSearchParams;
  /** The value of the hidden field `csrf` in every form. */
  readonly csrf: string;
  /** The secret of this browser's cookie, which outlives its sessions. */
  readonly browserSecret: string;
  /** The session of the browser, on pages for anyone too. */
  readonly signedIn: SignedIn | undefined;
  /** The browser sent the cookie of a session that is no longer valid. */
  readonly hasEndedSession: boolean;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  readonly userAgent: string;
  readonly nowMs: number;
  /** Aborts when the browser has closed the connection. */
  readonly signal: AbortSignal;
}

/** The request of somebody who is signed in. On the routes of an account, the person is a member of `accountId`. */
export interface MemberVisit extends Visit, SignedIn {}

/** Why the dashboard has refused a request: a label of its metric, and a field of its log. */
export const refusalCodes = [
  'passkey_refused',
  'openid_refused',
  'link_unknown',
  'link_taken',
  'account_missing',
  'account_disabled',
  'role_missing',
  'form_refused',
  'too_many_requests',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

export interface Refusal {
  readonly code: RefusalCode;
  /** The person whom the request was about, if nobody is signed in. */
  readonly personId?: string | undefined;
}

export type Reply =
  | {
      readonly kind: 'page';
      /** Default: 200. */
      readonly status?: number;
      readonly title: string;
      readonly body: ComponentChild;
      /** What people most often do on the page; beside its title. */
      readonly action?: ComponentChild;
      /** Takes the place of the text of the notice. */
      readonly notice?: ComponentChild;
      /** The change that the notice of the page names. */
      readonly noticeSubject?: ComponentChild;
      /** Logged and counted. */
      readonly refusal?: Refusal | undefined;
      /** The answer to a refused form, whose page has the same address. */
      readonly isRefused?: boolean;
      /** Back and Forward show this answer to a form again, until the session ends. Every other visit asks the server. */
      readonly isKept?: true;
    }
  | {
      readonly kind: 'redirect';
      /** A path of the dashboard. The page there shows the notice. */
      readonly to: string;
      /** A new secret of the session cookie; `null` removes the cookie. */
      readonly session?: string | null;
      readonly language?: Language;
      readonly zone?: TimeZone;
    }
  /** `problem`: the missing thing. Default: the page. */
  | { readonly kind: 'not-found'; readonly problem?: MissingThing | undefined }
  /** For the script of a page. */
  | {
      readonly kind: 'json';
      readonly status?: number;
      readonly value: unknown;
      readonly refusal?: Refusal | undefined;
    }
  | {
      readonly kind: 'file';
      /** Its ending decides the media type. */
      readonly name: string;
      readonly chunks: AsyncIterable<string>;
    }
  /** Server-sent events, each a part of the page. The signal aborts when the browser leaves, or the process stops. */
  | { readonly kind: 'events'; readonly open: (signal: AbortSignal) => AsyncIterable<VNode> };

export type ReplyOf<Kind extends Reply['kind']> = Extract<Reply, { readonly kind: Kind }>;

interface RouteOf<V extends Visit> {
  readonly method: 'GET' | 'POST';
  /** In the form of Express, such as `/keys/:kind/:id`. A route of an account has it below the address of the account. */
  readonly path: `/${string}`;
  readonly serve: (visit: V) => Promise<Reply> | Reply;
}

/**
 * A page or a form's target, and who may use it: anyone, somebody who is signed in, also to a disabled account (`session`),
 * or a member with this role or a higher one. The server checks that, the CSRF token of every POST, and the account before
 * `serve` runs.
 */
export type Route =
  | (RouteOf<Visit> & { readonly access: 'anyone' })
  | (RouteOf<MemberVisit> & { readonly access: 'session' })
  | (RouteOf<MemberVisit> & {
      readonly access: Role;
      /** Asks for a sign-in of the last 15 minutes. */
      readonly recent?: true;
      /**
       * The fields of a form that a person fills in. If the form comes after the end of its session or of the recent sign-in,
       * they are kept. No secret, ticket or confirmation is among them.
       */
      readonly keeps?: readonly string[];
    });

/** Answers a member. */
export type Serve = (visit: MemberVisit) => Promise<Reply> | Reply;

/** A thing with a “not found” page of its own. */
export type MissingThing = 'noDeletion' | 'noKey';

/** Serves the thing that a request names. Without it, the answer is 404. */
export function ifFound<Thing>(
  find: (visit: MemberVisit) => Promise<Thing | undefined>,
  serve: (visit: MemberVisit, thing: Thing) => Promise<Reply> | Reply,
  problem?: MissingThing,
): Serve {
  return async (visit) => {
    const thing = await find(visit);
    return thing === undefined ? { kind: 'not-found', problem } : serve(visit, thing);
  };
}

/** Returns whether a role includes the rights of another. The highest role comes first in `roles`. */
export function includesRole(role: Role, wanted: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(wanted);
}

/** How long a sign-in counts as recent. */
export const recentMs = 15 * 60_000;
