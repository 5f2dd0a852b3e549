/** A browser without script: it keeps cookies, and sends the forms of the pages that it has loaded. */
export interface TestBrowser {
  readonly cookies: Map<string, string>;
  /** Does not follow redirects. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  /** Sends a form as it is. */
  postRaw(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>;
  /** Sends a form with the CSRF token of the browser's latest page, or of `/` if it has loaded none. */
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<TestAnswer>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of a redirect. */
  readonly location: string | undefined;
}

export function createTestBrowser(url: string): TestBrowser {
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
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get('Location') ?? undefined,
    };
  };

  const keep = (set: string) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  };

  const postRaw: TestBrowser['postRaw'] = (path, fields, headers = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers });

  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    postRaw,
    post: async (path, fields = {}) => {
      if (csrf === undefined) await send('/keys', {});
      return postRaw(path, { csrf: csrf ?? '', ...fields });
    },
  };
}
