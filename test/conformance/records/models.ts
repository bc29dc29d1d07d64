import * as is from '../shapes.ts'
import { always, type Members, seldom, sometimes } from '../shapes.ts'

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
  addedAt: always(is.dateTime),
  modifiedAt: always(is.dateTime),
  deletedAt: seldom(is.dateTime),
  visibility: always(visibility),
})

const recordMetadata = is.objectOf({
  addedAt: always(is.dateTime),
  modifiedAt: always(is.dateTime),
  deletedAt: seldom(is.dateTime),
})
const seriesMetadata = is.objectOf({ modifiedAt: always(is.dateTime) })

export const rawData: Members = {
  provider: always(is.text),
  schema: always(is.text),
  extractedAt: always(is.dateTime),
  data: always(is.object),
}

const raw = is.listOf(is.objectOf(rawData))
const plate = is.objectOf({ state: seldom(is.state), number: seldom(is.text) })
const place = is.objectOf({ longitude: always(is.between(-180, 180)), latitude: always(is.between(-90, 90)) })
const address = is.objectOf({ formatted: seldom(is.text) })
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

const sourced = { sourceId: always(is.text), provider: always(is.text) }
const dated = { createdAt: sometimes(is.dateTime), updatedAt: sometimes(is.dateTime) }

export const vehicle: Members = {
  id: always(vehicleId),
  ...sourced,
  status: always(status),
  metadata: always(entityMetadata),
  vin: sometimes(is.text),
  name: sometimes(is.text),
  make: sometimes(is.text),
  model: sometimes(is.text),
  year: sometimes(is.integer),
  groups: sometimes(is.listOf(is.id('group'))),
  devices: sometimes(is.listOf(is.id('dvc'))),
  licensePlate: sometimes(plate),
  fuelType: sometimes(
    is.oneOf('gasoline', 'diesel', 'propane', 'electric', 'hybrid_gasoline', 'hybrid_diesel'),
  ),
  fuelEfficiency: sometimes(is.number),
  fuelTankCapacity: sometimes(is.number),
  ...dated,
  raw: always(raw),
}

export const driver: Members = {
  id: always(driverId),
  ...sourced,
  status: always(status),
  firstName: sometimes(is.text),
  middleName: sometimes(is.text),
  lastName: sometimes(is.text),
  email: sometimes(is.email),
  phone: sometimes(is.phone),
  username: sometimes(is.text),
  license: sometimes(plate),
  groups: sometimes(is.listOf(is.id('group'))),
  ...dated,
  metadata: always(entityMetadata),
  raw: always(raw),
}

export const trip: Members = {
  id: always(is.id('trp')),
  ...sourced,
  driver: sometimes(driverId),
  vehicle: always(vehicleId),
  startedAt: always(is.dateTime),
  endedAt: always(is.dateTime),
  startLocation: sometimes(place),
  endLocation: sometimes(place),
  distance: sometimes(is.number),
  duration: always(is.whole),
  metadata: always(recordMetadata),
  raw: always(raw),
}

const remark = is.objectOf({
  notes: always(is.text),
  sourceId: seldom(is.text),
  submittedAt: seldom(is.dateTime),
})

export const hosLog: Members = {
  id: always(is.id('hos_log')),
  ...sourced,
  status: always(hosStatus),
  driver: always(driverId),
  startedAt: always(is.dateTime),
  endedAt: sometimes(is.dateTime),
  vehicle: sometimes(vehicleId),
  codrivers: sometimes(is.listOf(driverId)),
  location: sometimes(place),
  remarks: always(is.listOf(remark)),
  metadata: always(recordMetadata),
  raw: always(raw),
}

export const safetyTypes =
  'harsh_brake harsh_acceleration harsh_turn speeding crash near_crash tailgating cell_phone distracted drowsiness smoking seat_belt_violation stop_sign_violation red_light_violation unsafe_lane_change camera_obstruction eating_and_drinking rolling_stop unsafe_parking'.split(
    ' ',
  )

const camera = is.objectOf({ sourceId: seldom(is.text), available: always(is.boolean) })

const numbers = (names: string): Members =>
  Object.fromEntries(names.split(' ').map((name) => [name, seldom(is.number)]))

const enrichment = is.objectOf({
  ...numbers('speedLimit truckSpeedLimit'),
  speedLimitSource: seldom(is.oneOf('posted', 'derived')),
  roadName: seldom(is.text),
  linkAttributes: seldom(is.object),
  weather: seldom(
    is.objectOf({
      ...numbers('latitude longitude temperature dewPoint humidity pressure windSpeed windDirection'),
      ...numbers('intensityOfPrecipitation visibility'),
    }),
  ),
})

export const safetyEvent: Members = {
  id: always(is.id('sft_evt')),
  ...sourced,
  type: always(is.oneOf(...safetyTypes)),
  vehicle: always(vehicleId),
  driver: sometimes(driverId),
  startedAt: always(is.dateTime),
  endedAt: sometimes(is.dateTime),
  startLocation: sometimes(place),
  endLocation: sometimes(place),
  sourceType: sometimes(is.text),
  metadata: always(recordMetadata),
  stats: sometimes(
    is.objectOf(
      numbers('maximumSpeed averageSpeed roadSpeedLimit gForceForwardBackward gForceSideToSide heading'),
    ),
  ),
  cameraMedia: sometimes(is.objectOf({ frontFacing: seldom(camera), rearFacing: seldom(camera) })),
  extensions: sometimes((value) => is.object(value) ?? is.listOf(enrichment)(Object.values(value as object))),
  raw: always(raw),
}

const faultCode = {
  protocol: always(is.oneOf('j1939', 'obdii')),
  id: always(is.id('fc_evt')),
  provider: always(is.text),
  sourceId: seldom(is.text),
  vehicle: always(vehicleId),
  status: always(is.oneOf('open', 'pending', 'closed')),
  code: always(is.text),
  observedAt: always(is.dateTime),
  description: sometimes(is.text),
  milStatus: sometimes(is.oneOf('on', 'off')),
  metadata: always(recordMetadata),
  raw: always(raw),
}

const j1939Code = is.objectOf({
  spn: always(is.integer),
  fmi: seldom(is.between(0, 31)),
  fmiDescription: seldom(is.text),
  spnDescription: seldom(is.text),
  occurrenceCount: seldom(is.integer),
  sourceAddress: seldom(is.integer),
})

export const faultCodeEvent: Members = faultCode

export const obdii: Members = {
  obdii: always(is.objectOf({ code: always(is.text), description: seldom(is.text) })),
}
export const j1939: Members = { j1939: always(j1939Code) }

export const latestVehicleLocation: Members = {
  provider: always(is.text),
  vehicle: always(vehicleId),
  locatedAt: always(is.dateTime),
  location: always(place),
  driver: sometimes(driverId),
  address: sometimes(address),
  heading: sometimes(heading),
  speed: sometimes(is.number),
  odometer: sometimes(is.number),
  fuel: sometimes(
    is.objectOf({ primaryPercentage: always(is.percentage), secondaryPercentage: seldom(is.percentage) }),
  ),
  engineState: sometimes(engineState),
  engineRuntime: sometimes(is.whole),
  raw: always(raw),
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
