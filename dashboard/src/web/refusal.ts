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

/** A refusal as it is logged: without secrets, and without an e-mail address. */
export interface RefusedRequest {
  readonly method: string;
  /** The pattern of the path: the path of a link contains its secret. */
  readonly route: string;
  readonly status: number;
  readonly refusal: RefusalCode;
  readonly network: string;
  readonly personId: string | undefined;
  readonly accountId: string | undefined;
}
