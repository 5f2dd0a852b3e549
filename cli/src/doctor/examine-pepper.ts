import { examinePepper as examine } from '@jobs-delete/accounts/pepper/load-pepper';
import { pepperSource, type CliConfig } from '../config.ts';
import { withAccounts } from '../open-storage.ts';
import { findings, ok, type Finding } from './finding.ts';

/** Checks that the pepper fits the credentials, if there are any. */
export function examinePepper(config: CliConfig): Promise<readonly Finding[]> {
  return findings('pepper', 'Without it no credential works, and new ones must be issued.', async () => {
    const outcome = await withAccounts(config, (accounts) => examine(accounts, pepperSource(config)));
    return outcome === 'fits' ? [ok('pepper', 'fits the credentials in the database')] : [];
  });
}
