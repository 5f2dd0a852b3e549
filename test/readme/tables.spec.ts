import { expect, test } from '@jest/globals';
import { statusOf } from '@jobs-delete/gateway/http/answer/problem-table';
import { fits, type JsonSchema } from '@jobs-delete/deleter-service/testing/json-schema';
import { variableNames } from '@jobs-delete/runtime/config/variable-names';
import { knownVariables } from '../harness/known-variables.ts';
import { codeBlocks, readDocument, section, tableRows } from './readme.ts';

/** Returns the texts between backticks. */
const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

test('docs/http-api.md lists exactly the problem codes, with their status', () => {
  const documented = tableRows(section(readDocument('docs/http-api.md'), 'Refusals')).map(
    ([code, status]) => [codesIn(code)[0], Number(status)],
  );
  expect(Object.fromEntries(documented)).toEqual(statusOf);
});

test('docs/configuration.md lists exactly the variables of the programs, with their defaults', () => {
  const known = knownVariables();
  const documented = tableRows(readDocument('docs/configuration.md')).map(
    ([name, value]) => [codesIn(name)[0] ?? '', codesIn(value)[0]] as const,
  );
  expect(documented.map(([name]) => name).sort()).toEqual([...known.keys()].sort());
  const withDefault = documented.filter(([name]) => known.get(name) !== undefined);
  expect(withDefault.length).toBeGreaterThan(30);
  expect(Object.fromEntries(withDefault)).toEqual(
    Object.fromEntries(withDefault.map(([name]) => [name, known.get(name)])),
  );
});

test('the programs know the names of all variables, to find misspelt ones', () => {
  expect([...variableNames].sort()).toEqual([...knownVariables().keys()].sort());
});

test('the event in docs/events.md fits the published schema', () => {
  const schema = JSON.parse(readDocument('proto/schemas/jobs.deleted.v1.json')) as JsonSchema;
  const [example = '', ...others] = codeBlocks('json', readDocument('docs/events.md'));
  expect(others).toEqual([]);
  const event = JSON.parse(example) as object;
  expect(fits(event, schema)).toBe(true);
  expect(Object.keys(event)).toEqual(schema.required);
});
