import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { problemTable } from '@jobs-delete/gateway/messages/problems';
import { fits, type JsonSchema } from '@jobs-delete/deleter-service/testing/json-schema';
import { findUnknownVariables, namesOf, type Variables } from '@jobs-delete/runtime/config/variables';
import { programVariables } from 'jobs-delete/config';
import { suites } from '../suites.js';
import { codeBlocks, readDocument, root, section, tableRows } from './readme.ts';

/** Returns the texts between backticks. */
const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

test('docs/http-api.md lists exactly the problem codes, with their status', () => {
  const documented = tableRows(section(readDocument('docs/http-api.md'), 'Refusals')).map(
    ([code, status]) => [codesIn(code)[0], Number(status)],
  );
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(problemTable.map(({ code, status }) => [code, status])),
  );
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

test('docs/internal-callers.md lists every status that the api sends', () => {
  const documented = tableRows(section(readDocument('docs/internal-callers.md'), 'Errors')).map(
    ([code]) => codesIn(code)[0],
  );
  const folder = join(root, 'deleter-service/src/grpc');
  const sources = readdirSync(folder).filter(
    (name) => name.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(name),
  );
  const sent = sources.flatMap((name) =>
    [
      ...readDocument(`deleter-service/src/grpc/${name}`).matchAll(
        /(?:GrpcError\(|code:)\s*status\.([A-Z_]{5,})/g,
      ),
    ].map(([, code]) => code),
  );
  // grpc-js itself sends the last one.
  expect(documented.sort()).toEqual([...new Set([...sent, 'DEADLINE_EXCEEDED'])].sort());
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
