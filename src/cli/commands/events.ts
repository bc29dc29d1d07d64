import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { createInProcessNotifier } from '../../queue/notifier.ts'
import type { EventRow } from '../../storage/outbox.ts'
import { eventRepository, createEventLogCaches } from '../../subgraphs/events/repository.ts'
import { systemClock, toIso } from '../../domain/time.ts'
import { findApplicationById } from '../find-application.ts'
import { parseCommaSeparated, wholeNumberBetween } from '../arguments.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { toJson } from '../output.ts'

export const events: CommandGroup = {
  addTo(group: Command) {
    group
      .command('list')
      .description('print the events of an application in the order of its log, one JSON line each')
      .requiredOption('--application <id>', 'id of the application')
      .option('--after <id>', 'start after this event (an id or a position); without it, at the first event')
      .option('--connection <id>', 'only events of this connection')
      .option('--type <types>', 'only events of these types, separated by commas', parseCommaSeparated)
      .option('--limit <n>', 'maximum number of events', wholeNumberBetween(1, 1_000_000_000))
      .option('--follow', 'keep printing new events until interrupted')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph events list --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --type sync.failed --follow',
      )
      .action(withCommandContext(list))
  },
}

interface ListOptions {
  readonly application: string
  readonly after?: string
  readonly connection?: string
  readonly type?: readonly string[]
  readonly limit?: number
  readonly follow?: boolean
}

const PAGE_SIZE = 1000
const POLL_INTERVAL_MS = 500

async function list({ db }: CommandContext, options: ListOptions): Promise<void> {
  const { id: applicationId } = await findApplicationById({ db }, options.application)
  const reads = eventRepository(
    {
      db,
      logCaches: createEventLogCaches({ db, notifier: createInProcessNotifier() }),
      clock: systemClock,
      // The command prints details as they are stored: they contain no connection token and no link.
      secrets: null,
      linkUrl: () => '',
    },
    { applicationId, connectionIds: null },
  )
  const connectionIds = options.connection === undefined ? null : [options.connection]
  let after = await startAfter(db, applicationId, options.after)
  for (let remaining = options.limit ?? Infinity; remaining > 0;) {
    const first = Math.min(PAGE_SIZE, remaining)
    const page = await reads.page({ types: options.type ?? null, connectionIds, after, first })
    for (const entry of page.rows) await print(entry)
    remaining -= page.rows.length
    after = page.rows.at(-1)?.id ?? after
    if (page.hasNextPage) continue
    if (!options.follow) return
    await sleep(POLL_INTERVAL_MS)
  }
}

/**
 * Returns the id of the event after which the list starts; null for the start of the log. A position means the last
 * event at or before it.
 */
async function startAfter(db: CommandContext['db'], applicationId: string, after: string | undefined) {
  if (after === undefined || !/^\d+$/.test(after)) return after ?? null
  const [entry] = await db.rows<{ id: string }>(
    'SELECT `id` FROM `events` WHERE `applicationId` = ? AND `position` <= ? ORDER BY `position` DESC LIMIT 1',
    [applicationId, Number(after)],
  )
  if (!entry && after !== '0')
    throw new CliError(`the log of ${applicationId} has no event at or before position ${after}`)
  return entry?.id ?? null
}

async function print({ id, position, type, occurredAt, connectionId, subjectId, detail }: EventRow) {
  const event = { id, position, type, occurredAt: toIso(occurredAt), connectionId, subjectId, detail }
  if (!process.stdout.write(`${toJson(event)}\n`)) await once(process.stdout, 'drain')
}
