import { expect, test } from '@jest/globals';
import { statusOf } from '@jobs-delete/gateway/http/answer/problem-table';
import { fits, type JsonSchema } from '@jobs-delete/deleter-service/testing/json-schema';
import { findUnknownVariables } from '@jobs-delete/runtime/config/unknown-variables';
import { namesOf, type Variables } from '@jobs-delete/runtime/config/variables';
import { programVariables } from 'jobs-delete/program-variables';
import { suites } from '../suites.js';
import { codeBlocks, readDocument, section, tableRows } from './readme.ts';

/** Returns the texts between backticks. */
const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

test('docs/http-api.md lists exactly the problem codes, with their status', () => {
  const documented = tableRows(section(readDocument('docs/http-api.md'), 'Refusals')).map(
    ([code, status]) => [codesIn(code)[0], Number(status)],
  );
  expect(Object.fromEntries(documented)).toEqual(statusOf);
});

test.each(Object.entries<Variables>(programVariables))(
  'the %s takes no variable of another program for a misspelt one',
  (_, variables) => {
    const names = Object.values<Variables>(programVariables).flatMap(namesOf);
    const env = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(findUnknownVariables(env, variables)).toEqual([]);
  },
);

test('the events in docs/events.md fit the published schemas', () => {
  const examples = codeBlocks('json', readDocument('docs/events.md'));
  const schemas = ['jobs.deleted.v1', 'jobs.deletion-cancelled.v1'].map(
    (name) => JSON.parse(readDocument(`proto/schemas/${name}.json`)) as JsonSchema,
  );
  expect(examples).toHaveLength(schemas.length);
  for (const [index, schema] of schemas.entries()) {
    const event = JSON.parse(examples[index] ?? '') as object;
    expect(fits(event, schema)).toBe(true);
    expect(Object.keys(event)).toEqual(schema.required);
  }
});

test('CONTRIBUTING.md lists the suites, and those that run in npm test and on the newest Node', () => {
  const [, documented = ''] = readDocument('CONTRIBUTING.md').split(/^(?=\| Suite )/m);
  const rows = tableRows(documented.split('\n\n', 1)[0] ?? '').map(([name, , , inTest, onNewest]) => [
    codesIn(name)[0],
    inTest === 'yes',
    onNewest === 'yes',
  ]);
  expect(rows).toEqual(
    suites.map(({ name, runs }) => [name, runs.includes('test'), runs.includes('newest-node')]),
  );
});
