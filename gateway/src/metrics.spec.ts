import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clientTechnologies, clientTechnologyLabel } from './metrics.ts';

test.each([
  ['PHP', 'php'],
  ['C#', 'c#'],
  ['JavaScript', 'javascript'],
  ['Node.js', 'javascript'],
  ['golang', 'go'],
  ['Visual Basic', 'visual basic'],
])('%s has the label %s', (value, label) => {
  expect(clientTechnologyLabel(value)).toBe(label);
});

test.each([
  ['PHP 8.3', 'php'],
  ['Go/1.22', 'go'],
])('%s has the label %s without its version', (value, label) => {
  expect(clientTechnologyLabel(value)).toBe(label);
});

test('any other value has the label `other`', () => {
  for (const value of ['COBOL', '__proto__', 'constructor', '日本語']) {
    expect(clientTechnologyLabel(value)).toBe('other');
  }
  fc.assert(fc.property(fc.string(), (value) => clientTechnologies.includes(clientTechnologyLabel(value))));
});
