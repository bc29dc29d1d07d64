import { type Command, InvalidArgumentError } from 'commander'
import { derivedId } from '../../domain/ids.ts'
import { DAY_MS } from '../../domain/models/lookback.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import { sandboxAccountOf } from '../../providers/sandbox/adapter.ts'
import { fleetOf } from '../../providers/sandbox/simulator/accounts.ts'
import { DEFAULTS } from '../../providers/sandbox/simulator/options.ts'
import { FueledVehicle } from '../../providers/sandbox/simulator/purchases/fueled-vehicle.ts'
import {
  authorizationAmountOf,
  captureAmountOf,
  type SimulatedPurchase,
} from '../../providers/sandbox/simulator/purchases/simulated-purchase.ts'
import {
  purchasesIn,
  THEFT_SHARE,
  thievesAtPumps,
} from '../../providers/sandbox/simulator/purchases/vehicle-purchases.ts'
import { idOf as sourceIdOf } from '../../providers/sandbox/simulator/records/ids.ts'
import type { Fleet } from '../../providers/sandbox/simulator/world/fleet.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { storedCredentials } from '../../subgraphs/connections/credentials/stored-credentials.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { parseTime } from '../arguments.ts'
import type { PURCHASE_COLUMNS } from '../card-exports/mapping-schema.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { csvLine } from '../csv.ts'
import { findConnection } from '../find-connection.ts'
import type { CommandGroup } from '../program.ts'

/** Commands for the simulated fleets of the sandbox provider. */
export const sandboxCommandGroup: CommandGroup = {
  addTo(group: Command) {
    applicationCommand(group, 'purchases', 'print the fuel purchases of a simulated fleet as CSV')
      .requiredOption('--connection <id>', 'id of a connection to the sandbox provider')
      .option('--from <time>', `not before this time; default: ${DAYS} days before --until`, parseTime)
      .option('--until <time>', 'before this time; default: now', parseTime)
      .option('--thieves <share>', 'share of the fills at which someone steals', parseShare, THEFT_SHARE)
      .option('--no-thieves', 'only honest purchases')
      .option('--truth', 'add the columns theft and visible')
      .addHelpText('after', HELP)
      .action(withCommandContext(printPurchases))
  },
}

const DAYS = 21

const HELP = `
Each purchase has two rows: its authorization and its capture. Both have the time of the purchase.
The same purchases are printed each time, and in each longer period.
theft is the kind of a theft, or empty. visible is whether the stored data can show it. Compare them
with the decisions of the service, which never reads them.

Example:
  $ odograph sandbox purchases --application app_01M7XZ3JF90H8EC8HYVB2R0P6F \\
      --connection conn_01M7XZ3JF90H8EC8HYVB2R0P6F --from 2026-01-01T00:00:00Z > purchases.csv`

function parseShare(text: string): number {
  if (/^(0(\.\d+)?|1(\.0+)?)$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a share from 0 to 1, such as 0.05.')
}

interface PurchasesOptions extends ApplicationOption {
  readonly connection: string
  readonly from?: Instant
  readonly until?: Instant
  /** Share of the fills; false for none. */
  readonly thieves: number | false
  readonly truth?: boolean
}

async function printPurchases(
  context: CommandContext,
  { application, connection: id, thieves, truth = false, ...period }: PurchasesOptions,
): Promise<void> {
  const { clock, output } = context
  const until = period.until ?? clock.now()
  const from = period.from ?? until - DAYS * DAY_MS
  if (from >= until) throw new CliError('--from must be before --until', 2)
  const connection = await findConnection(context, id, application)
  const fleet = await fleetOfConnection(context, connection)
  const rows = Array.from({ length: fleet.size }, (_, at) => new FueledVehicle(fleet, at))
    .filter(({ isTracked }) => isTracked)
    .flatMap((vehicle) =>
      purchasesIn(vehicle, { from, until }, thievesAtPumps(thieves || 0)).map((purchase) => ({
        vehicle,
        purchase,
      })),
    )
    .toSorted((one, other) => one.purchase.at - other.purchase.at)
    .flatMap(({ vehicle, purchase }) => rowsOf(connection, vehicle, purchase))
  if (output.json)
    output.list(rows.map((row) => Object.fromEntries(columnsOf(truth).map((name) => [name, row[name]]))))
  else process.stdout.write(formatCsv(columnsOf(truth), rows))
}

/** Returns the simulated fleet whose records a connection has. */
async function fleetOfConnection(
  { config, db, secrets }: CommandContext,
  connection: Connection,
): Promise<Fleet> {
  const { id, provider, sourceId } = connection
  if (provider !== 'sandbox')
    throw new CliError(`connection ${id} is to ${provider}: only vehicles of the sandbox make purchases`)
  const stored = await storedCredentials(db, await secrets(), connection)
  if (!stored?.credentials) throw new CliError(`connection ${id} has no credentials any more`)
  const defaultFleet = { seed: DEFAULTS.seed, size: config.fleetSize }
  const fleet = fleetOf(sandboxAccountOf(stored.credentials), defaultFleet)
  if (sourceId !== null && sourceId !== sourceIdOf('acc', fleet))
    throw new CliError(
      `the sandbox of connection ${id} runs with another seed: link an account such as sandbox-50-1, whose name has its seed`,
    )
  return fleet
}

/** Returns the authorization and the capture of a purchase. */
function rowsOf({ id }: Connection, vehicle: FueledVehicle, purchase: SimulatedPurchase): Row[] {
  const { at, liters, product, theft, isCounted, namesDriver, station } = purchase
  const { name, categoryCode, coordinates, address } = station.merchant
  const vehicleId = derivedId('vehicle', id, vehicle.id)
  const common = {
    at: toIso(at),
    vehicleId,
    cardId: `card-${vehicleId}`,
    driverId: namesDriver ? derivedId('driver', id, vehicle.driverIdAt(at)) : null,
    merchantName: name,
    categoryCode,
    longitude: coordinates?.lng ?? null,
    latitude: coordinates?.lat ?? null,
    line1: address?.line1 ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    postalCode: address?.postalCode ?? null,
    country: address?.country ?? null,
    currency: 'USD',
    theft: theft?.kind ?? null,
    visible: theft?.isVisible ?? null,
  }
  const fuel = { product, liters }
  return [
    {
      ...common,
      ...(isCounted ? fuel : NO_FUEL),
      amount: authorizationAmountOf(purchase),
      phase: 'authorization',
    },
    { ...common, ...fuel, amount: captureAmountOf(purchase), phase: 'capture' },
  ]
}

const NO_FUEL = { product: null, liters: null }

const COLUMNS = [
  'at',
  'vehicleId',
  'cardId',
  'driverId',
  'merchantName',
  'categoryCode',
  'longitude',
  'latitude',
  'line1',
  'city',
  'state',
  'postalCode',
  'country',
  'amount',
  'currency',
  'product',
  'liters',
  'phase',
] as const satisfies readonly (typeof PURCHASE_COLUMNS)[number][]
/** Columns that no service gets. */
const TRUTH_COLUMNS = ['theft', 'visible'] as const

type Column = (typeof COLUMNS)[number] | (typeof TRUTH_COLUMNS)[number]
type Row = Readonly<Record<Column, string | number | boolean | null>>

const columnsOf = (truth: boolean): readonly Column[] => (truth ? [...COLUMNS, ...TRUTH_COLUMNS] : COLUMNS)

const formatCsv = (columns: readonly Column[], rows: readonly Row[]): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name]))].map(csvLine).join('')
