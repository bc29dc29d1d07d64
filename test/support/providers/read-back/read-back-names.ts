export type Values = Readonly<Record<string, unknown>>

/** GraphQL query of a model, and the mapping from its response to a normalized record. */
export interface ModelQuery {
  readonly list: string
  /** Unit of separate queries: one for each vehicle, day or month. */
  readonly per?: 'vehicle' | 'day' | 'month'
  /** Owner of the records; a vehicle by default. */
  readonly of?: 'driver'
  readonly fields: string
  /** Members of a normalized record that the response has. */
  readonly members: readonly string[]
  toNormalized(node: Values): Values
}

const renamed = {
  duration: 'durationMilliseconds',
  fuelTankCapacity: 'fuelTankCapacityLiters',
  heading: 'headingDegrees',
  speed: 'speedKph',
  odometer: 'odometerKilometers',
  engineRuntime: 'engineRuntimeMilliseconds',
  fuelConsumed: 'fuelConsumedLiters',
  maximumSpeed: 'maximumSpeedKph',
  averageSpeed: 'averageSpeedKph',
  roadSpeedLimit: 'roadSpeedLimitKph',
} as Readonly<Record<string, string>>

const references: Readonly<Record<string, string>> = {
  vehicle: 'vehicleSourceId',
  driver: 'driverSourceId',
  parent: 'parentSourceId',
  trailer: 'trailerSourceId',
}

const formats = new Set('status type fuelType protocol milStatus engineState state currentStatus'.split(' '))

/** Maps a member of a response to the name and value of a normalized record. */
function toNormalizedMember([name, value]: [string, unknown]): [string, unknown] {
  const reference = references[name]
  if (reference) return [reference, (value as { sourceId: string } | null)?.sourceId ?? null]
  if (name === 'groups') return ['groupSourceIds', sourceIdsIn(value).toSorted()]
  if (name === 'codrivers') return ['codriverSourceIds', sourceIdsIn(value)]
  if (formats.has(name)) return [name, typeof value === 'string' ? value.toLowerCase() : value]
  if (/(At|^timestamp)$/.test(name)) return [name, value === null ? null : Date.parse(String(value))]
  if (name === 'distance') return ['distanceKilometers', toMillimeters(value)]
  return [renamed[name] ?? name, value]
}

/** Rounds kilometers to millimeters: the order of additions changes sums by less. */
export const toMillimeters = (kilometers: unknown): unknown =>
  typeof kilometers === 'number' ? Number(kilometers.toFixed(6)) : kilometers

/** Returns the source ids of the existing references: a deleted record is null. */
const sourceIdsIn = (value: unknown): string[] =>
  (value as readonly ({ sourceId: string } | null)[]).flatMap((one) => one?.sourceId ?? [])

export const normalizedOf = (node: Values): Values =>
  Object.fromEntries(Object.entries(node).map((entry) => toNormalizedMember(entry)))

export const rows = (list: string, fields: string, members: string, per?: ModelQuery['per']): ModelQuery => ({
  list,
  fields,
  members: members.split(' '),
  ...(per ? { per } : {}),
  toNormalized: normalizedOf,
})
