import * as is from '../shapes.ts'
import { required, type Members, optional, expected } from '../shapes.ts'

/** Members of each kind of record, from the tables of the specification. */

const status = is.oneOf('active', 'inactive')

export const visibility = is.oneOf(
  'visible',
  'hidden_by_exclude_list',
  'hidden_by_include_list',
  'hidden_by_status',
  'deleted',
)

const entityMetadata = is.objectOf({
  addedAt: required(is.dateTime),
  modifiedAt: required(is.dateTime),
  deletedAt: optional(is.dateTime),
  visibility: required(visibility),
})

const recordMetadata = is.objectOf({
  addedAt: required(is.dateTime),
  modifiedAt: required(is.dateTime),
  deletedAt: optional(is.dateTime),
})
const seriesMetadata = is.objectOf({ modifiedAt: required(is.dateTime) })

export const rawData: Members = {
  provider: required(is.text),
  schema: required(is.text),
  extractedAt: required(is.dateTime),
  data: required(is.object),
}

const raw = is.listOf(is.objectOf(rawData))
const plate = is.objectOf({ state: optional(is.stateCode), number: optional(is.text) })
const place = is.objectOf({
  longitude: required(is.between(-180, 180)),
  latitude: required(is.between(-90, 90)),
})
const address = is.objectOf({ formatted: optional(is.text) })
const engineState = is.oneOf('on', 'off', 'idle')
export const hosStatus = is.oneOf(
  'off_duty',
  'sleeper_bed',
  'driving',
  'on_duty',
  'yard_move',
  'personal_conveyance',
  'waiting_time',
)

const vehicleId = is.id('vcl')
const driverId = is.id('drv')
const heading = is.between(0, 360)

const sourced = { sourceId: required(is.text), provider: required(is.text) }
const dated = { createdAt: expected(is.dateTime), updatedAt: expected(is.dateTime) }

export const vehicle: Members = {
  id: required(vehicleId),
  ...sourced,
  status: required(status),
  metadata: required(entityMetadata),
  vin: expected(is.text),
  name: expected(is.text),
  make: expected(is.text),
  model: expected(is.text),
  year: expected(is.integer),
  groups: expected(is.listOf(is.id('group'))),
  devices: expected(is.listOf(is.id('dvc'))),
  licensePlate: expected(plate),
  fuelType: expected(
    is.oneOf('gasoline', 'diesel', 'propane', 'electric', 'hybrid_gasoline', 'hybrid_diesel'),
  ),
  fuelEfficiency: expected(is.number),
  fuelTankCapacity: expected(is.number),
  ...dated,
  raw: required(raw),
}

export const driver: Members = {
  id: required(driverId),
  ...sourced,
  status: required(status),
  firstName: expected(is.text),
  middleName: expected(is.text),
  lastName: expected(is.text),
  email: expected(is.email),
  phone: expected(is.phone),
  username: expected(is.text),
  license: expected(plate),
  groups: expected(is.listOf(is.id('group'))),
  ...dated,
  metadata: required(entityMetadata),
  raw: required(raw),
}

export const trip: Members = {
  id: required(is.id('trp')),
  ...sourced,
  driver: expected(driverId),
  vehicle: required(vehicleId),
  startedAt: required(is.dateTime),
  endedAt: required(is.dateTime),
  startLocation: expected(place),
  endLocation: expected(place),
  distance: expected(is.number),
  duration: required(is.nonNegativeInteger),
  metadata: required(recordMetadata),
  raw: required(raw),
}

const remark = is.objectOf({
  notes: required(is.text),
  sourceId: optional(is.text),
  submittedAt: optional(is.dateTime),
})

export const hosLog: Members = {
  id: required(is.id('hos_log')),
  ...sourced,
  status: required(hosStatus),
  driver: required(driverId),
  startedAt: required(is.dateTime),
  endedAt: expected(is.dateTime),
  vehicle: expected(vehicleId),
  codrivers: expected(is.listOf(driverId)),
  location: expected(place),
  remarks: required(is.listOf(remark)),
  metadata: required(recordMetadata),
  raw: required(raw),
}

export const safetyTypes =
  'harsh_brake harsh_acceleration harsh_turn speeding crash near_crash tailgating cell_phone distracted drowsiness smoking seat_belt_violation stop_sign_violation red_light_violation unsafe_lane_change camera_obstruction eating_and_drinking rolling_stop unsafe_parking'.split(
    ' ',
  )

const camera = is.objectOf({ sourceId: optional(is.text), available: required(is.boolean) })

const numbers = (names: string): Members =>
  Object.fromEntries(names.split(' ').map((name) => [name, optional(is.number)]))

const enrichment = is.objectOf({
  ...numbers('speedLimit truckSpeedLimit'),
  speedLimitSource: optional(is.oneOf('posted', 'derived')),
  roadName: optional(is.text),
  linkAttributes: optional(is.object),
  weather: optional(
    is.objectOf({
      ...numbers('latitude longitude temperature dewPoint humidity pressure windSpeed windDirection'),
      ...numbers('intensityOfPrecipitation visibility'),
    }),
  ),
})

export const safetyEvent: Members = {
  id: required(is.id('sft_evt')),
  ...sourced,
  type: required(is.oneOf(...safetyTypes)),
  vehicle: required(vehicleId),
  driver: expected(driverId),
  startedAt: required(is.dateTime),
  endedAt: expected(is.dateTime),
  startLocation: expected(place),
  endLocation: expected(place),
  sourceType: expected(is.text),
  metadata: required(recordMetadata),
  stats: expected(
    is.objectOf(
      numbers('maximumSpeed averageSpeed roadSpeedLimit gForceForwardBackward gForceSideToSide heading'),
    ),
  ),
  cameraMedia: expected(is.objectOf({ frontFacing: optional(camera), rearFacing: optional(camera) })),
  extensions: expected((value) => is.object(value) ?? is.listOf(enrichment)(Object.values(value as object))),
  raw: required(raw),
}

const faultCode = {
  protocol: required(is.oneOf('j1939', 'obdii')),
  id: required(is.id('fc_evt')),
  provider: required(is.text),
  sourceId: optional(is.text),
  vehicle: required(vehicleId),
  status: required(is.oneOf('open', 'pending', 'closed')),
  code: required(is.text),
  observedAt: required(is.dateTime),
  description: expected(is.text),
  milStatus: expected(is.oneOf('on', 'off')),
  metadata: required(recordMetadata),
  raw: required(raw),
}

const j1939Code = is.objectOf({
  spn: required(is.integer),
  fmi: optional(is.between(0, 31)),
  fmiDescription: optional(is.text),
  spnDescription: optional(is.text),
  occurrenceCount: optional(is.integer),
  sourceAddress: optional(is.integer),
})

export const faultCodeEvent: Members = faultCode

export const obdii: Members = {
  obdii: required(is.objectOf({ code: required(is.text), description: optional(is.text) })),
}
export const j1939: Members = { j1939: required(j1939Code) }

export const latestVehicleLocation: Members = {
  provider: required(is.text),
  vehicle: required(vehicleId),
  locatedAt: required(is.dateTime),
  location: required(place),
  driver: expected(driverId),
  address: expected(address),
  heading: expected(heading),
  speed: expected(is.number),
  odometer: expected(is.number),
  fuel: expected(
    is.objectOf({ primaryPercentage: required(is.percentage), secondaryPercentage: optional(is.percentage) }),
  ),
  engineState: expected(engineState),
  engineRuntime: expected(is.nonNegativeInteger),
  raw: required(raw),
}

export const shared = {
  raw,
  place,
  plate,
  address,
  engineState,
  heading,
  vehicleId,
  driverId,
  status,
  entityMetadata,
  recordMetadata,
  seriesMetadata,
  sourced,
  dated,
}
