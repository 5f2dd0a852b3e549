import type { DeleterClient, OwnJobs } from '../deleter/deleter-client.ts';
import { isRefusal, type Refusal } from './answer/refusal.ts';
import { checkedCall, type CheckedCallOptions } from './checked-call.ts';
import { jobsEndpoint } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import { readJobsQuery } from './request/read-query.ts';

export interface ListOwnJobsOptions extends CheckedCallOptions {
  readonly deleter: DeleterClient;
}

/** @throws Fault */
export function listOwnJobs(exchange: Exchange, options: ListOwnJobsOptions): Promise<OwnJobs | Refusal> {
  return checkedCall<OwnJobs>(exchange, options, jobsEndpoint.methods, async ({ caller: { accountId } }) => {
    const query = readJobsQuery(exchange.request.url);
    if (isRefusal(query)) return query;
    return options.deleter.listJobs({ accountId, ...query });
  });
}
