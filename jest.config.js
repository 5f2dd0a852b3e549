import { suites } from './test/suites.js';

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
  testEnvironment: '<rootDir>/test/servers/memory-environment.js',
  // A global is slow in the sandbox of jest. The decoder of PNG needs this one for every byte.
  sandboxInjectedGlobals: ['Math'],
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

/** @type {import('jest').Config} */
export default {
  // Stops a test that hangs. It is no limit on speed: machines under load are slow.
  testTimeout: 900_000,
  testSequencer: './test/slowest-first.js',
  // A worker keeps the modules of each spec that it has run. After a spec, one with more memory is replaced.
  workerIdleMemoryLimit: '1GB',
  projects: suites.map(({ name, folders, without = [], hasServers, storagePair, onDisk }) => ({
    ...everywhere,
    displayName: name,
    roots: folders,
    testPathIgnorePatterns: [...everywhere.testPathIgnorePatterns, ...without],
    ...(onDisk && { testEnvironment: 'node' }),
    ...(hasServers && {
      globalSetup: `<rootDir>/test/servers/set-up-${name}.js`,
      globalTeardown: '<rootDir>/test/servers/global-teardown.js',
    }),
    ...(storagePair && {
      globals: { storagePair },
      testEnvironment: '<rootDir>/test/production/http-environment.js',
    }),
  })),
};
