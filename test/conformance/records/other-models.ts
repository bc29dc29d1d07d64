import * as is from '../shapes.ts'
import { required, type Members, optional, expected } from '../shapes.ts'
import { hosStatus, shared } from './models.ts'

/** Members of the records that the specification only names, and of connections and providers. */

const { raw, place, plate, address, vehicleId, driverId, sourced, dated } = shared

const user = is.objectOf({
  sourceId: optional(is.text),
  firstName: optional(is.text),
  lastName: optional(is.text),
  email: optional(is.text),
})

const company = { name: optional(is.text), dotNumbers: optional(is.listOf(is.text)) }

export const agreement: Members = {
  id: required(is.id('agr')),
  agreementUrl: required(is.url),
  acceptedAt: required(is.dateTime),
  connectionId: expected(is.id('conn')),
  acceptedBy: optional(user),
  location: optional(is.text),
  ipAddress: expected(is.text),
  userAgent: expected(is.text),
}

export const sync: Members = {
  id: required(is.id('sync')),
  status: required(is.oneOf('requested', 'in_progress', 'completed', 'failed')),
  requestedAt: required(is.dateTime),
  completedAt: expected(is.dateTime),
  failureReason: expected(is.text),
  progress: expected(is.percentage),
  issues: expected(is.listOf(is.id('isu'))),
  startFrom: expected(is.dateTime),
  attempts: expected(is.nonNegativeInteger),
}

const idList = optional(is.listOf(is.text))
const choice = is.objectOf({
  status: optional(is.oneOf('active', 'inactive')),
  excludeIds: idList,
  includeIds: idList,
})

export const connection: Members = {
  id: required(is.id('conn')),
  company: required(is.objectOf(company)),
  account: required(is.objectOf({ ...company, user: optional(user) })),
  status: required(
    is.oneOf('connected', 'disconnected', 'archived', 'pending_deletion', 'deleting', 'deleted'),
  ),
  provider: required(is.objectOf({ code: required(is.text), name: required(is.text) })),
  syncMode: required(is.oneOf('automatic', 'manual')),
  token: required(is.connectionToken),
  options: required(is.object),
  linkUrl: required(is.url),
  agreements: expected(is.listOf(is.objectOf(agreement))),
  createdAt: required(is.dateTime),
  updatedAt: required(is.dateTime),
  externalId: expected(is.text),
  sourceId: expected(is.text),
  tags: expected(is.listOf(is.text)),
  lastSync: expected(is.objectOf({ ...sync, issues: optional(is.listOf(is.id('isu'))) })),
  filters: expected(is.objectOf({ vehicles: optional(choice), drivers: optional(choice) })),
}

export const trailer: Members = {
  id: required(is.id('trl')),
  status: required(shared.status),
  ...sourced,
  metadata: required(shared.entityMetadata),
  name: expected(is.text),
  vin: expected(is.text),
  serialNumber: expected(is.text),
  make: expected(is.text),
  model: expected(is.text),
  year: expected(is.integer),
  groups: expected(is.listOf(is.id('group'))),
  licensePlate: expected(plate),
  ...dated,
  raw: required(raw),
}

const moving = {
  address: expected(address),
  heading: expected(shared.heading),
  speed: expected(is.number),
  raw: required(raw),
}

export const latestTrailerLocation: Members = {
  provider: required(is.text),
  trailer: required(is.id('trl')),
  locatedAt: required(is.dateTime),
  location: required(place),
  ...moving,
}

export const vehicleLocation: Members = {
  id: required(is.id('vcl_loc')),
  provider: required(is.text),
  vehicle: required(vehicleId),
  locatedAt: required(is.dateTime),
  location: required(place),
  metadata: required(shared.seriesMetadata),
  sourceId: optional(is.text),
  driver: expected(driverId),
  ...moving,
}

export const group: Members = {
  id: required(is.id('group')),
  ...sourced,
  metadata: required(shared.entityMetadata),
  name: expected(is.text),
  description: expected(is.text),
  parent: expected(is.id('group')),
  ...dated,
  raw: required(raw),
}

export const device: Members = {
  id: required(is.id('dvc')),
  type: required(is.oneOf('tracker', 'camera')),
  ...sourced,
  metadata: required(shared.entityMetadata),
  vehicle: expected(vehicleId),
  description: expected(is.text),
  serialNumber: expected(is.text),
  lastConnectedAt: expected(is.dateTime),
  ...dated,
  raw: required(raw),
}

const durations = (names: string) =>
  is.objectOf(Object.fromEntries(names.split(' ').map((name) => [name, optional(is.nonNegativeInteger)])))
const kilometers = (names: string) =>
  is.objectOf(Object.fromEntries(names.split(' ').map((name) => [name, optional(is.number)])))

export const hosDailyLog: Members = {
  id: required(is.id('hos_day')),
  ...sourced,
  driver: required(driverId),
  date: required(is.date),
  statusDurations: required(
    durations('onDuty offDuty driving waiting sleeperBed personalConveyance yardMove'),
  ),
  distances: expected(kilometers('total driving personalConveyance yardMove')),
  metadata: required(shared.recordMetadata),
  raw: required(raw),
}

export const hosAvailableTime: Members = {
  provider: required(is.text),
  driver: required(driverId),
  availableTime: required(durations('cycle shift drive break')),
  currentStatus: expected(hosStatus),
  raw: required(raw),
}

/** Value member of each type of stat log. */
export const statValues: Readonly<Record<string, readonly [member: string, shape: is.Shape]>> = {
  engine_state: ['state', shared.engineState],
  odometer: ['odometer', is.number],
  total_fuel_consumption: ['fuelConsumed', is.number],
  fuel_level: ['fuelPercentage', is.percentage],
  engine_runtime: ['duration', is.nonNegativeInteger],
  engine_rpm: ['rpm', is.number],
  engine_oil_percentage: ['percentage', is.percentage],
  engine_oil_pressure: ['pressure', is.number],
  engine_oil_temperature: ['temperature', is.number],
  engine_coolant_temperature: ['temperature', is.number],
  coolant_percentage: ['percentage', is.percentage],
  battery_voltage: ['voltage', is.number],
}

export const vehicleStatLog: Members = {
  id: required(is.id('vcl_st')),
  type: required(is.oneOf(...Object.keys(statValues))),
  provider: required(is.text),
  timestamp: required(is.dateTime),
  vehicle: required(vehicleId),
  metadata: required(shared.seriesMetadata),
  sourceId: optional(is.text),
  raw: required(raw),
}

export const vehicleUtilization: Members = {
  provider: required(is.text),
  vehicle: required(vehicleId),
  startAt: required(is.dateTime),
  endAt: required(is.dateTime),
  distance: required(is.number),
  fuelConsumed: expected(is.number),
  durations: expected(durations('driving idling')),
  raw: required(raw),
}

export const iftaSummary: Members = {
  provider: required(is.text),
  vehicle: expected(vehicleId),
  jurisdiction: expected(is.stateCode),
  distance: required(is.number),
  month: expected(is.month),
  raw: required(raw),
}

const media = is.objectOf({ sourceId: optional(is.text), videoUrl: required(is.url) })

export const cameraMedia: Members = { frontFacing: expected(media), rearFacing: expected(media) }

export const issue: Members = {
  id: required(is.id('isu')),
  status: required(is.oneOf('ongoing', 'resolved')),
  connection: required(is.id('conn')),
  error: required(is.objectOf({ code: required(is.text), message: required(is.text) })),
  firstReportedAt: required(is.dateTime),
  lastReportedAt: required(is.dateTime),
}
