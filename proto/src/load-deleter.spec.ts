import { describe, expect, test } from '@jest/globals';
import { DeleterService } from './load-deleter.ts';

describe('the contract', () => {
  const { service } = DeleterService;

  test('has the methods of version 1 under their full names', () => {
    expect(Object.values(service).map(({ path }) => path)).toEqual([
      '/jobs.deleter.v1.DeleterService/DeleteJobs',
      '/jobs.deleter.v1.DeleterService/AcceptDeletions',
      '/jobs.deleter.v1.DeleterService/CancelDeletion',
      '/jobs.deleter.v1.DeleterService/GetDeletion',
      '/jobs.deleter.v1.DeleterService/ListDeletions',
      '/jobs.deleter.v1.DeleterService/CountDeletions',
      '/jobs.deleter.v1.DeleterService/ListJobs',
      '/jobs.deleter.v1.DeleterService/GetJob',
      '/jobs.deleter.v1.DeleterService/GetJobTitles',
      '/jobs.deleter.v1.DeleterService/SearchJobs',
      '/jobs.deleter.v1.DeleterService/CountJobs',
      '/jobs.deleter.v1.DeleterService/WatchDeletion',
      '/jobs.deleter.v1.DeleterService/GetSafetyRules',
      '/jobs.deleter.v1.DeleterService/ChangeSafetyRules',
      '/jobs.deleter.v1.DeleterService/AllowDeletions',
    ]);
  });

  test('fills in what a message leaves out', () => {
    const { requestDeserialize } = service.DeleteJobs;
    expect(requestDeserialize(Buffer.alloc(0))).toEqual({
      accountId: '',
      jobIds: [],
      dryRun: false,
      idempotencyKey: '',
      deletionId: '',
      origin: null,
    });
  });

  test('carries times in milliseconds as numbers, and states by name', () => {
    const { responseSerialize, responseDeserialize } = service.GetDeletion;
    const atMs = Date.UTC(2100, 0, 1);
    const bytes = responseSerialize({
      state: 'DELETION_STATE_COMPLETED',
      completedAtMs: atMs,
      jobCount: 10_000,
    });
    expect(responseDeserialize(bytes)).toMatchObject({
      state: 'DELETION_STATE_COMPLETED',
      completedAtMs: atMs,
      acceptedAtMs: 0,
      jobCount: 10_000,
    });
  });
});
