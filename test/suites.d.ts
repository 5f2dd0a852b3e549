/** A jest project. Paths are from the root of the repository. */
export interface SuiteOfTests {
  readonly name: string;
  readonly folders: readonly string[];
  /** Specs in the folders that the suite does not run. */
  readonly without?: readonly string[];
  readonly hasServers?: boolean;
  readonly storagePair?: 'production';
  /** Temporary files are on the disk. Default: in memory, if there is room. */
  readonly onDisk?: boolean;
  readonly runs: readonly string[];
}

export const suites: readonly SuiteOfTests[];
