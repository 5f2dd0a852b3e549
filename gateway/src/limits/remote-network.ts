import { isIPv4, isIPv6 } from 'node:net';

/**
 * Whom a remote address belongs to, as far as it tells: an IPv4 address, or the /64 of an IPv6 address, which is the
 * least that a subscriber is given. One network has one spelling.
 */
export function networkOf(address: string | undefined): string {
  const [bare = ''] = (address ?? '').split('%');
  if (isIPv4(bare)) return bare;
  const url = `http://[${bare}]`;
  if (!isIPv6(bare) || !URL.canParse(url)) return 'unknown';
  // The URL parser's spelling has no dotted part and no capitals.
  const groups = groupsOf(new URL(url).hostname.slice(1, -1));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

function groupsOf(text: string): number[] {
  const [left = [], right = []] = text
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [parseInt(group, 16)])));
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
