import { isAuthority } from './is-improper.ts';

/**
 * The path and query that a request target asks for (RFC 9112, 3.2), as they were sent: `*` stays `*`, of an absolute
 * URL the origin is dropped. Undefined for what is no request target, such as one with a fragment, which servers in
 * a row could understand differently.
 */
export function originForm(target: string): string | undefined {
  if (target.includes('#')) return undefined;
  if (target === '*' || target.startsWith('/')) return target;
  const [, authority = '', path = ''] = /^https?:\/\/([^/?]+)(.*)$/i.exec(target) ?? [];
  if (authority === '' || authority.startsWith(':') || !isAuthority(authority)) return undefined;
  return path.startsWith('/') ? path : `/${path}`;
}
