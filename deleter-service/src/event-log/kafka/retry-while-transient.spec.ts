import { expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { retryWhileTransient } from './retry-while-transient.ts';

// Node sees no names of what kafkajs spreads into its exports.
const {
  KafkaJSAggregateError,
  KafkaJSNonRetriableError,
  KafkaJSNumberOfRetriesExceeded,
  KafkaJSProtocolError,
} = kafkajs;

const protocolError = (type: string) =>
  new KafkaJSProtocolError(Object.assign(new Error(`of type ${type}`), { type, code: 1 }));
const failingWith = (errors: readonly Error[]) => {
  const left = [...errors];
  return () => (left.length > 0 ? Promise.reject(left.shift() ?? new Error()) : Promise.resolve('done'));
};

test('what passes is attempted again, however kafkajs has wrapped it', async () => {
  const fenced = protocolError('INVALID_REPLICATION_FACTOR');
  const wrapped = [
    fenced,
    new KafkaJSAggregateError('of topics', [fenced, protocolError('TOPIC_ALREADY_EXISTS')]),
    new KafkaJSNumberOfRetriesExceeded(protocolError('NOT_LEADER_FOR_PARTITION'), {
      retryCount: 5,
      retryTime: 1,
    }),
    Object.assign(new KafkaJSNonRetriableError('no partitions'), { cause: new TypeError('no partitions') }),
  ];
  expect(await retryWhileTransient(failingWith(wrapped))).toBe('done');
});

test('what does not pass is thrown at once, unwrapped', async () => {
  const refused = protocolError('TOPIC_AUTHORIZATION_FAILED');
  const among = new KafkaJSAggregateError('of topics', [refused, protocolError('NOT_CONTROLLER')]);
  await expect(retryWhileTransient(failingWith([among]))).rejects.toBe(refused);
  const other = new Error('no such host');
  await expect(retryWhileTransient(failingWith([other]))).rejects.toBe(other);
});
