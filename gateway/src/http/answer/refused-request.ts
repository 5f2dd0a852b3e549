import { decodeHeader } from '@jobs-delete/accounts/origins/allowed-domain';
import type { RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import { endpoints } from '../endpoints.ts';
import type { Exchange } from '../exchange.ts';
import { echo, visible } from './echo.ts';
import { statusOf } from '../../messages/problems.ts';
import type { Refusal } from './refusal.ts';

const sandboxPaths = new Set(endpoints.filter(({ sandbox }) => sandbox).map(({ path }) => path));

/** More of a header is cut before anything reads it. */
const maxHeaderLength = 2_000;
/** The password of a URL, and the secret of a credential with or without its id. */
const secrets = /(?<=\/\/)[^/@]*(?=@)|[0-9a-f_]{64,}/gi;

/** Returns the facts of a refused request that its account may read; undefined for an unknown account. */
export function refusedRequest(
  { request, requestId, facts }: Exchange,
  { code, header, parameter, errors = [] }: Refusal,
): Omit<RefusedRequest, 'atMs'> | undefined {
  const { accountId, tokenId, endpoint = '', jobs } = facts;
  if (accountId === undefined || tokenId === undefined) return undefined;
  const { origin, 'user-agent': client } = request.headersDistinct;
  const [first] = errors;
  const wrongEntry =
    first?.jobId ?? first?.header ?? first?.parameter ?? first?.pointer ?? header ?? parameter;
  return {
    id: requestId,
    accountId,
    environment: sandboxPaths.has(endpoint) ? 'sandbox' : 'live',
    status: statusOf(code),
    code,
    tokenId,
    ...(origin !== undefined && { origin: headerText(origin) }),
    ...(client !== undefined && { client: headerText(client) }),
    ...(jobs !== undefined && { jobs }),
    ...(errors.length > 0 && { wrongEntries: errors.length }),
    ...(wrongEntry !== undefined && { wrongEntry: printable(wrongEntry) }),
  };
}

function headerText(values: readonly string[]): string {
  return printable(decodeHeader(values.join(', ').slice(0, maxHeaderLength)).replace(secrets, '…'));
}

/** Replaces credentials and characters that nobody can see, and cuts the text to 128 characters. */
function printable(text: string): string {
  return echo(echo(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, visible));
}
