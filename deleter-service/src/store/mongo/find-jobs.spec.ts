import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mongo } from 'mongoose';
import { jobReader } from './find-jobs.ts';

const claimReader = (idField: string) => jobReader({ idField, accountField: 'account_id' });

/** Encodes a job with `_id` first, like the server. In a plain object, JavaScript would put a name like '0' first. */
const encode = (_id: unknown, id: unknown, idField = 'id') =>
  Buffer.from(
    mongo.BSON.serialize(
      new Map([
        ['_id', _id],
        [idField, id],
      ]),
    ),
  );

test('a job is read as the driver reads it', () => {
  const names = fc
    .string({ minLength: 1 })
    .filter((name) => name !== '_id' && name !== 'account_id' && !name.includes('\0'));
  const claims = fc.uint8Array({ minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.oneof(names, fc.constant('0')),
      fc.oneof(fc.string(), fc.string({ unit: 'binary' })),
      claims,
      (idField, id, bytes) => {
        const claim = new mongo.ObjectId(bytes);
        expect(claimReader(idField)(encode(claim, id, idField))).toEqual({ id, claim });
      },
    ),
  );
});

test('a job of several accounts is read with its account, in any order of the fields', () => {
  const claim = new mongo.ObjectId();
  const job = { id: 'JOB1', claim, accountId: 'acme' };
  for (const fields of [
    { _id: claim, account_id: 'acme', id: 'JOB1' },
    { _id: claim, id: 'JOB1', account_id: 'acme' },
  ])
    expect(claimReader('id')(Buffer.from(mongo.BSON.serialize(fields)))).toEqual(job);
});

test('an id that only holds what was looked for is none', () => {
  const document = encode(new mongo.ObjectId(), ['JOB1', 'JOB2']);
  expect(claimReader('id')(document)).toBeUndefined();
});

test.each([['JOB1'], [7], [new mongo.UUID()]])('an _id that may be reused is no claim: %s', (_id) => {
  expect(claimReader('id')(encode(_id, 'JOB1'))).toEqual({ id: 'JOB1', claim: undefined });
  expect(claimReader('id')(encode(_id, ['JOB1']))).toBeUndefined();
});

test('a version is read with the job, wherever it stands in the document', () => {
  const claim = new mongo.ObjectId();
  const updated = new Date(5);
  const document = (fields: object) => Buffer.from(mongo.BSON.serialize(fields));
  const read = jobReader({ idField: 'id', accountField: 'account_id', versionField: 'updated' });
  expect(read(document({ _id: claim, updated, id: 'JOB1' }))).toEqual({
    id: 'JOB1',
    claim,
    version: updated,
  });
  expect(read(document({ _id: claim, id: 'JOB1' }))).toEqual({ id: 'JOB1', claim, version: undefined });
  expect(read(document({ _id: claim, id: ['JOB1'], updated }))).toBeUndefined();
  expect(read(document({ _id: 'JOB1', id: 'JOB1', updated }))).toEqual({
    id: 'JOB1',
    claim: undefined,
    version: updated,
  });
});
