import type { Command } from 'commander';
import { ConnectionError, ProblemError, type CredentialInfo, type WhoAmI } from '@jobs-delete/client';
import { createClient } from '../delete/create-client.ts';
import { readCaller, type CallerOptions } from '../delete/read-caller.ts';
import { reasonOf } from '../delete/report-run.ts';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { fieldLines, report, timeJson, timeText, wholeNumber, type ReportOptions } from '../report.ts';
import { subcommand } from './options.ts';

type WhoAmIOptions = ReportOptions & CallerOptions;

const help = `Asks the service. The credentials are those of \`jobs-delete delete\`. It fails if they do not work. It changes nothing.`;

export function whoamiCommand(io: Io): Command {
  return subcommand('whoami', 'check the credentials, and show their account')
    .callerOptions()
    .notes(help)
    .examples('jobs-delete whoami --profile data/demo.json')
    .action(async (options: WhoAmIOptions) => {
      const caller = await askWhoAmI(io, options);
      report(io, options, jsonOf(caller), () => linesOf(caller));
    });
}

/** @throws Refusal */
async function askWhoAmI(io: Io, options: WhoAmIOptions): Promise<WhoAmI> {
  const client = createClient(io, {
    ...options,
    caller: readCaller(io, options),
    requestFormat: 'json',
    concurrency: 1,
    jobsPerRequest: 1,
    // A person waits for the answer.
    retryFor: 10_000,
  });
  try {
    return await client.whoami();
  } catch (error) {
    if (!(error instanceof ProblemError) && !(error instanceof ConnectionError)) throw error;
    throw new Refusal(reasonOf(error, ''));
  }
}

/** The names of the HTTP API. */
function jsonOf({ accountId, accountName, token, secretKey, origin, limits }: WhoAmI) {
  return {
    account_id: accountId,
    account_name: accountName ?? null,
    token: credentialJson(token),
    secret_key: credentialJson(secretKey),
    origin,
    limits: { max_jobs_per_request: limits.maxJobsPerRequest, max_body_bytes: limits.maxBodyBytes },
  };
}

function credentialJson({ id, expiresAt }: CredentialInfo) {
  return { id, expires_at: timeJson(expiresAt?.getTime()) };
}

function linesOf({ accountId, accountName, token, secretKey, origin, limits }: WhoAmI): string[] {
  return fieldLines([
    ['account', accountId],
    ['name', accountName ?? '-'],
    ['token id', token.id],
    ['token expires', timeText(token.expiresAt?.getTime(), 'never')],
    ['secret key id', secretKey.id],
    ['secret key expires', timeText(secretKey.expiresAt?.getTime(), 'never')],
    ['origin', origin],
    ['jobs per request', wholeNumber(limits.maxJobsPerRequest)],
  ]);
}
