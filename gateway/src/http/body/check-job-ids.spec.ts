import { describe, expect, test } from '@jest/globals';
import type { Refusal } from '../answer/refusal.ts';
import { checkJobIds, idPointer } from './check-job-ids.ts';

const refusalOf = (ids: readonly unknown[], maxJobs: number) => checkJobIds(ids, maxJobs) as Refusal;

describe('checkJobIds', () => {
  test('accepts ids of 4 to 128 letters and digits, and distinguishes letter case', () => {
    const ids = ['ABCD', 'abcd', 'x'.repeat(128), '0123'];
    expect(checkJobIds(ids, 10)).toEqual(ids);
  });

  test.each([[undefined], [null], ['']])('%p counts as a missing id', (id) => {
    expect(checkJobIds([id], 10)).toEqual({
      code: 'job_id_required',
      errors: [{ code: 'job_id_required', pointer: '/jobs/job/0/id' }],
    });
  });

  test.each(['ABC', 'x'.repeat(129), 'ABC-123', ' ABCD', 'ABCD\n', 'ÄBCD', 'ＡＢＣＤ'])(
    '%j is malformed, and the refusal names it',
    (id) => {
      expect(checkJobIds([id], 10)).toEqual({
        code: 'job_id_malformed',
        errors: [{ code: 'job_id_malformed', pointer: '/jobs/job/0/id', jobId: id }],
      });
    },
  );

  test.each([[1234], [true], [Symbol('id')], [['ABCD']]])('%p is malformed, and not converted', (id) => {
    expect(refusalOf([id], 10).errors).toEqual([{ code: 'job_id_malformed', pointer: '/jobs/job/0/id' }]);
  });

  test('names every repetition of an id except the first', () => {
    const refusal = refusalOf(['ABCD', 'EFGH', 'ABCD', 'ABCD'], 10);
    expect(refusal.code).toBe('job_id_duplicated');
    expect(refusal.errors).toEqual([
      { code: 'job_id_duplicated', pointer: idPointer(2), jobId: 'ABCD' },
      { code: 'job_id_duplicated', pointer: idPointer(3), jobId: 'ABCD' },
    ]);
  });

  test('names one fault for each entry in the order of the request, with the code of the first', () => {
    const refusal = refusalOf(['ABCD', 'A-', 'A-', 'ABCD', null], 10);
    expect(refusal.code).toBe('job_id_malformed');
    expect(refusal.errors?.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['job_id_malformed', '/jobs/job/1/id'],
      ['job_id_malformed', '/jobs/job/2/id'],
      ['job_id_duplicated', '/jobs/job/3/id'],
      ['job_id_required', '/jobs/job/4/id'],
    ]);
  });

  test('refuses more ids than the limit without checking the ids', () => {
    expect(checkJobIds(['ABCD', 'EFGH'], 2)).toEqual(['ABCD', 'EFGH']);
    expect(checkJobIds(['ABCD', '', 'ABCD'], 2)).toEqual({
      code: 'too_many_jobs',
      errors: [{ code: 'too_many_jobs', pointer: '/jobs/job' }],
    });
  });

  test('names a hundred faults and marks the rest as truncated', () => {
    expect(refusalOf(Array<string>(100).fill(''), 1000)).not.toHaveProperty('truncated');
    const refusal = refusalOf(Array<string>(101).fill(''), 1000);
    expect(refusal.errors).toHaveLength(100);
    expect(refusal.truncated).toBe(true);
  });
});
