import { z } from 'zod';
import { expect, test } from '@jest/globals';
import { editsBetween, findUnknownVariables } from './variables.ts';

const names = ['DATA_DIR', 'DATABASE_URL', 'RATE_LIMIT_REQUESTS', 'JOBS_DELETE_SECRET_KEY', 'PORT'];
const known = Object.fromEntries(names.map((name) => [name, z.string()]));

test.each([
  ['DATADIR', 'DATA_DIR'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['RATE_LIMIT', 'RATE_LIMIT_REQUESTS'],
  ['JOBS_DELETE_SERVICE_HOST', undefined],
  ['RATE_LIMIT_REQUEST', 'RATE_LIMIT_REQUESTS'],
  ['RATE_LIMIT_PER_MINUTE', 'RATE_LIMIT_REQUESTS'],
  ['JOBS_DELETE_SECRET', 'JOBS_DELETE_SECRET_KEY'],
  ['PORTS', 'PORT'],
])('%s is like %s', (name, similar) => {
  const found = findUnknownVariables({ [name]: 'x' }, known);
  expect(found[0]?.similar).toBe(similar);
});

test('known variables and those of other programs are not reported', () => {
  const others = [
    ...['PATH', 'HOME', 'HOSTNAME', 'LANG', 'USER', 'PWD', 'OTEL_SERVICE_NAME', 'KUBERNETES_SERVICE_PORT'],
    ...[
      'NODE_ENV',
      'SHELL',
      'TERM',
      'XDG_CONFIG_HOME',
      'npm_config_cache',
      'CI',
      'LOGNAME',
      'DATA_DIR',
      'PORT',
    ],
  ];
  const env = Object.fromEntries(others.map((name) => [name, 'x']));
  expect(findUnknownVariables(env, known)).toEqual([]);
});

test('the distance counts insertions, deletions and replacements', () => {
  expect(editsBetween('', 'abc')).toBe(3);
  expect(editsBetween('kitten', 'sitting')).toBe(3);
  expect(editsBetween('same', 'same')).toBe(0);
});
