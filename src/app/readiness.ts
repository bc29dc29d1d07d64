import { isPublic } from '../domain/errors.ts'
import { type Check, HealthCause } from '../http/health.ts'
import { heapUse, MAX_HEAP_USE } from '../platform/heap-use.ts'
import type { Queue } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import { hasNoRoom } from '../storage/no-room.ts'
import type { OutboxBacklog } from '../webhooks/outbox-backlog.ts'

interface ReadinessDeps {
  readonly db: Pick<Database, 'checkWrites'>
  readonly queue: Pick<Queue, 'checks'>
  /** Backlog of the event sequencer, if this process runs one. */
  readonly backlog?: (() => Promise<OutboxBacklog>) | undefined
}

/**
 * Maximum age of an event without a position in the event log. An event normally gets its position within 2 seconds.
 * Before that, no subscription and no webhook receives it.
 */
const MAX_EVENT_LAG_SECONDS = 30

/**
 * Returns the readiness checks of the database, the queue, the event log and the memory. Migrations need no check: the
 * process does not start while some are pending.
 */
export function readinessChecks({ db, queue, backlog }: ReadinessDeps): Check[] {
  return [
    { name: 'database', run: () => db.checkWrites().catch(databaseFailed) },
    ...queue.checks.map(({ name, run }) => ({ name, run: () => run().catch(queueFailed) })),
    ...(backlog ? [{ name: 'event-log', run: () => eventLagCheck(backlog) }] : []),
    { name: 'memory', isPartial: true, run: memoryCheck },
  ]
}

async function memoryCheck(): Promise<void> {
  if (heapUse() <= MAX_HEAP_USE) return
  throw new HealthCause(
    `More than ${MAX_HEAP_USE * 100} % of the heap is in use. A gateway then refuses large operations. ` +
      'Give the process more memory with NODE_OPTIONS=--max-old-space-size, or send it fewer requests at once.',
  )
}

/** Reports an error of the queue with its message: the queue writes its messages for operators. */
function queueFailed(error: unknown): never {
  throw new HealthCause(error instanceof Error ? error.message : 'The check failed.')
}

function databaseFailed(error: unknown): never {
  const cause = isPublic(error) ? error.cause : error
  const code = String((cause as { code?: unknown } | null | undefined)?.code ?? 'no code')
  const { failure, advice } = failureOf(code, cause)
  throw new HealthCause(`The database ${failure} (${code}). ${advice}`)
}

interface DatabaseFailure {
  readonly failure: string
  /** What the operator should do. */
  readonly advice: string
}

function failureOf(code: string, cause: unknown): DatabaseFailure {
  if (hasNoRoom(cause)) return { failure: 'cannot store anything', advice: 'Free some space on its disk.' }
  if (code.includes('IOERR'))
    return {
      failure: 'cannot store anything',
      advice: 'Free some space on its disk. If the disk has room, check whether it is defective.',
    }
  if (/ACCESS_DENIED|BAD_DB/.test(code))
    return {
      failure: 'denies access',
      advice: 'Correct the user, the password or the name of the database in MYSQL_URL.',
    }
  if (/PREVENTS_STATEMENT|READ_ONLY|READONLY/.test(code))
    return {
      failure: 'is read-only',
      advice: 'Point MYSQL_URL to the primary, or make the database writable.',
    }
  return {
    failure: /^E[A-Z]+$|LOST|TIMEOUT/.test(code) ? 'does not answer' : 'fails',
    advice: 'Check that it runs and that its disk has room. If MYSQL_URL is set, check that it is correct.',
  }
}

async function eventLagCheck(backlog: () => Promise<OutboxBacklog>): Promise<void> {
  const { unsequenced, oldestSeconds } = await backlog()
  if (oldestSeconds < MAX_EVENT_LAG_SECONDS) return
  throw new HealthCause(
    `The event log is stalled: at least ${unsequenced} events wait for a position, the oldest for ${Math.round(oldestSeconds)} s. ` +
      'Find the cause in the logs of the worker processes. If they show none, restart these processes.',
  )
}
