import { expect, test } from '@jest/globals';
import { readDocument, section, tableRows } from './readme.ts';

test('the conformance README lists every case with its clients', () => {
  const cases = JSON.parse(readDocument('client/conformance/cases.json')) as {
    readonly title: string;
    readonly clients?: readonly string[];
  }[];
  const rows = cases.map(({ title, clients = ['typescript', 'python'] }) => [
    title,
    ...['typescript', 'python'].map((client) => (clients.includes(client) ? 'yes' : 'no')),
  ]);
  expect(tableRows(section(readDocument('client/conformance/README.md'), 'Cases'))).toEqual(rows);
});
