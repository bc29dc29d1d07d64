import { hours } from './read-back-hours.ts'
import { type ModelQuery, normalizedOf, rows, type Values } from './read-back-names.ts'

const OWNERS = 'vehicle { sourceId } driver { sourceId }'
const POINT = '{ longitude latitude }'

const measurements = `timestamp type vehicle { sourceId }
  ... on EngineStateStatLog { state } ... on OdometerStatLog { value: odometer }
  ... on FuelLevelStatLog { value: fuelPercentage } ... on EngineRuntimeStatLog { value: duration }
  ... on TotalFuelConsumptionStatLog { value: fuelConsumed } ... on EngineRpmStatLog { value: rpm }
  ... on EngineOilPercentageStatLog { value: percentage } ... on EngineOilPressureStatLog { value: pressure }
  ... on EngineOilTemperatureStatLog { value: temperature } ... on CoolantPercentageStatLog { value: percentage }
  ... on EngineCoolantTemperatureStatLog { value: temperature } ... on BatteryVoltageStatLog { value: voltage }`

export const readBackQueries: Readonly<Record<string, ModelQuery>> = {
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
  Trailer: rows(
    'trailers',
    'sourceId status name vin serialNumber make model year licensePlate { state number } groups { sourceId }',
    'sourceId status name vin serialNumber make model year licensePlate groupSourceIds',
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
    toNormalized: ({ stats, ...node }) => normalizedOf({ ...node, ...(stats as Values) }),
  },
  FaultCodeEvent: rows(
    'faultCodeEvents',
    'sourceId protocol status code description observedAt milStatus vehicle { sourceId }',
    'sourceId protocol status code description observedAt milStatus vehicleSourceId',
  ),
  ...hours,
  VehicleUtilization: {
    ...rows(
      'vehicleUtilization',
      'vehicle { sourceId } distance fuelConsumed',
      'date vehicleSourceId distanceKilometers fuelConsumedLiters',
      'day',
    ),
  },
  IFTASummary: rows(
    'iftaSummary',
    'vehicle { sourceId } month jurisdiction distance',
    'vehicleSourceId month jurisdiction distanceKilometers',
    'month',
  ),
  // Without the id: a standing tracker repeats a fix under a new id, which polling reads.
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
    toNormalized: (node) => normalizedOf({ state: null, value: null, ...node }),
  },
  LatestVehicleLocation: {
    ...rows(
      'vehicleLocations',
      `locatedAt ${OWNERS} location ${POINT} heading speed odometer engineState engineRuntime fuel { primaryPercentage }`,
      'locatedAt vehicleSourceId driverSourceId location headingDegrees speedKph odometerKilometers engineState engineRuntimeMilliseconds fuelPrimaryPercentage',
    ),
    toNormalized: ({ fuel, ...node }) => ({
      ...normalizedOf(node),
      fuelPrimaryPercentage: (fuel as { primaryPercentage: number } | null)?.primaryPercentage ?? null,
    }),
  },
  LatestTrailerLocation: rows(
    'trailerLocations',
    `locatedAt trailer { sourceId } location ${POINT} heading speed`,
    'locatedAt trailerSourceId location headingDegrees speedKph',
  ),
}
