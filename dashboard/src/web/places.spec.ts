import { expect, test } from '@jest/globals';
import { lastOf, pathsOf, readPlaces } from './places.tsx';

const read = (pages: string) => readPlaces(new URLSearchParams({ pages }), () => true);
const pathOf = (pages = '') => `/list?${String(new URLSearchParams({ pages }))}`;

test('an address keeps the latest 100 places', () => {
  const places = read(Array.from({ length: 5_000 }, (_, page) => `${String(page)}:a`).join(' '));
  expect([places.length, lastOf(places)]).toEqual([100, { first: 4_999, after: 'a' }]);
});

test('an address that becomes too long loses its oldest places', () => {
  const after = 'a'.repeat(200);
  const places = read(Array.from({ length: 50 }, (_, page) => `${String(page)}:${after}`).join(' '));
  const { next = '', previous = '' } = pathsOf(places, { count: 1, next: after, pathOf });
  for (const [path, last] of [
    [next, 50],
    [previous, 48],
  ] as const) {
    const kept = readPlaces(new URL(path, 'https://dashboard').searchParams, () => true);
    expect(kept.map(({ first }) => first)).toEqual(
      Array.from({ length: 18 }, (_, index) => last - 17 + index),
    );
    expect(path.length).toBeLessThanOrEqual(3_900);
  }
});

test.each([
  ['', { first: 1, after: '' }],
  ['26:x', { first: 26, after: 'x' }],
  [`26:${'a'.repeat(200)}`, { first: 26, after: 'a'.repeat(200) }],
  [`26:${'a'.repeat(201)}`, { first: 1, after: '' }],
  ['1: 26:x!', { first: 1, after: '' }],
])('the page of %j begins at %j', (pages, place) => {
  expect(lastOf(read(pages))).toEqual(place);
});
