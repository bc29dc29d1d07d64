import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Caller, keyHolder } from '../../auth/caller.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, equal } from '../../storage/sql/where.ts'
import { cancelSync } from '../../subgraphs/connections/syncs/cancel-sync.ts'
import { requestSyncNow } from '../../subgraphs/connections/syncs/request-sync.ts'
import { retrySync } from '../../subgraphs/connections/syncs/retry-sync.ts'
import { Sync, SyncStatus } from '../../subgraphs/connections/syncs/sync.ts'
import { toIso } from '../../domain/time.ts'
import { parseTime, oneOfWords, wholeNumberBetween } from '../arguments.ts'
import { callerOfConnection } from '../find-connection.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'

const table = tableOf(Sync)

export const syncs: CommandGroup = {
  addTo(group: Command) {
    group
      .command('list')
      .description('list syncs, newest first')
      .option('--connection <id>', 'only syncs of this connection')
      .option('--application <id>', 'only syncs of this application')
      .option('--status <word>', 'only syncs with this status', oneOfWords(Object.values(SyncStatus)))
      .option('--limit <n>', 'maximum number of syncs', wholeNumberBetween(1, 10_000), 20)
      .action(withCommandContext(list))
    group
      .command('request')
      .description("sync a connection's data now, or again from a given time")
      .requiredOption('--connection <id>', 'the connection')
      .option('--application <id>', 'refuse connections of other applications')
      .option('--start-from <time>', 'the earliest record time, such as 2026-01-31T12:00:00Z', parseTime)
      .option(
        '--days <n>',
        'number of days before now, instead of --start-from',
        wholeNumberBetween(0, 36_500),
      )
      .option('--wait', 'show the progress of the sync until it ends')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph syncs request --connection conn_01M7XZ3JF90H8EC8HYVB2R0P6F --days 7 --wait',
      )
      .action(withCommandContext(request))
    const command = (name: string, description: string) =>
      group
        .command(`${name} <id>`)
        .description(description)
        .option('--connection <id>', 'refuse syncs of other connections')
    command('show', 'show a sync')
      .option('--wait', 'show the progress of the sync until it ends')
      .action(withCommandContext(show))
    command('retry', 'resume a failed sync where it stopped')
      .option('--wait', 'show the progress of the sync until it ends')
      .action(withCommandContext(retry))
    command('cancel', 'cancel a sync that waits or runs').action(withCommandContext(cancel))
  },
}

interface Filter {
  readonly connection?: string
  readonly application?: string
  readonly status?: SyncStatus
  readonly limit: number
}

async function list({ db, output }: CommandContext, filter: Filter): Promise<void> {
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

interface RequestOptions {
  readonly connection: string
  readonly application?: string
  readonly startFrom?: number
  readonly days?: number
  readonly wait?: boolean
}

async function request(
  context: CommandContext,
  { connection, application, startFrom, days, wait }: RequestOptions,
): Promise<void> {
  const caller = await callerOfConnection(context, connection, application)
  const start = { startFrom: startFrom ?? null, days: days ?? null }
  const sync = await requestSyncNow(await context.writes(), caller, { connectionId: connection, ...start })
  await printSync(context, sync, wait)
}

interface SyncOptions {
  readonly connection?: string
  readonly wait?: boolean
}

async function show(context: CommandContext, { connection, wait }: SyncOptions, id: string): Promise<void> {
  await printSync(context, await syncOf(context, id, connection), wait)
}

async function retry(
  context: CommandContext,
  { connection, wait }: SyncOptions,
  syncId: string,
): Promise<void> {
  const caller = callerOf(await syncOf(context, syncId, connection))
  await printSync(context, await retrySync(await context.writes(), caller, { syncId }), wait)
}

async function cancel(context: CommandContext, { connection }: SyncOptions, syncId: string): Promise<void> {
  const caller = callerOf(await syncOf(context, syncId, connection))
  await printSync(context, await cancelSync(await context.writes(), caller, { syncId }))
}

const callerOf = ({ applicationId, connectionId }: Sync): Caller => keyHolder(applicationId, connectionId)

async function syncOf({ db }: Pick<CommandContext, 'db'>, id: string, connection?: string): Promise<Sync> {
  const where = and({ sql: '`id` = ?', parameters: [id] }, equal('connectionId', connection))
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`syncs\` WHERE ${where.sql}`,
    where.parameters,
  )
  const owner = connection === undefined ? '' : ` of connection ${connection}`
  if (!row) throw new CliError(`there is no sync ${id}${owner}: \`odograph syncs list\` shows their ids`)
  return table.toRow(row)
}

async function printSync(context: CommandContext, sync: Sync, wait = false): Promise<void> {
  const last = wait ? await waitUntilEnded(context, sync) : sync
  context.output.one(cells(last))
  if (wait && last.status === SyncStatus.FAILED) throw new CliError(`the sync failed: ${last.failureReason}`)
}

const POLL_INTERVAL_MS = 500

/** Polls a sync until it ends, and prints its progress. */
async function waitUntilEnded(context: CommandContext, { id, connectionId }: Sync): Promise<Sync> {
  let printed = ''
  for (;;) {
    const sync = await syncOf(context, id, connectionId)
    const line =
      sync.status === SyncStatus.REQUESTED
        ? 'waiting for a worker of the running service'
        : `${sync.status}, ${Math.floor(sync.progress)} %`
    if (line !== printed) context.output.say(line)
    printed = line
    if (sync.completedAt !== null) return sync
    await sleep(POLL_INTERVAL_MS)
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
