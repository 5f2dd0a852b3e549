import { groupBy } from '@jobs-delete/runtime/batching/groups';
import type { DeletionAcceptedData } from '@jobs-delete/proto/events';
import type { ReceivedEvent } from '../event-log/event-log.ts';
import type { DeletionKey } from '../store/store.ts';

/** A part of a deletion, from an event. */
export interface ParsedPart {
  readonly event: ReceivedEvent;
  readonly data: DeletionAcceptedData;
}

/** Returns each deletion of the parts once. */
export function keysOf(parts: readonly ParsedPart[]): DeletionKey[] {
  const accounts = new Map(parts.map(({ data }) => [data.deletion_id, data.account_id]));
  return [...accounts].map(([deletionId, accountId]) => ({ deletionId, accountId }));
}

export function accountsOf(parts: readonly ParsedPart[]): string[] {
  return [...new Set(parts.map(({ data }) => data.account_id))];
}

export function groupByAccount(parts: readonly ParsedPart[]): ParsedPart[][] {
  return [...groupBy(parts, ({ data }) => data.account_id).values()];
}
