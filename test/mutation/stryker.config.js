/**
 * Changes the code in small ways, one at a time, and runs the unit specs that reach the change. A change that no spec notices
 * has survived.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    // Batching
    'runtime/src/batching/**/*.ts',
    // Readers of requests
    'gateway/src/http/body/**/*.ts',
    'gateway/src/http/request/**/*.ts',
    // Credentials and identities
    'accounts/src/credentials/**/*.ts',
    'accounts/src/origins/**/*.ts',
    'accounts/src/people/**/*.ts',
    // The domain
    'deleter-service/src/deletion/**/*.ts',
    // The client
    'client/src/**/*.ts',
    '!**/*.{spec,contract,fixture}.ts',
    '!**/testing/**',
  ],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  thresholds: { high: 90, low: 90, break: 90 },
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { reportTests: false, logTests: false, allowColor: false },
  ignorePatterns: ['dist', 'profiles', 'data'],
  tempDirName: 'data/mutation',
};
