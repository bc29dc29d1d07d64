import type { BehaviourTable } from '../kit/behaviours.ts'

const DOCUMENT = 'openapi.yaml 6.14.5'
const SERVER = 'traccar/traccar server source @9e5c458'

/** Behaviours of the fake, with their evidence. None was observed on a live server. */
export const behaviours = {
  bearer: {
    mark: 'V',
    does: 'takes Authorization: Bearer <token>, Basic email:password or a session cookie',
    source: DOCUMENT,
  },
  session: {
    mark: 'V',
    does: 'POST /session takes email, password and code as a form and returns the user',
    source: SERVER,
  },
  totp: { mark: 'V', does: 'requests a code with 401 and WWW-Authenticate: TOTP', source: SERVER },
  tokens: {
    mark: 'V',
    does: 'POST /session/token returns a token as text; /session/token/revoke ends it',
    source: SERVER,
  },
  tokenLife: {
    mark: 'K',
    does: 'lifetime of a token requested without an expiration',
    source: 'not checked',
    positions: ['week', 'ever'],
  },
  unknownSession: { mark: 'V', does: 'GET /session answers 404 without a session', source: SERVER },
  traces: { mark: 'V', does: 'failures are 400 with a Java stack trace as text', source: SERVER },
  bodyOf401: { mark: 'I', does: 'body of a 401', source: SERVER, positions: ['trace', 'empty'] },
  noLimits: { mark: 'V', does: 'has no rate limit', source: `${SERVER}: none found` },
  listPages: { mark: 'V', does: 'devices, groups and drivers take limit and offset', source: DOCUMENT },
  olderLists: {
    mark: 'V',
    does: 'older servers ignore limit and offset and return whole lists',
    source: SERVER,
    positions: ['pages', 'whole'],
  },
  positionCap: {
    mark: 'V',
    does: 'positions are sorted by fixTime and silently truncated at report.maxPositions',
    source: SERVER,
  },
  edges: {
    mark: 'K',
    does: 'whether `to` itself is part of a period; `from` is',
    source: 'SQL BETWEEN, not checked',
    positions: ['inclusive', 'exclusive'],
  },
  periodLimit: { mark: 'I', does: 'report.periodLimit refuses longer reports with 400', source: SERVER },
  knots: {
    mark: 'V',
    does: 'speeds are knots, distances meters, hours and durations milliseconds',
    source: `${SERVER} ReportUtils, Position`,
  },
  timeFormat: {
    mark: 'V',
    does: 'times end in +00:00; those of older servers in +0000',
    source: SERVER,
    positions: ['colon', 'no_colon'],
  },
  nulls: {
    mark: 'K',
    does: 'whether unknown members are omitted or null; the document allows null for few',
    source: 'not checked',
    positions: ['left_out', 'null'],
  },
  outdated: {
    mark: 'V',
    does: 'a tracker without a fix repeats the last position with outdated=true',
    source: SERVER,
    positions: ['sent', 'not_sent'],
  },
  nullIsland: {
    mark: 'I',
    does: 'a tracker without a fix has valid=false at 0, 0',
    source: SERVER,
    positions: ['sent', 'not_sent'],
  },
  blindReports: {
    mark: 'I',
    does: 'whether positions without a fix belong to trips and events, which then are at null island',
    source: `${SERVER} filter.invalid, off by itself`,
    positions: ['left_out', 'sent'],
  },
  noPosition: {
    mark: 'V',
    does: 'positionId 0 means none; GET /positions omits such devices',
    source: SERVER,
  },
  odometer: {
    mark: 'K',
    does: 'whether trackers send an odometer; totalDistance is always present',
    source: 'depends on the tracker',
    positions: ['sent', 'not_sent'],
  },
  tripsAcrossFrom: {
    mark: 'I',
    does: 'a trip that runs at `from` starts at its first position after it',
    source: SERVER,
    positions: ['cut', 'left_out'],
  },
  openTrips: {
    mark: 'V',
    does: 'a trip that runs at `to` ends at its last position',
    source: SERVER,
  },
  quietDevices: {
    mark: 'K',
    does: 'whether a summary has rows of devices without data',
    source: 'not checked',
    positions: ['left_out', 'zero'],
  },
  dailySummary: {
    mark: 'K',
    does: 'daily=true returns a row a day in the time zone of the user',
    source: 'not in the document',
  },
  timeZones: {
    mark: 'I',
    does: 'a zone is any text: an offset is valid, and Java treats an unknown one as GMT; that of the server counts if the user has none, or if the server forces its settings; without either, that of the machine',
    source: `${SERVER} UserUtil, TimeZone.getTimeZone`,
    positions: ['names', 'offsets', 'half_hours', 'unknown', 'of_server', 'of_machine', 'wrong', 'forced'],
  },
  positionOfEvent: {
    mark: 'V',
    does: 'an event refers to the position with its place',
    source: DOCUMENT,
  },
  eventTypes: { mark: 'V', does: 'type takes several, and % takes all', source: DOCUMENT },
} as const satisfies BehaviourTable
