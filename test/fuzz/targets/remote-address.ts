import { isIPv4, isIPv6 } from 'node:net';
import { networkOf } from '@jobs-delete/runtime/net/remote-address';
import type { Target } from '../fuzz.ts';

/** An input is the address of a caller, as a proxy writes it. */
export const remoteAddress: Target = {
  name: 'remote-address',
  seeds: [
    '192.0.2.7',
    '192.0.2.7:443',
    '[2001:db8::1]:443',
    '2001:DB8:1:2:3:4:5:6',
    '::ffff:192.0.2.7',
    'fe80::1%eth0',
    'unknown',
  ],
  words: [
    ...[
      '.',
      ':',
      '::',
      '[',
      ']',
      '%',
      '%eth0',
      ':443',
      ':65536',
      '::ffff:',
      '192.0.2.7',
      '0x7f.1',
      '127.1',
      '08',
      '0',
      '1',
    ],
    ...['2001:db8', 'fe80', '/64', ',', ' ', '-', 'ffff', '::1', '64:ff9b::', '1.2.3.4', '256'],
  ],
  run: (input) => networkOf(input.toString('latin1')),
  judge: (input, outcome) => {
    const text = input.toString('latin1');
    const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::[0-9]{1,5})?$/.exec(text) ?? [];
    const address = bracketed ?? plain ?? text;
    if (isIPv4(address)) return address;
    if (!isIPv6(address)) return 'unknown';
    const groups = groupsOf(address.replace(/%.*$/s, ''));
    const [high = 0, low = 0] = groups.slice(6);
    // An IPv4 address in the form of IPv6.
    if (groups.slice(0, 6).join() === '0,0,0,0,0,65535')
      return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
    const network = groups.slice(0, 4).map((group) => group.toString(16));
    return outcome === 'unknown' ? 'a network' : `${network.join(':')}::/64`;
  },
};

/** Returns the 8 numbers of an IPv6 address, by the URL parser. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address}]`);
  const [start = '', end] = hostname.slice(1, -1).split('::');
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  if (end === undefined) return numbers(start);
  const missing = 8 - numbers(start).length - numbers(end).length;
  return [...numbers(start), ...Array<number>(missing).fill(0), ...numbers(end)];
}
