import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clientTechnologies, clientTechnologyLabel } from './client-technology.ts';

test.each([
  ['PHP', 'php'],
  ['C#', 'c#'],
  ['JavaScript', 'javascript'],
  ['Node.js', 'javascript'],
  ['golang', 'go'],
  ['Visual Basic', 'visual basic'],
])('%s is known in any letter case and by its usual names', (value, label) => {
  expect(clientTechnologyLabel(value)).toBe(label);
});

test.each([
  ['PHP 8.3', 'php'],
  ['Go/1.22', 'go'],
])('%s counts without its version', (value, label) => {
  expect(clientTechnologyLabel(value)).toBe(label);
});

test('anything else is one label, so that callers cannot grow the list', () => {
  for (const value of ['COBOL', '__proto__', 'constructor', '日本語']) {
    expect(clientTechnologyLabel(value)).toBe('other');
  }
  fc.assert(fc.property(fc.string(), (value) => clientTechnologies.includes(clientTechnologyLabel(value))));
});
