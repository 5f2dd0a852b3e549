import { Readable } from 'node:stream';
import { Fault } from '@jobs-delete/runtime/fault';
import { createPlacesByKey } from '@jobs-delete/runtime/places-by-key';
import { render } from 'preact-render-to-string';
import type { Services } from '../services.ts';
import { problemPage } from '../web/problem-page.tsx';
import type { MemberVisit, Route } from '../web/route.ts';
import { Life } from './deletion-facts.tsx';
import { isDeletionId } from './deletion-id.ts';

/** The bounds of open streams. */
export interface StreamLimits {
  readonly perPerson: number;
  readonly perProcess: number;
}

const defaultLimits: StreamLimits = { perPerson: 10, perProcess: 1_000 };
const everybody = '';

/** The progress of a deletion as server-sent events. Each has the new content of the page's element `life`. */
export function eventRoutes(
  { deleter }: Pick<Services, 'deleter'>,
  { perPerson, perProcess }: StreamLimits = defaultLimits,
): readonly Route[] {
  const ofPerson = createPlacesByKey(perPerson);
  const ofProcess = createPlacesByKey(perProcess);
  const leave = ({ person }: MemberVisit) => {
    ofPerson.leave(person.id);
    ofProcess.leave(everybody);
  };
  const enter = ({ person }: MemberVisit): boolean => {
    if (!ofPerson.enter(person.id)) return false;
    if (ofProcess.enter(everybody)) return true;
    ofPerson.leave(person.id);
    return false;
  };

  const find = (accountId: string, id: string) =>
    deleter.getDeletion(accountId, id).catch((error: unknown) => {
      if (error instanceof Fault) return 'unavailable' as const;
      throw error;
    });

  async function* progress(visit: MemberVisit, id: string, signal: AbortSignal): AsyncGenerator<string> {
    const { accountId, language } = visit;
    try {
      for await (const deletion of deleter.watchDeletion(accountId, id, signal))
        yield render(<Life language={language} deletion={deletion} />);
    } catch (error) {
      // The browser connects again.
      if (!(error instanceof Fault)) throw error;
    } finally {
      leave(visit);
    }
  }

  return [
    {
      method: 'GET',
      path: '/activity/:id/events',
      access: 'viewer',
      serve: async (visit) => {
        const { id = '' } = visit.params;
        const deletion = isDeletionId(id) ? await find(visit.accountId, id) : undefined;
        // The browser connects again only after a stream, not after another status.
        if (deletion === 'unavailable') return { kind: 'events', open: () => Readable.from([]) };
        if (deletion === undefined) return { kind: 'not-found' };
        if (!enter(visit)) return problemPage(visit, 503, 'unavailable');
        return { kind: 'events', open: (signal) => progress(visit, id, signal) };
      },
    },
  ];
}
