import type { Caller } from '../../auth/caller.ts'
import { vinIn } from '../../domain/vin.ts'
import type { Rows } from '../../storage/database.ts'
import { and, oneOf, tenantWhere } from '../../storage/sql/where.ts'
import { hashOfCard } from '../../subgraphs/purchases/cards/purchase-card.ts'
import { statesSql } from '../../subgraphs/tables/connection-states.ts'
import { BadRow } from '../csv.ts'
import type { NamedVehicle } from './purchase-row.ts'

/** Vehicle and driver of a row. */
interface FoundBuyer {
  readonly vehicleId: string
  readonly driverId: string | null
}

interface VehicleNames {
  readonly id: string
  readonly connectionId: string
  readonly vin: string | null
  readonly name: string | null
  readonly deletedAt: number | null
}

interface AssignedCard {
  readonly cardHash: string
  readonly vehicleId: string
  readonly driverId: string | null
}

/**
 * Looks up the vehicles and drivers that rows name, in batches. Returns a function that returns those of a row. It throws
 * `BadRow` unless exactly one vehicle of the caller matches. A vehicle that was removed counts if no other one matches:
 * it may have been in use at the time of the purchase.
 */
export async function findVehicles(
  db: Rows,
  caller: Caller,
  rows: readonly NamedVehicle[],
): Promise<(named: NamedVehicle) => FoundBuyer> {
  const cards = await assignedCards(db, caller, distinct(rows.map(({ cardId }) => cardId)))
  const vehicles = await vehiclesByKey(db, caller, [
    ...rows.flatMap(keysOf),
    ...[...cards.values()].map(({ vehicleId }) => keyOf('vehicleId', vehicleId)),
  ])
  const drivers = await connectionsOfDrivers(db, caller, distinct(rows.map(({ driverId }) => driverId)))

  function findByName(named: NamedVehicle): VehicleNames | null {
    for (const member of NAMES) {
      const matches = named[member] === '' ? [] : (vehicles.get(keyOf(member, named[member])) ?? [])
      const inUse = matches.filter(({ deletedAt }) => deletedAt === null)
      const [vehicle, ...others] = inUse.length > 0 ? inUse : matches
      if (others.length > 0) throw new BadRow(`${others.length + 1} vehicles have this ${labels[member]}.`)
      if (vehicle) return vehicle
      if (named.vehicleId !== '') throw new BadRow('There is no vehicle with this id.')
    }
    return null
  }

  return (named) => {
    const card = cards.get(hashOfCard(caller.applicationId, named.cardId))
    const byName = findByName(named)
    const [byCard] = card && !byName ? (vehicles.get(keyOf('vehicleId', card.vehicleId)) ?? []) : []
    const vehicle = byName ?? byCard
    if (!vehicle) throw new BadRow(reasonOfNoVehicle(named))
    const vin = vinIn(vehicle.vin ?? '')
    if (vin !== null && named.vin !== '' && named.vin !== vin)
      throw new BadRow('The vehicle has another VIN than the row.')
    if (named.driverId !== '' && drivers.get(named.driverId) !== vehicle.connectionId)
      throw new BadRow('There is no such driver in the connection of the vehicle.')
    const driverOfCard = byCard ? (card?.driverId ?? null) : null
    return { vehicleId: vehicle.id, driverId: named.driverId || driverOfCard }
  }
}

/** What names a vehicle, the most reliable first. */
const NAMES = ['vehicleId', 'vin', 'vehicle'] as const

const labels = { vehicleId: 'id', vin: 'VIN', vehicle: 'name' } as const

/** Returns a key that is equal for equal VINs, and for names that differ in case and spaces only. */
const keyOf = (member: keyof typeof labels, text: string): string =>
  `${member} ${text.trim().replaceAll(/\s+/g, ' ').toLowerCase()}`

const keysOf = (named: Pick<NamedVehicle, (typeof NAMES)[number]>): string[] =>
  NAMES.filter((member) => named[member] !== '').map((member) => keyOf(member, named[member]))

function reasonOfNoVehicle(named: NamedVehicle): string {
  const given = (['vin', 'vehicle'] as const)
    .filter((member) => named[member] !== '')
    .map((member) => labels[member])
  const unknown = given.length > 0 ? `There is no vehicle with this ${given.join(' or ')}.` : ''
  if (named.cardId !== '') return `${unknown} The card is assigned to no vehicle.`.trim()
  if (unknown !== '') return unknown
  return named.hasCardNumber
    ? 'The row has only a card number, which is never stored. Give the vehicle, or your own id of the card.'
    : 'The row names no vehicle and no card.'
}

const VALUES_PER_READ = 500

const distinct = (values: readonly string[]): string[] => [...new Set(values)].filter(Boolean)

/** Reads the cards that are assigned to a vehicle. Which vehicle a driver had in the past is unknown. */
async function assignedCards(
  db: Rows,
  caller: Caller,
  cardIds: readonly string[],
): Promise<ReadonlyMap<string, AssignedCard>> {
  const hashes = cardIds.map((cardId) => hashOfCard(caller.applicationId, cardId))
  const cards = await readBatches<AssignedCard>(
    db,
    caller,
    { table: 'purchase_cards', columns: ['cardHash', 'vehicleId', 'driverId'], by: 'cardHash' },
    hashes,
  )
  return new Map(cards.filter(({ vehicleId }) => vehicleId !== null).map((card) => [card.cardHash, card]))
}

/** Returns the connections of drivers by the ids of the drivers. */
async function connectionsOfDrivers(
  db: Rows,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const drivers = await readBatches<{ readonly id: string; readonly connectionId: string }>(
    db,
    caller,
    { table: 'drivers', columns: ['id', 'connectionId'], by: 'id' },
    ids,
  )
  return new Map(drivers.map(({ id, connectionId }) => [id, connectionId]))
}

interface BatchedRead {
  readonly table: string
  readonly columns: readonly string[]
  readonly by: string
}

async function readBatches<Row>(
  db: Rows,
  caller: Caller,
  { table, columns, by }: BatchedRead,
  values: readonly string[],
): Promise<Row[]> {
  const found: Row[] = []
  for (let from = 0; from < values.length; from += VALUES_PER_READ) {
    const where = and(tenantWhere(caller), oneOf(by, values.slice(from, from + VALUES_PER_READ)))
    found.push(
      ...(await db.rows<Row>(
        `SELECT ${columns.join(', ')} FROM ${table} WHERE ${where.sql}`,
        where.parameters,
      )),
    )
  }
  return found
}

/** Finds the vehicles with the keys. It reads all vehicles of the caller once: no index has their names. */
async function vehiclesByKey(
  db: Rows,
  caller: Caller,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly VehicleNames[]>> {
  const wanted = new Map<string, VehicleNames[]>(keys.map((key) => [key, []]))
  if (wanted.size === 0) return wanted
  for await (const vehicle of vehiclesOf(db, caller)) {
    const { id, vin, name } = vehicle
    for (const key of keysOf({ vehicleId: id, vin: vinIn(vin ?? '') ?? '', vehicle: name ?? '' }))
      wanted.get(key)?.push(vehicle)
  }
  return wanted
}

const VEHICLES_PER_READ = 5000

/** Reads the vehicles of a caller, except those whose data is being deleted. */
async function* vehiclesOf(db: Rows, caller: Caller): AsyncGenerator<VehicleNames> {
  const where = tenantWhere(caller)
  for (let last = { connectionId: '', id: '' }; ;) {
    const vehicles = await db.rows<VehicleNames>(
      `SELECT id, connectionId, vin, name, deletedAt FROM vehicles
        WHERE ${where.sql} AND connectionId >= ? AND (connectionId > ? OR id > ?)
          AND connectionId NOT IN (
            SELECT id FROM connections WHERE applicationId = ? AND status IN (${statesSql('isDeleted')}))
        ORDER BY connectionId, id LIMIT ${VEHICLES_PER_READ}`,
      [...where.parameters, last.connectionId, last.connectionId, last.id, caller.applicationId],
    )
    yield* vehicles
    const end = vehicles.at(-1)
    if (!end || vehicles.length < VEHICLES_PER_READ) return
    last = end
  }
}
