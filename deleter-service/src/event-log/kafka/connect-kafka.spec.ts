import { expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { isTransient, retryWhileTransient } from './connect-kafka.ts';

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

// As kafkajs throws them: it names some of its classes in no type declaration.
const named = (name: string, more: object = {}) =>
  Object.assign(new Error(name), { name, retriable: false }, more);

test.each([
  ['no coordinator', named('KafkaJSGroupCoordinatorNotFound')],
  ['no broker', named('KafkaJSNoBrokerAvailableError')],
  ['retries used up', named('KafkaJSNumberOfRetriesExceeded')],
  ['a connection that broke', new kafkajs.KafkaJSConnectionError('closed')],
  ['one of these as the cause', named('KafkaJSNonRetriableError', { cause: named('KafkaJSLockTimeout') })],
])('%s may pass', (_, error) => {
  expect(isTransient(error)).toBe(true);
});

test.each([
  ['wrong credentials', named('KafkaJSSASLAuthenticationError')],
  ['a defect', new TypeError('undefined is not a function')],
  ['a defect as the cause', named('KafkaJSNonRetriableError', { cause: new TypeError('undefined') })],
  ['no error at all', undefined],
])('%s does not', (_, error) => {
  expect(isTransient(error)).toBe(false);
});
