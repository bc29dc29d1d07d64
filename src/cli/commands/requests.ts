import { type Command, InvalidArgumentError } from 'commander'
import { firstIdAt } from '../../domain/ids.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, atLeast, before, equal, equalText, type Where } from '../../storage/sql/where.ts'
import { LoggedRequest } from '../../subgraphs/connections/requests/logged-request.ts'
import { parseTime, wholeNumberBetween } from '../arguments.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'

const table = tableOf(LoggedRequest)

export const requestCommands: CommandGroup = {
  addTo(group: Command) {
    group
      .argument('[id]', 'only requests with this id, from the header X-Request-Id or the error of a response')
      .option('--application <id>', 'only requests of this application')
      .option('--connection <id>', 'only requests with a token of this connection, or a session for it alone')
      .option('--status <status>', 'only this HTTP status, such as 404, or class, such as 5xx', parseStatus)
      .option('--code <code>', 'only this error code, such as internal_server_error')
      .option('--since <time>', 'not before this time, such as 2026-01-31T12:00:00Z', parseTime)
      .option('--until <time>', 'before this time', parseTime)
      .option('--limit <n>', 'maximum number of requests', wholeNumberBetween(1, 10_000), 100)
      .addHelpText(
        'after',
        '\nExamples:\n  $ odograph requests 0b7f1c1e-3f0e-4c53-9b8e-2f6f0f6f2a11\n  $ odograph requests --application app_… --status 5xx',
      )
      .action(withCommandContext(list))
  },
}

interface StatusRange {
  readonly from: number
  readonly below: number
}

function parseStatus(text: string): StatusRange {
  const [, digit, rest] = /^([1-5])(xx|\d\d)$/.exec(text) ?? []
  if (rest === undefined) throw new InvalidArgumentError('Give a status like 404, or a class like 5xx.')
  if (rest === 'xx') return { from: Number(digit) * 100, below: (Number(digit) + 1) * 100 }
  return { from: Number(text), below: Number(text) + 1 }
}

interface ListOptions {
  readonly application?: string
  readonly connection?: string
  readonly status?: StatusRange
  readonly code?: string
  readonly since?: Instant
  readonly until?: Instant
  readonly limit: number
}

async function list(
  { db, output, config }: CommandContext,
  { application, connection, status, code, since, until, limit }: ListOptions,
  id?: string,
): Promise<void> {
  const everything: Where = { sql: '1 = 1', parameters: [] }
  const where = and(
    everything,
    equalText('requestId', id),
    equal('applicationId', application),
    equal('connectionId', connection),
    equalText('errorCode', code),
    atLeast('status', status?.from),
    before('status', status?.below),
    atLeast('at', since),
    before('at', until),
    // The id of an entry is newer than the arrival of its request, so the primary key limits the search too.
    since === undefined ? null : atLeast('id', firstIdAt('loggedRequest', since)),
  )
  // Without these filters, only the primary key has the entries in order.
  const hasOwnIndex = [id, application, connection].some((value) => value !== undefined)
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`request_log\` WHERE ${where.sql}
      ORDER BY ${hasOwnIndex ? '`at` DESC, ' : ''}\`id\` DESC LIMIT ${limit}`,
    where.parameters,
  )
  if (id !== undefined && rows.length === 0)
    throw new CliError(`the request log has no request ${id}: ${reasonOfAbsence(config.requestLogDays)}`)
  output.list(rows.map((row) => cells(table.toRow(row))))
}

const reasonOfAbsence = (days: number): string =>
  days === 0
    ? 'it is disabled, because REQUEST_LOG_DAYS is 0'
    : `it stores GraphQL and REST requests about a second after their response, for ${days} days`

const cells = (request: LoggedRequest): Cells => ({
  at: toIso(request.at),
  request: request.requestId,
  application: request.applicationId || null,
  connection: request.connectionId,
  caller: request.keyId ?? request.sessionId,
  interface: request.interface,
  operation: request.operation,
  document: request.documentHash,
  cost: request.cost,
  status: request.status,
  code: request.errorCode,
  durationMs: request.durationMs,
})
