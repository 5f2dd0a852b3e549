import { afterEach, beforeEach, describe } from '@jest/globals';
import { within } from '@jobs-delete/runtime/testing/within';
import { acceptingCases } from './accepting.ts';
import { auditCases } from './auditing.ts';
import { cancellingCases } from './cancelling.ts';
import { countingCases } from './counting.ts';
import { searchingCases } from './searching.ts';
import { durabilityCases } from './durability.ts';
import { guardingCases } from './guarding.ts';
import { idempotencyCases } from './idempotency.ts';
import { jobCases } from './jobs.ts';
import { listingCases } from './listing.ts';
import { outboxCases } from './outbox.ts';
import { racingCases } from './racing.ts';
import { receiptCases } from './receipts.ts';
import { removingCases } from './removing.ts';
import { removingPartsCases } from './removing-parts.ts';
import { ruleCases } from './rules.ts';
import type { Store } from '../store.ts';

export interface StoreUnderTest {
  readonly store: Store;
  /** Closes the store and opens it again on the same data; absent if the data is lost on close. */
  readonly reopen?: () => Promise<Store>;
  close(): Promise<void>;
}

/** Gives the cases the store of the running test. */
export interface ContractContext {
  readonly store: () => Store;
  readonly reopen: () => Promise<Store>;
}

/**
 * Declares the tests that every adapter of the port passes.
 * @param open gives each test a store without data; adapters may keep theirs open
 */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the store in ${name}`, () => {
    let opened: StoreUnderTest;
    let store: Store;

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => within(opened.close(), () => 'the store closes'));

    const context: ContractContext = {
      store: () => store,
      reopen: async () => (store = (await opened.reopen?.()) ?? store),
    };
    describe('accepting', () => acceptingCases(context));
    describe('idempotency keys', () => idempotencyCases(context));
    describe('racing requests', () => racingCases(context));
    describe('the outbox', () => outboxCases(context));
    describe('cancelling', () => cancellingCases(context));
    describe('removing', () => removingCases(context));
    describe('removing in parts', () => removingPartsCases(context));
    describe('receipts', () => receiptCases(context));
    describe('counting', () => countingCases(context));
    describe('searching', () => searchingCases(context));
    describe('auditing', () => auditCases(context));
    describe('jobs', () => jobCases(context));
    describe('listing jobs', () => listingCases(context));
    describe('safety rules', () => ruleCases(context));
    describe('the guard', () => guardingCases(context));
    describe('opened again', () => durabilityCases(context));
  });
}
