import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { DEFAULT_DOCUMENT_MODE, type DocumentMode, documentModes } from '../../auth/document-mode.ts'
import type { Environment } from '../../auth/keys.ts'
import { MAX_POINTS_PER_MINUTE, MIN_POINTS_PER_MINUTE } from '../../domain/rate-limit.ts'
import { toIso } from '../../domain/time.ts'
import { tableOf } from '../../storage/sql/table.ts'
import {
  Application,
  isMerging,
  isSandboxAllowed,
} from '../../subgraphs/connections/applications/application.ts'
import { createApplication } from '../../subgraphs/connections/applications/create-application.ts'
import { ACTIVE_KEY } from '../../subgraphs/connections/applications/active-key.ts'
import { type QuotaChanges, setQuotas } from '../../subgraphs/connections/applications/set-quotas.ts'
import { updateApplication } from '../../subgraphs/connections/applications/update-application.ts'
import { isQuotaName, type QuotaName, quotasOf } from '../../subgraphs/tables/application-quotas.ts'
import { parseCommaSeparated, oneOfWords, wholeNumberBetween } from '../arguments.ts'
import { DOCUMENTS_OPTION, keyCells, keysOf } from './keys.ts'
import { findApplicationById } from '../find-application.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'

const table = tableOf(Application)

export const applications: CommandGroup = {
  addTo(group: Command) {
    group.command('list').description('list all applications').action(withCommandContext(list))
    group
      .command('create <name>')
      .description('create an application with its first two keys')
      .option('--environment <word>', 'prod or sandbox', oneOfWords(['prod', 'sandbox']), 'prod')
      .addHelpText('after', "\nExample:\n  $ odograph applications create 'Fleet Software Inc.'")
      .action(withCommandContext(create))
    group
      .command('show <id>')
      .description('show an application with its settings and keys')
      .action(withCommandContext(show))
    group
      .command('update <id>')
      .description('change settings; those that you omit stay unchanged')
      .option('--name <text>', 'name; fleets see it when they link')
      .option(
        '--link-origins <list>',
        'all origins that link pages may redirect to, separated by commas; an empty list permits none',
        parseCommaSeparated,
      )
      .option(
        '--agreement-url <url>',
        'address of the agreement that fleets accept when they link; empty for the built-in text',
      )
      .option(
        '--merge <word>',
        'on or off: whether linking an account again reuses its connection',
        oneOfWords(['on', 'off']),
      )
      .option(
        '--allow-sandbox <word>',
        'on or off: whether fleets with simulated data can be linked',
        oneOfWords(['on', 'off']),
      )
      .option('--documents <word>', DOCUMENTS_OPTION, oneOfWords(documentModes))
      .option(
        '--rate <points>',
        'points that the requests of the application may use in a minute, or default for RATE_LIMIT_APPLICATION',
        rateIn,
      )
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph applications update app_01M7XZ3JF90H8EC8HYVB2R0P6F --link-origins https://app.example.com',
      )
      .action(withCommandContext(update))
    group
      .command('quotas <id> [quotas...]')
      .description('show how many rows the application may have at once, and change the numbers given')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph applications quotas app_01M7XZ3JF90H8EC8HYVB2R0P6F sessions=50000 keys=default',
      )
      .action(withCommandContext(quotas))
  },
}

async function list({ db, output, clock }: CommandContext): Promise<void> {
  const rows = await db.rows<Application & { keys: number; connections: number }>(
    `SELECT ${table.selected},
      (SELECT COUNT(*) FROM \`api_keys\` AS k WHERE k.\`applicationId\` = a.\`id\` AND ${ACTIVE_KEY}) AS \`keys\`,
      (SELECT COUNT(*) FROM \`connections\` AS c WHERE c.\`applicationId\` = a.\`id\`) AS \`connections\`
      FROM \`applications\` AS a ORDER BY \`id\``,
    [clock.now()],
  )
  output.list(rows.map((row) => ({ ...cells(row), keys: row.keys, connections: row.connections })))
}

async function create(
  { db, output, clock }: CommandContext,
  { environment }: { environment: Environment },
  name: string,
): Promise<void> {
  if (name.length > MAX_NAME_LENGTH) throw new CliError(`a name has at most ${MAX_NAME_LENGTH} characters`, 2)
  const made = await createApplication(db, { name, environment, now: clock.now() })
  const { secretKey, publishableKey } = made
  output.one({ ...cells(made.application), secretKey, publishableKey })
  output.say('The secret key is shown only once: store it now.')
}

const MAX_NAME_LENGTH = 255

interface Changes {
  readonly name?: string
  readonly linkOrigins?: readonly string[]
  readonly agreementUrl?: string
  readonly merge?: 'on' | 'off'
  readonly allowSandbox?: 'on' | 'off'
  readonly documents?: DocumentMode
  readonly rate?: number | 'default'
}

const rateIn = (text: string): number | 'default' =>
  text === 'default' ? text : wholeNumberBetween(MIN_POINTS_PER_MINUTE, MAX_POINTS_PER_MINUTE)(text)

async function update(
  { db, output, clock }: CommandContext,
  { name, linkOrigins, agreementUrl, merge, allowSandbox, documents, rate }: Changes,
  id: string,
): Promise<void> {
  await findApplicationById({ db }, id)
  const values = [name, linkOrigins, agreementUrl, merge, allowSandbox, documents, rate]
  if (values.every((value) => value === undefined))
    throw new CliError(
      'give at least one of --name, --link-origins, --agreement-url, --merge, --allow-sandbox, --documents and --rate',
      2,
    )
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(linkOrigins === undefined ? {} : { linkOrigins }),
    ...(agreementUrl === undefined ? {} : { agreementUrl }),
    ...(merge === undefined ? {} : { merging: merge === 'on' }),
    ...(allowSandbox === undefined ? {} : { allowsSandbox: allowSandbox === 'on' }),
    ...(documents === undefined ? {} : { documentMode: documents }),
    ...(rate === undefined ? {} : { pointsPerMinute: rate === 'default' ? null : rate }),
  }
  const application = await updateApplication({ db, clock }, keyHolder(id), changes)
  output.one({ ...cells(application), ...settingCells(application) })
}

async function show({ db, output, clock }: CommandContext, _options: object, id: string): Promise<void> {
  const application = await findApplicationById({ db }, id)
  const statuses = await db.rows<{ status: string; connections: number }>(
    'SELECT `status`, COUNT(*) AS `connections` FROM `connections` WHERE `applicationId` = ? GROUP BY `status`',
    [id],
  )
  const keys = await keysOf({ db }, id)
  output.one({
    ...cells(application),
    ...settingCells(application),
    connections: statuses,
    keys: keys.map((key) => keyCells(key, clock.now())),
  })
}

async function quotas(
  { db, output, clock }: CommandContext,
  _options: object,
  id: string,
  ...assignments: string[]
): Promise<void> {
  const changes: QuotaChanges = Object.fromEntries(assignments.map(quotaIn))
  const stored = await findApplicationById({ db }, id)
  const { quotas: own } =
    assignments.length === 0 ? stored : await setQuotas(db, stored.id, changes, clock.now())
  const limits = Object.entries(quotasOf(own))
  output.list(limits.map(([quota, limit]) => ({ quota, limit, default: defaultQuotas[quota as QuotaName] })))
}

function quotaIn(text: string): [QuotaName, number | null] {
  const [name = '', limit = ''] = text.split('=', 2)
  if (!isQuotaName(name))
    throw new CliError(`there is no quota ${name}: choose from ${Object.keys(defaultQuotas).join(', ')}`, 2)
  if (limit === 'default') return [name, null]
  if (/^\d{1,9}$/.test(limit)) return [name, Number(limit)]
  throw new CliError(`${text}: give a whole number below 1,000,000,000, or default: ${name}=1000`, 2)
}

const defaultQuotas = quotasOf(null)

const cells = ({ id, name, environment, createdAt }: Application) => ({
  id,
  name,
  environment,
  createdAt: toIso(createdAt),
})

const settingCells = (application: Application) => ({
  linkOrigins: application.linkOrigins?.join(',') ?? null,
  agreementUrl: application.agreementUrl,
  merge: isMerging(application) ? 'on' : 'off',
  allowSandbox: isSandboxAllowed(application) ? 'on' : 'off',
  documents: application.documentMode ?? DEFAULT_DOCUMENT_MODE,
  rate: application.pointsPerMinute ?? 'default',
})
