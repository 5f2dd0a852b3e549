import { expect, test } from '@jest/globals';
import { trialSecretProblems } from './trial-secrets.ts';

const trial = 'for-trying-it-out-only-0123456789abcdef';

test('a trial secret is refused with the name of its variable, but not its value', () => {
  const problems = trialSecretProblems(
    { TRIAL_SECRETS: 'refused' },
    { CREDENTIAL_PEPPER: trial, GRPC_SERVICE_TOKENS: ['own', trial], OTHER: 'own', MISSING: undefined },
  );
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'CREDENTIAL_PEPPER',
    'GRPC_SERVICE_TOKENS',
  ]);
  expect(problems.join()).not.toContain('for-trying');
});

test('a trial secret is accepted where it is allowed', () => {
  expect(trialSecretProblems({ TRIAL_SECRETS: 'allowed' }, { CREDENTIAL_PEPPER: trial })).toEqual([]);
});
