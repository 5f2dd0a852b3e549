import { Readable } from 'node:stream';
import { createPermits, type PermitsOptions } from '@jobs-delete/runtime/batching/permits';
import { Fault } from '@jobs-delete/runtime/fault';
import type { VNode } from 'preact';
import type { Services } from '../services.ts';
import { includesRole, type MemberVisit, type Route } from '../web/route.ts';
import { DeletionHead, Life, Outcome } from './deletion-facts.tsx';
import { findTokenNames, type TokenNames } from '../keys/key-state.ts';
import { readFilter } from './activity-filter.ts';
import { readChart, type ChartServices } from './chart-days.ts';
import { chartLinksOf, DayChart, dayEventsPath } from './day-chart.tsx';
import { readDayOrder } from './day-table.tsx';

const defaultLimits: PermitsOptions = { perKey: 10, total: 1_000 };

/** The progress of a deletion as server-sent events. Each has the new state, the new sentence below the title, and the new content of `life`. */
export function eventRoutes(
  { accounts, deleter }: Pick<Services, 'accounts' | 'deleter'>,
  limits: PermitsOptions = defaultLimits,
): readonly Route[] {
  const permits = createPermits(limits);
  const find = (accountId: string, id: string) =>
    deleter.getDeletion(accountId, id).catch((error: unknown) => {
      if (error instanceof Fault) return 'unavailable' as const;
      throw error;
    });

  async function* progress(visit: MemberVisit, id: string, signal: AbortSignal): AsyncGenerator<VNode> {
    const { accountId, language, role } = visit;
    const mayCancel = includesRole(role, 'manager');
    let names: TokenNames | undefined;
    try {
      for await (const deletion of deleter.watchDeletion(accountId, id, signal)) {
        if (names === undefined || deletion.cancelOrigin !== undefined)
          names = await findTokenNames(accounts, deletion);
        yield (
          <>
            <DeletionHead {...{ language, deletion, mayCancel }} />
            <Outcome {...{ language, deletion }} />
            <Life {...{ language, deletion, ...names }} nowMs={Date.now()} />
          </>
        );
      }
    } catch (error) {
      // The browser connects again.
      if (!(error instanceof Fault)) throw error;
    } finally {
      permits.give(visit.person.id);
    }
  }

  return [
    {
      method: 'GET',
      path: '/activity/:id/events',
      access: 'viewer',
      serve: async (visit) => {
        const { id = '' } = visit.params;
        const deletion = await find(visit.accountId, id);
        // The browser connects again only after a stream, not after another status.
        const connectAgain = { kind: 'events', open: () => Readable.from([]) } as const;
        if (deletion === 'unavailable') return connectAgain;
        if (deletion === undefined) return { kind: 'not-found' };
        if (!permits.take(visit.person.id)) return connectAgain;
        return { kind: 'events', open: (signal) => progress(visit, id, signal) };
      },
    },
  ];
}

/** The chart of a page that did not wait for it. */
export function dayRoutes(services: ChartServices): readonly Route[] {
  async function* chartEvent(visit: MemberVisit): AsyncGenerator<VNode> {
    try {
      const filter = readFilter(visit.query);
      const chart = await readChart(services, visit, filter);
      const order = readDayOrder(visit.query);
      yield <DayChart language={visit.language} {...{ chart, order }} {...chartLinksOf(visit, filter)} />;
    } catch (error) {
      // The browser connects again.
      if (!(error instanceof Fault)) throw error;
    }
  }

  return [
    {
      method: 'GET',
      path: dayEventsPath,
      access: 'viewer',
      serve: (visit) => Promise.resolve({ kind: 'events', open: () => chartEvent(visit) }),
    },
  ];
}
