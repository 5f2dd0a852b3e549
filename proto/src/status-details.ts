import { Metadata } from '@grpc/grpc-js';
import type { Status__Output } from './generated/google/rpc/Status.ts';
import type { UnavailableJobs__Output } from './generated/jobs/deleter/v1/UnavailableJobs.ts';
import { BadRequest, ErrorInfo, ResourceInfo, Status, UnavailableJobs } from './load-deleter.ts';

/** The kinds of detail that travel with an error: https://google.aip.dev/193 */
export type StatusDetail =
  | { readonly kind: 'bad-request'; readonly violations: readonly { field: string; description: string }[] }
  | { readonly kind: 'resource-info'; readonly resourceType: string; readonly resourceName: string }
  | { readonly kind: 'unavailable-jobs'; readonly positions: readonly number[]; readonly truncated: boolean }
  /** Both in jobs of 24 hours. */
  | { readonly kind: 'limit-exceeded'; readonly limit: number; readonly used: number };

const trailer = 'grpc-status-details-bin';
const typeUrlBase = 'type.googleapis.com/';
const errorInfoUrl = `${typeUrlBase}google.rpc.ErrorInfo`;
const limitExceeded = { reason: 'DELETION_LIMIT_EXCEEDED', domain: 'jobs-delete' };
const unavailableJobsUrl = `${typeUrlBase}jobs.deleter.v1.UnavailableJobs`;

export function toStatus(code: number, message: string, details: readonly StatusDetail[]): Status__Output {
  return { code, message, details: details.map(packDetail) };
}

/** The status of a call in the trailer where clients of every language look for it. */
export function statusTrailer(status: Status__Output): Metadata {
  const metadata = new Metadata();
  metadata.set(trailer, Status.serialize(status));
  return metadata;
}

/** The status of a call that failed, if its server has sent one. */
export function readStatusTrailer(metadata: Metadata): Status__Output | undefined {
  const [bytes] = metadata.get(trailer);
  return Buffer.isBuffer(bytes) ? Status.deserialize(bytes) : undefined;
}

function packDetail(detail: StatusDetail): { type_url: string; value: Buffer } {
  switch (detail.kind) {
    case 'bad-request':
      return {
        type_url: `${typeUrlBase}google.rpc.BadRequest`,
        value: BadRequest.serialize({ fieldViolations: [...detail.violations] }),
      };
    case 'resource-info': {
      const { resourceType, resourceName } = detail;
      return {
        type_url: `${typeUrlBase}google.rpc.ResourceInfo`,
        value: ResourceInfo.serialize({ resourceType, resourceName }),
      };
    }
    case 'unavailable-jobs': {
      const { positions, truncated } = detail;
      return {
        type_url: unavailableJobsUrl,
        value: UnavailableJobs.serialize({ positions: [...positions], truncated }),
      };
    }
    case 'limit-exceeded': {
      const metadata = { limit: String(detail.limit), used: String(detail.used) };
      return { type_url: errorInfoUrl, value: ErrorInfo.serialize({ ...limitExceeded, metadata }) };
    }
  }
}

/** Which jobs are unavailable, if the status says so. */
export function readUnavailableJobs({ details }: Status__Output): UnavailableJobs__Output | undefined {
  const detail = details.find(({ type_url }) => type_url === unavailableJobsUrl);
  return detail && UnavailableJobs.deserialize(detail.value);
}

/** The limit that the request exceeds, if the status says so. */
export function readLimitExceeded({
  details,
}: Status__Output): { readonly limit: number; readonly used: number } | undefined {
  const detail = details.find(({ type_url }) => type_url === errorInfoUrl);
  const info = detail && ErrorInfo.deserialize(detail.value);
  if (info?.reason !== limitExceeded.reason) return undefined;
  return { limit: Number(info.metadata.limit), used: Number(info.metadata.used) };
}
