import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { tableOf } from '../../storage/table.ts'
import { and, equal, type Where } from '../../storage/where.ts'
import { byOperator, remember } from '../../subgraphs/audit.ts'
import { archiveConnection } from '../../subgraphs/connections/life/archive-connection.ts'
import { Connection, ConnectionStatus } from '../../subgraphs/connections/connection.ts'
import { deleteConnection, GRACE_MS } from '../../subgraphs/connections/life/delete-connection.ts'
import { updateConnection } from '../../subgraphs/connections/update-connection.ts'
import { toIso } from '../../time.ts'
import { oneOfWords, wholeNumber } from '../arguments.ts'
import type { Cells } from '../output.ts'
import type { Noun } from '../program.ts'
import { Refused } from '../refused.ts'
import { type Tools, withTools } from '../tools.ts'
import { callerFor, connectionOf } from './connection-of.ts'
import { addRenormalize } from './renormalize.ts'
import { sealedFor } from '../../subgraphs/sealed-columns.ts'
import { addProviderWebhooks } from './provider-webhooks.ts'

export const connections: Noun = {
  addTo(noun: Command) {
    noun
      .command('list')
      .description('connections, the oldest first')
      .option('--application <id>', 'of this application')
      .option('--provider <code>', 'of this provider')
      .option('--status <word>', 'in this state', oneOfWords(Object.values(ConnectionStatus)))
      .option('--overdue', 'automatic ones without a completed sync for twice the sync interval')
      .option('--after <id>', 'those after this one')
      .option('--limit <n>', 'so many', wholeNumber(1, 10_000), 100)
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph connections list --status disconnected --provider sandbox',
      )
      .action(withTools(list))
    const command = (name: string, says: string) =>
      noun
        .command(`${name} <id>`)
        .description(says)
        .option('--application <id>', 'refuse another application’s')
    command('show', 'everything about one but its secrets').action(withTools(show))
    command('token', 'print its connection token').action(withTools(token))
    command('archive', 'take it out of view: nothing is synced any more').action(withTools(archive))
    command('delete', 'delete its data after 24 hours').action(withTools(remove))
    command('undelete', 'call its deletion off').action(withTools(undelete))
    addRenormalize(noun)
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

async function list(tools: Tools, filter: Filter): Promise<void> {
  const { db, output } = tools
  const { sql, parameters } = wanted(tools, filter)
  const rows = await db.rows<Listed>(
    `SELECT c.\`id\`, c.\`applicationId\`, c.\`provider\`, c.\`status\`, c.\`syncMode\`, c.\`company\`,
      (SELECT l.\`status\` FROM \`syncs\` AS l WHERE l.\`id\` = c.\`lastSyncId\`) AS \`lastSync\`,
      ${LAST_COMPLETED} AS \`completedAt\`
      FROM \`connections\` AS c WHERE ${sql} ORDER BY c.\`id\` LIMIT ${filter.limit + 1}`,
    parameters,
  )
  const shown = rows.slice(0, filter.limit)
  output.list(shown.map(listedCells))
  if (rows.length > shown.length) output.say(`There are more: --after ${shown.at(-1)?.id}`)
}

function wanted({ config, clock }: Tools, filter: Filter): Where {
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

async function show(tools: Tools, options: Whose, id: string): Promise<void> {
  tools.output.one(cells(await connectionOf(tools, id, options.application)))
}

async function token(tools: Tools, options: Whose, id: string): Promise<void> {
  const { db, output, clock } = tools
  const { tokenSealed, applicationId } = await connectionOf({ db }, id, options.application)
  const secrets = await tools.secrets()
  const connectionToken = secrets.open(
    tokenSealed,
    sealedFor('connections.tokenSealed', { id, applicationId }),
  )
  await db.transaction((tx) =>
    remember(tx, byOperator(clock.now(), applicationId), { action: 'connection.token_shown', targetId: id }),
  )
  output.one({ id, connectionToken })
}

async function archive(tools: Tools, { application }: Whose, connectionId: string): Promise<void> {
  const caller = await callerFor(tools, connectionId, application)
  tools.output.one(cells(await archiveConnection(await tools.writes(), caller, { connectionId })))
}

async function remove(tools: Tools, { application }: Whose, connectionId: string): Promise<void> {
  const caller = await callerFor(tools, connectionId, application)
  const marked = await deleteConnection(await tools.writes(), caller, { connectionId })
  tools.output.one(cells(marked))
  const until = toIso((marked.deletionRequestedAt ?? tools.clock.now()) + GRACE_MS)
  tools.output.say(`Its data goes at ${until}; until then \`odograph connections undelete\` calls it off.`)
}

async function undelete(tools: Tools, { application }: Whose, connectionId: string): Promise<void> {
  const connection = await connectionOf(tools, connectionId, application)
  if (connection.status !== ConnectionStatus.PENDING_DELETION)
    throw new Refused(`connection ${connectionId} is ${connection.status}: there is no deletion to call off`)
  const caller = keyHolder(connection.applicationId)
  const back = { connectionId, status: ConnectionStatus.CONNECTED }
  tools.output.one(cells(await updateConnection(await tools.writes(), caller, back)))
}

interface Whose {
  readonly application?: string
}

const hidden: ReadonlySet<string> = new Set(['tokenHash', 'tokenSealed', 'credentialsSealed', 'connectionId'])
const INSTANT = /At$|^backfillFrom$/

/** A connection as it is stored, its times readable, without what is secret. */
function cells(connection: Connection): Cells {
  const columns = tableOf(Connection).selectedColumns.filter((column) => !hidden.has(column))
  return Object.fromEntries(
    columns.map((column) => {
      const value = connection[column as keyof Connection]
      return [column, INSTANT.test(column) && value !== null ? toIso(Number(value)) : value]
    }),
  )
}
