import { JobsDeleteClient } from '@jobs-delete/client';
import type { Io } from '../io.ts';
import { printable } from '../printable.ts';
import { wrongUsage } from '../refusal.ts';
import { readVersion } from '../version.ts';
import type { Caller } from './read-caller.ts';

/** The user interrupted the run. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

export interface ClientSettings {
  readonly caller: Caller;
  /** Sends the credentials over http:// to another machine. */
  readonly allowHttp: boolean;
  readonly sandbox: boolean;
  readonly requestFormat: 'json' | 'xml';
  readonly concurrency: number;
  readonly jobsPerRequest: number;
  readonly retryForMs: number;
}

/** @throws Refusal for options that the client refuses */
export function createClient(io: Io, { caller, ...settings }: ClientSettings): JobsDeleteClient {
  try {
    const { baseUrl, token, secretKey, origin } = caller;
    return new JobsDeleteClient({
      baseUrl,
      token,
      secretKey,
      origin,
      allowHttp: settings.allowHttp,
      userAgent: `jobs-delete-cli/${readVersion()}`,
      format: settings.requestFormat,
      sandbox: settings.sandbox,
      concurrency: settings.concurrency,
      maxJobsPerRequest: settings.jobsPerRequest,
      retryForMs: settings.retryForMs,
      fetch: announcingFetch(io, caller.baseUrl),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw wrongUsage(
      error.message.replace('Set allowHttp', 'Add --allow-http').replace('baseUrl', 'The address'),
    );
  }
}

/** The client sends a request again after these, without a word. */
const transientStatuses: readonly number[] = [429, 502, 503, 504];

/** Returns a `fetch` that says on stderr when the service goes away, and when it is back. */
function announcingFetch({ stderr }: Pick<Io, 'stderr'>, baseUrl: string): typeof fetch {
  const service = printable(baseUrl);
  let isAway = false;
  const note = (fault: string | undefined) => {
    if (isAway === (fault !== undefined)) return;
    isAway = fault !== undefined;
    // A progress bar may be in the line.
    const start = stderr.isTTY ? '\r\x1b[K' : '';
    stderr.write(
      `${start}${fault === undefined ? `${service} answers again.` : `${fault}. Trying again.`}\n`,
    );
  };
  return async (...request) => {
    try {
      const response = await fetch(...request);
      const { status } = response;
      note(transientStatuses.includes(status) ? `${service} answers ${String(status)}` : undefined);
      return response;
    } catch (error) {
      if (!(request[1]?.signal?.reason instanceof Interruption)) note(`No answer from ${service}`);
      throw error;
    }
  };
}
