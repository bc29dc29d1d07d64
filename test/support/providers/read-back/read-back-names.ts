export type Values = Readonly<Record<string, unknown>>

/** How a model is asked for over GraphQL, and how an answer is worded as a draft. */
export interface Asking {
  readonly list: string
  /** Asked for each vehicle, day or month by itself. */
  readonly per?: 'vehicle' | 'day' | 'month'
  /** Whose the records are; vehicles' without it. */
  readonly of?: 'driver'
  readonly fields: string
  /** What of a draft an answer tells. */
  readonly tells: readonly string[]
  toDraft(node: Values): Values
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

const words = new Set('status type fuelType protocol milStatus engineState state currentStatus'.split(' '))

/** The name and the value that a draft has for what an answer says. */
function worded([name, value]: [string, unknown]): [string, unknown] {
  const reference = references[name]
  if (reference) return [reference, (value as { sourceId: string } | null)?.sourceId ?? null]
  if (name === 'groups') return ['groupSourceIds', sourceIdsIn(value).toSorted()]
  if (name === 'codrivers') return ['codriverSourceIds', sourceIdsIn(value)]
  if (words.has(name)) return [name, typeof value === 'string' ? value.toLowerCase() : value]
  if (/(At|^timestamp)$/.test(name)) return [name, value === null ? null : Date.parse(String(value))]
  if (name === 'distance') return ['distanceKilometers', toMillimeters(value)]
  return [renamed[name] ?? name, value]
}

/** Sums depend on who adds up, by less than this. */
export const toMillimeters = (kilometers: unknown): unknown =>
  typeof kilometers === 'number' ? Number(kilometers.toFixed(6)) : kilometers

/** Those that are there: of what is gone stands null. */
const sourceIdsIn = (value: unknown): string[] =>
  (value as readonly ({ sourceId: string } | null)[]).flatMap((one) => one?.sourceId ?? [])

export const draftOf = (node: Values): Values =>
  Object.fromEntries(Object.entries(node).map((entry) => worded(entry)))

export const rows = (list: string, fields: string, tells: string, per?: Asking['per']): Asking => ({
  list,
  fields,
  tells: tells.split(' '),
  ...(per ? { per } : {}),
  toDraft: draftOf,
})
