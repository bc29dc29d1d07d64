import {
  deliveryAttempts,
  jobFailures,
  jobRuns,
  providerCalls,
  statements,
  storedRecords,
  syncEnds,
  unknownEnumValues,
} from '../instrumentation.ts'
import { type Instruments, timed } from './instruments.ts'
import { statementKind } from './labels.ts'

/** Registers the metrics of statements, provider requests, jobs, syncs and webhooks. */
export const measureBackground = (make: Instruments): (() => void)[] => [
  measureStatements(make),
  measureProviders(make),
  measureUnknownEnumValues(make),
  ...measureJobs(make),
  ...measureSyncs(make),
  measureDeliveries(make),
]

function measureStatements({ counter, seconds }: Instruments) {
  const durations = seconds('statement_duration_seconds', 'Duration of SQL statements, by kind.', ['kind'])
  const errorCount = counter('statement_errors_total', 'Failed SQL statements, by kind.', ['kind'])
  return statements.use(
    timed(({ sql }, duration, thrown) => {
      const kind = statementKind(sql)
      durations.observe({ kind }, duration)
      if (thrown) errorCount.inc({ kind })
    }),
  )
}

function measureProviders({ counter, seconds }: Instruments) {
  const requestCount = counter(
    'provider_requests_total',
    'Requests to providers by status; `failed` without a response.',
    ['provider', 'status'],
  )
  const durations = seconds('provider_request_duration_seconds', 'Response time of providers.', ['provider'])
  const retryCount = counter('provider_retries_total', 'Retried requests to providers.', ['provider'])
  return providerCalls.use(
    timed(({ provider, status, attempt }, duration) => {
      requestCount.inc({ provider, status: status ?? 'failed' })
      durations.observe({ provider }, duration)
      if (attempt > 1) retryCount.inc({ provider })
    }),
  )
}

/** Counts unknown values by field. The value is no label, because accounts can choose any text. The log contains it. */
function measureUnknownEnumValues({ counter }: Instruments) {
  const valueCount = counter(
    'provider_unknown_values_total',
    'Provider values that no mapping contains, by normalized field.',
    ['provider', 'field'],
  )
  return unknownEnumValues.on(({ provider, field }) => valueCount.inc({ provider, field }))
}

function measureJobs({ counter, longSeconds }: Instruments) {
  const attemptCount = counter(
    'job_attempts_total',
    'Attempts at jobs: completed, failed, or aborted by a shutdown.',
    ['job_name', 'outcome'],
  )
  const durations = longSeconds('job_duration_seconds', 'Duration of attempts at jobs.', ['job_name'])
  const failedCount = counter('jobs_failed_total', 'Jobs that failed and are not retried.', ['job_name'])
  const stalledCount = counter('jobs_stalled_total', 'Jobs whose worker died or stalled.', ['job_name'])
  return [
    jobRuns.use(
      timed(({ job, signal }, duration, thrown) => {
        attemptCount.inc({
          job_name: job,
          outcome: thrown ? (signal.aborted ? 'aborted' : 'failed') : 'completed',
        })
        durations.observe({ job_name: job }, duration)
      }),
    ),
    jobFailures.on(({ job, final, stalled }) => {
      if (final) failedCount.inc({ job_name: job })
      if (stalled) stalledCount.inc({ job_name: job })
    }),
  ]
}

function measureSyncs({ counter }: Instruments) {
  const syncCount = counter('syncs_total', 'Finished syncs.', ['provider', 'outcome'])
  const recordCount = counter(
    'sync_records_total',
    'Provider records that syncs stored or found unchanged.',
    ['provider', 'model'],
  )
  return [
    syncEnds.on(({ provider, outcome }) => syncCount.inc({ provider, outcome })),
    storedRecords.on(({ provider, model, count }) => recordCount.inc({ provider, model }, count)),
  ]
}

function measureDeliveries({ counter, seconds }: Instruments) {
  const attemptCount = counter(
    'webhook_attempts_total',
    'Requests to webhook endpoints, by delivery outcome and by how the request ended.',
    ['outcome', 'ended'],
  )
  const durations = seconds('webhook_attempt_duration_seconds', 'Response time of webhook endpoints.')
  return deliveryAttempts.on(({ outcome, ended, durationMs }) => {
    attemptCount.inc({ outcome, ended })
    durations.observe(durationMs / 1000)
  })
}
