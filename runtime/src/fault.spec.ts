import { describe, expect, test } from '@jest/globals';
import { asFault, Fault } from './fault.ts';

describe('asFault', () => {
  test('returns a Fault unchanged', () => {
    const fault = new Fault('unavailable', 'busy', new Error('cause'));
    expect(asFault(fault)).toBe(fault);
    expect(fault).toMatchObject({ name: 'Fault', code: 'unavailable', message: 'busy' });
  });

  test.each([
    [new TypeError('defect'), 'defect'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('converts %s to an internal Fault with its cause', (thrown, message) => {
    const fault = asFault(thrown);
    expect(fault).toMatchObject({ code: 'internal', message });
    expect(fault.cause).toBe(thrown);
  });
});
