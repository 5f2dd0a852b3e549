import { afterEach, beforeEach, describe } from '@jest/globals';
import { within } from '@jobs-delete/runtime/testing/within';
import { openGates } from '../../testing/events.ts';
import { consumingCases } from './consuming.ts';
import { deadLetterCases } from './dead-letters.ts';
import { offsetCases } from './offsets.ts';
import type { EventLog } from '../event-log.ts';

export interface EventLogUnderTest {
  readonly eventLog: EventLog;
  /** Closes the log and opens it again on the same data. */
  readonly reopen: () => Promise<EventLog>;
  close(): Promise<void>;
}

/** Gives the cases the log of the running test. */
export interface ContractContext {
  readonly eventLog: () => EventLog;
  readonly reopen: () => Promise<EventLog>;
}

/**
 * Tests the contract of the port. The spec of each adapter calls it.
 * @param open returns a new, empty log for each test
 */
export function eventLogContract(name: string, open: () => Promise<EventLogUnderTest>): void {
  describe(`the event log in ${name}`, () => {
    let opened: EventLogUnderTest;
    let eventLog: EventLog;

    beforeEach(async () => {
      opened = await open();
      eventLog = opened.eventLog;
    });
    afterEach(() => {
      openGates();
      return within(opened.close(), () => 'the event log closes');
    });

    const context: ContractContext = {
      eventLog: () => eventLog,
      reopen: async () => (eventLog = await opened.reopen()),
    };
    describe('consuming', () => consumingCases(context));
    describe('offsets', () => offsetCases(context));
    describe('dead letters', () => deadLetterCases(context));
  });
}
