import type { Caller } from '../../auth/caller.ts'
import type { Rows } from '../../storage/database.ts'
import { and, oneOf, tenantWhere } from '../../storage/sql/where.ts'
import { checkVehicleFacts, setVehicleFacts } from '../../subgraphs/fleet/vehicle-facts/set-vehicle-facts.ts'
import type { SetVehicleFactsInput } from '../../subgraphs/fleet/vehicle-facts/set-vehicle-facts-input.ts'
import { FuelType } from '../../subgraphs/fleet/vehicle.ts'
import { createVisibleReads } from '../../subgraphs/tables/visible-reads.ts'
import { CliError } from '../cli-error.ts'
import type { CommandContext } from '../command-context.ts'
import {
  BadRow,
  cellsOf,
  type CsvRow,
  type ImportResult,
  noRowsIn,
  numberIn,
  parseCsv,
  readCsvFile,
  rejectedRow,
  type RejectedRow,
  requireKnownColumns,
} from '../csv.ts'

/** Columns of which a file has exactly one. */
export const IDENTIFIERS = ['vehicleId', 'sourceId', 'vin'] as const

export const FACT_COLUMNS = [
  'fuelTankCapacity',
  'fuelTankCount',
  'fuelType',
  'fuelConsumption',
  'overrules',
] as const

type Identifier = (typeof IDENTIFIERS)[number]
type FactColumn = (typeof FACT_COLUMNS)[number]

/** Sets the facts of the vehicles in a CSV file. A bad row does not stop the others. With `isCheck`, nothing is changed. */
export async function importFacts(
  { db, clock }: Pick<CommandContext, 'db' | 'clock'>,
  caller: Caller,
  file: string,
  { isCheck }: { readonly isCheck: boolean },
): Promise<ImportResult> {
  const { columns, identifier, rows } = await readTable(file)
  const requester = { caller, visible: createVisibleReads(db, caller) }
  const given = rows.map((row) => cellOf(columns, row, identifier))
  const vehicleIdOf = await vehicleLookup(db, caller, identifier, given)
  const rejected: RejectedRow[] = []
  const lineOfVehicle = new Map<string, number>()
  for (const row of rows) {
    try {
      const vehicleId = vehicleIdOf(cellOf(columns, row, identifier))
      const earlier = lineOfVehicle.get(vehicleId)
      if (earlier !== undefined) throw new BadRow(`Line ${earlier} has the same vehicle.`)
      const input = inputOf(columns, row, vehicleId)
      if (isCheck) await checkVehicleFacts(db, requester, input)
      else await setVehicleFacts({ db, clock }, requester, input)
      lineOfVehicle.set(vehicleId, row.line)
    } catch (error) {
      rejected.push(rejectedRow(columns, row, identifier, error))
    }
  }
  return { accepted: lineOfVehicle.size, rejected }
}

interface FactsTable {
  readonly columns: readonly string[]
  readonly identifier: Identifier
  readonly rows: readonly CsvRow[]
}

async function readTable(file: string): Promise<FactsTable> {
  const { name, content } = await readCsvFile(file)
  const lines: CsvRow[] = []
  for await (const line of parseCsv(content)) lines.push(line)
  const [header, ...rows] = lines
  const columns = header?.fields ?? []
  requireKnownColumns(name, columns, [...IDENTIFIERS, ...FACT_COLUMNS])
  const [identifier, ...others] = IDENTIFIERS.filter((name) => columns.includes(name))
  if (identifier === undefined || others.length > 0)
    throw new CliError(`${name} must have exactly one of the columns ${IDENTIFIERS.join(', ')}`)
  if (columns.length === 1) throw new CliError(`${name} must have a column with facts. See --help`)
  if (rows.length === 0) throw noRowsIn(name)
  return { columns, identifier, rows }
}

const cellOf = (columns: readonly string[], { fields }: CsvRow, name: Identifier | FactColumn): string =>
  fields[columns.indexOf(name)] ?? ''

function inputOf(columns: readonly string[], row: CsvRow, vehicleId: string): SetVehicleFactsInput {
  const cell = cellsOf<FactColumn>(columns, row)
  return {
    vehicleId,
    fuelTankCapacity: numberIn('fuelTankCapacity', cell('fuelTankCapacity'), 378.5),
    fuelTankCount: numberIn('fuelTankCount', cell('fuelTankCount'), 2),
    fuelType: fuelTypeIn(cell('fuelType')),
    fuelConsumption: numberIn('fuelConsumption', cell('fuelConsumption'), 34.5),
    overrules: flagIn(cell('overrules')),
  }
}

function fuelTypeIn(text: string): FuelType | null {
  if (text === '') return null
  const fuelType = Object.values(FuelType).find((value) => value === text.toLowerCase())
  if (fuelType) return fuelType
  throw new BadRow(`fuelType: Give one of ${Object.values(FuelType).join(', ')}.`)
}

function flagIn(text: string): boolean {
  const flag = text.toLowerCase()
  if (flag === 'true') return true
  if (flag === 'false' || flag === '') return false
  throw new BadRow('overrules: Give true or false.')
}

const VALUES_PER_READ = 500

/** Returns a function that finds the id of the vehicle with a value. It throws unless there is exactly one. */
async function vehicleLookup(
  db: Rows,
  caller: Caller,
  identifier: Identifier,
  values: readonly string[],
): Promise<(value: string) => string> {
  const idsByValue = new Map<string, string[]>()
  const distinct = identifier === 'vehicleId' ? [] : [...new Set(values)]
  for (let from = 0; from < distinct.length; from += VALUES_PER_READ) {
    const where = and(tenantWhere(caller), oneOf(identifier, distinct.slice(from, from + VALUES_PER_READ)))
    const found = await db.rows<{ id: string; value: string }>(
      `SELECT \`id\`, \`${identifier}\` AS \`value\` FROM \`vehicles\` WHERE ${where.sql} AND \`deletedAt\` IS NULL`,
      where.parameters,
    )
    for (const { id, value } of found) idsByValue.set(value, [...(idsByValue.get(value) ?? []), id])
  }
  return (value) => {
    if (value === '') throw new BadRow(`The row has no ${identifier}.`)
    if (identifier === 'vehicleId') return value
    const [id, ...others] = idsByValue.get(value) ?? []
    if (id === undefined) throw new BadRow(`There is no vehicle with the ${identifier} ${value}.`)
    if (others.length > 0) throw new BadRow(`Several vehicles have the ${identifier} ${value}.`)
    return id
  }
}
