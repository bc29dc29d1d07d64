import { type Check, Cause } from './http/health.ts'
import type { Queue } from './queue/queue.ts'
import type { Database } from './storage/database.ts'
import type { Backlog } from './webhooks/backlog.ts'

interface Readiness {
  readonly db: Pick<Database, 'rows'>
  readonly queue: Pick<Queue, 'checks'>
  /** Where this process places events. */
  readonly backlog?: (() => Promise<Backlog>) | undefined
}

/** An entry gets its place within a second or two; nobody is told of one that has none. */
const STANDS_STILL_SECONDS = 30

/** What this process needs in order to serve. The migrations are no part of it: without them it has not started. */
export function readinessChecks({ db, queue, backlog }: Readiness): Check[] {
  return [
    { name: 'database', run: () => db.rows('SELECT 1').catch(databaseFailed) },
    ...queue.checks.map(({ name, run }) => ({ name, run: () => run().catch(queueFailed) })),
    ...(backlog ? [{ name: 'event-log', run: () => eventsFlow(backlog) }] : []),
  ]
}

/** What the queue says of itself is meant to be read. */
function queueFailed(error: unknown): never {
  throw new Cause(error instanceof Error ? error.message : 'It failed.')
}

function databaseFailed(error: unknown): never {
  const code = String((error as { code?: unknown } | null)?.code ?? 'no code')
  const refused = /ACCESS_DENIED|BAD_DB/.test(code)
  const advice = refused
    ? 'Correct the user, the password or the name of the database in MYSQL_URL.'
    : 'See whether it runs and whether MYSQL_URL leads to it.'
  throw new Cause(`The database ${refused ? 'refuses this service' : 'does not answer'} (${code}). ${advice}`)
}

async function eventsFlow(backlog: () => Promise<Backlog>): Promise<void> {
  const { unplaced, oldestSeconds } = await backlog()
  if (oldestSeconds < STANDS_STILL_SECONDS) return
  throw new Cause(
    `The event log stands still: ${unplaced} events wait, the oldest for ${Math.round(oldestSeconds)} s. ` +
      "The log of the processes of role worker says what stops it; restart them where it doesn't.",
  )
}
