/** All that a request may be refused by because there are too many: for the log and the metrics. */
export const limitNames = ['requests', 'jobs', 'failed_authentications', 'load'] as const;
export type LimitName = (typeof limitNames)[number];
