import { oneOf } from './read-environment.ts';

/** The secrets of the Kubernetes overlay for a laptop, which everybody knows, start with this text. */
const trialPrefix = 'for-trying-it-out-only';

export const trialSecretsVariables = {
  TRIAL_SECRETS: oneOf(['refused', 'allowed'], 'refused').describe(
    '`allowed` accepts the secrets of the Kubernetes overlay `local`, which everybody knows',
  ),
};

/** Returns a problem for each variable that has a trial secret, unless those are allowed. */
export function trialSecretProblems(
  { TRIAL_SECRETS: trialSecrets }: { readonly TRIAL_SECRETS: 'refused' | 'allowed' },
  secrets: Readonly<Record<string, string | readonly string[] | undefined>>,
): readonly string[] {
  if (trialSecrets === 'allowed') return [];
  return Object.entries(secrets).flatMap(([variable, values = []]) =>
    [values].flat().some((value) => value.startsWith(trialPrefix))
      ? [`${variable}: has a trial secret, which everybody knows; set a secret of your own (${hint})`]
      : [],
  );
}

const hint = 'to try the service out: docker compose up';
