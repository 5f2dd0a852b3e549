import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const compiler = ({ tsx }) => ({
  jsc: {
    parser: { syntax: 'typescript', tsx },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    target: 'es2023',
  },
  module: { type: 'es6' },
});
/** @type {import('jest').Config} */
const everywhere = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', compiler({ tsx: false })],
    '^.+\\.tsx$': ['@swc/jest', compiler({ tsx: true })],
  },
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  modulePathIgnorePatterns: ['/dist/'],
  testPathIgnorePatterns: ['/dist/', '/node_modules/'],
};
const onServers = (name) => ({
  ...everywhere,
  globalSetup: `<rootDir>/test/servers/set-up-${name}.js`,
  globalTeardown: '<rootDir>/test/servers/global-teardown.js',
});
const { workspaces } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));

/**
 * `npm test` runs the first four projects. `npm run test:all` runs all five.
 * @type {import('jest').Config}
 */
export default {
  // Stops a test that hangs. It is no limit on speed: machines under load are slow.
  testTimeout: 900_000,
  projects: [
    { ...everywhere, displayName: 'unit', roots: workspaces.map((name) => `${name}/src`) },
    { ...onServers('contract'), displayName: 'contract', roots: ['test/contract'] },
    { ...everywhere, displayName: 'http-embedded', roots: ['test/attack', 'test/dashboard', 'test/http'] },
    {
      ...onServers('http'),
      displayName: 'http-production',
      roots: ['test/attack', 'test/http'],
      globals: { storagePair: 'production' },
      testEnvironment: '<rootDir>/test/production/http-environment.js',
    },
    {
      ...onServers('system'),
      displayName: 'system',
      roots: [
        ...[
          'test/bench',
          'test/browser',
          'test/client',
          'test/command-line',
          'test/deploy',
          'test/durability',
        ],
        ...[
          'test/openapi',
          'test/operations',
          'test/outages',
          'test/production',
          'test/readme',
          'test/releases',
        ],
      ],
    },
  ],
};
