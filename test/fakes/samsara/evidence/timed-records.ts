import { type Evidence, document, webhooks, samples } from './sources.ts'

export const timedRecords = {
  // Trips.
  tripsStream: {
    mark: 'V',
    does: '`/trips/stream` requires at most 50 ids and returns neither driver nor distance.',
    source: document,
  },
  deletedTrips: {
    mark: 'K',
    does: 'A trip can vanish, for example when trips are computed again. The stream does not report it.',
    source: 'not checked',
    positions: ['none', 'some'],
  },
  oneVehicleOfTrips: {
    mark: 'V',
    does: '`/v1/fleet/trips` returns one vehicle and at most 90 days.',
    source: document,
  },
  oldTrips: {
    mark: 'I',
    does: 'It returns the trips that began in the period.',
    source: document,
    positions: ['begun', 'overlapping'],
  },
  endOfRunning: { mark: 'V', does: 'A trip that runs ends at 9223372036854775807.', source: samples },
  nobodyDrives: {
    mark: 'I',
    does: 'Driver 0 means no driver.',
    source: samples,
    fixed: 'no driver has the id 0',
  },
  runningEnd: {
    mark: 'I',
    does: 'A running trip of the stream has no end location.',
    source: document,
    positions: ['omitted', 'current'],
  },
  // Hours of service.
  nestedLogs: {
    mark: 'V',
    does: 'Logs are nested by driver and have no id; there is no status for waiting.',
    source: document,
  },
  hosLogs: {
    mark: 'I',
    does: 'Logs that overlap the period are returned whole.',
    source: document,
    positions: ['overlapping', 'begun'],
  },
  openLog: {
    mark: 'I',
    does: 'The current log has no end.',
    source: document,
    positions: ['missing', 'future'],
  },
  unknownDuties: {
    mark: 'I',
    does: 'A duty status may be a value that is not in the document.',
    source: 'other enums change often',
    positions: ['no', 'yes'],
  },
  appOffline: {
    mark: 'V',
    does: 'The duty status of a driver without the app is an empty text.',
    source: document,
    positions: ['no', 'yes'],
  },
  dailyLogs: {
    mark: 'V',
    does: 'Daily logs are selected by dates of the home terminal and by activation status.',
    source: document,
  },
  waitingApart: {
    mark: 'I',
    does: 'A daily log counts waiting separately from duty, and the trips that began on its day.',
    source: document,
    fixed: 'sums of reported numbers',
  },
  distancesApart: {
    mark: 'I',
    does: 'A daily log counts personal conveyance and yard moves separately from other driving.',
    source: document,
    fixed: 'a reader takes each value as it is',
  },
  noDistance: {
    mark: 'I',
    does: 'Without such driving the distance is 0.',
    source: 'none is required',
    positions: ['zero', 'omitted'],
  },
  // Safety.
  safetyId: { mark: 'V', does: 'The id of a safety event is a pair of uuids.', source: samples },
  unknownLabels: {
    mark: 'V',
    does: 'The list of labels changes often.',
    source: document,
    positions: ['no', 'yes'],
  },
  noDriver: {
    mark: 'I',
    does: 'An event without a driver has a driver with an empty id.',
    source: 'driver and its id are required',
    positions: ['empty', 'zero'],
  },
  eventsById: {
    mark: 'I',
    does: 'Events by id take a comma-separated list of uuids; two of them form one id.',
    source: document,
    fixed: 'a reader requests one',
  },
  gatewayOnly: {
    mark: 'I',
    does: 'Events of vehicles without a camera require includeVgOnlyEvents, which is off by default.',
    source: `${document}: the parameter and its default`,
    fixed: 'a reader that requests them has all in both cases',
  },
  speedingTwice: {
    mark: 'I',
    does: 'Speeding appears twice: as a safety event and as an interval.',
    source: document,
    fixed: 'a reader chooses one',
  },
  media: {
    mark: 'V',
    does: '`/cameras/media`: at most 20 vehicles and 24 hours; URLs expire after 8 hours.',
    source: document,
  },
  // Stats.
  statTypes: {
    mark: 'V',
    does: 'At most 3 types and 2 decorations; snapshots have other names for two of the types.',
    source: document,
  },
  obdOdometers: {
    mark: 'K',
    does: 'Some vehicles have only a GPS odometer.',
    source: 'not every engine reports it',
    positions: ['most', 'all'],
  },
  everyReading: {
    mark: 'K',
    does: 'Each fix has a reading of every type.',
    source: 'Samsara sends some types only on a change',
    fixed: 'a reader takes every reading',
  },
  faultReports: {
    mark: 'V',
    does: 'A change of fault codes sends all of them, without ids.',
    source: document,
  },
  // Reports.
  fuelEnergy: {
    mark: 'V',
    does: 'Fuel and energy are one sum for the requested period.',
    source: document,
  },
  quietVehicles: {
    mark: 'I',
    does: 'A report has no rows of vehicles without trips.',
    source: document,
    positions: ['omitted', 'zeros'],
  },
  ifta: {
    mark: 'V',
    does: 'IFTA takes year and English month, in the zone of the organization, and changes for 72 hours.',
    source: document,
  },
  // Webhooks.
  signature: {
    mark: 'V',
    does: 'HMAC-SHA256 of `v1:<timestamp>:<body>` with the decoded secret.',
    source: webhooks,
  },
  webhookTime: {
    mark: 'I',
    does: 'A delivery has its time in eventMs.',
    source: webhooks,
    positions: ['eventMs', 'eventTime'],
  },
} as const satisfies Evidence
