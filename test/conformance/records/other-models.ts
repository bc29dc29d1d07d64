import * as is from '../shapes.ts'
import { always, type Members, seldom, sometimes } from '../shapes.ts'
import { hosStatus, shared } from './models.ts'

/** Members of the records that the specification only names, and of connections and providers. */

const { raw, place, plate, address, vehicleId, driverId, sourced, dated } = shared

const user = is.objectOf({
  sourceId: seldom(is.text),
  firstName: seldom(is.text),
  lastName: seldom(is.text),
  email: seldom(is.text),
})

const company = { name: seldom(is.text), dotNumbers: seldom(is.listOf(is.text)) }

export const agreement: Members = {
  id: always(is.id('agr')),
  agreementUrl: always(is.url),
  acceptedAt: always(is.dateTime),
  connectionId: sometimes(is.id('conn')),
  acceptedBy: seldom(user),
  location: seldom(is.text),
  ipAddress: sometimes(is.text),
  userAgent: sometimes(is.text),
}

export const sync: Members = {
  id: always(is.id('sync')),
  status: always(is.oneOf('requested', 'in_progress', 'completed', 'failed')),
  requestedAt: always(is.dateTime),
  completedAt: sometimes(is.dateTime),
  failureReason: sometimes(is.text),
  progress: sometimes(is.percentage),
  issues: sometimes(is.listOf(is.id('isu'))),
  startFrom: sometimes(is.dateTime),
  attempts: sometimes(is.whole),
}

const idList = seldom(is.listOf(is.text))
const choice = is.objectOf({
  status: seldom(is.oneOf('active', 'inactive')),
  excludeIds: idList,
  includeIds: idList,
})

export const connection: Members = {
  id: always(is.id('conn')),
  company: always(is.objectOf(company)),
  account: always(is.objectOf({ ...company, user: seldom(user) })),
  status: always(
    is.oneOf('connected', 'disconnected', 'archived', 'pending_deletion', 'deleting', 'deleted'),
  ),
  provider: always(is.objectOf({ code: always(is.text), name: always(is.text) })),
  syncMode: always(is.oneOf('automatic', 'manual')),
  token: always(is.connectionToken),
  options: always(is.object),
  linkUrl: always(is.url),
  agreements: sometimes(is.listOf(is.objectOf(agreement))),
  createdAt: always(is.dateTime),
  updatedAt: always(is.dateTime),
  externalId: sometimes(is.text),
  sourceId: sometimes(is.text),
  tags: sometimes(is.listOf(is.text)),
  lastSync: sometimes(is.objectOf({ ...sync, issues: seldom(is.listOf(is.id('isu'))) })),
  filters: sometimes(is.objectOf({ vehicles: seldom(choice), drivers: seldom(choice) })),
}

export const trailer: Members = {
  id: always(is.id('trl')),
  status: always(shared.status),
  ...sourced,
  metadata: always(shared.entityMetadata),
  name: sometimes(is.text),
  vin: sometimes(is.text),
  serialNumber: sometimes(is.text),
  make: sometimes(is.text),
  model: sometimes(is.text),
  year: sometimes(is.integer),
  groups: sometimes(is.listOf(is.id('group'))),
  licensePlate: sometimes(plate),
  ...dated,
  raw: always(raw),
}

const moving = {
  address: sometimes(address),
  heading: sometimes(shared.heading),
  speed: sometimes(is.number),
  raw: always(raw),
}

export const latestTrailerLocation: Members = {
  provider: always(is.text),
  trailer: always(is.id('trl')),
  locatedAt: always(is.dateTime),
  location: always(place),
  ...moving,
}

export const vehicleLocation: Members = {
  id: always(is.id('vcl_loc')),
  provider: always(is.text),
  vehicle: always(vehicleId),
  locatedAt: always(is.dateTime),
  location: always(place),
  metadata: always(shared.seriesMetadata),
  sourceId: seldom(is.text),
  driver: sometimes(driverId),
  ...moving,
}

export const group: Members = {
  id: always(is.id('group')),
  ...sourced,
  metadata: always(shared.entityMetadata),
  name: sometimes(is.text),
  description: sometimes(is.text),
  parent: sometimes(is.id('group')),
  ...dated,
  raw: always(raw),
}

export const device: Members = {
  id: always(is.id('dvc')),
  type: always(is.oneOf('tracker', 'camera')),
  ...sourced,
  metadata: always(shared.entityMetadata),
  vehicle: sometimes(vehicleId),
  description: sometimes(is.text),
  serialNumber: sometimes(is.text),
  lastConnectedAt: sometimes(is.dateTime),
  ...dated,
  raw: always(raw),
}

const durations = (names: string) =>
  is.objectOf(Object.fromEntries(names.split(' ').map((name) => [name, seldom(is.whole)])))
const kilometers = (names: string) =>
  is.objectOf(Object.fromEntries(names.split(' ').map((name) => [name, seldom(is.number)])))

export const hosDailyLog: Members = {
  id: always(is.id('hos_day')),
  ...sourced,
  driver: always(driverId),
  date: always(is.date),
  statusDurations: always(durations('onDuty offDuty driving waiting sleeperBed personalConveyance yardMove')),
  distances: sometimes(kilometers('total driving personalConveyance yardMove')),
  metadata: always(shared.recordMetadata),
  raw: always(raw),
}

export const hosAvailableTime: Members = {
  provider: always(is.text),
  driver: always(driverId),
  availableTime: always(durations('cycle shift drive break')),
  currentStatus: sometimes(hosStatus),
  raw: always(raw),
}

/** Value member of each type of stat log. */
export const statValues: Readonly<Record<string, readonly [member: string, shape: is.Shape]>> = {
  engine_state: ['state', shared.engineState],
  odometer: ['odometer', is.number],
  total_fuel_consumption: ['fuelConsumed', is.number],
  fuel_level: ['fuelPercentage', is.percentage],
  engine_runtime: ['duration', is.whole],
  engine_rpm: ['rpm', is.number],
  engine_oil_percentage: ['percentage', is.percentage],
  engine_oil_pressure: ['pressure', is.number],
  engine_oil_temperature: ['temperature', is.number],
  engine_coolant_temperature: ['temperature', is.number],
  coolant_percentage: ['percentage', is.percentage],
  battery_voltage: ['voltage', is.number],
}

export const vehicleStatLog: Members = {
  id: always(is.id('vcl_st')),
  type: always(is.oneOf(...Object.keys(statValues))),
  provider: always(is.text),
  timestamp: always(is.dateTime),
  vehicle: always(vehicleId),
  metadata: always(shared.seriesMetadata),
  sourceId: seldom(is.text),
  raw: always(raw),
}

export const vehicleUtilization: Members = {
  provider: always(is.text),
  vehicle: always(vehicleId),
  startAt: always(is.dateTime),
  endAt: always(is.dateTime),
  distance: always(is.number),
  fuelConsumed: sometimes(is.number),
  durations: sometimes(durations('driving idling')),
  raw: always(raw),
}

export const iftaSummary: Members = {
  provider: always(is.text),
  vehicle: sometimes(vehicleId),
  jurisdiction: sometimes(is.state),
  distance: always(is.number),
  month: sometimes(is.month),
  raw: always(raw),
}

const media = is.objectOf({ sourceId: seldom(is.text), videoUrl: always(is.url) })

export const cameraMedia: Members = { frontFacing: sometimes(media), rearFacing: sometimes(media) }

export const issue: Members = {
  id: always(is.id('isu')),
  status: always(is.oneOf('ongoing', 'resolved')),
  connection: always(is.id('conn')),
  error: always(is.objectOf({ code: always(is.text), message: always(is.text) })),
  firstReportedAt: always(is.dateTime),
  lastReportedAt: always(is.dateTime),
}
