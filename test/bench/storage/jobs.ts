/** The jobs that runs delete, and those that stay. */
export interface Jobs {
  /** Sees to it that so many can be taken, beside those that stay. @returns the number of the first one */
  provide(count: number): Promise<number>;
  /** Says what a run has asked for, and how much of it was accepted. */
  take(run: Run): void;
  /** How many of the accepted jobs of the last run are still there. */
  remaining(): Promise<number>;
}

export interface Run {
  readonly acceptedJobs: number;
  readonly issuedJobs: number;
}
