import { errorCodes } from '../../domain/errors.ts'
import { batches, operations, type OperationWork, requests } from '../instrumentation.ts'
import { type Instruments, timed } from './instruments.ts'
import { capLabels } from './labels.ts'

/** Callers choose the names of their operations. */
const MAX_NAMES = 100

const codes = new Set<string>([
  ...Object.values(errorCodes).map(({ graphql }) => graphql),
  'GRAPHQL_VALIDATION_FAILED',
])

/** What callers ask for and how it is answered. */
export function measureApi({ counter, seconds, counts, sizes }: Instruments): (() => void)[] {
  const labels = ['method', 'route', 'status']
  const taken = counter('http_requests_total', 'Requests over HTTP that were answered.', labels)
  const took = seconds('http_request_duration_seconds', 'How long requests over HTTP take.', [
    'method',
    'route',
  ])
  const read = counts(
    'statements_per_request',
    'SQL statements that an answer over HTTP is read with, finding the caller left out.',
    ['route'],
  )
  const sizeOf = sizes('loader_batch_size', 'Keys that are read at once, by loader.', ['loader'])
  return [
    requests.use(
      timed(({ method, route, status, statements }, duration) => {
        taken.inc({ method, route, status })
        took.observe({ method, route }, duration)
        read.observe({ route }, statements)
      }),
    ),
    batches.use((batch, done) => {
      sizeOf.observe({ loader: batch.loader }, batch.size)
      return done()
    }),
    measureOperations({ counter, seconds }),
  ]
}

function measureOperations({ counter, seconds }: Pick<Instruments, 'counter' | 'seconds'>) {
  const labels = ['operation', 'type', 'engine']
  const ran = counter('operations_total', 'Operations over the graph, however they came.', labels)
  const took = seconds('operation_duration_seconds', 'How long operations take, by engine.', [
    'type',
    'engine',
  ])
  const failed = counter('operation_errors_total', 'Errors in the answers of operations, by their code.', [
    'engine',
    'code',
  ])
  const few = capLabels(MAX_NAMES)
  const labelOf = ({ name, isRestOperation }: OperationWork) =>
    name === null ? 'anonymous' : isRestOperation ? name : few(name)
  return operations.use(
    timed((work, duration, thrown) => {
      const { type, engine } = work
      ran.inc({ operation: labelOf(work), type, engine })
      took.observe({ type, engine }, duration)
      const given = thrown ? [errorCodes.internal_server_error.graphql] : work.codes
      for (const code of given) failed.inc({ engine, code: codes.has(code) ? code : 'other' })
    }),
  )
}
