export type Values = Readonly<Record<string, unknown>>

/** How a model is asked for over GraphQL, and how an answer is worded as a draft. */
export interface Asking {
  readonly list: string
  /** Asked for each vehicle or for each day by itself. */
  readonly per?: 'vehicle' | 'day'
  readonly fields: string
  /** What of a draft an answer tells. */
  readonly tells: readonly string[]
  toDraft(node: Values): Values
}

const OWNERS = 'vehicle { sourceId } driver { sourceId }'
const POINT = '{ longitude latitude }'

const renamed = {
  distance: 'distanceKilometers',
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
}

const words = new Set(['status', 'type', 'fuelType', 'protocol', 'milStatus', 'engineState', 'state'])

/** The name and the value that a draft has for what an answer says. */
function worded([name, value]: [string, unknown]): [string, unknown] {
  const reference = references[name]
  if (reference) return [reference, (value as { sourceId: string } | null)?.sourceId ?? null]
  if (name === 'groups') return ['groupSourceIds', sourceIdsIn(value).toSorted()]
  if (words.has(name)) return [name, typeof value === 'string' ? value.toLowerCase() : value]
  if (/(At|^timestamp)$/.test(name)) return [name, value === null ? null : Date.parse(String(value))]
  return [renamed[name] ?? name, value]
}

const sourceIdsIn = (value: unknown): string[] =>
  (value as readonly { sourceId: string }[]).map(({ sourceId }) => sourceId)

const draftOf = (node: Values): Values =>
  Object.fromEntries(Object.entries(node).map((entry) => worded(entry)))

const rows = (list: string, fields: string, tells: string, per?: Asking['per']): Asking => ({
  list,
  fields,
  tells: tells.split(' '),
  ...(per ? { per } : {}),
  toDraft: draftOf,
})

const measurements = `timestamp type vehicle { sourceId }
  ... on EngineStateStatLog { state } ... on OdometerStatLog { value: odometer }
  ... on FuelLevelStatLog { value: fuelPercentage } ... on EngineRuntimeStatLog { value: duration }`

export const askings: Readonly<Record<string, Asking>> = {
  Group: rows('groups', 'sourceId name parent { sourceId }', 'sourceId name parentSourceId'),
  Driver: rows(
    'drivers',
    'sourceId status firstName middleName lastName email phone username groups { sourceId }',
    'sourceId status firstName middleName lastName email phone username groupSourceIds',
  ),
  Vehicle: rows(
    'vehicles',
    'sourceId status vin name make model year fuelType fuelTankCapacity licensePlate { state number } groups { sourceId }',
    'sourceId status vin name make model year fuelType fuelTankCapacityLiters licensePlate groupSourceIds',
  ),
  Device: rows(
    'devices',
    'sourceId type description serialNumber lastConnectedAt vehicle { sourceId }',
    'sourceId type description serialNumber lastConnectedAt vehicleSourceId',
  ),
  Trip: rows(
    'trips',
    `sourceId ${OWNERS} startedAt endedAt startLocation ${POINT} endLocation ${POINT} distance duration`,
    'sourceId vehicleSourceId driverSourceId startedAt endedAt startLocation endLocation distanceKilometers durationMilliseconds',
  ),
  SafetyEvent: {
    ...rows(
      'safetyEvents',
      `sourceId type ${OWNERS} startedAt endedAt startLocation ${POINT} endLocation ${POINT} sourceType
        stats { maximumSpeed averageSpeed roadSpeedLimit gForceForwardBackward gForceSideToSide heading }`,
      `sourceId type vehicleSourceId driverSourceId startedAt endedAt startLocation endLocation sourceType maximumSpeedKph averageSpeedKph roadSpeedLimitKph gForceForwardBackward gForceSideToSide headingDegrees`,
    ),
    toDraft: ({ stats, ...node }) => draftOf({ ...node, ...(stats as Values) }),
  },
  FaultCodeEvent: rows(
    'faultCodeEvents',
    'sourceId protocol status code description observedAt milStatus vehicle { sourceId }',
    'sourceId protocol status code description observedAt milStatus vehicleSourceId',
  ),
  VehicleUtilization: {
    ...rows(
      'vehicleUtilization',
      'vehicle { sourceId } distance fuelConsumed',
      'date vehicleSourceId distanceKilometers fuelConsumedLiters',
      'day',
    ),
  },
  // Without its id: a tracker that stands tells the same fix again, with an id of its own, which polling reads.
  VehicleLocation: {
    ...rows(
      'locations',
      `locatedAt ${OWNERS} location ${POINT} heading speed`,
      'locatedAt vehicleSourceId driverSourceId location headingDegrees speedKph',
      'vehicle',
    ),
  },
  VehicleStatLog: {
    ...rows('stats', measurements, 'timestamp type vehicleSourceId state value', 'vehicle'),
    toDraft: (node) => draftOf({ state: null, value: null, ...node }),
  },
  LatestVehicleLocation: {
    ...rows(
      'vehicleLocations',
      `locatedAt ${OWNERS} location ${POINT} heading speed odometer engineState engineRuntime fuel { primaryPercentage }`,
      'locatedAt vehicleSourceId driverSourceId location headingDegrees speedKph odometerKilometers engineState engineRuntimeMilliseconds fuelPrimaryPercentage',
    ),
    toDraft: ({ fuel, ...node }) => ({
      ...draftOf(node),
      fuelPrimaryPercentage: (fuel as { primaryPercentage: number } | null)?.primaryPercentage ?? null,
    }),
  },
}
