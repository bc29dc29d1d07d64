import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Caller, keyHolder } from '../../auth/caller.ts'
import { tableOf } from '../../storage/table.ts'
import { and, equal } from '../../storage/where.ts'
import { cancelSync } from '../../subgraphs/connections/syncs/cancel-sync.ts'
import { requestSyncNow } from '../../subgraphs/connections/syncs/request-sync.ts'
import { retrySync } from '../../subgraphs/connections/syncs/retry-sync.ts'
import { Sync, SyncStatus } from '../../subgraphs/connections/syncs/sync.ts'
import { toIso } from '../../time.ts'
import { moment, oneOfWords, wholeNumber } from '../arguments.ts'
import { callerFor } from './connection-of.ts'
import type { Cells } from '../output.ts'
import type { Noun } from '../program.ts'
import { Refused } from '../refused.ts'
import { type Tools, withTools } from '../tools.ts'

const table = tableOf(Sync)

export const syncs: Noun = {
  addTo(noun: Command) {
    noun
      .command('list')
      .description('syncs, the newest first')
      .option('--connection <id>', 'of this connection')
      .option('--application <id>', 'of this application')
      .option('--status <word>', 'in this state', oneOfWords(Object.values(SyncStatus)))
      .option('--limit <n>', 'so many', wholeNumber(1, 10_000), 20)
      .action(withTools(list))
    noun
      .command('request')
      .description("read a connection's data now, or again from a time on")
      .requiredOption('--connection <id>', 'which connection')
      .option('--application <id>', 'refuse another application’s')
      .option('--start-from <time>', 'the earliest record time, such as 2026-01-31T12:00:00Z', moment)
      .option('--days <n>', 'so many days before now instead', wholeNumber(0, 36_500))
      .option('--wait', 'show its progress until it ends')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph syncs request --connection conn_01M7XZ3JF90H8EC8HYVB2R0P6F --days 7 --wait',
      )
      .action(withTools(request))
    const command = (name: string, says: string) =>
      noun
        .command(`${name} <id>`)
        .description(says)
        .option('--connection <id>', 'refuse another connection’s')
    command('show', 'one sync').option('--wait', 'follow it until it ends').action(withTools(show))
    command('retry', 'take a failed one up where it stopped')
      .option('--wait', 'show its progress until it ends')
      .action(withTools(retry))
    command('cancel', 'end one that waits or runs').action(withTools(cancel))
  },
}

interface Filter {
  readonly connection?: string
  readonly application?: string
  readonly status?: SyncStatus
  readonly limit: number
}

async function list({ db, output }: Tools, filter: Filter): Promise<void> {
  const where = and(
    { sql: '1 = 1', parameters: [] },
    equal('connectionId', filter.connection),
    equal('applicationId', filter.application),
    equal('status', filter.status),
  )
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`syncs\` WHERE ${where.sql} ORDER BY \`id\` DESC LIMIT ${filter.limit}`,
    where.parameters,
  )
  output.list(rows.map((row) => cells(table.toRow(row))))
}

interface Wish {
  readonly connection: string
  readonly application?: string
  readonly startFrom?: number
  readonly days?: number
  readonly wait?: boolean
}

async function request(
  tools: Tools,
  { connection, application, startFrom, days, wait }: Wish,
): Promise<void> {
  const caller = await callerFor(tools, connection, application)
  const start = { startFrom: startFrom ?? null, days: days ?? null }
  const sync = await requestSyncNow(await tools.writes(), caller, { connectionId: connection, ...start })
  await tell(tools, sync, wait)
}

interface Which {
  readonly connection?: string
  readonly wait?: boolean
}

async function show(tools: Tools, { connection, wait }: Which, id: string): Promise<void> {
  await tell(tools, await syncOf(tools, id, connection), wait)
}

async function retry(tools: Tools, { connection, wait }: Which, syncId: string): Promise<void> {
  const caller = callerOf(await syncOf(tools, syncId, connection))
  await tell(tools, await retrySync(await tools.writes(), caller, { syncId }), wait)
}

async function cancel(tools: Tools, { connection }: Which, syncId: string): Promise<void> {
  const caller = callerOf(await syncOf(tools, syncId, connection))
  await tell(tools, await cancelSync(await tools.writes(), caller, { syncId }))
}

const callerOf = ({ applicationId, connectionId }: Sync): Caller => keyHolder(applicationId, connectionId)

async function syncOf({ db }: Pick<Tools, 'db'>, id: string, connection?: string): Promise<Sync> {
  const where = and({ sql: '`id` = ?', parameters: [id] }, equal('connectionId', connection))
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`syncs\` WHERE ${where.sql}`,
    where.parameters,
  )
  const whose = connection === undefined ? '' : ` of connection ${connection}`
  if (!row) throw new Refused(`there is no sync ${id}${whose}: \`odograph syncs list\` names them`)
  return table.toRow(row)
}

async function tell(tools: Tools, sync: Sync, wait = false): Promise<void> {
  const last = wait ? await ended(tools, sync) : sync
  tools.output.one(cells(last))
  if (wait && last.status === SyncStatus.FAILED) throw new Refused(`the sync failed: ${last.failureReason}`)
}

const LOOK_MS = 500

/** Looks at a sync until it has ended, and says each time that it has gone on. */
async function ended(tools: Tools, { id, connectionId }: Sync): Promise<Sync> {
  let told = ''
  for (;;) {
    const sync = await syncOf(tools, id, connectionId)
    const line =
      sync.status === SyncStatus.REQUESTED
        ? 'waits for a worker of the running service'
        : `${sync.status}, ${Math.floor(sync.progress)} %`
    if (line !== told) tools.output.say(line)
    told = line
    if (sync.completedAt !== null) return sync
    await sleep(LOOK_MS)
  }
}

const cells = (sync: Sync): Cells => ({
  id: sync.id,
  connection: sync.connectionId,
  status: sync.status,
  progress: Math.floor(sync.progress),
  attempts: sync.attempts,
  requestedAt: toIso(sync.requestedAt),
  completedAt: sync.completedAt === null ? null : toIso(sync.completedAt),
  startFrom: sync.startFrom === null ? null : toIso(sync.startFrom),
  failureReason: sync.failureReason,
})
