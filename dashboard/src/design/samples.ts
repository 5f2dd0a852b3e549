import type { Credential } from '@jobs-delete/accounts/accounts';
import type { Chart } from '../activity/chart-days.ts';
import type { Deletion, DeletionState } from '../deleter/deletion.ts';
import { dayMs } from '../web/time.tsx';

export const nowMs = Date.UTC(2026, 0, 15, 12);
export const sampleId = '019bc1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b';

const tokenId = '0'.repeat(24);

/** Returns a token in each state. */
export function keysOf(accountId: string): readonly Credential[] {
  const key = { kind: 'token', accountId, createdAtMs: nowMs - 40 * dayMs } as const;
  return [
    { ...key, id: tokenId, name: 'Shop', lastUsedAtMs: nowMs - 60_000 },
    { ...key, id: '1'.repeat(24), name: 'Importer of the warehouse', expiresAtMs: nowMs + 3 * dayMs },
    { ...key, id: '2'.repeat(24), expiresAtMs: nowMs - dayMs, lastRefusedAtMs: nowMs },
    { ...key, id: '4'.repeat(24), name: 'Shop', pausedAtMs: nowMs - dayMs, replacesId: tokenId },
    { ...key, id: '3'.repeat(24), name: 'Old', revokedAtMs: nowMs - dayMs },
  ];
}

const jobsOfDays = [0, 480, 3_500, 12_345, 2, 60, 5_000];

/** A week, of which the first three days have no refused requests on record, and deletions that have expired. */
export const chart: Chart = {
  days: jobsOfDays.map((jobs, index) => ({
    dayMs: Date.UTC(2026, 0, 2 + index),
    deletions: Math.ceil(jobs / 1_000),
    jobs,
    refused: index < 3 ? undefined : (index * 7) % 12,
  })),
  todayMs: Date.UTC(2026, 0, 8),
  keptDays: 3,
};

export function deletionIn(state: DeletionState, accountId: string): Deletion {
  const isPublished = state === 'published' || state === 'completed';
  return {
    id: sampleId,
    accountId,
    state,
    jobCount: 1_234,
    keptJobCount: state === 'completed' ? 4 : 0,
    acceptedAtMs: nowMs,
    publishedAtMs: isPublished ? nowMs + 60_000 : undefined,
    completedAtMs: state === 'completed' ? nowMs + 61_300 : undefined,
    removalAtMs: state === 'waiting' || state === 'cancelled' ? nowMs + dayMs : undefined,
    cancelledAtMs: state === 'cancelled' ? nowMs + 30_000 : undefined,
    cancelOrigin: state === 'cancelled' ? { tokenId: '', person: 'ada@acme.example' } : undefined,
    origin: {
      requestId: 'b7e2',
      tokenId,
      person: '',
      webOrigin: 'https://acme.example',
      userAgent: 'shop/1.0',
      clientTechnology: 'Node',
      language: 'en',
    },
  };
}

export const choices = ['First', 'Second'].map((text) => ({ value: text, text }));
export const choice = { name: 'by', label: 'By', options: choices, value: 'First' };
