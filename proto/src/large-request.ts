/** A request with this many ids or more is large. It has its own call and its own write, so small requests do not wait. */
export const largeRequestJobs = 200;
