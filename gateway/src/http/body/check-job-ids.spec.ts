import { describe, expect, test } from '@jest/globals';
import { checkJobIds, idPointer } from './check-job-ids.ts';

describe('checkJobIds', () => {
  test('takes ids of 4 to 128 letters and digits, told apart by letter case', () => {
    expect(checkJobIds(['ABCD', 'abcd', 'x'.repeat(128), '0123'], 10)).toBeUndefined();
  });

  test.each([[undefined], [null], ['']])('%p is a missing id', (id) => {
    expect(checkJobIds([id], 10)).toEqual({
      code: 'job_id_required',
      errors: [{ code: 'job_id_required', pointer: '/jobs/job/0/id' }],
    });
  });

  test.each(['ABC', 'x'.repeat(129), 'ABC-123', ' ABCD', 'ABCD\n', 'ÄBCD', 'ＡＢＣＤ'])(
    '%j is malformed, and is named',
    (id) => {
      expect(checkJobIds([id], 10)).toEqual({
        code: 'job_id_malformed',
        errors: [{ code: 'job_id_malformed', pointer: '/jobs/job/0/id', jobId: id }],
      });
    },
  );

  test.each([[1234], [true], [Symbol('id')], [['ABCD']]])('%p is malformed, and not converted', (id) => {
    expect(checkJobIds([id], 10)?.errors).toEqual([{ code: 'job_id_malformed', pointer: '/jobs/job/0/id' }]);
  });

  test('names every repetition of an id but not the first', () => {
    const refusal = checkJobIds(['ABCD', 'EFGH', 'ABCD', 'ABCD'], 10);
    expect(refusal?.code).toBe('job_id_duplicated');
    expect(refusal?.errors).toEqual([
      { code: 'job_id_duplicated', pointer: idPointer(2), jobId: 'ABCD' },
      { code: 'job_id_duplicated', pointer: idPointer(3), jobId: 'ABCD' },
    ]);
  });

  test('finds one fault an entry, in the order of the request, and the code of the first', () => {
    const refusal = checkJobIds(['ABCD', 'A-', 'A-', 'ABCD', null], 10);
    expect(refusal?.code).toBe('job_id_malformed');
    expect(refusal?.errors?.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['job_id_malformed', '/jobs/job/1/id'],
      ['job_id_malformed', '/jobs/job/2/id'],
      ['job_id_duplicated', '/jobs/job/3/id'],
      ['job_id_required', '/jobs/job/4/id'],
    ]);
  });

  test('refuses more than the limit as a whole, without looking at the ids', () => {
    expect(checkJobIds(['ABCD', 'EFGH'], 2)).toBeUndefined();
    expect(checkJobIds(['ABCD', '', 'ABCD'], 2)).toEqual({
      code: 'too_many_jobs',
      errors: [{ code: 'too_many_jobs', pointer: '/jobs/job' }],
    });
  });

  test('names a hundred faults, and marks that there are more', () => {
    expect(checkJobIds(Array<string>(100).fill(''), 1000)).not.toHaveProperty('truncated');
    const refusal = checkJobIds(Array<string>(101).fill(''), 1000);
    expect(refusal?.errors).toHaveLength(100);
    expect(refusal?.truncated).toBe(true);
  });
});
