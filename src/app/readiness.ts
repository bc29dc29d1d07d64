import { type Check, HealthCause } from '../http/health.ts'
import type { Queue } from '../queue/queue.ts'
import type { Database } from '../storage/database.ts'
import type { OutboxBacklog } from '../webhooks/outbox-backlog.ts'

interface ReadinessDeps {
  readonly db: Pick<Database, 'rows'>
  readonly queue: Pick<Queue, 'checks'>
  /** Where this process places events. */
  readonly backlog?: (() => Promise<OutboxBacklog>) | undefined
}

/** An entry gets its place within a second or two; nobody is told of one that has none. */
const MAX_EVENT_LAG_SECONDS = 30

/** What this process needs in order to serve. The migrations are no part of it: without them it has not started. */
export function readinessChecks({ db, queue, backlog }: ReadinessDeps): Check[] {
  return [
    { name: 'database', run: () => db.rows('SELECT 1').catch(databaseFailed) },
    ...queue.checks.map(({ name, run }) => ({ name, run: () => run().catch(queueFailed) })),
    ...(backlog ? [{ name: 'event-log', run: () => eventLagCheck(backlog) }] : []),
  ]
}

/** What the queue says of itself is meant to be read. */
function queueFailed(error: unknown): never {
  throw new HealthCause(error instanceof Error ? error.message : 'It failed.')
}

function databaseFailed(error: unknown): never {
  const code = String((error as { code?: unknown } | null)?.code ?? 'no code')
  const refused = /ACCESS_DENIED|BAD_DB/.test(code)
  const advice = refused
    ? 'Correct the user, the password or the name of the database in MYSQL_URL.'
    : 'See whether it runs and whether MYSQL_URL leads to it.'
  throw new HealthCause(
    `The database ${refused ? 'refuses this service' : 'does not answer'} (${code}). ${advice}`,
  )
}

async function eventLagCheck(backlog: () => Promise<OutboxBacklog>): Promise<void> {
  const { unsequenced, oldestSeconds } = await backlog()
  if (oldestSeconds < MAX_EVENT_LAG_SECONDS) return
  throw new HealthCause(
    `The event log stands still: ${unsequenced} events wait, the oldest for ${Math.round(oldestSeconds)} s. ` +
      "The log of the processes of role worker says what stops it; restart them where it doesn't.",
  )
}
