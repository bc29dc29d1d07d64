import { writeFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { kilometersToMiles, litersToUsGallons, rounded } from '../../domain/units.ts'
import { and, oneOf, tenantWhere, type Where } from '../../storage/sql/where.ts'
import { FuelProduct } from '../../subgraphs/purchases/fuel-product.ts'
import { type IftaFuel, iftaFuels } from '../../subgraphs/purchases/ifta-report/ifta-fuel.ts'
import type {
  IftaReportGap,
  IftaReturn,
  IftaReturnLine,
} from '../../subgraphs/purchases/ifta-report/ifta-report.ts'
import { findQuarter, monthOf } from '../../subgraphs/purchases/ifta-report/quarter.ts'
import { reportIfta } from '../../subgraphs/purchases/ifta-report/report-ifta.ts'
import { type IftaUnits, iftaUnits } from '../../subgraphs/purchases/ifta-report/tax-return.ts'
import { createVisibleReads, type VisibleRequester } from '../../subgraphs/tables/visible-reads.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { idsOf, oneOfWords } from '../arguments.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { csvLine } from '../csv.ts'
import { findApplicationById } from '../find-application.ts'
import { findConnection } from '../find-connection.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'

interface ReportOptions extends ApplicationOption {
  readonly quarter: string
  readonly fuel: IftaFuel
  readonly units: IftaUnits
  readonly connection?: string
  readonly vehicles?: readonly string[]
  readonly groups?: readonly string[]
  readonly output?: string
}

/** Commands for the International Fuel Tax Agreement. */
export const iftaCommandGroup: CommandGroup = {
  addTo(group: Command) {
    applicationCommand(group, 'report', 'report the distances and the fuel of a quarter by jurisdiction')
      .requiredOption('--quarter <quarter>', 'the quarter, such as 2026-Q3', parseQuarter)
      .option('--fuel <fuel>', iftaFuels.join(', '), oneOfWords(iftaFuels), FuelProduct.DIESEL)
      .option('--units <units>', 'us: miles and gallons; metric: km and liters', oneOfWords(iftaUnits), 'us')
      .option('--connection <id>', 'only the fleet of this connection')
      .option('--vehicles <ids>', 'only these vehicles, with commas between them', idsOf('vehicle'))
      .option('--groups <ids>', 'only the vehicles of these groups', idsOf('group'))
      .option('--output <file>', 'write the lines to this file as CSV; - is standard output')
      .addHelpText('after', HELP)
      .action(withCommandContext(report))
  },
}

const HELP = `
BOUGHT is the fuel bought in the jurisdiction, whose tax is paid. USED is its
distance by the mean consumption. NET is USED less BOUGHT: a negative number is
a credit. USED and NET are empty outside of the agreement, and without fuel.
Rates and taxes are not part of the report. The CSV has no line of totals. The
mean consumption and what the report lacks are on standard error.

Example:
  $ odograph ifta report --application app_01M7XZ3JF90H8EC8HYVB2R0P6F \\
      --quarter 2026-Q3 --output ifta-2026-Q3.csv`

function parseQuarter(text: string): string {
  const quarter = findQuarter(text.toUpperCase())
  if (quarter) return quarter.name
  throw new InvalidArgumentError('Give a quarter like 2026-Q3, from 2000 to 2099.')
}

async function report(context: CommandContext, options: ReportOptions): Promise<void> {
  const { db, clock, output } = context
  const { application, quarter, fuel, units, vehicles = null, groups = null } = options
  if (findQuarter(quarter)!.months[0] > monthOf(clock.now()))
    throw new CliError(`${quarter} has not begun`, 2)
  await findApplicationById(context, application)
  const connection = options.connection && (await findConnection(context, options.connection, application))
  const caller = keyHolder(application, connection ? connection.id : null)
  const requester = { caller, visible: createVisibleReads(db, caller) }
  const owner = connection ? `connection ${connection.id}` : `application ${application}`
  for (const [kind, ids] of [
    ['vehicle', vehicles],
    ['group', groups],
  ] as const) {
    const missing = await findMissing(db, requester, kind, ids ?? [])
    if (missing !== undefined) throw new CliError(`there is no ${kind} ${missing} of ${owner}`)
  }
  const args = { quarter, fuel, vehicleIds: vehicles && [...vehicles], groupIds: groups && [...groups] }
  const found = await reportIfta({ db, clock }, requester, args, null)
  const taxReturn = found[units]
  if (!found.isComplete) output.say(`${quarter} is not over: the report has what is known of it`)
  for (const gap of found.gaps) output.say(describeGap(units, gap))
  if (options.output !== undefined) await writeCsv(options.output, taxReturn, units)
  if (options.output !== '-') {
    if (output.json) return output.one({ ...found })
    output.list([...taxReturn.jurisdictions.map(lineCells(units)), totalCells(units, taxReturn)])
  }
  output.say(describeMean(units, taxReturn))
}

/** Returns the first id of no record that the requester may see. A report of it would be of zeros. */
async function findMissing(
  db: CommandContext['db'],
  { caller, visible }: VisibleRequester,
  kind: 'vehicle' | 'group',
  ids: readonly string[],
): Promise<string | undefined> {
  const read = (shown: Where | null) => {
    const { sql, parameters } = and(tenantWhere(caller), oneOf('id', ids), shown)
    return db.rows<{ readonly id: string }>(`SELECT \`id\` FROM \`${kind}s\` WHERE ${sql}`, parameters)
  }
  const rows = await (kind === 'vehicle' ? visible.of('vehicles')(read) : read(null))
  const stored = new Set(rows.map(({ id }) => id))
  return ids.find((id) => !stored.has(id))
}

const names = {
  metric: {
    distance: 'kilometers',
    bought: 'litersBought',
    used: 'litersUsed',
    net: 'litersNet',
    perFuel: 'km/l',
  },
  us: { distance: 'miles', bought: 'gallonsBought', used: 'gallonsUsed', net: 'gallonsNet', perFuel: 'mpg' },
} as const satisfies Record<IftaUnits, object>

type Numbers = Pick<IftaReturnLine, 'distance' | 'bought' | 'used' | 'net'>

const numberCells = (units: IftaUnits, { distance, bought, used, net }: Numbers): Cells => ({
  [names[units].distance]: distance,
  [names[units].bought]: bought,
  [names[units].used]: used,
  [names[units].net]: net,
})

const lineCells =
  (units: IftaUnits) =>
  (line: IftaReturnLine): Cells => ({ jurisdiction: line.jurisdiction, ...numberCells(units, line) })

/** Returns the cells of the totals. Their net fuel is without what was bought outside of the agreement. */
const totalCells = (units: IftaUnits, totals: IftaReturn): Cells => ({
  jurisdiction: 'total',
  ...numberCells(units, totals),
})

function describeMean(units: IftaUnits, { distance, bought, distancePerFuel, taxPaid }: IftaReturn): string {
  const mean = `Mean: ${distance} / ${bought} = ${distancePerFuel ?? 'unknown'} ${names[units].perFuel}.`
  const lacking = bought === 0 ? 'fuel' : 'a distance'
  const reason = distancePerFuel === null ? ` Without ${lacking}, USED and NET are empty.` : ''
  return `${mean}${reason} Tax-paid: ${taxPaid}`
}

/** What a gap counts, by the first word of its kind. */
const counted: Readonly<Partial<Record<string, string>>> = { distance: 'vehicles', months: 'months' }

function describeGap(units: IftaUnits, { kind, count, distance, liters, text }: IftaReportGap): string {
  const words = kind.split('_')
  const amounts = [`${counted[words[0] ?? ''] ?? 'captures'}: ${count}`]
  if (distance !== null)
    amounts.push(units === 'us' ? `miles: ${rounded(kilometersToMiles(distance), 3)}` : `km: ${distance}`)
  if (liters !== null)
    amounts.push(units === 'us' ? `gallons: ${rounded(litersToUsGallons(liters), 3)}` : `liters: ${liters}`)
  return `Gap: ${words.join(' ')} (${amounts.join(', ')}). ${text}`
}

/** Writes the lines. Their only texts are codes of two letters, so no spreadsheet reads one as a formula. */
async function writeCsv(file: string, { jurisdictions }: IftaReturn, units: IftaUnits): Promise<void> {
  const rows = jurisdictions.map(lineCells(units))
  const columns = Object.keys(lineCells(units)({} as IftaReturnLine))
  const text = [columns, ...rows.map((row) => columns.map((name) => row[name]))].map(csvLine).join('')
  if (file === '-') process.stdout.write(text)
  else
    await writeFile(file, text).catch((error: Error) => {
      throw new CliError(`cannot write ${file}: ${error.message}`)
    })
}
