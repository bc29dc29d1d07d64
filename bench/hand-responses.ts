import { createHmac } from 'node:crypto'
import type {
  BoardRow,
  DeviceRow,
  DriverRow,
  GroupedVehicleRow,
  GroupRow,
  HandRows,
  LocationRow,
  OneVehicleRow,
  TripRow,
  VehicleRow,
} from './hand-rows.ts'
import type { WorkloadName } from './workloads.ts'

/** Responses of the hand-written server. They equal those of the service, except for the cursors. */

/** Variables of the query, or parameters of the URL. */
export interface HandVariables {
  readonly id?: string
  readonly first?: number
  readonly limit?: string
}

type Responder = (rows: HandRows, variables: HandVariables) => Promise<object>

export const handResponses: Readonly<Record<WorkloadName, Responder>> = {
  W1: async (rows, { first = 0 }) => ({
    data: { vehicles: { nodes: (await rows.vehicles(first)).map(vehicle) } },
  }),
  W2: async (rows, { first = 0 }) => ({ data: { vehicles: { nodes: await board(rows, first) } } }),
  W3: async (rows, { id = '' }) => {
    const row = await rows.vehicle(id)
    return { data: { vehicle: row && oneVehicle(row) } }
  },
  W4: async (rows, { first = 0 }) => ({ data: { trips: { nodes: (await rows.trips(first)).map(trip) } } }),
  REST: (rows, { limit }) => restPage(rows, Number(limit)),
}

const upper = (word: string | null): string | null => word && word.toUpperCase()

const iso = (instant: number): string => new Date(instant).toISOString()
const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant))

const vehicle = (row: VehicleRow) => ({
  id: row.id,
  sourceId: row.sourceId,
  provider: row.provider,
  status: upper(row.status),
  vin: row.vin,
  name: row.name,
  make: row.make,
  model: row.model,
  year: row.year,
  fuelType: upper(row.fuelType),
  fuelEfficiency: row.fuelEfficiency,
  fuelTankCapacity: row.fuelTankCapacity,
  createdAt: isoOrNull(row.createdAt),
  updatedAt: isoOrNull(row.updatedAt),
  licensePlate:
    row.licensePlateState === null && row.licensePlateNumber === null
      ? null
      : { state: row.licensePlateState, number: row.licensePlateNumber },
  metadata: {
    addedAt: iso(row.addedAt),
    modifiedAt: iso(row.modifiedAt),
    deletedAt: isoOrNull(row.deletedAt),
    visibility: row.deletedAt === null ? 'VISIBLE' : 'DELETED',
  },
})

const oneVehicle = (row: OneVehicleRow) => ({
  id: row.id,
  sourceId: row.sourceId,
  provider: row.provider,
  status: upper(row.status),
  vin: row.vin,
  name: row.name,
  make: row.make,
  model: row.model,
  year: row.year,
  fuelType: upper(row.fuelType),
})

const point = (longitude: number | null, latitude: number | null) =>
  longitude === null || latitude === null ? null : { longitude, latitude }

const trip = (row: TripRow) => ({
  id: row.id,
  sourceId: row.sourceId,
  provider: row.provider,
  startedAt: iso(row.startedAt),
  endedAt: iso(row.endedAt),
  distance: row.distance,
  duration: row.duration,
  startLocation: point(row.startLongitude, row.startLatitude),
  endLocation: point(row.endLongitude, row.endLatitude),
  vehicle: { id: row.vehicleId },
})

async function board(rows: HandRows, first: number) {
  const vehicles = (await rows.board(first)).map((row) => ({
    ...row,
    groupIds: JSON.parse(row.groupIds) as string[],
  }))
  const groupIds = [...new Set(vehicles.flatMap((row) => row.groupIds))]
  const [locations, groups] = await Promise.all([
    rows.locations(vehicles.map(({ id }) => id)),
    rows.groups(groupIds),
  ])
  const drivers = await rows.drivers([...new Set(locations.flatMap(({ driverId }) => driverId ?? []))])
  const locationOf = new Map(locations.map((row) => [row.vehicleId, row]))
  const groupOf = new Map(groups.map((row) => [row.id, row]))
  const driverOf = new Map(drivers.map((row) => [row.id, row]))
  return vehicles.map((row) => onBoard(row, locationOf.get(row.id), driverOf, groupOf))
}

const onBoard = (
  { id, name, groupIds }: Omit<BoardRow, 'groupIds'> & { groupIds: readonly string[] },
  location: LocationRow | undefined,
  drivers: ReadonlyMap<string, DriverRow>,
  groups: ReadonlyMap<string, GroupRow>,
) => ({
  id,
  name,
  latestLocation: location
    ? {
        locatedAt: iso(location.locatedAt),
        location: { longitude: location.longitude, latitude: location.latitude },
        speed: location.speed,
        driver: driverIn(drivers, location.driverId),
      }
    : null,
  groups: groupIds.flatMap((groupId) => {
    const group = groups.get(groupId)
    return group ? [{ name: group.name }] : []
  }),
})

function driverIn(drivers: ReadonlyMap<string, DriverRow>, id: string | null) {
  const driver = id === null ? undefined : drivers.get(id)
  return driver ? { firstName: driver.firstName, lastName: driver.lastName } : null
}

const cursorKey = Buffer.alloc(32, 1)

async function restPage(rows: HandRows, limit: number) {
  const vehicles = await rows.groupedVehicles(limit + 1)
  const more = vehicles.length > limit
  if (more) vehicles.pop()
  const devices = devicesByVehicle(await rows.devices(vehicles.map(({ id }) => id)))
  const results = vehicles.map((row) => restVehicle(row, devices.get(row.id) ?? []))
  return { results, ...(more ? { next: cursorAfter(vehicles.at(-1)?.id) } : {}) }
}

/** Returns a signed cursor, because the service signs one for each page too. */
function cursorAfter(id: string | undefined): string {
  const body = Buffer.from(JSON.stringify([id]))
  return Buffer.concat([createHmac('sha256', cursorKey).update(body).digest().subarray(0, 9), body]).toString(
    'base64url',
  )
}

function devicesByVehicle(devices: readonly DeviceRow[]): Map<string, string[]> {
  const byVehicle = new Map<string, string[]>()
  for (const { id, vehicleId } of devices) {
    const ids = byVehicle.get(vehicleId)
    if (ids) ids.push(id)
    else byVehicle.set(vehicleId, [id])
  }
  return byVehicle
}

/** Builds a REST vehicle. Null becomes undefined, because JSON omits undefined members. */
const restVehicle = (row: GroupedVehicleRow, devices: readonly string[]) => ({
  id: row.id,
  sourceId: row.sourceId,
  provider: row.provider,
  status: row.status,
  vin: row.vin ?? undefined,
  name: row.name ?? undefined,
  make: row.make ?? undefined,
  model: row.model ?? undefined,
  year: row.year ?? undefined,
  licensePlate:
    row.licensePlateState === null && row.licensePlateNumber === null
      ? undefined
      : { state: row.licensePlateState ?? undefined, number: row.licensePlateNumber ?? undefined },
  fuelType: row.fuelType ?? undefined,
  fuelEfficiency: row.fuelEfficiency ?? undefined,
  fuelTankCapacity: row.fuelTankCapacity ?? undefined,
  createdAt: isoOrNull(row.createdAt) ?? undefined,
  updatedAt: isoOrNull(row.updatedAt) ?? undefined,
  metadata: {
    addedAt: iso(row.addedAt),
    modifiedAt: iso(row.modifiedAt),
    deletedAt: isoOrNull(row.deletedAt) ?? undefined,
    visibility: row.deletedAt === null ? 'visible' : 'deleted',
  },
  groups: JSON.parse(row.groupIds) as string[],
  devices,
})
