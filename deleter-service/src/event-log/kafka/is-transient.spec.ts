import { expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { isTransient } from './is-transient.ts';

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
