import { JobsDeleteClient, ProblemError, type ClientOptions } from '@jobs-delete/client';
import type { Io } from '../io.ts';
import { printable } from '../report.ts';
import { wrongUsage } from '../refusal.ts';
import { readVersion } from '../version.ts';
import type { Caller } from './read-caller.ts';

/** How a command calls the service. Most members have the names of its options. */
export interface ClientSettings {
  readonly caller: Caller;
  /** Sends the credentials over http:// to another machine. */
  readonly allowHttp?: boolean;
  readonly sandbox?: boolean;
  readonly requestFormat: 'json' | 'xml';
  readonly concurrency: number;
  readonly jobsPerRequest: number;
  /** Longest time for one request and its retries, in ms. */
  readonly retryFor: number;
}

/** @throws Refusal for options that the client refuses */
export function createClient(io: Io, settings: ClientSettings): JobsDeleteClient {
  const { baseUrl, token, secretKey, origin } = settings.caller;
  try {
    return new JobsDeleteClient({
      baseUrl,
      token,
      secretKey,
      origin,
      allowHttp: settings.allowHttp ?? false,
      userAgent: `jobs-delete-cli/${readVersion()}`,
      format: settings.requestFormat,
      sandbox: settings.sandbox ?? false,
      concurrency: settings.concurrency,
      maxJobsPerRequest: settings.jobsPerRequest,
      retryForMs: settings.retryFor,
      ...announcements(io, baseUrl),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw wrongUsage(
      error.message.replace('Set allowHttp', 'Add --allow-http').replace('baseUrl', 'The address'),
    );
  }
}

/** The client sends a request again after these. */
const transientStatuses: readonly number[] = [429, 502, 503, 504];

/** Says on stderr when the service goes away, and when it is back. */
function announcements(
  { stderr }: Pick<Io, 'stderr'>,
  baseUrl: string,
): Required<Pick<ClientOptions, 'fetch' | 'onRetry'>> {
  let isAway = false;
  const note = (nowAway: boolean, line: string) => {
    if (isAway === nowAway) return;
    isAway = nowAway;
    // A progress bar may be in the line.
    stderr.write(`${stderr.isTTY ? '\r\x1b[K' : ''}${printable(line)}\n`);
  };
  return {
    onRetry: ({ error }) => {
      const fault =
        error instanceof ProblemError
          ? `${baseUrl} answers ${String(error.status)}`
          : sentence(error.message);
      note(true, `${fault}. Trying again.`);
    },
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (!transientStatuses.includes(response.status)) note(false, `${baseUrl} answers again.`);
      return response;
    },
  };
}

/** Returns the message of an error, which begins in lower case, as a sentence without a full stop. */
export function sentence(message: string): string {
  return printable(message.charAt(0).toUpperCase() + message.slice(1));
}
