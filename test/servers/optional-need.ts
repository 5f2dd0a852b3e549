/** Thrown when an optional program is missing. Its suites are skipped even if REQUIRE_SERVERS is 1. */
export class OptionalNeed extends Error {}
