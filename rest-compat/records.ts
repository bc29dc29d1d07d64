/**
 * What the body of each kind of record selects of the graph, in the order of the specification. `…Fields` is a
 * whole record, as an expanded reference shows it: its own references are ids, and it has no `raw`.
 */

const sourced = 'id sourceId provider'
const entityMetadata = 'metadata { addedAt modifiedAt deletedAt visibility }'
const recordMetadata = 'metadata { addedAt modifiedAt }'
const point = '{ longitude latitude }'
const user = '{ sourceId firstName lastName email }'
const createdAndUpdated = 'createdAt updatedAt'

/** The provider's own records, where `raw=true` asks for them. */
const raw = 'raw @include(if: $raw) { provider schema extractedAt data }'

/** A reference that `expand` may turn into the whole record; the id stays where there is no such record. */
const one = (field: string, fields: string) => `${field} { id } ${whole(field, fields)}`

/** A list of such references. */
const many = (field: string, fields: string) => `${field} @skip(if: $${field}) { id } ${whole(field, fields)}`

/** Under a name without `_`: the gateway compiles no operation that has such a name. */
const whole = (field: string, fields: string) =>
  `whole${field[0]?.toUpperCase()}${field.slice(1)}: ${field} @include(if: $${field}) { ${fields} }`

export const groupFields = `${sourced} name description parent { id } ${createdAndUpdated} ${entityMetadata}`

export const deviceFields = `${sourced} type vehicle { id } description serialNumber lastConnectedAt
  ${createdAndUpdated} ${entityMetadata}`

const ofVehicle = `${sourced} status vin name make model year licensePlate { state number }
  fuelType fuelEfficiency fuelTankCapacity ${createdAndUpdated} ${entityMetadata}`

export const vehicleFields = `${ofVehicle} groups { id } devices { id }`

/** Variables: $raw, $groups, $devices. */
export const vehicle = `${ofVehicle} ${many('groups', groupFields)} ${many('devices', deviceFields)} ${raw}`

const ofDriver = `${sourced} status firstName middleName lastName email phone username license { state number }
  ${createdAndUpdated} ${entityMetadata}`

export const driverFields = `${ofDriver} groups { id }`

/** Variables: $raw, $groups. */
export const driver = `${ofDriver} ${many('groups', groupFields)} ${raw}`

/** Variables: $raw, $vehicle, $driver. */
export const trip = `${sourced} ${one('vehicle', vehicleFields)} ${one('driver', driverFields)} startedAt endedAt
  startLocation ${point} endLocation ${point} distance duration ${recordMetadata} ${raw}`

/** Variables: $vehicle, $driver. */
export const latestVehicleLocation = `provider ${one('vehicle', vehicleFields)} ${one('driver', driverFields)}
  locatedAt location ${point} address { formatted } heading speed odometer
  fuel { primaryPercentage secondaryPercentage } engineState engineRuntime`

export const connection = `id status provider { code name } company { name dotNumbers }
  account { name dotNumbers user ${user} } syncMode token options linkUrl externalId sourceId tags filters
  ${createdAndUpdated}`

/** What only the connection of the token shows besides. */
export const currentConnection = `${connection}
  lastSync { id status requestedAt completedAt failureReason progress startFrom attempts }
  agreements { id applicationId connectionId agreementUrl acceptedAt acceptedBy ${user} location ipAddress userAgent }`
