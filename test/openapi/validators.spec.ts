import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/child-process.ts';

const document = join(root, 'docs/openapi.json');

describeWith('openapi packages', 'packages for OpenAPI', (folder) => {
  const packages = join(folder, 'node_modules');

  test('openapi-schema-validator finds no fault', async () => {
    const program = join(packages, '@seriousme/openapi-schema-validator/bin/validate-api-cli.js');
    const output = await runCommand(process.execPath, [program, document]);
    expect(JSON.parse(output)).toMatchObject({ valid: true });
  });

  test('the linter of Redocly finds no fault, with its strict rules', async () => {
    const program = join(packages, '@redocly/cli/bin/cli.js');
    const args = [
      'lint',
      document,
      '--config',
      join(root, 'test/openapi/redocly.yaml'),
      '--format',
      'stylish',
    ];
    await runCommand(process.execPath, [program, ...args, '--max-problems', '20'], {
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
  });
});

describeWith('schemathesis', 'openapi-spec-validator', (packages) => {
  test('openapi-spec-validator finds no fault', async () => {
    const args = ['-m', 'openapi_spec_validator', '--errors', 'all', document];
    await runCommand('python3', args, { env: { PYTHONPATH: packages } });
  });
});
