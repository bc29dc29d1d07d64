import { operationOf } from '../catalogue.ts'
import { ownIfAny } from '../own-connection.ts'
import { pathOf } from '../paths.ts'
import type { Members } from '../shapes.ts'
import { isJsonObject, type JsonObject, rowOf, type Subject, succeeded, withQuery } from '../subject.ts'
import * as models from './models.ts'
import * as others from './other-models.ts'
import { provider } from './provider.ts'

/** A kind of record: its source and its members. */
export interface RecordKind {
  readonly name: string
  readonly part: string
  readonly members: Members
  /** Whether records have no other members. */
  readonly closed?: true
  rows(subject: Subject): Promise<readonly JsonObject[]>
}

/** Reads all records of a list, with raw responses and with hidden and deleted records. */
export const listed =
  (slug: string, query: Readonly<Record<string, string>> = {}) =>
  async (subject: Subject): Promise<readonly JsonObject[]> => {
    const operation = operationOf(slug)
    const more = Object.keys(operation.query).filter((name) => ['raw', 'hidden', 'deleted'].includes(name))
    const path = await pathOf(subject, operation)
    return subject.all(
      withQuery(path, { ...Object.fromEntries(more.map((name) => [name, 'true'])), ...query }),
    )
  }

/** Returns the connection of the token, and the suite's own if it exists. */
const current = async (subject: Subject): Promise<readonly JsonObject[]> => {
  const own = await ownIfAny(subject)
  return Promise.all([subject, ...(own ? [own] : [])].map((each) => each.ok('/connections/current')))
}

const syncs = async (subject: Subject): Promise<readonly JsonObject[]> => {
  const own = await ownIfAny(subject)
  return (await Promise.all([subject, ...(own ? [own] : [])].map((each) => each.allNow('/syncs')))).flat()
}

const connections = async (subject: Subject): Promise<readonly JsonObject[]> => [
  ...(await current(subject)),
  ...(await subject.allNow('/connections')),
]

const within =
  (rows: RecordKind['rows'], member: string): RecordKind['rows'] =>
  async (subject) =>
    (await rows(subject)).flatMap((row) => row[member] ?? []).filter(isJsonObject)

const faults = listed('fault-codes')

const ofProtocol =
  (protocol: string): RecordKind['rows'] =>
  async (subject) =>
    (await faults(subject)).filter((row) => row['protocol'] === protocol)

const providers = async (subject: Subject): Promise<readonly JsonObject[]> => {
  const { body } = succeeded(await subject.get('/providers'))
  return Array.isArray(body) ? body.filter(isJsonObject) : []
}

/** Returns the summaries of every grouping, because their members depend on it. */
const summaries = async (subject: Subject): Promise<readonly JsonObject[]> => {
  const groupings = ['vehicle,jurisdiction', 'vehicle,jurisdiction,month', 'jurisdiction']
  const read = await Promise.all(groupings.map((groupBy) => listed('ifta', { groupBy })(subject)))
  return read.flat()
}

const media = async (subject: Subject): Promise<readonly JsonObject[]> => {
  const path = await pathOf(subject, operationOf('camera-media'))
  return [rowOf(succeeded(await subject.get(path)))]
}

const vehicles = listed('vehicles')

export const kinds: readonly RecordKind[] = [
  { name: 'connection', part: '2.1', members: others.connection, rows: connections },
  { name: 'agreement', part: '2.1', members: others.agreement, rows: within(current, 'agreements') },
  { name: 'vehicle', part: '2.2', members: models.vehicle, rows: vehicles, closed: true },
  { name: 'driver', part: '2.3', members: models.driver, rows: listed('drivers'), closed: true },
  { name: 'trip', part: '2.4', members: models.trip, rows: listed('trips'), closed: true },
  { name: 'hos-log', part: '2.5', members: models.hosLog, rows: listed('hos-logs'), closed: true },
  {
    name: 'safety-event',
    part: '2.6',
    members: models.safetyEvent,
    rows: listed('safety-events'),
    closed: true,
  },
  { name: 'fault-code-event', part: '2.7', members: models.faultCodeEvent, rows: faults },
  { name: 'obdii', part: '2.7', members: models.obdii, rows: ofProtocol('obdii') },
  { name: 'j1939', part: '2.7', members: models.j1939, rows: ofProtocol('j1939') },
  {
    name: 'latest-vehicle-location',
    part: '2.8',
    members: models.latestVehicleLocation,
    rows: listed('locations'),
  },
  { name: 'provider', part: '2.9', members: provider, rows: providers },
  { name: 'ifta-summary', part: '2.10', members: others.iftaSummary, rows: summaries },
  { name: 'sync', part: 'g1.2', members: others.sync, rows: syncs },
  { name: 'trailer', part: 'g1.3', members: others.trailer, rows: listed('trailers'), closed: true },
  {
    name: 'latest-trailer-location',
    part: 'g1.3',
    members: others.latestTrailerLocation,
    rows: listed('trailer-locations'),
  },
  { name: 'group', part: 'g1.4', members: others.group, rows: listed('groups') },
  { name: 'device', part: 'g1.5', members: others.device, rows: listed('devices'), closed: true },
  { name: 'hos-daily-log', part: 'g1.6', members: others.hosDailyLog, rows: listed('daily-logs') },
  {
    name: 'hos-available-time',
    part: 'g1.6',
    members: others.hosAvailableTime,
    rows: listed('available-time'),
  },
  { name: 'vehicle-stat-log', part: 'g1.7', members: others.vehicleStatLog, rows: listed('stats') },
  { name: 'vehicle-location', part: 'g1.8', members: others.vehicleLocation, rows: listed('track') },
  { name: 'camera-media', part: 'g1.9', members: others.cameraMedia, rows: media },
  {
    name: 'vehicle-utilization',
    part: 'g1.10',
    members: others.vehicleUtilization,
    rows: listed('utilization'),
    closed: true,
  },
  { name: 'raw-data', part: 'g1.12', members: models.rawData, rows: within(vehicles, 'raw') },
  { name: 'issue', part: 'g1.14', members: others.issue, rows: listed('issues') },
]

export function kindOf(name: string): RecordKind {
  const found = kinds.find((kind) => kind.name === name)
  if (!found) throw new Error(`unknown kind ${name}`)
  return found
}
