import type { Command } from 'commander'
import { type Caller, keyHolder } from '../../auth/caller.ts'
import { toIso } from '../../domain/time.ts'
import { tenantWhere } from '../../storage/sql/where.ts'
import type { OwnVehicleFacts } from '../../subgraphs/fleet/vehicle-facts/vehicle-facts.ts'
import { idOf, wholeNumberBetween } from '../arguments.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import { findConnection } from '../find-connection.ts'
import type { CommandGroup } from '../program.ts'
import { FACT_COLUMNS, IDENTIFIERS, importFacts } from './import-vehicle-facts.ts'

interface OwnerOptions {
  readonly application?: string
  readonly connection?: string
}

/** Commands for the facts of applications about vehicles. */
export const vehicleCommandGroup: CommandGroup = {
  addTo(group: Command) {
    const facts = group.command('facts').description('facts of your own about vehicles')
    const command = (name: string, description: string) =>
      facts
        .command(name)
        .description(description)
        .option('--connection <id>', 'only vehicles of this connection')
        .option('--application <id>', 'only vehicles of this application')
    command('list', 'list the facts')
      .option('--after <vehicle-id>', 'start after this vehicle (vcl_…)', idOf('vehicle'))
      .option('--limit <n>', 'maximum number of vehicles', wholeNumberBetween(1, 10_000), 100)
      .action(withCommandContext(list))
    command('import <file>', 'set the facts of the vehicles in a CSV file')
      .option('--check', 'check the file and change nothing')
      .addHelpText('after', HELP)
      .action(withCommandContext(importFile))
  },
}

const HELP = `
The first line names the columns: one of ${IDENTIFIERS.join(', ')}, and of
${FACT_COLUMNS.join(', ')}.
A row replaces the earlier facts of its vehicle. An empty field is no fact; a row without any fact
removes them. With overrules true, the facts come before those of the provider.
Bad rows are left out and listed with their line; the exit code is then 1.
The file is CSV UTF-8 with commas; - is standard input.

Example:
  $ odograph vehicles facts import facts.csv --connection conn_01M7XZ3JF90H8EC8HYVB2R0P6F

  sourceId,fuelTankCapacity,fuelTankCount,fuelType,fuelConsumption,overrules
  281474977,757,2,diesel,34.5,false`

const IDS = '`odograph connections list` and `odograph applications list` show the ids'

/** Returns a caller with the rights to the vehicles of the connection or the application. */
async function ownerOf(context: CommandContext, { application, connection }: OwnerOptions): Promise<Caller> {
  if (connection !== undefined) {
    const { applicationId, id } = await findConnection(context, connection, application)
    return keyHolder(applicationId, id)
  }
  if (application === undefined) throw new CliError(`give --connection or --application: ${IDS}`, 2)
  return keyHolder((await findApplicationById(context, application)).id)
}

async function importFile(
  context: CommandContext,
  { check = false, ...options }: OwnerOptions & { readonly check?: boolean },
  file: string,
): Promise<void> {
  const result = await importFacts(context, await ownerOf(context, options), file, { isCheck: check })
  context.output.one({ ...result })
  if (result.rejected.length > 0) process.exitCode = 1
}

interface ListOptions extends OwnerOptions {
  readonly after?: string
  readonly limit: number
}

async function list(context: CommandContext, { after = '', limit, ...options }: ListOptions): Promise<void> {
  const { db, output } = context
  const tenant = tenantWhere(await ownerOf(context, options))
  const rows = await db.rows<OwnVehicleFacts>(
    `SELECT \`vehicleId\`, ${FACT_COLUMNS.map((name) => `\`${name}\``).join(', ')}, \`modifiedAt\`
      FROM \`vehicle_facts\` WHERE ${tenant.sql} AND \`vehicleId\` > ? ORDER BY \`vehicleId\` LIMIT ${limit + 1}`,
    [...tenant.parameters, after],
  )
  const shown = rows.slice(0, limit)
  output.list(
    shown.map(({ overrules, modifiedAt, ...facts }) => ({
      ...facts,
      overrules: overrules === 1,
      modifiedAt: toIso(Number(modifiedAt)),
    })),
  )
  if (rows.length > shown.length) output.say(`There are more: use --after ${shown.at(-1)?.vehicleId}`)
}
