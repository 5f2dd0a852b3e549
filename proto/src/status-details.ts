import { Metadata, status } from '@grpc/grpc-js';
import type { Status__Output } from './generated/google/rpc/Status.ts';
import { BadRequest, ErrorInfo, ResourceInfo, Status, UnavailableJobs } from './load-deleter.ts';

/** The kinds of detail that travel with an error: https://google.aip.dev/193 */
export type StatusDetail =
  | { readonly kind: 'bad-request'; readonly violations: readonly { field: string; description: string }[] }
  | { readonly kind: 'resource-info'; readonly resourceType: string; readonly resourceName: string }
  /** All positions, ascending. */
  | { readonly kind: 'unavailable-jobs'; readonly positions: readonly number[] }
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
      const value = UnavailableJobs.serialize({ bitmap: toBitmap(detail.positions) });
      return { type_url: unavailableJobsUrl, value };
    }
    case 'limit-exceeded': {
      const metadata = { limit: String(detail.limit), used: String(detail.used) };
      return { type_url: errorInfoUrl, value: ErrorInfo.serialize({ ...limitExceeded, metadata }) };
    }
  }
}

/** Why DeleteJobs has accepted nothing. */
export type DeletionRefusal =
  /** Ascending. */
  | { readonly kind: 'jobs-not-found'; readonly positions: readonly number[] }
  /** The idempotency key or the deletion id was used with other ids. */
  | { readonly kind: 'key-reused' }
  /** Both in jobs of 24 hours. */
  | { readonly kind: 'limit-exceeded'; readonly limit: number; readonly used: number };

/** Returns undefined for a status that is no refusal. */
export function readDeletionRefusal(sent: Status__Output): DeletionRefusal | undefined {
  const code = status[sent.code];
  if (code === 'ALREADY_EXISTS') return { kind: 'key-reused' };
  const positions = code === 'NOT_FOUND' ? readUnavailableJobs(sent) : undefined;
  if (positions !== undefined) return { kind: 'jobs-not-found', positions };
  const exceeded = code === 'FAILED_PRECONDITION' ? readLimitExceeded(sent) : undefined;
  return exceeded && { kind: 'limit-exceeded', ...exceeded };
}

/** The positions of the jobs that are unavailable, ascending, if the status says so. */
export function readUnavailableJobs({ details }: Status__Output): number[] | undefined {
  const detail = details.find(({ type_url }) => type_url === unavailableJobsUrl);
  return detail && fromBitmap(UnavailableJobs.deserialize(detail.value).bitmap);
}

/** Many clients read at most 8 KiB of a trailer. 10,000 positions are 1,250 bytes as bits, and 20,000 as numbers. */
function toBitmap(positions: readonly number[]): Buffer {
  const bitmap = Buffer.alloc(Math.floor((positions.at(-1) ?? -8) / 8) + 1);
  for (const position of positions) {
    const index = Math.floor(position / 8);
    bitmap[index] = (bitmap[index] ?? 0) | (1 << (position % 8));
  }
  return bitmap;
}

function fromBitmap(bitmap: Uint8Array): number[] {
  const positions: number[] = [];
  for (const [index, byte] of bitmap.entries())
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) positions.push(8 * index + bit);
  return positions;
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
