import { accountOf, accountPath } from '../web/account-path.ts';

/**
 * A browser without script: it keeps cookies, and sends the forms of the pages that it has loaded. Paths may leave out the
 * account: pages are those of the session's account, and forms those of the account of the latest page.
 */
export interface TestBrowser {
  readonly cookies: Map<string, string>;
  /** Follows no redirect but that to the same page of the session's account. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  /** Sends a form as it is. */
  postRaw(path: string, fields: FormFields, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  /**
   * Sends a form with the CSRF token of the browser's latest page, or of `/` if it has loaded none. Follows no redirect but those to
   * new keys and to a new link.
   */
  post(path: string, fields?: FormFields): Promise<TestAnswer>;
}

/** Boxes of one name have several values. */
type FormFields = Readonly<Record<string, string | readonly string[]>>;

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of a redirect, without the account and the entry of a notice. */
  readonly location: string | undefined;
  /** The whole target. */
  readonly target: string | undefined;
}

const pathOfPerson = /^\/(?:a|account|link|settings|sign-in(?!\/again)|sign-out)(?:[/?]|$)/;

/** @param account the account of the session, if there is one already */
export function createTestBrowser(url: string, account?: string): TestBrowser {
  const cookies = new Map<string, string>();
  let csrf: string | undefined;

  const send = async (path: string, init: RequestInit): Promise<TestAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('Cookie', cookie);
    const response = await fetch(new URL(path, url), { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) keep(set);
    const text = await response.text();
    csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrf;
    const target = response.headers.get('Location') ?? undefined;
    account = accountOf(target ?? path) ?? account;
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: target
        ?.replaceAll(/(\/|%2F)a\1[\w-]+(?=\1)/g, '')
        .replace(/(?<=[?&]notice=[a-z-]+)\.[0-9a-f]{24}$/, ''),
      target,
    };
  };

  const keep = (set: string) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  };

  const postRaw: TestBrowser['postRaw'] = (path, fields, headers = {}) =>
    send(withAccount(path), { method: 'POST', body: bodyOf(fields), headers });
  const withAccount = (path: string) =>
    account === undefined || pathOfPerson.test(path)
      ? path
      : accountPath({ accountId: account }, path as `/${string}`);

  const get: TestBrowser['get'] = async (path, headers = {}) => {
    const answer = await send(path, { headers });
    const { target } = answer;
    const pathname = (address: string) => new URL(address, url).pathname;
    const isOwn =
      target !== undefined && pathname(target) === `/a/${accountOf(target) ?? ''}${pathname(path)}`;
    return isOwn ? send(target, { headers }) : answer;
  };

  return {
    cookies,
    get,
    postRaw,
    post: async (path, fields = {}) => {
      if (csrf === undefined) await get(withAccount('/keys'));
      const answer = await postRaw(path, { csrf: csrf ?? '', ...fields });
      const { target = '' } = answer;
      return /\/(?:keys\/issued|people\/invited)\?/.test(target) ? get(target) : answer;
    },
  };
}

function bodyOf(fields: FormFields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
  );
}
