import { describe, expect, test } from '@jest/globals';
import { sentence } from '../../messages/messages.ts';
import { createFaultList, malformed } from './fault-list.ts';

const notAnObject = [sentence('entry_not_an_object')];

describe('a list of faults', () => {
  test('without a fault there is no refusal', () => {
    expect(createFaultList(100).refusal()).toBeUndefined();
  });

  test('the refusal has the code of the first fault and lists all faults in order', () => {
    const faults = createFaultList(100);
    faults.add({ code: 'job_id_malformed', pointer: '/jobs/job/0/id' }, () => notAnObject);
    faults.add({ code: 'job_id_required', pointer: '/jobs/job/1/id' }, () => notAnObject);
    const refusal = faults.refusal();
    expect(refusal?.code).toBe('job_id_malformed');
    expect(refusal?.errors?.map(({ code }) => code)).toEqual(['job_id_malformed', 'job_id_required']);
    expect(refusal).not.toHaveProperty('truncated');
  });

  test('keeps a hundred faults and marks that there are more', () => {
    const faults = createFaultList(100);
    for (let index = 0; index < 100; index++) faults.addMalformed([index], () => notAnObject);
    expect(faults.truncated).toBe(false);
    faults.addMalformed([100], () => {
      throw new Error('explains a fault that it does not list');
    });
    expect(faults.truncated).toBe(true);
    expect(faults.refusal()).toMatchObject({ truncated: true });
    expect(faults.refusal()?.errors).toHaveLength(100);
  });

  test('keeps more faults than that for a caller that wants them, and explains the first hundred', () => {
    const faults = createFaultList(102);
    for (let index = 0; index < 103; index++) faults.add({ code: 'job_id_required' }, () => notAnObject);
    const { errors, truncated } = faults.refusal() ?? {};
    expect([errors?.length, truncated]).toEqual([102, true]);
    expect(errors?.filter(({ detail }) => detail !== undefined)).toHaveLength(100);
  });

  test('a path that is malformed in two ways is named once, with the first reason', () => {
    const faults = createFaultList(100);
    faults.addMalformed(['jobs', 'job', 0, 'id'], () => [sentence('xml_id_split')]);
    faults.addMalformed(['jobs', 'job', 0, 'id'], () => [sentence('xml_id_repeated')]);
    expect(faults.refusal()).toEqual(malformed(['jobs', 'job', 0, 'id'], [sentence('xml_id_split')]));
  });
});
