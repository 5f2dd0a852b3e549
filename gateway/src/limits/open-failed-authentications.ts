import type { ProtectionConfig } from '../protection-config.ts';
import type { FailedAuthentications } from './failed-authentications.ts';

/** Where they are limited; otherwise what counts them is not even loaded. */
export async function openFailedAuthentications(
  config: ProtectionConfig['failedAuthentications'],
): Promise<FailedAuthentications | undefined> {
  if (config.limit === 0) return undefined;
  const { createFailedAuthentications } = await import('./failed-authentications.ts');
  return createFailedAuthentications(config);
}
