import { Metadata } from '@grpc/grpc-js';
import type { UnavailableJobs__Output } from './generated/jobs/deleter/v1/UnavailableJobs.ts';
import { BadRequest, ResourceInfo, Status, UnavailableJobs } from './load-deleter.ts';

/** The kinds of detail that travel with an error: https://google.aip.dev/193 */
export type StatusDetail =
  | { readonly kind: 'bad-request'; readonly violations: readonly { field: string; description: string }[] }
  | { readonly kind: 'resource-info'; readonly resourceType: string; readonly resourceName: string }
  | { readonly kind: 'unavailable-jobs'; readonly positions: readonly number[]; readonly truncated: boolean };

const trailer = 'grpc-status-details-bin';
const typeUrlBase = 'type.googleapis.com/';
const unavailableJobsUrl = `${typeUrlBase}jobs.deleter.v1.UnavailableJobs`;

/** A google.rpc.Status in the trailer where clients of every language look for it. */
export function statusDetails(code: number, message: string, details: readonly StatusDetail[]): Metadata {
  const metadata = new Metadata();
  metadata.set(trailer, Status.serialize({ code, message, details: details.map(packDetail) }));
  return metadata;
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
  }
}

/** The UnavailableJobs detail of an error, if it carries one. */
export function readUnavailableJobs(metadata: Metadata): UnavailableJobs__Output | undefined {
  const [bytes] = metadata.get(trailer);
  if (!Buffer.isBuffer(bytes)) return undefined;
  const detail = Status.deserialize(bytes).details.find(({ type_url }) => type_url === unavailableJobsUrl);
  return detail && UnavailableJobs.deserialize(detail.value);
}
