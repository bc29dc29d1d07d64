/**
 * GraphQL selections of each record, in the order of the REST members. `…Fields` is the selection of an
 * expanded reference: its own references are ids, and it has no `raw`.
 */

const sourced = 'id sourceId provider'
const entityMetadata = 'metadata { addedAt modifiedAt deletedAt visibility }'
const recordMetadata = 'metadata { addedAt modifiedAt }'
const point = '{ longitude latitude }'
const user = '{ sourceId firstName lastName email }'
const createdAndUpdated = 'createdAt updatedAt'
const plate = 'licensePlate { state number }'

const rawRecord = '{ provider schema extractedAt data }'

/** Source records of the provider, for `raw=true`. */
const raw = `raw @include(if: $raw) ${rawRecord}`

/** Reference that `expand` replaces with the record. The id remains if the record does not exist. */
const one = (field: string, fields: string) => `${field} { id } ${whole(field, fields)}`

/** List of expandable references whose records all exist. */
const many = (field: string, fields: string) => `${field} @skip(if: $${field}) { id } ${whole(field, fields)}`

/** Selects the whole record under an alias. The alias has no `_`: the gateway cannot compile one with `_`. */
const whole = (field: string, fields: string) =>
  `whole${field[0]?.toUpperCase()}${field.slice(1)}: ${field} @include(if: $${field}) { ${fields} }`

const ofGroup = `${sourced} name description`

export const groupFields = `${ofGroup} parent { id } ${createdAndUpdated} ${entityMetadata}`

/** Variables: $raw, $parent. */
export const group = `${ofGroup} ${one('parent', groupFields)} ${createdAndUpdated} ${entityMetadata} ${raw}`

const ofDevice = `${sourced} type`
const restOfDevice = `description serialNumber lastConnectedAt ${createdAndUpdated} ${entityMetadata}`

export const deviceFields = `${ofDevice} vehicle { id } ${restOfDevice}`

const ofVehicle = `${sourced} status vin name make model year ${plate}
  fuelType fuelEfficiency fuelTankCapacity ${createdAndUpdated} ${entityMetadata}`

export const vehicleFields = `${ofVehicle} groups { id } devices { id }`

/** Variables: $raw, $groups, $devices. */
export const vehicle = `${ofVehicle} ${many('groups', groupFields)} ${many('devices', deviceFields)} ${raw}`

/** Variables: $raw, $vehicle. */
export const device = `${ofDevice} ${one('vehicle', vehicleFields)} ${restOfDevice} ${raw}`

const ofDriver = `${sourced} status firstName middleName lastName email phone username license { state number }
  ${createdAndUpdated} ${entityMetadata}`

export const driverFields = `${ofDriver} groups { id }`

/** Variables: $raw, $groups. */
export const driver = `${ofDriver} ${many('groups', groupFields)} ${raw}`

const ofTrailer = `${sourced} status name vin serialNumber make model year ${plate} ${createdAndUpdated}
  ${entityMetadata}`

const trailerFields = `${ofTrailer} groups { id }`

/** Variables: $raw, $groups. */
export const trailer = `${ofTrailer} ${many('groups', groupFields)} ${raw}`

/** Variables: $raw, $vehicle, $driver. */
export const trip = `${sourced} ${one('vehicle', vehicleFields)} ${one('driver', driverFields)} startedAt endedAt
  startLocation ${point} endLocation ${point} distance duration ${recordMetadata} ${raw}`

/** Variables: $raw, $driver, $vehicle, $codrivers. */
export const hosLog = `${sourced} status ${one('driver', driverFields)} ${one('vehicle', vehicleFields)}
  ${one('codrivers', driverFields)} startedAt endedAt location ${point} remarks { notes sourceId submittedAt }
  ${recordMetadata} ${raw}`

/** Variables: $raw, $driver. */
export const hosDailyLog = `${sourced} ${one('driver', driverFields)} date
  statusDurations { onDuty offDuty driving waiting sleeperBed personalConveyance yardMove }
  distances { total driving personalConveyance yardMove } ${recordMetadata} ${raw}`

/** Variables: $raw, $driver. */
export const hosAvailableTime = `provider ${one('driver', driverFields)}
  availableTime { cycle shift drive break } currentStatus ${raw}`

/** Variables: $raw, $vehicle, $driver. */
export const safetyEvent = `${sourced} type ${one('vehicle', vehicleFields)} ${one('driver', driverFields)}
  startedAt endedAt startLocation ${point} endLocation ${point} sourceType
  stats { maximumSpeed averageSpeed roadSpeedLimit gForceForwardBackward gForceSideToSide heading }
  cameraMedia { frontFacing { sourceId available } rearFacing { sourceId available } } extensions
  ${recordMetadata} ${raw}`

/** Variables: $raw. */
export const cameraMedia = `frontFacing { sourceId videoUrl } rearFacing { sourceId videoUrl } ${raw}`

/** Variables: $raw, $vehicle. */
export const faultCodeEvent = `__typename protocol ${sourced} ${one('vehicle', vehicleFields)} status code
  description observedAt milStatus
  ... on J1939FaultCodeEvent { j1939 { spn spnDescription fmi fmiDescription occurrenceCount sourceAddress } }
  ... on ObdiiFaultCodeEvent { obdii { code description } }
  ${recordMetadata} ${raw}`

const locationFields = `locatedAt location ${point} address { formatted } heading speed`

/** Variables: $raw, $vehicle, $driver. */
export const latestVehicleLocation = `provider ${one('vehicle', vehicleFields)} ${one('driver', driverFields)}
  ${locationFields} odometer fuel { primaryPercentage secondaryPercentage } engineState engineRuntime ${raw}`

/** Variables: $raw, $trailer. */
export const latestTrailerLocation = `provider ${one('trailer', trailerFields)} ${locationFields} ${raw}`

/** Variables: $raw. */
export const vehicleLocation = `${sourced} vehicle { id } driver { id } ${locationFields} metadata { modifiedAt } ${raw}`

/** Variables: $raw, $vehicle. */
export const vehicleStatLog = `__typename type ${sourced} timestamp ${one('vehicle', vehicleFields)}
  ... on EngineStateStatLog { state }
  ... on OdometerStatLog { odometer }
  ... on TotalFuelConsumptionStatLog { fuelConsumed }
  ... on FuelLevelStatLog { fuelPercentage }
  ... on EngineRuntimeStatLog { duration }
  ... on EngineRpmStatLog { rpm }
  ... on EngineOilPercentageStatLog { percentage }
  ... on EngineOilPressureStatLog { pressure }
  ... on EngineOilTemperatureStatLog { temperature }
  ... on EngineCoolantTemperatureStatLog { temperature }
  ... on CoolantPercentageStatLog { percentage }
  ... on BatteryVoltageStatLog { voltage }
  metadata { modifiedAt } ${raw}`

/** Variables: $raw, $vehicle. */
export const vehicleUtilization = `provider ${one('vehicle', vehicleFields)} startAt endAt distance fuelConsumed
  durations { driving idling } ${raw}`

/** Variables: $raw, $vehicle. */
export const iftaSummary = `provider ${one('vehicle', vehicleFields)} jurisdiction month distance ${raw}`

export const connection = `id status provider { code name } company { name dotNumbers }
  account { name dotNumbers user ${user} } syncMode token options linkUrl externalId sourceId tags filters
  ${createdAndUpdated} deletedAt`

const ofIssue = 'error { code message } firstReportedAt lastReportedAt resolutionType documentationUrl'

export const issueFields = `id status connection { id } ${ofIssue}`

/** Variables: $connection. */
export const issue = `id status ${one('connection', connection)} ${ofIssue}`

const ofSync = 'id status requestedAt completedAt failureReason progress startFrom attempts providerRequests'

export const syncFields = `${ofSync} issues { id }`

/** Variables: $issues. */
export const sync = `${ofSync} ${many('issues', issueFields)}`

/** Connection of the token. Only this record has `lastSync` and `agreements`. */
export const currentConnection = `${connection} lastSync { ${syncFields} }
  agreements { id applicationId connectionId agreementUrl acceptedAt acceptedBy ${user} location ipAddress userAgent }`

export const shortLink = 'id code url expiresAt'

export const webhookEndpoint = `id url description types connectionIds tags ordering concurrency ratePerSecond
  retrySeconds status disabledReason disabledAt backlog pendingDeliveries lastSuccessAt failingSince
  secrets { id createdAt expiresAt } createdAt modifiedAt`

export const webhookDelivery = `id endpointId eventId type status attemptCount nextAttemptAt lastAttemptAt lastStatusCode
  createdAt attempts { id number attemptedAt durationMs outcome error
    request { url headers body } response { statusCode headers body } }`
