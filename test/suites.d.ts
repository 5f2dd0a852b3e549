/** A jest project. Paths are from the root of the repository. */
export interface SuiteOfTests {
  readonly name: string;
  readonly folders: readonly string[];
  /** Specs in the folders that the suite does not run. */
  readonly without?: readonly string[];
  readonly hasServers?: boolean;
  readonly storagePair?: 'production';
  readonly runs: readonly string[];
}

export const suites: readonly SuiteOfTests[];
