/** The jobs in a database: those that runs delete, and those that stay. */
export interface Jobs {
  /** Imports jobs until `count` can be deleted. Returns the number of the first one. */
  provide(count: number): Promise<number>;
  /** Records how many jobs a run requested and how many were accepted. */
  take(run: Run): void;
  /** Returns how many accepted jobs of the last run still exist. */
  remaining(): Promise<number>;
}

export interface Run {
  readonly acceptedJobs: number;
  readonly issuedJobs: number;
}
