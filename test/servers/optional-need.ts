/** Why something isn't there that a run may do without: its suites are skipped, also where servers are required. */
export class OptionalNeed extends Error {}
