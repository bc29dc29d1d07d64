import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { inProcessDoorbell } from '../../queue/doorbell.ts'
import type { LogEntry } from '../../storage/outbox.ts'
import { eventReads, liveLogsOver } from '../../subgraphs/events/reads.ts'
import { systemClock, toIso } from '../../time.ts'
import { applicationOf } from './applications.ts'
import { listOf, wholeNumber } from '../arguments.ts'
import type { Noun } from '../program.ts'
import { Refused } from '../refused.ts'
import { type Tools, withTools } from '../tools.ts'

export const events: Noun = {
  addTo(noun: Command) {
    noun
      .command('list')
      .description('events of an application in the order of its log, a line of JSON each')
      .requiredOption('--application <id>', 'whose log')
      .option('--after <id>', 'those after this event, an id or a position; from the beginning without it')
      .option('--connection <id>', 'of this connection')
      .option('--type <types>', 'of these types, with commas', listOf)
      .option('--limit <n>', 'so many at most', wholeNumber(1, 1_000_000_000))
      .option('--follow', 'go on with what comes, until it is interrupted')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph events list --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --type sync.failed --follow',
      )
      .action(withTools(list))
  },
}

interface Asked {
  readonly application: string
  readonly after?: string
  readonly connection?: string
  readonly type?: readonly string[]
  readonly limit?: number
  readonly follow?: boolean
}

const PAGE = 1000
const LOOK_MS = 500

async function list({ db }: Tools, asked: Asked): Promise<void> {
  const { id: applicationId } = await applicationOf({ db }, asked.application)
  const reads = eventReads(
    {
      db,
      liveLogs: liveLogsOver({ db, doorbell: inProcessDoorbell() }),
      clock: systemClock,
      secrets: null,
      linkUrl: () => '',
    },
    { applicationId, connectionIds: null },
  )
  const connectionIds = asked.connection === undefined ? null : [asked.connection]
  let after = await startOf(db, applicationId, asked.after)
  for (let left = asked.limit ?? Infinity; left > 0;) {
    const filter = { types: asked.type ?? null, connectionIds, after }
    const page = await reads.page(filter, Math.min(PAGE, left))
    for (const entry of page.rows) await print(entry)
    left -= page.rows.length
    after = page.rows.at(-1)?.id ?? after
    if (page.hasNextPage) continue
    if (!asked.follow) return
    await sleep(LOOK_MS)
  }
}

/** The id of the event that the list comes after: an id itself, or the last one up to a position. */
async function startOf(db: Tools['db'], applicationId: string, after: string | undefined) {
  if (after === undefined || !/^\d+$/.test(after)) return after ?? null
  const [entry] = await db.rows<{ id: string }>(
    'SELECT `id` FROM `events` WHERE `applicationId` = ? AND `position` <= ? ORDER BY `position` DESC LIMIT 1',
    [applicationId, Number(after)],
  )
  if (!entry && after !== '0') throw new Refused(`the log of ${applicationId} has nothing up to ${after}`)
  return entry?.id ?? null
}

async function print({ id, position, type, occurredAt, connectionId, subjectId, detail }: LogEntry) {
  const event = { id, position, type, occurredAt: toIso(occurredAt), connectionId, subjectId, detail }
  if (!process.stdout.write(`${JSON.stringify(event)}\n`)) await once(process.stdout, 'drain')
}
