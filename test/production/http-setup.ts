import { jest } from '@jest/globals';

/** A service joins its Kafka group before a suite begins, which takes seconds. */
jest.setTimeout(60_000);
