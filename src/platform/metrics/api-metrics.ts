import { errorCodes } from '../../domain/errors.ts'
import {
  batches,
  operations,
  type OperationWork,
  rateLimitRefusals,
  requestLogDrops,
  requests,
} from '../instrumentation.ts'
import { type Instruments, timed } from './instruments.ts'
import { capLabels } from './labels.ts'

/** Maximum number of operation names as label values; callers choose the names. */
const MAX_NAMES = 100
/** Maximum number of applications as label values. */
const MAX_APPLICATIONS = 100

const codes = new Set<string>([
  ...Object.values(errorCodes).map(({ graphql }) => graphql),
  'GRAPHQL_VALIDATION_FAILED',
])

/** Registers the metrics of the API. */
export function measureApi({ counter, seconds, counts, sizes }: Instruments): (() => void)[] {
  const labels = ['method', 'route', 'status']
  const requestCount = counter('http_requests_total', 'HTTP requests answered.', labels)
  const requestDuration = seconds('http_request_duration_seconds', 'Duration of HTTP requests.', [
    'method',
    'route',
  ])
  const statementCount = counts(
    'statements_per_request',
    'SQL statements of an HTTP request, without those that authenticate the caller.',
    ['route'],
  )
  const batchSize = sizes('loader_batch_size', 'Keys that a loader reads at once.', ['loader'])
  return [
    requests.use(
      timed(({ method, route, status, statements }, duration) => {
        requestCount.inc({ method, route, status })
        requestDuration.observe({ method, route }, duration)
        statementCount.observe({ route }, statements)
      }),
    ),
    batches.use((batch, next) => {
      batchSize.observe({ loader: batch.loader }, batch.size)
      return next()
    }),
    measureOperations({ counter, seconds }),
    measureRateLimits({ counter }),
    measureRequestLog({ counter }),
  ]
}

function measureRateLimits({ counter }: Pick<Instruments, 'counter'>) {
  const refusalCount = counter(
    'rate_limited_requests_total',
    'Requests refused because of a rate limit, by what the limit applies to.',
    ['bucket', 'application'],
  )
  const capApplication = capLabels(MAX_APPLICATIONS)
  return rateLimitRefusals.on(({ bucket, applicationId }) =>
    refusalCount.inc({
      bucket,
      application: applicationId === null ? 'none' : capApplication(applicationId),
    }),
  )
}

function measureRequestLog({ counter }: Pick<Instruments, 'counter'>) {
  const dropCount = counter('request_log_dropped_total', 'Requests that the request log does not store.', [
    'reason',
  ])
  return requestLogDrops.on(({ reason, count }) => dropCount.inc({ reason }, count))
}

function measureOperations({ counter, seconds }: Pick<Instruments, 'counter' | 'seconds'>) {
  const labels = ['operation', 'type', 'engine']
  const operationCount = counter('operations_total', 'GraphQL operations over all transports.', labels)
  const operationDuration = seconds('operation_duration_seconds', 'Duration of operations, by engine.', [
    'type',
    'engine',
  ])
  const errorCount = counter('operation_errors_total', 'Errors in the results of operations, by code.', [
    'engine',
    'code',
  ])
  const capName = capLabels(MAX_NAMES)
  const labelOf = ({ name, isRestOperation }: OperationWork) =>
    name === null ? 'anonymous' : isRestOperation ? name : capName(name)
  return operations.use(
    timed((work, duration, thrown) => {
      const { type, engine } = work
      operationCount.inc({ operation: labelOf(work), type, engine })
      operationDuration.observe({ type, engine }, duration)
      const workCodes = thrown ? [errorCodes.internal_server_error.graphql] : work.codes
      for (const code of workCodes) errorCount.inc({ engine, code: codes.has(code) ? code : 'other' })
    }),
  )
}
