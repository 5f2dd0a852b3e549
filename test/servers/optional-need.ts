/** Thrown when something is missing that a run may lack: its suites are skipped even where REQUIRE_SERVERS is 1. */
export class OptionalNeed extends Error {}
