import { type Check, HealthCause } from '../http/health.ts'
import type { Queue } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import type { OutboxBacklog } from '../webhooks/outbox-backlog.ts'

interface ReadinessDeps {
  readonly db: Pick<Database, 'rows'>
  readonly queue: Pick<Queue, 'checks'>
  /** Backlog of the event sequencer, if this process runs one. */
  readonly backlog?: (() => Promise<OutboxBacklog>) | undefined
}

/**
 * Maximum age of an event without a log position; normally it gets one within 2 seconds. Until then no
 * subscriber gets it.
 */
const MAX_EVENT_LAG_SECONDS = 30

/**
 * Returns the readiness checks of this process. Migrations need no check: the process does not start without
 * them.
 */
export function readinessChecks({ db, queue, backlog }: ReadinessDeps): Check[] {
  return [
    { name: 'database', run: () => db.rows('SELECT 1').catch(databaseFailed) },
    ...queue.checks.map(({ name, run }) => ({ name, run: () => run().catch(queueFailed) })),
    ...(backlog ? [{ name: 'event-log', run: () => eventLagCheck(backlog) }] : []),
  ]
}

/** Reports an error of the queue; its messages are written for operators. */
function queueFailed(error: unknown): never {
  throw new HealthCause(error instanceof Error ? error.message : 'The check failed.')
}

function databaseFailed(error: unknown): never {
  const code = String((error as { code?: unknown } | null)?.code ?? 'no code')
  const refused = /ACCESS_DENIED|BAD_DB/.test(code)
  const advice = refused
    ? 'Correct the user, the password or the name of the database in MYSQL_URL.'
    : 'Check that it runs and that MYSQL_URL is correct.'
  throw new HealthCause(`The database ${refused ? 'denies access' : 'does not answer'} (${code}). ${advice}`)
}

async function eventLagCheck(backlog: () => Promise<OutboxBacklog>): Promise<void> {
  const { unsequenced, oldestSeconds } = await backlog()
  if (oldestSeconds < MAX_EVENT_LAG_SECONDS) return
  throw new HealthCause(
    `The event log is stalled: ${unsequenced} events wait, the oldest for ${Math.round(oldestSeconds)} s. ` +
      'Find the cause in the logs of the worker processes. If they show none, restart these processes.',
  )
}
