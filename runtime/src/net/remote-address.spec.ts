import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { networkOf } from './remote-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::6', '2001:db8:1:2::/64'],
  ['2001:db8::1:2:3', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::192.0.2.7', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::1%a:b.c', 'fe80:0:0:0::/64'],
  ['[::ffff:192.0.2.7%:]:443', '192.0.2.7'],
  ['::192.0.2.7', '0:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['example.com', 'unknown'],
  ['192.0.2.7:443', '192.0.2.7'],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
  // An address as a whole: nobody can tell whether its last group is a port.
  ['2001:db8::1:443', '2001:db8:0:0::/64'],
  ['192.0.2.7:', 'unknown'],
  ['192.0.2.7:http', 'unknown'],
  ['[192.0.2.7', 'unknown'],
  ['[]:443', 'unknown'],
  ['_hidden', 'unknown'],
  ['1:2:3:4::5:6:7:8', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

const group = fc.integer({ min: 0, max: 0xffff });
const spelt = (groups: readonly number[]) => groups.map((value) => value.toString(16)).join(':');

test('two addresses have the same network exactly if they share a /64', () => {
  const half = fc.tuple(group, group, group, group);
  fc.assert(
    fc.property(half, half, half, half, (net, otherNet, host, otherHost) => {
      fc.pre(net.some((value) => value !== 0) && otherNet.some((value) => value !== 0));
      const network = networkOf(spelt([...net, ...host]));
      expect(networkOf(spelt([...net, ...otherHost]))).toBe(network);
      const isSame = spelt(net) === spelt(otherNet);
      expect(networkOf(spelt([...otherNet, ...host])) === network).toBe(isSame);
    }),
  );
});
