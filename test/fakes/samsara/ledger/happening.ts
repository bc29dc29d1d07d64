import { type Evidence, document, webhooks, samples } from './sources.ts'

/** What happens, by model, and what is told of it. */
export const happening = {
  // Trips.
  tripsStream: {
    mark: 'V',
    does: '`/trips/stream` wants at most 50 ids and tells neither driver nor distance.',
    source: document,
  },
  oneVehicleOfTrips: {
    mark: 'V',
    does: '`/v1/fleet/trips` gives one vehicle and at most 90 days.',
    source: document,
  },
  oldTrips: {
    mark: 'I',
    does: 'It gives the trips that began in the time.',
    source: document,
    positions: ['begun', 'overlapping'],
  },
  endOfRunning: { mark: 'V', does: 'A trip that runs ends at 9223372036854775807.', source: samples },
  nobodyDrives: { mark: 'I', does: 'Driver 0 is nobody.', source: samples, fixed: 'no driver has the id 0' },
  runningEnd: {
    mark: 'I',
    does: 'A running trip of the stream has no end location.',
    source: document,
    positions: ['omitted', 'current'],
  },
  // Hours of service.
  nestedLogs: {
    mark: 'V',
    does: 'Logs are nested by driver and have no id; waiting has no word.',
    source: document,
  },
  hosLogs: {
    mark: 'I',
    does: 'Logs that reach into the time are given whole.',
    source: document,
    positions: ['overlapping', 'begun'],
  },
  openLog: {
    mark: 'I',
    does: 'The log that lasts has no end.',
    source: document,
    positions: ['missing', 'future'],
  },
  unknownDuties: {
    mark: 'I',
    does: 'A duty status may be a word that the document does not have.',
    source: 'other lists of words change often',
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
    does: 'Daily logs are by dates of the home terminal, those of one activation status.',
    source: document,
  },
  waitingApart: {
    mark: 'I',
    does: 'A daily log counts waiting apart from duty, and the trips that began on its day.',
    source: document,
    fixed: 'sums of numbers that are all told',
  },
  distancesApart: {
    mark: 'I',
    does: 'A daily log tells what was driven as personal conveyance and as yard moves apart from other driving.',
    source: document,
    fixed: 'a reader takes each as it is told',
  },
  noDistance: {
    mark: 'I',
    does: 'Where nothing was driven so, the distance is 0.',
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
    does: 'Events asked for by id are lists of uuids with commas, two of which are one id.',
    source: document,
    fixed: 'a reader asks for one',
  },
  gatewayOnly: {
    mark: 'I',
    does: 'Events of vehicles without a camera are told where includeVgOnlyEvents asks for them; it does not unless said.',
    source: `${document}: the parameter and its default`,
    fixed: 'a reader that asks for them has all either way',
  },
  speedingTwice: {
    mark: 'I',
    does: 'Speeding is told twice: as a safety event and as an interval.',
    source: document,
    fixed: 'a reader chooses one',
  },
  media: {
    mark: 'V',
    does: '`/cameras/media`: at most 20 vehicles and 24 hours; addresses end after 8 hours.',
    source: document,
  },
  // Stats.
  statTypes: {
    mark: 'V',
    does: 'At most 3 types and 2 decorations; snapshots call two of the types otherwise.',
    source: document,
  },
  obdOdometers: {
    mark: 'K',
    does: 'Some vehicles have no odometer but that of the satellites.',
    source: 'not every engine tells',
    positions: ['most', 'all'],
  },
  everyReading: {
    mark: 'K',
    does: 'Each fix comes with a reading of every type.',
    source: 'Samsara tells some types only when they change',
    fixed: 'a reader takes what comes',
  },
  faultReports: {
    mark: 'V',
    does: 'Fault codes are told whole whenever they change, without ids.',
    source: document,
  },
  // Reports.
  fuelEnergy: {
    mark: 'V',
    does: 'Fuel and energy are one sum for the time that is asked for.',
    source: document,
  },
  quietVehicles: {
    mark: 'I',
    does: 'Vehicles that did nothing are not in it.',
    source: document,
    positions: ['omitted', 'zeros'],
  },
  ifta: {
    mark: 'V',
    does: 'IFTA is asked for by year and English month, in the zone of the organization, and moves for 72 hours.',
    source: document,
  },
  // Webhooks.
  signature: {
    mark: 'V',
    does: 'HMAC-SHA256 over `v1:<timestamp>:<body>`, its key the decoded secret.',
    source: webhooks,
  },
  webhookTime: {
    mark: 'I',
    does: 'A delivery has its time in eventMs.',
    source: webhooks,
    positions: ['eventMs', 'eventTime'],
  },
} as const satisfies Evidence
