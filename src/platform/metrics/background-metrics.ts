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

/** What the service does by itself and below: statements, requests to providers, jobs, syncs, webhooks. */
export const measureBackground = (make: Instruments): (() => void)[] => [
  measureStatements(make),
  measureProviders(make),
  measureUnknownEnumValues(make),
  ...measureJobs(make),
  ...measureSyncs(make),
  measureDeliveries(make),
]

function measureStatements({ counter, seconds }: Instruments) {
  const took = seconds('statement_duration_seconds', 'How long SQL statements take, by kind.', ['kind'])
  const failed = counter('statement_errors_total', 'SQL statements that failed, by kind.', ['kind'])
  return statements.use(
    timed(({ sql }, duration, thrown) => {
      const kind = statementKind(sql)
      took.observe({ kind }, duration)
      if (thrown) failed.inc({ kind })
    }),
  )
}

function measureProviders({ counter, seconds }: Instruments) {
  const asked = counter('provider_requests_total', 'Requests to providers; without an answer: failed.', [
    'provider',
    'status',
  ])
  const took = seconds('provider_request_duration_seconds', 'How long providers take to answer.', [
    'provider',
  ])
  const again = counter('provider_retries_total', 'Requests to providers that had been made before.', [
    'provider',
  ])
  return providerCalls.use(
    timed(({ provider, status, attempt }, duration) => {
      asked.inc({ provider, status: status ?? 'failed' })
      took.observe({ provider }, duration)
      if (attempt > 1) again.inc({ provider })
    }),
  )
}

/** Which word it was is in the log: labels hold nothing that an account chooses. */
function measureUnknownEnumValues({ counter }: Instruments) {
  const met = counter(
    'provider_unknown_values_total',
    'Words of providers that no table knows, by the field of ours that they stand for.',
    ['provider', 'field'],
  )
  return unknownEnumValues.on(({ provider, field }) => met.inc({ provider, field }))
}

function measureJobs({ counter, longSeconds }: Instruments) {
  const ran = counter('job_attempts_total', 'Attempts at jobs: completed, failed, or aborted to stop.', [
    'job_name',
    'outcome',
  ])
  const took = longSeconds('job_duration_seconds', 'How long attempts at jobs take.', ['job_name'])
  const gone = counter('jobs_failed_total', 'Jobs that failed and are not tried again.', ['job_name'])
  const stalled = counter('jobs_stalled_total', 'Jobs whose worker died or stood still.', ['job_name'])
  return [
    jobRuns.use(
      timed(({ job, signal }, duration, thrown) => {
        ran.inc({ job_name: job, outcome: thrown ? (signal.aborted ? 'aborted' : 'failed') : 'completed' })
        took.observe({ job_name: job }, duration)
      }),
    ),
    jobFailures.on(({ job, final, stalled: died }) => {
      if (final) gone.inc({ job_name: job })
      if (died) stalled.inc({ job_name: job })
    }),
  ]
}

function measureSyncs({ counter }: Instruments) {
  const ended = counter('syncs_total', 'Syncs that have ended.', ['provider', 'outcome'])
  const stored = counter(
    'sync_records_total',
    'Records of providers that syncs have stored or found unchanged.',
    ['provider', 'model'],
  )
  return [
    syncEnds.on(({ provider, outcome }) => ended.inc({ provider, outcome })),
    storedRecords.on(({ provider, model, count }) => stored.inc({ provider, model }, count)),
  ]
}

function measureDeliveries({ counter, seconds }: Instruments) {
  const made = counter(
    'webhook_attempts_total',
    'Requests to webhook endpoints: whether the message arrived, and how the request ended.',
    ['outcome', 'ended'],
  )
  const took = seconds('webhook_attempt_duration_seconds', 'How long webhook endpoints take to answer.')
  return deliveryAttempts.on(({ outcome, ended, durationMs }) => {
    made.inc({ outcome, ended })
    took.observe(durationMs / 1000)
  })
}
