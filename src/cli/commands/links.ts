import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import type { Config } from '../../platform/config/config.ts'
import { publicLinkUrl } from '../../platform/config/link-url.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { SyncMode } from '../../subgraphs/connections/connection.ts'
import { validateSettings, type LinkInput } from '../../subgraphs/connections/linking/validate-settings.ts'
import { createShortLink } from '../../subgraphs/connections/short-links/create-short-link.ts'
import { deleteShortLink } from '../../subgraphs/connections/short-links/delete-short-link.ts'
import type { LinkSettings } from '../../subgraphs/connections/linking/link-run.ts'
import { ShortLink } from '../../subgraphs/connections/short-links/short-link.ts'
import { validShortLinkWhere } from '../../subgraphs/connections/short-links/find-short-link.ts'
import { toIso } from '../../domain/time.ts'
import { parseCommaSeparated, parseTime, oneOfWords, wholeNumberBetween } from '../arguments.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { findApplicationById } from '../find-application.ts'
import { keysOf } from './keys.ts'

interface LinkOptions extends ApplicationOption {
  readonly name?: string
  readonly provider?: string
  readonly providerHints?: readonly string[]
  readonly externalId?: string
  readonly tags?: readonly string[]
  readonly redirectUrl?: string
  readonly syncMode?: SyncMode
  readonly backfillDays?: number
  readonly backfillFrom?: number
  readonly state?: string
}

const table = tableOf(ShortLink)

export const links: CommandGroup = {
  addTo(group: Command) {
    const command = (name: string, description: string) => applicationCommand(group, name, description)
    command('list', 'list the short links that are still valid, oldest first').action(
      withCommandContext(list),
    )
    settable(command('create', 'create a short link; the same settings give the same link'))
      .option('--provider-hints <codes>', 'providers to list first', parseCommaSeparated)
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph links create --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --external-id customer-7',
      )
      .action(withCommandContext(create))
    command('delete <short-link-id>', 'delete a short link').action(withCommandContext(remove))
    settable(command('url', 'print the full address, with the newest publishable key'))
      .option('--state <text>', 'value to return unchanged to the redirect URL')
      .action(withCommandContext(url))
  },
}

const settable = (command: Command): Command =>
  command
    .option('--name <name>', 'name of the company')
    .option('--provider <code>', 'provider, if the fleet must not choose')
    .option('--external-id <id>', 'your own id of the connection')
    .option('--tags <words>', 'your own labels of the connection', parseCommaSeparated)
    .option('--redirect-url <url>', 'address to which the fleet returns')
    .option('--sync-mode <word>', 'automatic or manual', oneOfWords(['automatic', 'manual']))
    .option(
      '--backfill-days <number>',
      'number of days that the first sync reads',
      wholeNumberBetween(0, 36_500),
    )
    .option('--backfill-from <when>', 'start of the first sync, as a time', parseTime)

const inputOf = ({
  backfillDays: days,
  backfillFrom: startFrom,
  syncMode,
  ...rest
}: LinkOptions): LinkInput => ({
  ...rest,
  ...(syncMode === undefined
    ? {}
    : { syncMode: syncMode === 'manual' ? SyncMode.MANUAL : SyncMode.AUTOMATIC }),
  backfill: { ...(days === undefined ? {} : { days }), ...(startFrom === undefined ? {} : { startFrom }) },
})

async function list(
  { config, db, output, clock }: CommandContext,
  { application }: ApplicationOption,
): Promise<void> {
  await findApplicationById({ db }, application)
  const { sql, parameters } = validShortLinkWhere(clock.now())
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`short_links\` WHERE \`applicationId\` = ? AND ${sql} ORDER BY \`id\``,
    [application, ...parameters],
  )
  output.list(rows.map((row) => cells(table.toRow(row), config)))
}

async function create(context: CommandContext, options: LinkOptions): Promise<void> {
  const { config, db, output } = context
  await findApplicationById({ db }, options.application)
  const made = await createShortLink(await context.writes(), keyHolder(options.application), inputOf(options))
  output.one(cells(made.shortLink, config))
  if (made.replayed) output.say('A link with these settings exists already.')
}

async function remove(
  context: CommandContext,
  { application }: ApplicationOption,
  shortLinkId: string,
): Promise<void> {
  const { db, clock, output } = context
  await findApplicationById({ db }, application)
  await deleteShortLink({ db, clock }, keyHolder(application), { shortLinkId })
  output.say(`${shortLinkId} is deleted.`)
}

async function url(context: CommandContext, options: LinkOptions): Promise<void> {
  const { config, db, clock, output } = context
  const application = await findApplicationById({ db }, options.application)
  const registry = await context.registry()
  const settings = validateSettings(inputOf(options), { registry, application, now: clock.now() })
  const key = (await keysOf({ db }, options.application)).findLast(
    ({ publishable, revokedAt, expiresAt }) =>
      publishable !== null && revokedAt === null && (expiresAt === null || expiresAt > clock.now()),
  )
  if (!key?.publishable)
    throw new CliError(
      `${options.application} has no publishable key: create one with \`odograph keys create --use publishable\``,
    )
  output.one({ url: `${linkUrlOf(config)}/?${queryOf(key.publishable, settings)}` })
}

/** Converts the settings to query parameters of the link pages. */
function queryOf(key: string, settings: LinkSettings): URLSearchParams {
  const { syncMode, tags, externalId, name, provider, backfillDays, backfillFrom, redirectUrl, state } =
    settings
  const parameters: Readonly<Record<string, string | undefined>> = {
    key,
    sync_mode: syncMode,
    name,
    external_id: externalId,
    tags: tags?.join(','),
    provider,
    backfill_days: backfillDays?.toString(),
    backfill_start_from: backfillFrom === undefined ? undefined : toIso(backfillFrom),
    redirect_url: redirectUrl,
    state,
  }
  const present = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return new URLSearchParams(present)
}

/** Returns the address of the link pages: that of the settings, or one on this host. */
const linkUrlOf = (config: Config): string => publicLinkUrl(config) ?? `http://localhost:${config.port}/link`

const cells = ({ id, code, settings, createdAt, expiresAt }: ShortLink, config: Config): Cells => ({
  id,
  url: `${linkUrlOf(config)}/s/${code}`,
  provider: settings.provider,
  externalId: settings.externalId,
  tags: settings.tags,
  createdAt: toIso(createdAt),
  expiresAt: toIso(expiresAt),
})
