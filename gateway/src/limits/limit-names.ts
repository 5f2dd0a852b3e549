/** Every limit that may refuse a request, for the log and the metrics. */
export const limitNames = ['requests', 'jobs', 'failed_authentications', 'authentications', 'load'] as const;
export type LimitName = (typeof limitNames)[number];
