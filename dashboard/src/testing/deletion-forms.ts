import type { Role } from '@jobs-delete/accounts/people/people';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DayCounter } from '../activity/chart-days.ts';
import type { AccountSafety, Allowance } from '../deleter/account-safety.ts';
import type { Deletion, DeletionRequest } from '../deleter/deletion.ts';
import { deleteJobsRoutes } from '../jobs/delete-jobs-routes.tsx';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { dayMs } from '../web/time.tsx';
import { partOf } from './part-of.ts';
import { htmlOf } from './visit-page.ts';
import { packWorkbook } from './workbook.ts';

/** The jobs that the account has deleted within 24 hours. */
const used = 12;

export type Fields = Readonly<Record<string, string>>;

interface Shown {
  readonly kind: string | number | undefined;
  readonly text: string;
  readonly form: Fields;
}

/** A deleter with a delay, which may be away, and the forms before it. The api learns of another limit when `apiLimit` is set. */
export function setUpDeletionForms() {
  const state = {
    delayMs: dayMs,
    isAway: false,
    /** The api checks ids only after this. */
    checking: Promise.resolve(),
    jobs: 2,
    /** Undefined: they are not counted. */
    waiting: 0 as number | undefined,
    apiLimit: undefined as number | undefined,
    limit: undefined as number | undefined,
    allowed: [] as number[],
    allowances: [] as readonly Allowance[],
    actions: [] as string[],
    accepted: new Set<string>(),
    /** How often the api was asked to check or delete ids. */
    checks: 0,
  };
  const answer = <Value>(value: () => Value) =>
    state.isAway ? Promise.reject(new Fault('unavailable', 'away')) : Promise.resolve(value());
  const services = partOf<Services>({
    keys: { tickets: Buffer.alloc(32, 1) },
    accounts: {
      recordAction: ({ action }) => {
        state.actions.push(action);
        return Promise.resolve('recorded');
      },
    },
    deleter: {
      getSafety: () =>
        answer((): AccountSafety => {
          const { delayMs: removalDelayMs, limit: limitJobs, allowances } = state;
          if (limitJobs === undefined)
            return { removalDelayMs, limit: undefined, allowances, usage: undefined };
          const limit = { kind: 'jobs', jobs: limitJobs } as const;
          return { removalDelayMs, limit, allowances, usage: { used, held: 0, limitJobs } };
        }),
      getDeletion: (_: string, id: string) =>
        answer(() => (state.accepted.has(id) ? partOf<Deletion>({ id }) : undefined)),
      countJobs: () => Promise.resolve(state.jobs),
      allowDeletions: (_: string, { jobs }: Allowance) => {
        state.allowed.push(jobs);
        state.limit = (state.limit ?? 0) + jobs;
        return Promise.resolve('allowed' as const);
      },
      getJob: () => answer(() => undefined),
      listDeletions: () => answer(() => undefined),
      describeJobs: (_: string, ids: readonly string[]) =>
        answer(() => ({
          titles: new Map(ids.map((id) => [id, `Title of ${id}`])),
          importedAtMs: new Map<string, number>(),
        })),
      deleteJobs: async ({ deletionId, jobIds, isCheck }: DeletionRequest) => {
        state.checks += 1;
        await state.checking;
        return answer(() => {
          const positions = [...jobIds.keys()].filter((each) =>
            jobIds[each]?.toLowerCase().startsWith('gone'),
          );
          if (positions.length > 0) return { kind: 'jobs-not-found', positions };
          const { apiLimit: limit = Infinity } = state;
          if (used + jobIds.length > limit) return { kind: 'limit-exceeded', limit, used };
          if (!isCheck) state.accepted.add(deletionId);
          return { kind: 'accepted' };
        });
      },
    },
  });
  const dayCounter: DayCounter = {
    count: async ({ firstMs }) => {
      const { waiting: jobs } = state;
      if (jobs === undefined) throw new Fault('unavailable', 'away');
      const states = [{ state: 'waiting', deletions: 1, jobs }] as const;
      const day = { dayMs: firstMs, deletions: 1, jobsAccepted: jobs, jobsRemoved: 0, states };
      return Promise.resolve({ days: [day], retentionMs: undefined });
    },
  };
  const routes = deleteJobsRoutes({ ...services, dayCounter });
  const post = async (
    path: string,
    fields: Fields,
    role: Role = 'manager',
    method = 'POST',
  ): Promise<Shown> => {
    const route = routes.find((each) => each.method === method && each.path === path);
    const visit = partOf<MemberVisit>({
      accountId: 'acme',
      language: 'en',
      role,
      session: { id: 's' },
      email: 'm@acme.example',
      network: '192.0.2.1',
      nowMs: 1_000_000,
      query: new URLSearchParams(),
      form: new URLSearchParams(fields),
    });
    const reply = await route?.serve(visit);
    if (reply?.kind !== 'page')
      return { kind: reply?.kind, text: reply?.kind === 'redirect' ? reply.to : '', form: {} };
    const text = htmlOf(reply);
    const sent = text.matchAll(/name="(once|ids|leftOut|repeated|delay|count|more)" value="([^"]*)"/g);
    const form = Object.fromEntries<string>([...sent].map(([, name = '', value = '']) => [name, value]));
    return { kind: reply.status, text, form };
  };
  const open = () => post('/jobs/delete', {}, 'manager', 'GET');
  const confirm = (form: Fields, count = '1') => post('/jobs/delete/confirm', { ...form, count });
  const preview = (ids = 'Here0001', role?: Role) => post('/jobs/delete', { ids }, role);
  const readWorkbook = (rows: string) =>
    post('/jobs/delete/file', { file: Buffer.from(packWorkbook(rows)).toString('base64') });
  return { state, open, post, preview, confirm, readWorkbook };
}
