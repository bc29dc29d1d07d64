import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, equal, type Where } from '../../storage/sql/where.ts'
import { auditedByOperator, recordAudit } from '../../subgraphs/tables/audit-log.ts'
import { archiveConnection } from '../../subgraphs/connections/lifecycle/status-commands.ts'
import { Connection, ConnectionStatus } from '../../subgraphs/connections/connection.ts'
import {
  deleteConnection,
  DELETION_GRACE_MS,
} from '../../subgraphs/connections/lifecycle/delete-connection.ts'
import { updateConnection } from '../../subgraphs/connections/update-connection.ts'
import { toIso } from '../../domain/time.ts'
import { idOf, oneOfWords, wholeNumberBetween } from '../arguments.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { callerOfConnection, findConnection } from '../find-connection.ts'
import { addHeldRemovals } from './held-removals.ts'
import { addRenormalizeCommand } from './renormalize.ts'
import { encryptionContext } from '../../subgraphs/tables/encrypted-columns.ts'
import { addProviderWebhooks } from './provider-webhooks.ts'

export const connections: CommandGroup = {
  addTo(group: Command) {
    group
      .command('list')
      .description('list connections, oldest first')
      .option('--application <id>', 'only connections of this application')
      .option('--provider <code>', 'only connections of this provider')
      .option(
        '--status <word>',
        'only connections with this status',
        oneOfWords(Object.values(ConnectionStatus)),
      )
      .option('--overdue', 'only automatic connections without a completed sync for twice the sync interval')
      .option('--after <id>', 'start after this connection (conn_…)', idOf('connection'))
      .option('--limit <n>', 'maximum number of connections', wholeNumberBetween(1, 10_000), 100)
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph connections list --status disconnected --provider sandbox',
      )
      .action(withCommandContext(list))
    const command = (name: string, description: string) =>
      group
        .command(`${name} <id>`)
        .description(description)
        .option('--application <id>', 'refuse connections of other applications')
    command('show', 'show a connection without its secrets').action(withCommandContext(show))
    command('token', 'print the connection token of a connection').action(withCommandContext(token))
    command('archive', 'archive a connection, which is then no longer synced').action(
      withCommandContext(archive),
    )
    command('delete', 'delete the data of a connection after 24 hours').action(withCommandContext(remove))
    command('undelete', 'cancel the deletion of a connection').action(withCommandContext(undelete))
    addRenormalizeCommand(group)
    addHeldRemovals(command)
    addProviderWebhooks(command)
  },
}

interface Filter {
  readonly application?: string
  readonly provider?: string
  readonly status?: ConnectionStatus
  readonly overdue?: boolean
  readonly after?: string
  readonly limit: number
}

interface Listed {
  readonly id: string
  readonly applicationId: string
  readonly provider: string
  readonly status: string
  readonly syncMode: string
  readonly company: string
  readonly lastSync: string | null
  readonly completedAt: number | null
}

const LAST_COMPLETED =
  "(SELECT MAX(s.`completedAt`) FROM `syncs` AS s WHERE s.`connectionId` = c.`id` AND s.`status` = 'completed')"

async function list(context: CommandContext, filter: Filter): Promise<void> {
  const { db, output } = context
  const { sql, parameters } = conditionsOf(context, filter)
  const rows = await db.rows<Listed>(
    `SELECT c.\`id\`, c.\`applicationId\`, c.\`provider\`, c.\`status\`, c.\`syncMode\`, c.\`company\`,
      (SELECT l.\`status\` FROM \`syncs\` AS l WHERE l.\`id\` = c.\`lastSyncId\`) AS \`lastSync\`,
      ${LAST_COMPLETED} AS \`completedAt\`
      FROM \`connections\` AS c WHERE ${sql} ORDER BY c.\`id\` LIMIT ${filter.limit + 1}`,
    parameters,
  )
  const shown = rows.slice(0, filter.limit)
  output.list(shown.map(listedCells))
  if (rows.length > shown.length) output.say(`There are more: use --after ${shown.at(-1)?.id}`)
}

function conditionsOf({ config, clock }: CommandContext, filter: Filter): Where {
  const everything: Where = { sql: '1 = 1', parameters: [] }
  const late = clock.now() - 2 * config.syncMinutes * 60_000
  return and(
    everything,
    equal('applicationId', filter.application),
    equal('provider', filter.provider),
    equal('status', filter.status),
    filter.after === undefined ? null : { sql: 'c.`id` > ?', parameters: [filter.after] },
    filter.overdue
      ? {
          sql: `c.\`status\` = 'connected' AND c.\`syncMode\` = 'automatic' AND COALESCE(${LAST_COMPLETED}, c.\`createdAt\`) < ?`,
          parameters: [late],
        }
      : null,
  )
}

const listedCells = ({ completedAt, company, applicationId, ...row }: Listed): Cells => ({
  ...row,
  company: (JSON.parse(company) as Connection['company']).name,
  application: applicationId,
  lastCompletedAt: completedAt === null ? null : toIso(Number(completedAt)),
})

async function show(context: CommandContext, options: ApplicationOption, id: string): Promise<void> {
  context.output.one(cells(await findConnection(context, id, options.application)))
}

async function token(context: CommandContext, options: ApplicationOption, id: string): Promise<void> {
  const { db, output, clock } = context
  const { tokenSealed, applicationId } = await findConnection({ db }, id, options.application)
  const secrets = await context.secrets()
  const connectionToken = secrets.open(
    tokenSealed,
    encryptionContext('connections.tokenSealed', { id, applicationId }),
  )
  await db.transaction((tx) =>
    recordAudit(tx, auditedByOperator(clock.now(), applicationId), {
      action: 'connection.token_shown',
      targetId: id,
    }),
  )
  output.one({ id, connectionToken })
}

async function archive(
  context: CommandContext,
  { application }: ApplicationOption,
  connectionId: string,
): Promise<void> {
  const caller = await callerOfConnection(context, connectionId, application)
  context.output.one(cells(await archiveConnection(await context.writes(), caller, { connectionId })))
}

async function remove(
  context: CommandContext,
  { application }: ApplicationOption,
  connectionId: string,
): Promise<void> {
  const caller = await callerOfConnection(context, connectionId, application)
  const deleting = await deleteConnection(await context.writes(), caller, { connectionId })
  context.output.one(cells(deleting))
  const until = toIso((deleting.deletionRequestedAt ?? context.clock.now()) + DELETION_GRACE_MS)
  context.output.say(
    `Its data is deleted at ${until}. Until then \`odograph connections undelete\` cancels the deletion.`,
  )
}

async function undelete(
  context: CommandContext,
  { application }: ApplicationOption,
  connectionId: string,
): Promise<void> {
  const connection = await findConnection(context, connectionId, application)
  if (connection.status !== ConnectionStatus.PENDING_DELETION)
    throw new CliError(`connection ${connectionId} is ${connection.status}: there is no deletion to cancel`)
  const caller = keyHolder(connection.applicationId)
  const changes = { connectionId, status: ConnectionStatus.CONNECTED }
  context.output.one(cells(await updateConnection(await context.writes(), caller, changes)))
}

interface ApplicationOption {
  readonly application?: string
}

const hidden: ReadonlySet<string> = new Set(['tokenHash', 'tokenSealed', 'credentialsSealed', 'connectionId'])
const INSTANT = /At$|^backfillFrom$/

/** Returns the stored columns of a connection without its secrets, with times in ISO 8601. */
function cells(connection: Connection): Cells {
  const columns = tableOf(Connection).selectedColumns.filter((column) => !hidden.has(column))
  return Object.fromEntries(
    columns.map((column) => {
      const value = connection[column as keyof Connection]
      return [column, INSTANT.test(column) && value !== null ? toIso(Number(value)) : value]
    }),
  )
}
