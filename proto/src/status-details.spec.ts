import { describe, expect, test } from '@jest/globals';
import { Metadata } from '@grpc/grpc-js';
import { BadRequest, ResourceInfo, UnavailableJobs } from './load-deleter.ts';
import {
  readLimitExceeded,
  readStatusTrailer,
  readUnavailableJobs,
  statusTrailer,
  toStatus,
  type StatusDetail,
} from './status-details.ts';

const throughTrailer = (details: readonly StatusDetail[]) => {
  const status = readStatusTrailer(statusTrailer(toStatus(5, 'Jobs were not found.', details)));
  if (status === undefined) throw new Error('there is no trailer');
  return status;
};

describe('the details of a status', () => {
  test('tell the limit that is exceeded', () => {
    const status = throughTrailer([{ kind: 'limit-exceeded', limit: 5_000, used: 4_999 }]);
    expect(readLimitExceeded(status)).toEqual({ limit: 5_000, used: 4_999 });
    expect(readLimitExceeded(throughTrailer([]))).toBeUndefined();
  });

  const details: StatusDetail[] = [
    { kind: 'unavailable-jobs', positions: [0, 7, 9_999] },
    { kind: 'resource-info', resourceType: 'job', resourceName: 'job1' },
    { kind: 'bad-request', violations: [{ field: 'job_ids[3]', description: 'is wrong' }] },
  ];

  test('travel as a google.rpc.Status, in their order, under their full names', () => {
    const { code, message, details: packed } = throughTrailer(details);
    expect({ code, message }).toEqual({ code: 5, message: 'Jobs were not found.' });
    expect(packed.map(({ type_url }) => type_url)).toEqual([
      'type.googleapis.com/jobs.deleter.v1.UnavailableJobs',
      'type.googleapis.com/google.rpc.ResourceInfo',
      'type.googleapis.com/google.rpc.BadRequest',
    ]);
    const [, resource, badRequest] = packed.map(({ value }) => value);
    if (resource === undefined || badRequest === undefined) throw new Error('three details were expected');
    expect(ResourceInfo.deserialize(resource)).toMatchObject({ resourceType: 'job', resourceName: 'job1' });
    expect(BadRequest.deserialize(badRequest).fieldViolations).toEqual([
      { field: 'job_ids[3]', description: 'is wrong' },
    ]);
  });

  test('are read back: which jobs are unavailable', () => {
    for (const positions of [[], [0], [0, 7, 9_999], Array.from({ length: 10_000 }, (_, index) => index)]) {
      const sent = throughTrailer([{ kind: 'unavailable-jobs', positions }]);
      expect(readUnavailableJobs(sent)).toEqual(positions);
    }
  });

  test('have one bit for each job, the lowest first', () => {
    const [detail] = throughTrailer([{ kind: 'unavailable-jobs', positions: [0, 9] }]).details;
    expect(UnavailableJobs.deserialize(detail?.value ?? Buffer.alloc(0)).bitmap).toEqual(Buffer.from([1, 2]));
  });

  test('say nothing of unavailable jobs where there is no such detail', () => {
    expect(readStatusTrailer(new Metadata())).toBeUndefined();
    expect(readUnavailableJobs(throughTrailer([]))).toBeUndefined();
    expect(readUnavailableJobs(throughTrailer(details.slice(1)))).toBeUndefined();
  });

  // https://github.com/googleapis/googleapis: Status 1 code, 2 message, 3 details; Any 1 type_url, 2 value.
  test('have the bytes that every other implementation reads', () => {
    const detail: StatusDetail = { kind: 'resource-info', resourceType: 'job', resourceName: 'a' };
    const [bytes] = statusTrailer(toStatus(5, 'no', [detail])).get('grpc-status-details-bin');
    const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
    const info = Buffer.concat([Buffer.of(0x0a), text('job'), Buffer.of(0x12), text('a')]);
    const url = 'type.googleapis.com/google.rpc.ResourceInfo';
    const any = Buffer.concat([Buffer.of(0x0a), text(url), Buffer.of(0x12, info.length), info]);
    const expected = Buffer.concat([Buffer.of(0x08, 5, 0x12), text('no'), Buffer.of(0x1a, any.length), any]);
    expect(bytes).toEqual(expected);
  });
});
