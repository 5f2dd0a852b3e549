/** Series by name and labels. Values are in promtool's notation, one per minute. */
export type Series = Readonly<Record<string, string>>;

export interface Case {
  /** Situations that fire the alert. */
  readonly fires: Series | readonly Series[];
  readonly quiet: Series | readonly Series[];
  /** Labels of the fired alert, besides its own. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly atMinutes?: number;
}

const requests = (ok: string, failed: string): Series => ({
  'http_requests_total{endpoint="/v1/json/jobs-delete",status="200"}': ok,
  'http_requests_total{endpoint="/v1/xml/jobs-delete",status="503"}': failed,
  'http_requests_total{endpoint="/v1/json/jobs-delete",status="404"}': '0+500x480',
  'http_requests_total{endpoint="other",status="500"}': '0+900x480',
});
/** A hundred observations a minute, all in one bucket. */
const allWithin = (name: string, bound: string, tooShort: string): Series => ({
  [`${name}{le="${tooShort}"}`]: '0x60',
  [`${name}{le="${bound}"}`]: '0+100x60',
  [`${name}{le="+Inf"}`]: '0+100x60',
});
/** A flood of refused callers. */
const refused: Series = Object.fromEntries(
  [401, 403, 429].map((status) => [
    `http_requests_total{endpoint="/v1/json/jobs-delete",status="${String(status)}"}`,
    '0+100000x480',
  ]),
);
const auditJob = (name: string, startedAt: string, failed: string): Series => ({
  [`kube_job_status_start_time{namespace="jobs-delete",job_name="${name}"}`]: startedAt,
  [`kube_job_status_failed{namespace="jobs-delete",job_name="${name}",reason="BackoffLimitExceeded"}`]:
    failed,
  [`kube_job_status_failed{namespace="jobs-delete",job_name="${name}",reason="Evicted"}`]: '0x2000',
});
const ofCronJob = (metric: string, value: string, cronJob = 'audit'): Series => ({
  [`kube_cronjob_${metric}{namespace="jobs-delete",cronjob="${cronJob}"}`]: value,
});
const durations = 'http_request_duration_seconds_bucket';
const removals = 'accepted_to_removed_seconds_bucket';
const dependency = (name: string, values: string, instance = 'a'): Series => ({
  [`dependency_up{dependency="${name}",instance="${instance}"}`]: values,
});
const ofInstance = { instance: 'a' };

/** The situations of each alert, in the order of the rules. */
export const alertCases: Readonly<Record<string, Case>> = {
  JobsDeleteErrorBudgetBurnsFast: {
    fires: [requests('0+980x480', '0+40x480'), { ...requests('0+980x480', '0+40x480'), ...refused }],
    // The failures ended ten minutes ago.
    quiet: requests('0+980x480', '0+40x50 2000x480'),
  },
  JobsDeleteErrorBudgetBurnsSlowly: {
    fires: [requests('0+1000x480', '0+10x480'), { ...requests('0+1000x480', '0+10x480'), ...refused }],
    quiet: requests('0+1000x480', '0+1x480'),
    atMinutes: 420,
  },
  JobsDeleteAnswersSlow: {
    fires: allWithin(durations, '2.5', '1'),
    quiet: allWithin(durations, '1', '0.5'),
  },
  JobsDeleteDashboardErrors: {
    fires: {
      'dashboard_requests_total{route="/keys",status="200"}': '0+90x60',
      'dashboard_requests_total{route="/keys",status="503"}': '0+10x60',
    },
    quiet: {
      'dashboard_requests_total{route="/keys",status="200"}': '0+99x60',
      'dashboard_requests_total{route="/keys",status="500"}': '0+1x60',
      'dashboard_requests_total{route="/sign-in",status="422"}': '0+90x60',
    },
  },
  JobsDeleteDashboardSlow: {
    fires: allWithin('dashboard_request_duration_seconds_bucket', '2.5', '1'),
    quiet: [
      allWithin('dashboard_request_duration_seconds_bucket', '1', '0.5'),
      { 'dashboard_request_duration_seconds_bucket{route="/activity/:id/events",le="+Inf"}': '0+100x60' },
    ],
  },
  JobsDeleteRefusalsSurge: {
    fires: { 'http_refusals_total{code="token_invalid"}': '0+1200x60' },
    quiet: { 'http_refusals_total{code="job_not_found"}': '0+9000x60' },
    labels: { code: 'token_invalid' },
  },
  JobsDeleteSignInsRefused: {
    fires: { 'dashboard_refusals_total{code="passkey_refused"}': '0+60x60' },
    quiet: [
      { 'dashboard_refusals_total{code="passkey_refused"}': '0+20x60' },
      { 'dashboard_refusals_total{code="form_refused"}': '0+60x60' },
    ],
    labels: { code: 'passkey_refused' },
  },
  JobsDeleteRemovalSlow: {
    fires: allWithin(removals, '300', '60'),
    quiet: allWithin(removals, '60', '30'),
  },
  JobsDeleteRemovalStalled: {
    fires: { consumer_lag_events: '5x60', jobs_removed_total: '7x60' },
    quiet: { consumer_lag_events: '5x60', jobs_removed_total: '0+1x60' },
  },
  JobsDeleteConsumerLagHigh: {
    fires: { consumer_lag_events: '20000x60' },
    // A wave that ends.
    quiet: { consumer_lag_events: '20000x50 10x10' },
  },
  JobsDeleteOutboxOld: {
    fires: [
      { ...ageOf('accepted', '0+60x60'), events_published_total: '7x60' },
      // Every second measurement fails.
      { ...ageOf('accepted', alternately('90', 'NaN', 60)), events_published_total: '7x60' },
    ],
    quiet: [
      { ...ageOf('accepted', '30x60'), events_published_total: '7x60' },
      // A backlog that waits for its share.
      { ...ageOf('accepted', '0+60x60'), events_published_total: '0+9x60' },
      { ...ageOf('published', '0+60x60'), events_published_total: '7x60' },
    ],
  },
  JobsDeleteRemovalOverdue: {
    fires: [ageOf('accepted', '0+60x60'), ageOf('published', '0+60x60')],
    quiet: { ...ageOf('accepted', '600x60'), ...ageOf('published', '600x60') },
  },
  JobsDeletePartitionStuck: {
    fires: {
      'consumer_lag_events{partition="1"}': '5x60',
      'consumer_offset_events{partition="1"}': '70x60',
      'consumer_lag_events{partition="2"}': '5x60',
      'consumer_offset_events{partition="2"}': '0+9x60',
    },
    quiet: [
      { 'consumer_lag_events{partition="1"}': '0x60', 'consumer_offset_events{partition="1"}': '70x60' },
      { 'consumer_lag_events{partition="1"}': '5x60', 'consumer_offset_events{partition="1"}': '0+9x60' },
    ],
    labels: { partition: '1' },
  },
  JobsDeleteRemovalsPostponed: {
    fires: { removals_postponed_total: '0+1x60' },
    quiet: { removals_postponed_total: '5x60' },
  },
  JobsDeleteOutboxUnmeasured: unmeasured('outbox_oldest_age_seconds'),
  JobsDeleteConsumerLagUnmeasured: unmeasured('consumer_lag_events'),
  JobsDeleteDeadLetters: {
    fires: { dead_letters_total: '0x30 1x30' },
    quiet: { dead_letters_total: '1x60' },
  },
  JobsDeleteRetries: {
    fires: { 'retries_total{what="removal"}': '0+60x60' },
    quiet: { 'retries_total{what="removal"}': '0+1x60' },
    labels: { what: 'removal' },
  },
  JobsDeleteDatabaseDown: {
    fires: { ...dependency('database', '0x60'), ...dependency('database', '1x60', 'b') },
    quiet: { ...dependency('database', '1x60'), ...dependency('event_log', '0x60') },
    labels: ofInstance,
  },
  JobsDeleteEventLogDown: {
    fires: dependency('event_log', '0x60'),
    quiet: { ...dependency('event_log', '0x58 1x2'), ...dependency('database', '0x60') },
    labels: ofInstance,
  },
  JobsDeleteDeleterDown: {
    fires: dependency('deleter', '0x60'),
    quiet: dependency('deleter', '1x60'),
    labels: ofInstance,
  },
  JobsDeleteDeleterSick: {
    fires: { 'deleter_connections{instance="a",state="sick"}': '1x60' },
    quiet: {
      'deleter_connections{instance="a",state="sick"}': '0x60',
      'deleter_connections{instance="a",state="down"}': '1x60',
    },
    labels: ofInstance,
  },
  JobsDeleteConnectionsExhausted: {
    fires: {
      'store_mongodb_checkout_failures_total{instance="b"}': '0x60',
      'accounts_mongodb_checkout_failures_total{instance="a"}': '0+1x60',
    },
    quiet: { 'store_mongodb_checkout_failures_total{instance="a"}': '9x60' },
    labels: ofInstance,
  },
  JobsDeleteCertificateExpires: {
    // promtool's clock starts at the epoch.
    fires: [
      { 'deleter_certificate_expiry_timestamp_seconds{instance="a"}': '500000x60' },
      { 'public_certificate_expiry_timestamp_seconds{instance="a"}': '500000x60' },
      { 'dashboard_certificate_expiry_timestamp_seconds{instance="a"}': '500000x60' },
    ],
    quiet: { 'gateway_certificate_expiry_timestamp_seconds{instance="a"}': '5000000x60' },
    labels: ofInstance,
  },
  JobsDeleteEventLoopSlow: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.5x60' },
    quiet: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.02x55 0.5x5' },
    labels: { ...ofInstance, job: 'jobs-delete' },
  },
  JobsDeleteTargetDown: {
    fires: { 'up{instance="a"}': '0x60' },
    quiet: { 'up{instance="a"}': '1x60' },
    labels: { ...ofInstance, job: 'jobs-delete' },
  },
  JobsDeleteRestarts: {
    fires: { 'process_start_time_seconds{instance="a"}': '1+5x60' },
    quiet: { 'process_start_time_seconds{instance="a"}': '1x40 2x20' },
    labels: { ...ofInstance, job: 'jobs-delete' },
  },
  JobsDeleteNoGateway: {
    fires: { outbox_deletions: '0x60' },
    quiet: { 'http_request_duration_seconds_count{endpoint="other"}': '0x60' },
    labels: { job: 'jobs-delete' },
  },
  JobsDeleteNoRelay: {
    fires: { consumer_lag_events: '0x60' },
    quiet: { outbox_deletions: '0x60' },
    labels: { job: 'jobs-delete' },
  },
  JobsDeleteNoWorker: {
    fires: { outbox_deletions: '0x60' },
    quiet: { consumer_lag_events: '0x60' },
    labels: { job: 'jobs-delete' },
  },
  JobsDeleteAuditFailed: {
    fires: [
      {
        ...auditJob('audit-2', '7200x2000', '1x2000'),
        ...ofCronJob('status_last_successful_time', '3600x2000'),
      },
      // No run has ever succeeded.
      auditJob('audit-1', '3600x2000', '1x2000'),
    ],
    quiet: [
      {
        ...auditJob('audit-1', '3600x2000', '1x2000'),
        ...ofCronJob('status_last_successful_time', '7300x2000'),
      },
      {
        ...auditJob('audit-1', '3600x2000', '0x2000'),
        ...ofCronJob('status_last_successful_time', '60x2000'),
      },
      auditJob('indexes-1', '3600x2000', '1x2000'),
    ],
    atMinutes: 180,
  },
  JobsDeleteAuditMissing: {
    fires: [
      // The CronJob is suspended, or can't be scheduled.
      { ...ofCronJob('created', '0x2000'), ...ofCronJob('status_last_schedule_time', '3600x2000') },
      // The CronJob has never run.
      ofCronJob('created', '60x2000'),
      // There is no such CronJob.
      ofCronJob('created', '60x2000', 'another'),
      // There is no kube-state-metrics.
      { up: '1x2000' },
    ],
    quiet: [
      { ...ofCronJob('created', '0x2000'), ...ofCronJob('status_last_schedule_time', '21600x2000') },
      ofCronJob('created', '36000x2000'),
    ],
    atMinutes: 17 * 60,
  },
};

function ageOf(state: string, values: string): Series {
  return { [`outbox_oldest_age_seconds{instance="a",state="${state}"}`]: values };
}

/** A metric that is NaN when its measurement fails. */
function unmeasured(metric: string): Case {
  const [first, second] = ['a', 'b'].map((instance) => `${metric}{instance="${instance}"}`) as [
    string,
    string,
  ];
  const failing = alternately('NaN', 'NaN', 30);
  return {
    fires: { [first]: `5x30 ${failing}`, [second]: failing },
    quiet: [
      { [first]: '5x60', [second]: failing },
      { [first]: alternately('0', 'NaN', 60) },
      // Without any process, JobsDeleteNoRelay and JobsDeleteNoWorker fire.
      { up: '1x60' },
    ],
  };
}

function alternately(first: string, second: string, times: number): string {
  return Array.from({ length: times }, () => `${first} ${second}`).join(' ');
}
