/** A case of conformance/cases.json. Its README describes the members. */
export interface Case {
  readonly title: string;
  readonly clients?: readonly string[];
  readonly base_path?: string;
  readonly closed_connections?: number;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly call: string;
  readonly job_ids?: number | string | readonly string[];
  readonly deletion_id?: string;
  readonly call_options?: Readonly<Record<string, unknown>>;
  readonly journal?: readonly unknown[];
  readonly requests?: readonly ExpectedRequest[];
  readonly retries?: readonly { readonly error: string; readonly pause_at_most_ms: number }[];
  readonly usage_error?: string;
  readonly error?: Readonly<Record<string, unknown>> & { readonly message?: string };
  readonly result?: unknown;
  readonly journal_after?: readonly unknown[];
}

export interface ExpectedRequest {
  readonly method?: string;
  readonly path?: string;
  readonly job_ids?: readonly string[];
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: number;
  readonly answer: Answer;
}

export type Answer =
  | 'accepted'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly problem?: string;
      readonly pointers?: readonly string[];
      readonly errors_truncated?: boolean;
      readonly json?: unknown;
      readonly text?: string;
      readonly fault?: 'close' | 'hang' | 'cut' | 'drip' | 'garbage';
      readonly after_requests?: number;
    };
