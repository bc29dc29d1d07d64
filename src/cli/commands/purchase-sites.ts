import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { toIso } from '../../domain/time.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { PurchaseSite } from '../../subgraphs/purchases/sites/purchase-site.ts'
import { removePurchaseSite } from '../../subgraphs/purchases/sites/set-sites.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { idOf, wholeNumberBetween } from '../arguments.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import { importSites, SITE_COLUMNS } from './import-purchase-sites.ts'

const table = tableOf(PurchaseSite)

/** Adds the commands for the sites of an application. */
export function addSiteCommands(group: Command): void {
  const sites = group.command('sites').description('sites of your own, whose places are exact')
  applicationCommand(sites, 'list', 'list the sites')
    .option('--after <id>', 'start after this site, by its id in this list (pst_…)', idOf('purchaseSite'))
    .option('--limit <n>', 'maximum number of sites', wholeNumberBetween(1, 10_000), 100)
    .action(withCommandContext(list))
  applicationCommand(sites, 'import <file>', 'set the sites in a CSV file')
    .option('--check', 'check the file and change nothing')
    .addHelpText('after', HELP)
    .action(withCommandContext(importFile))
  applicationCommand(sites, 'remove <site-id>', 'remove the site with this id of yours').action(
    withCommandContext(remove),
  )
}

const HELP = `
The first line names the columns, of
${SITE_COLUMNS.join(',')}.
siteId, name, longitude and latitude are required. radiusMeters is how far a pump may be from the
coordinates, by default 100. Purchases that name no site find it by name, postalCode and country, if
the name has a store number of three digits or more.
A row replaces the earlier site with its siteId. Sites that the file does not have stay.
Bad rows are left out and listed with their line; the exit code is then 1. A site far from its
postal code is set, with a warning. The file is CSV UTF-8 with commas; - is standard input.

Example:
  $ odograph purchases sites import sites.csv --application app_01M7XZ3JF90H8EC8HYVB2R0P6F

  siteId,name,longitude,latitude,radiusMeters,postalCode,city,state,country
  322,Love's Travel Stop #322,-90.7817,41.6175,150,52773,Walcott,IA,US`

interface ListOptions extends ApplicationOption {
  readonly after?: string
  readonly limit: number
}

async function list(
  { db, output }: CommandContext,
  { application, after = '', limit }: ListOptions,
): Promise<void> {
  await findApplicationById({ db }, application)
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`purchase_sites\` WHERE \`applicationId\` = ? AND \`id\` > ?
      ORDER BY \`id\` LIMIT ${limit + 1}`,
    [application, after],
  )
  const shown = rows.slice(0, limit).map((row) => table.toRow(row))
  output.list(
    shown.map(({ applicationId: _, modifiedAt, ...site }) => ({ ...site, modifiedAt: toIso(modifiedAt) })),
  )
  if (rows.length > shown.length) output.say(`There are more: use --after ${shown.at(-1)?.id}`)
}

async function importFile(
  context: CommandContext,
  { application, check = false }: ApplicationOption & { readonly check?: boolean },
  file: string,
): Promise<void> {
  await findApplicationById(context, application)
  const result = await importSites(context, keyHolder(application), file, { isCheck: check })
  context.output.one({ ...result })
  if (result.rejected.length > 0) process.exitCode = 1
}

async function remove(
  { db, clock, output }: CommandContext,
  { application }: ApplicationOption,
  siteId: string,
): Promise<void> {
  await findApplicationById({ db }, application)
  const isRemoved = await removePurchaseSite({ db, clock }, keyHolder(application), { siteId })
  if (!isRemoved) throw new CliError(`The application has no site ${siteId}: nothing was removed.`)
  output.say(`The site ${siteId} is removed.`)
}
