import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import tseslint from 'typescript-eslint';

/** Lists the folders that may import a technology. */
const only = (technology, allowed) => ({ technology, allowed });
const technologies = [
  only('express', [
    'gateway/src/app.ts',
    'gateway/src/http/**',
    'dashboard/src/app.ts',
    'dashboard/src/web/**',
  ]),
  only('helmet', ['gateway/src/http/**', 'dashboard/src/web/**']),
  only('tldts', ['dashboard/src/domains/**']),
  only('saxes', ['gateway/src/http/**', 'dashboard/src/jobs/**', 'cli/src/**']),
  only('fflate', ['dashboard/src/jobs/**', 'dashboard/src/testing/workbook.ts']),
  only('fast-xml-parser', ['cli/src/**']),
  only('@grpc/grpc-js', [
    'proto/src/**',
    'gateway/src/deleter/**',
    'deleter-service/src/grpc/**',
    'dashboard/src/deleter/**',
  ]),
  only('grpc-health-check', ['proto/src/**', 'deleter-service/src/grpc/**']),
  only('@grpc/reflection', ['deleter-service/src/grpc/**']),
  only('libsql', ['runtime/src/sqlite/**']),
  only('rate-limiter-flexible', ['gateway/src/limits/**', 'gateway/src/limits/mongo-*.ts']),
  only('mongoose', [
    'runtime/src/mongo/**',
    'deleter-service/src/store/mongo-store.ts',
    'deleter-service/src/store/mongo/**',
    'accounts/src/mongo/**',
    'gateway/src/limits/mongo-*.ts',
  ]),
  only('kafkajs', ['deleter-service/src/event-log/kafka/**']),
  // After the folders of its files: the last block that matches a file counts.
  only('prom-client', [
    'runtime/src/process/service-context.ts',
    'runtime/src/telemetry/metrics.ts',
    'dashboard/src/metrics.ts',
    'gateway/src/metrics.ts',
    'deleter-service/src/metrics.ts',
  ]),
  ...['api', 'core', 'exporter-trace-otlp-proto', 'resources', 'sdk-trace-base'].map((name) =>
    only(`@opentelemetry/${name}`, ['runtime/src/telemetry/otel-tracing.ts']),
  ),
  only('@simplewebauthn/server', ['dashboard/src/sign-in/**']),
  only('openid-client', ['dashboard/src/sign-in/openid/**']),
  only('oidc-provider', ['dashboard/src/testing/real-openid-provider.ts']),
  only('testcontainers', ['test/servers/**']),
  ...['playwright-core', 'axe-core', 'pixelmatch', 'pngjs'].map((name) => only(name, ['test/browser/**'])),
];
const restrict = (files, names, patterns = []) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: names.map((name) => ({ name, message: `${name} is imported only from its own folder.` })),
        patterns,
      },
    ],
  },
});
const named = (names) => names.map(({ technology }) => technology);

/** Services know each other only through proto. What they share knows neither. */
const workspaces = {
  runtime: [],
  proto: ['runtime'],
  accounts: ['runtime'],
  gateway: ['accounts', 'proto', 'runtime'],
  'deleter-service': ['proto', 'runtime'],
  dashboard: ['accounts', 'proto', 'runtime'],
};
const foreign = Object.entries(workspaces).map(([workspace, known]) => ({
  target: `./${workspace}`,
  from: [...Object.keys(workspaces), 'cli', 'client', 'test']
    .filter((other) => other !== workspace && !known.includes(other))
    .map((other) => `./${other}`),
  message: `${workspace} imports only ${known.join(', ') || 'its own files'}.`,
}));

/** The folders of a workspace, from the top. A file imports from its own folder and from lower levels. */
const levels = {
  runtime: [
    ['process'],
    ['tls'],
    ['telemetry'],
    ['mongo', 'sqlite'],
    ['config', 'files', 'batching', 'time'],
  ],
  accounts: [['pepper'], ['credentials', 'mongo', 'sqlite'], ['people']],
  gateway: [['http'], ['deleter', 'limits'], ['messages']],
  'deleter-service': [['grpc'], ['deletion'], ['event-log', 'store']],
  cli: [['commands'], ['delete'], ['doctor', 'import']],
};
const upward = Object.entries(levels).flatMap(([workspace, ofWorkspace]) =>
  ofWorkspace.flatMap((level, depth) =>
    level.map((folder) => ({
      target: `./${workspace}/src/${folder}`,
      from: [...ofWorkspace.slice(0, depth).flat(), ...level, 'testing']
        .filter((other) => other !== folder)
        .map((other) => `./${workspace}/src/${other}`),
      message: `${folder} imports only from its own folder and from lower levels.`,
    })),
  ),
);
const restrictPaths = (zones) => ({ 'import-x/no-restricted-paths': ['error', { zones }] });

export default tseslint.config(
  { ignores: ['**/dist/**', 'proto/src/generated/**', 'data/**'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      // Ports and adapters are plain objects of functions: none of them uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      // Mongoose declares schemas by object literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Another rule forbids `!`.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      'import-x/no-cycle': 'error',
      'max-lines': ['error', { max: 300 }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'Write the members themselves.',
        },
      ],
      ...restrictPaths([...foreign, ...upward]),
    },
  },
  // Specs and contract suites use test helpers, which open adapters of other folders.
  {
    files: ['**/*.spec.ts', '**/*.fixture.ts', '**/contract/**', '**/testing/**'],
    rules: restrictPaths(foreign),
  },
  restrict(['**/*.{ts,tsx}'], named(technologies)),
  ...technologies.map(({ technology, allowed }) =>
    restrict(
      allowed,
      named(
        technologies.filter(
          (other) =>
            other.technology !== technology && !other.allowed.some((folder) => allowed.includes(folder)),
        ),
      ),
    ),
  ),
  // Suites with real servers use every client.
  {
    files: [
      'test/servers/**',
      'test/contract/**',
      'test/linearizability/**',
      'test/outages/**',
      'test/production/**',
      'test/releases/**',
      'test/bench/**',
    ],
    rules: { 'no-restricted-imports': 'off' },
  },
  // The domain imports ports and faults only.
  restrict(['deleter-service/src/deletion/**'], named(technologies), [
    {
      group: [
        ...['**/sqlite*', '**/mongo*', '**/embedded*', '**/kafka*', '**/grpc', '**/roles*'],
        ...['**/open-store*', '**/open-event-log*'],
      ],
      message: 'The domain imports ports only.',
    },
  ]),
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', fetch: 'readonly', AbortSignal: 'readonly' },
    },
  },
  {
    files: ['dashboard/public/*.js', 'gateway/public/*.js', 'test/browser/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...['atob', 'btoa', 'document', 'DOMParser', 'EventSource', 'FormData', 'location', 'navigator'],
          ...['FileReader', 'PublicKeyCredential', 'URL', 'URLSearchParams', 'window', 'XMLSerializer'],
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
