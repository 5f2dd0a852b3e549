/** @type {import('jest').Config} */
const shared = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  testMatch: ['**/*.spec.ts'],
  modulePathIgnorePatterns: ['/dist/'],
};
const ignored = ['/dist/', '/node_modules/'];

const servers = {
  testPathIgnorePatterns: ignored,
  globalSetup: '<rootDir>/test/servers/global-setup.js',
  globalTeardown: '<rootDir>/test/servers/global-teardown.js',
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // No limit on speed, but on hanging: a machine that does other things as well may take its time.
  testTimeout: 900_000,
  projects: [
    {
      ...shared,
      displayName: 'embedded',
      roots: [
        'runtime/src',
        'proto/src',
        'accounts/src',
        'gateway/src',
        'deleter-service/src',
        'cli/src',
        'client/src',
        'test',
      ],
      testPathIgnorePatterns: [
        ...ignored,
        ...['<rootDir>/test/contract/', '<rootDir>/test/deploy/', '<rootDir>/test/production/'],
      ],
    },
    {
      ...shared,
      ...servers,
      displayName: 'servers',
      roots: ['test/contract', 'test/deploy', 'test/production'],
    },
    {
      ...shared,
      ...servers,
      // The HTTP suite once more, on MongoDB and Kafka: every case of it, and unchanged.
      displayName: 'production',
      roots: ['test/http'],
      globals: { storagePair: 'production' },
      testEnvironment: '<rootDir>/test/production/http-environment.js',
    },
  ],
};
