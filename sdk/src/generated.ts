/** Written by `node sdk/generate.mjs` from the OpenAPI document of the service. */

/** A person in the provider's system. */
export interface AccountUser {
  /** The person's id in the provider's system. */
  readonly sourceId?: string
  /** The first name. */
  readonly firstName?: string
  /** The last name. */
  readonly lastName?: string
  /** The e-mail address. */
  readonly email?: string
}

/** A postal address or a description of a place. */
export interface Address {
  /** The address in one line. */
  readonly formatted: string
}

/** The id of a agreement. */
export type AgreementId = string

/** The voltage of the battery. */
export interface BatteryVoltageStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'battery_voltage'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The voltage in volts. */
  readonly voltage: number
}

/** The video of one camera of a safety event. */
export interface CameraFile {
  /** The file's id in the provider's system. */
  readonly sourceId?: string
  /** Whether the video can be fetched now. */
  readonly available: boolean
}

/** The videos of a safety event that the provider has now. */
export interface CameraMedia {
  /** The video of the camera that faces the road. */
  readonly frontFacing?: CameraMediaFile
  /** The video of the camera that faces the cab. */
  readonly rearFacing?: CameraMediaFile
  /** The response of the provider. */
  readonly raw?: readonly RawData[]
}

/** A video of a safety event. */
export interface CameraMediaFile {
  /** The file's id in the provider's system. */
  readonly sourceId?: string
  /** The URL of the video. It is valid for an hour. */
  readonly videoUrl: string
}

/** The cameras that recorded a safety event. */
export interface CameraMediaReference {
  /** The camera that faces the road. */
  readonly frontFacing?: CameraFile
  /** The camera that faces the cab. */
  readonly rearFacing?: CameraFile
}

/**
 * Where the fuel capacity of a vehicle comes from.
 * - `provider`: From the provider.
 * - `own`: From `setVehicleFacts`.
 * - `learnt`: From the last captures and the fuel levels around them.
 */
export type CapacitySource = 'provider' | 'own' | 'learnt'

/** The company that linked its account. */
export interface Company {
  /** The name of the company. */
  readonly name?: string
  /** The US DOT numbers. */
  readonly dotNumbers: readonly string[]
}

/** A fleet's link to a provider, made with its consent. */
export interface Connection {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: ConnectionId
  /** The status of the connection. */
  readonly status: ConnectionStatus
  /** The provider of the account. */
  readonly provider: Provider
  /** The company that linked its account. */
  readonly company: Company
  /** The fleet's account at the provider. */
  readonly account: ProviderAccount
  /** When data is read from the provider. */
  readonly syncMode: SyncMode
  /** The connection token. It restricts a request to this connection. A session cannot read it. */
  readonly token: string
  /** The settings of the connection. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The URL where the fleet signs in again. Null once the data of the connection is being deleted. */
  readonly linkUrl?: string
  /** The caller's own identifier for the connection. */
  readonly externalId?: string
  /** The account's id in the provider's system. */
  readonly sourceId?: string
  /** The caller's own labels for the connection. */
  readonly tags: readonly string[]
  /** The filters of the visible vehicles and drivers. */
  readonly filters?: {
    readonly vehicles?: {
      readonly status?: 'active' | 'inactive'
      readonly excludeIds?: readonly string[]
      readonly includeIds?: readonly string[]
    }
    readonly drivers?: {
      readonly status?: 'active' | 'inactive'
      readonly excludeIds?: readonly string[]
      readonly includeIds?: readonly string[]
    }
  }
  /** When the connection was created. */
  readonly createdAt: string
  /** When a field of the connection last changed. */
  readonly updatedAt: string
  /** When the deletion of the data was complete. */
  readonly deletedAt?: string
}

/** A fleet completed its connection. */
export interface ConnectionCompletedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'connection.completed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionSnapshot; readonly metadata: LinkMetadata }
}

/** A connection was created. */
export interface ConnectionCreatedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'connection.created'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionSnapshot }
}

/** The data of a connection was deleted. */
export interface ConnectionDeletedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'connection.deleted'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionSnapshot }
}

/** The provider refused the credentials of a connection, or a caller disconnected it. */
export interface ConnectionDisconnectedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'connection.disconnected'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionSnapshot }
}

/** The first sync of a connection finished. */
export interface ConnectionFirstSyncCompletedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'connection.first_sync_completed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionSnapshot; readonly sync: SyncSnapshot }
}

/** The id of a connection. */
export type ConnectionId = string

/** A connection was marked for deletion, which follows after a grace period of one day. */
export interface ConnectionPendingDeletionEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'connection.pending_deletion'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionSnapshot }
}

/** A connection is connected again. */
export interface ConnectionReconnectedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'connection.reconnected'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionSnapshot }
}

/** The connection of a record. */
export interface ConnectionReference {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: ConnectionId
  /** The provider of the account. */
  readonly provider: Provider
  /** The caller's own identifier for the connection. */
  readonly externalId?: string
  /** The caller's own labels for the connection. */
  readonly tags: readonly string[]
}

/** A fleet's link to a provider, made with its consent. */
export interface ConnectionSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: ConnectionId
  /** The status of the connection. */
  readonly status: ConnectionStatus
  /** The provider of the account. */
  readonly provider: Provider
  /** The company that linked its account. */
  readonly company: Company
  /** The fleet's account at the provider. */
  readonly account: ProviderAccount
  /** When data is read from the provider. */
  readonly syncMode: SyncMode
  /** The connection token. It restricts a request to this connection. A session cannot read it. */
  readonly token: string
  /** The settings of the connection. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The URL where the fleet signs in again. Null once the data of the connection is being deleted. */
  readonly linkUrl?: string
  /** The caller's own identifier for the connection. */
  readonly externalId?: string
  /** The account's id in the provider's system. */
  readonly sourceId?: string
  /** The caller's own labels for the connection. */
  readonly tags: readonly string[]
  /** The filters of the visible vehicles and drivers. */
  readonly filters?: {
    readonly vehicles?: {
      readonly status?: 'active' | 'inactive'
      readonly excludeIds?: readonly string[]
      readonly includeIds?: readonly string[]
    }
    readonly drivers?: {
      readonly status?: 'active' | 'inactive'
      readonly excludeIds?: readonly string[]
      readonly includeIds?: readonly string[]
    }
  }
  /** When the connection was created. */
  readonly createdAt: string
  /** When a field of the connection last changed. */
  readonly updatedAt: string
  /** When the deletion of the data was complete. */
  readonly deletedAt?: string
}

/**
 * The status of a connection.
 * - `connected`: It is active, and the provider accepts its credentials.
 * - `disconnected`: The provider no longer accepts its credentials, or a caller disconnected it. The fleet must sign in again, or `reconnectConnection` connects it if the provider still accepts the credentials.
 * - `archived`: It is archived. No data is synced and no events are delivered.
 * - `pending_deletion`: It is marked for deletion, within the grace period.
 * - `deleting`: Its data is being deleted.
 * - `deleted`: Its data is deleted. Only this stub remains.
 */
export type ConnectionStatus =
  'connected' | 'disconnected' | 'archived' | 'pending_deletion' | 'deleting' | 'deleted'

/** A setting or the account of a connection changed, it was archived, or its deletion was cancelled. */
export interface ConnectionUpdatedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'connection.updated'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionSnapshot }
}

/** The coolant level. */
export interface CoolantPercentageStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'coolant_percentage'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The coolant level in percent, 0 to 100. */
  readonly percentage: number
}

/** A fleet's link to a provider, made with its consent. */
export interface CurrentConnection {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: ConnectionId
  /** The status of the connection. */
  readonly status: ConnectionStatus
  /** The provider of the account. */
  readonly provider: Provider
  /** The company that linked its account. */
  readonly company: Company
  /** The fleet's account at the provider. */
  readonly account: ProviderAccount
  /** When data is read from the provider. */
  readonly syncMode: SyncMode
  /** The connection token. It restricts a request to this connection. A session cannot read it. */
  readonly token: string
  /** The settings of the connection. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The URL where the fleet signs in again. Null once the data of the connection is being deleted. */
  readonly linkUrl?: string
  /** The caller's own identifier for the connection. */
  readonly externalId?: string
  /** The account's id in the provider's system. */
  readonly sourceId?: string
  /** The caller's own labels for the connection. */
  readonly tags: readonly string[]
  /** The filters of the visible vehicles and drivers. */
  readonly filters?: {
    readonly vehicles?: {
      readonly status?: 'active' | 'inactive'
      readonly excludeIds?: readonly string[]
      readonly includeIds?: readonly string[]
    }
    readonly drivers?: {
      readonly status?: 'active' | 'inactive'
      readonly excludeIds?: readonly string[]
      readonly includeIds?: readonly string[]
    }
  }
  /** When the connection was created. */
  readonly createdAt: string
  /** When a field of the connection last changed. */
  readonly updatedAt: string
  /** When the deletion of the data was complete. */
  readonly deletedAt?: string
  /** The latest sync. */
  readonly lastSync?: ExpandedSync
  /** The agreements that the fleet has accepted. */
  readonly agreements: readonly ExpandedAgreement[]
}

/** Hardware in a vehicle that reports to the provider. */
export interface Device {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: DeviceId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The type of the device. */
  readonly type: DeviceType
  /** A description of the device. */
  readonly description?: string
  /** The manufacturer's serial number. */
  readonly serialNumber?: string
  /** When the device last reported. */
  readonly lastConnectedAt?: string
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The vehicle that contains the device. Null if unknown or hidden. */
  readonly vehicle?: ExpandableVehicle
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The id of a device. */
export type DeviceId = string

/**
 * The type of a device.
 * - `tracker`: Reports positions and engine data.
 * - `camera`: Records video of the road or the cab.
 */
export type DeviceType = 'tracker' | 'camera'

/** A webhook endpoint that was disabled. */
export interface DisabledEndpoint {
  /** The id of the endpoint, with the prefix `whe_`. */
  readonly id: WebhookEndpointId
  /** The URL to which events are posted. */
  readonly url: string
  /** Free text of the caller. */
  readonly description?: string
  /** The requested event types or aliases. `*` stands for all types that are not opt-in. */
  readonly types: readonly string[]
  /** The reason why the endpoint is disabled. Null while it is enabled. */
  readonly disabledReason?: WebhookDisabledReason
  /** When the endpoint was disabled. Null while it is enabled. */
  readonly disabledAt?: string
}

/** A person who drives for the fleet. */
export interface Driver {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: DriverId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The driver's status in the provider's system. */
  readonly status: DriverStatus
  /** The first name. */
  readonly firstName?: string
  /** The middle name. */
  readonly middleName?: string
  /** The last name. */
  readonly lastName?: string
  /** The e-mail address. */
  readonly email?: string
  /** The phone number: digits only, with a leading + if the country code is known. */
  readonly phone?: string
  /** The driver's sign-in name at the provider. */
  readonly username?: string
  /** The driver's license. */
  readonly license?: DriverLicense
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The groups of the driver. */
  readonly groups: readonly ExpandableGroup[]
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** A driver appeared. */
export interface DriverAddedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'driver.added'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly driver: DriverSnapshot }
}

/** The id of a driver. */
export type DriverId = string

/** A driver's license. */
export interface DriverLicense {
  /** The state or province as two letters, such as TX or ON. */
  readonly state?: string
  /** The number of the license. */
  readonly number?: string
}

/** A driver changed. */
export interface DriverModifiedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'driver.modified'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly driver: DriverSnapshot }
}

/** The provider no longer lists a driver. */
export interface DriverRemovedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'driver.removed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly driver: DriverSnapshot }
}

/** A person who drives for the fleet. */
export interface DriverSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: DriverId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The driver's status in the provider's system. */
  readonly status: DriverStatus
  /** The first name. */
  readonly firstName?: string
  /** The middle name. */
  readonly middleName?: string
  /** The last name. */
  readonly lastName?: string
  /** The e-mail address. */
  readonly email?: string
  /** The phone number: digits only, with a leading + if the country code is known. */
  readonly phone?: string
  /** The driver's sign-in name at the provider. */
  readonly username?: string
  /** The driver's license. */
  readonly license?: DriverLicense
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The groups of the driver. */
  readonly groups: readonly GroupId[]
}

/**
 * A driver's status in the provider's system.
 * - `active`: Drives for the fleet.
 * - `inactive`: Deactivated by the fleet.
 */
export type DriverStatus = 'active' | 'inactive'

/** The temperature of the coolant. */
export interface EngineCoolantTemperatureStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'engine_coolant_temperature'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The temperature in degrees Celsius. */
  readonly temperature: number
}

/** The engine oil level. */
export interface EngineOilPercentageStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'engine_oil_percentage'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The oil level in percent, 0 to 100. */
  readonly percentage: number
}

/** The pressure of the engine oil. */
export interface EngineOilPressureStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'engine_oil_pressure'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The pressure in PSI. */
  readonly pressure: number
}

/** The temperature of the engine oil. */
export interface EngineOilTemperatureStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'engine_oil_temperature'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The temperature in degrees Celsius. */
  readonly temperature: number
}

/** The speed of an engine. */
export interface EngineRpmStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'engine_rpm'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The revolutions per minute. */
  readonly rpm: number
}

/** The total running time of an engine. */
export interface EngineRuntimeStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'engine_runtime'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The running time in whole milliseconds. */
  readonly duration: number
}

/**
 * The state of an engine.
 * - `on`: The engine runs and the vehicle drives.
 * - `off`: The engine does not run.
 * - `idle`: The engine runs and the vehicle stands still.
 */
export type EngineState = 'on' | 'off' | 'idle'

/** The state of an engine from this time on. */
export interface EngineStateStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'engine_state'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The state: on, off or idle. */
  readonly state: EngineState
}

/** When Odograph stored and changed a record, and when the provider deleted it. */
export interface EntityMetadata {
  /** When the record was first stored. */
  readonly addedAt: string
  /** When Odograph last stored a change of the record. `modifiedAfter` and `modifiedBefore` filter by it. */
  readonly modifiedAt: string
  /** When the provider deleted the record or no longer listed it. Null while the provider has it. */
  readonly deletedAt?: string
  /** Whether lists include the record by default. */
  readonly visibility: Visibility
}

/** The id of a event. */
export type EventId = string

export type ExpandableConnection = ConnectionId | Connection

export type ExpandableDevice = DeviceId | ExpandedDevice

export type ExpandableDriver = DriverId | ExpandedDriver

export type ExpandableGroup = GroupId | ExpandedGroup

export type ExpandableIssue = IssueId | ExpandedIssue

export type ExpandableTrailer = TrailerId | ExpandedTrailer

export type ExpandableVehicle = VehicleId | ExpandedVehicle

/** The consent of a fleet: the accepted agreement, the time and the person. */
export interface ExpandedAgreement {
  /** A prefixed ULID. */
  readonly id: AgreementId
  /** The id of the application of the integrator. */
  readonly applicationId: string
  /** The id of the connection. */
  readonly connectionId: string
  /** The URL of the accepted agreement. */
  readonly agreementUrl: string
  /** When the agreement was accepted. */
  readonly acceptedAt: string
  /** The person who accepted the agreement. */
  readonly acceptedBy: AccountUser
  /** A description of the location of the person. */
  readonly location?: string
  /** The IP address of the browser. */
  readonly ipAddress?: string
  /** The user agent of the browser. */
  readonly userAgent?: string
}

/** Hardware in a vehicle that reports to the provider. */
export interface ExpandedDevice {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: DeviceId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The type of the device. */
  readonly type: DeviceType
  /** A description of the device. */
  readonly description?: string
  /** The manufacturer's serial number. */
  readonly serialNumber?: string
  /** When the device last reported. */
  readonly lastConnectedAt?: string
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The vehicle that contains the device. Null if unknown or hidden. */
  readonly vehicle?: VehicleId
}

/** A person who drives for the fleet. */
export interface ExpandedDriver {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: DriverId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The driver's status in the provider's system. */
  readonly status: DriverStatus
  /** The first name. */
  readonly firstName?: string
  /** The middle name. */
  readonly middleName?: string
  /** The last name. */
  readonly lastName?: string
  /** The e-mail address. */
  readonly email?: string
  /** The phone number: digits only, with a leading + if the country code is known. */
  readonly phone?: string
  /** The driver's sign-in name at the provider. */
  readonly username?: string
  /** The driver's license. */
  readonly license?: DriverLicense
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The groups of the driver. */
  readonly groups: readonly GroupId[]
}

/** A group of vehicles, drivers and trailers of a fleet, such as a region or a terminal. */
export interface ExpandedGroup {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: GroupId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The name of the group. */
  readonly name?: string
  /** The description of the group. */
  readonly description?: string
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The parent group. Null for a top-level group. */
  readonly parent?: GroupId
}

/** A problem with some data of a connection. Other data is not affected. */
export interface ExpandedIssue {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: IssueId
  /** Whether the issue still occurs. */
  readonly status: IssueStatus
  /** The connection of the issue. */
  readonly connection: ConnectionId
  /** The error of the issue. */
  readonly error: IssueError
  /** When the issue was first reported. */
  readonly firstReportedAt: string
  /** When the issue was last reported. */
  readonly lastReportedAt: string
  /** How the issue is resolved. */
  readonly resolutionType?: IssueResolutionType
  /** The URL of a page about the issue. Null if there is none. */
  readonly documentationUrl?: string
}

/** One run of reading a connection's data from its provider. */
export interface ExpandedSync {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: SyncId
  /** The status of the sync. */
  readonly status: SyncStatus
  /** When the sync was requested. */
  readonly requestedAt: string
  /** When the sync completed or failed. */
  readonly completedAt?: string
  /** Why the sync failed. Null if it has not failed. */
  readonly failureReason?: string
  /** The percentage of the work that is done and stored, 0 to 100. */
  readonly progress: number
  /** The earliest record time that was requested. */
  readonly startFrom?: string
  /** Number of times that a worker has started the sync. */
  readonly attempts: number
  /** The manual steps at the provider that were requested with the sync. */
  readonly providerRequests: readonly ProviderRequest[]
  /** The issues of the sync: the data that it could not read. */
  readonly issues: readonly IssueId[]
}

/** A trailer or another asset without an engine of its own. */
export interface ExpandedTrailer {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: TrailerId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The trailer's status in the provider's system. */
  readonly status: TrailerStatus
  /** The name of the trailer in the fleet. */
  readonly name?: string
  /** The vehicle identification number. */
  readonly vin?: string
  /** The manufacturer's serial number. */
  readonly serialNumber?: string
  /** The manufacturer. */
  readonly make?: string
  /** The manufacturer's model. */
  readonly model?: string
  /** The model year. */
  readonly year?: number
  /** The license plate. */
  readonly licensePlate?: LicensePlate
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The groups of the trailer. */
  readonly groups: readonly GroupId[]
}

/** A vehicle of a fleet's account at its provider. */
export interface ExpandedVehicle {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: VehicleId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle's status in the provider's system. */
  readonly status: VehicleStatus
  /** The vehicle identification number (VIN). Since 1981, it has 17 characters. */
  readonly vin?: string
  /** The name of the vehicle in the fleet. */
  readonly name?: string
  /** The manufacturer. */
  readonly make?: string
  /** The manufacturer's model. */
  readonly model?: string
  /** The model year. */
  readonly year?: number
  /** The license plate. */
  readonly licensePlate?: LicensePlate
  /** The fuel type. */
  readonly fuelType?: FuelType
  /** Fuel consumption in liters per 100 km. */
  readonly fuelEfficiency?: number
  /** The fuel capacity of the tanks in liters. */
  readonly fuelTankCapacity?: number
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The groups of the vehicle. */
  readonly groups: readonly GroupId[]
  /** The devices in the vehicle. */
  readonly devices: readonly DeviceId[]
}

/** A delivery attempt: one request and its result. */
export interface ExpandedWebhookAttempt {
  /** The id of the attempt, with the prefix `wha_`. */
  readonly id: WebhookAttemptId
  /** Number of the attempt within its delivery, from 1. */
  readonly number: number
  /** When the request was sent. */
  readonly attemptedAt: string
  /** Duration of the attempt in milliseconds. */
  readonly durationMs: number
  /** Result of the request. */
  readonly outcome: WebhookAttemptOutcome
  /** Error message in plain text. Null if the endpoint responded. */
  readonly error?: string
  /** The request that was sent. */
  readonly request: WebhookRequest
  /** The response of the endpoint. Null if there was no complete response. */
  readonly response?: WebhookResponse
}

/** A signing secret of an endpoint. Its value is shown only once, when it is created. */
export interface ExpandedWebhookSecret {
  /** The id of the secret, with the prefix `whs_`. */
  readonly id: WebhookSecretId
  /** When the secret was created. */
  readonly createdAt: string
  /** Until when messages are signed with it. Null for the newest secret; a rotation sets it. */
  readonly expiresAt?: string
}

/** A diagnostic trouble code of a vehicle, in J1939 or OBD-II. */
export type FaultCodeEvent = J1939FaultCodeEvent | ObdiiFaultCodeEvent

/** The id of a fault code event. */
export type FaultCodeEventId = string

/** A diagnostic trouble code of a vehicle, in J1939 or OBD-II. */
export type FaultCodeEventSnapshot = J1939FaultCodeEventSnapshot | ObdiiFaultCodeEventSnapshot

/** The provider no longer has a fault code, or later data disproves it. */
export interface FaultCodeRemovedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'fault_code.removed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: {
    readonly connection: ConnectionReference
    readonly faultCodeEvent: FaultCodeEventSnapshot
  }
}

/**
 * The status of a fault.
 * - `open`: The fault is present.
 * - `pending`: The fault was observed but is not confirmed.
 * - `closed`: The fault is no longer present.
 */
export type FaultCodeStatus = 'open' | 'pending' | 'closed'

/** The fuel levels of the tanks. */
export interface FuelLevel {
  /** Level of the first tank in percent, 0 to 100. */
  readonly primaryPercentage: number
  /** Level of the second tank in percent, 0 to 100. */
  readonly secondaryPercentage?: number
}

/** The fuel level of a vehicle. */
export interface FuelLevelStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'fuel_level'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The fuel level in percent, 0 to 100. */
  readonly fuelPercentage: number
}

/**
 * What is bought at a pump.
 * - `gasoline`: Gasoline of any grade.
 * - `diesel`: Diesel for roads.
 * - `dyed_diesel`: Untaxed diesel, which roads do not permit.
 * - `def`: Diesel exhaust fluid.
 * - `propane`: Propane.
 * - `electricity`: Electricity at a charging station.
 * - `other`: Any other product.
 */
export type FuelProduct = 'gasoline' | 'diesel' | 'dyed_diesel' | 'def' | 'propane' | 'electricity' | 'other'

/**
 * The fuel type of a vehicle.
 * - `gasoline`: Gasoline.
 * - `diesel`: Diesel.
 * - `propane`: Propane.
 * - `electric`: Battery only.
 * - `hybrid_gasoline`: Gasoline with a battery.
 * - `hybrid_diesel`: Diesel with a battery.
 */
export type FuelType = 'gasoline' | 'diesel' | 'propane' | 'electric' | 'hybrid_gasoline' | 'hybrid_diesel'

/** A position on Earth in WGS 84. */
export interface GeoPoint {
  /** Longitude in degrees, east positive. */
  readonly longitude: number
  /** Latitude in degrees, north positive. */
  readonly latitude: number
}

/** A group of vehicles, drivers and trailers of a fleet, such as a region or a terminal. */
export interface Group {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: GroupId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The name of the group. */
  readonly name?: string
  /** The description of the group. */
  readonly description?: string
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The parent group. Null for a top-level group. */
  readonly parent?: ExpandableGroup
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The id of a group. */
export type GroupId = string

/** A driver's current hours-of-service clocks. */
export interface HosAvailableTime {
  /** The provider's code. */
  readonly provider: string
  /** The driver of the clocks. */
  readonly driver: ExpandableDriver
  /** The remaining time of each clock. */
  readonly availableTime: HosClocks
  /** The current duty status of the driver. */
  readonly currentStatus?: HosStatus
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** A driver's remaining time under the hours-of-service rules. */
export interface HosClocks {
  /** Remaining on-duty time in this cycle, in whole milliseconds. */
  readonly cycle?: number
  /** Remaining time in this shift, in whole milliseconds. */
  readonly shift?: number
  /** Remaining driving time, in whole milliseconds. */
  readonly drive?: number
  /** Time until a break is due, in whole milliseconds. */
  readonly break?: number
}

/** A driver's hours of service on one day. */
export interface HosDailyLog {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: HosDailyLogId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The driver of the log. */
  readonly driver: ExpandableDriver
  /** The day, in the time zone of the driver's home terminal. */
  readonly date: string
  /** The time in each status. */
  readonly statusDurations: HosStatusDurations
  /** The distances by status. Null if the provider reports none. */
  readonly distances?: HosDistances
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The id of a hos daily log. */
export type HosDailyLogId = string

/** The provider no longer has a daily hours-of-service log. */
export interface HosDailyLogRemovedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'hos_daily_log.removed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly hosDailyLog: HosDailyLogSnapshot }
}

/** A driver's hours of service on one day. */
export interface HosDailyLogSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: HosDailyLogId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The driver of the log. */
  readonly driver: DriverId
  /** The day, in the time zone of the driver's home terminal. */
  readonly date: string
  /** The time in each status. */
  readonly statusDurations: HosStatusDurations
  /** The distances by status. Null if the provider reports none. */
  readonly distances?: HosDistances
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
}

/** The distances of a driver on a day, by status. */
export interface HosDistances {
  /** Total distance in kilometers. */
  readonly total?: number
  /** Distance with the status DRIVING, in kilometers. */
  readonly driving?: number
  /** Distance with the status PERSONAL_CONVEYANCE, in kilometers. */
  readonly personalConveyance?: number
  /** Distance with the status YARD_MOVE, in kilometers. */
  readonly yardMove?: number
}

/** A period in which a driver had one hours-of-service status. */
export interface HosLog {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: HosLogId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The status during the period. */
  readonly status: HosStatus
  /** The driver of the log. */
  readonly driver: ExpandableDriver
  /** The vehicle. Null if unknown or hidden. */
  readonly vehicle?: ExpandableVehicle
  /** Other drivers that were logged in to the vehicle. An item is null if the driver is unknown. Hidden drivers are left out. */
  readonly codrivers: readonly ExpandableDriver[]
  /** When the status started. */
  readonly startedAt: string
  /** When the next status started. Null while this one lasts. */
  readonly endedAt?: string
  /** Where the status started. */
  readonly location?: GeoPoint
  /** Remarks on the log. */
  readonly remarks: readonly HosRemark[]
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The id of a hos log. */
export type HosLogId = string

/** The provider no longer has an hours-of-service log. */
export interface HosLogRemovedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'hos_log.removed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly hosLog: HosLogSnapshot }
}

/** A period in which a driver had one hours-of-service status. */
export interface HosLogSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: HosLogId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The status during the period. */
  readonly status: HosStatus
  /** The driver of the log. */
  readonly driver: DriverId
  /** The vehicle. Null if unknown or hidden. */
  readonly vehicle?: VehicleId
  /** Other drivers that were logged in to the vehicle. An item is null if the driver is unknown. Hidden drivers are left out. */
  readonly codrivers: readonly DriverId[]
  /** When the status started. */
  readonly startedAt: string
  /** When the next status started. Null while this one lasts. */
  readonly endedAt?: string
  /** Where the status started. */
  readonly location?: GeoPoint
  /** Remarks on the log. */
  readonly remarks: readonly HosRemark[]
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
}

/** A remark of a driver or carrier on a log. */
export interface HosRemark {
  /** The text of the remark. */
  readonly notes: string
  /** The remark's id in the provider's system. */
  readonly sourceId?: string
  /** When the remark was written. */
  readonly submittedAt?: string
}

/**
 * Duty status of a driver under the hours-of-service rules.
 * - `off_duty`: Off duty.
 * - `sleeper_bed`: Off duty in the sleeper berth.
 * - `driving`: Driving.
 * - `on_duty`: On duty, not driving.
 * - `yard_move`: Moving the vehicle in a yard: on duty, not driving.
 * - `personal_conveyance`: Driving for the driver's own purposes: off duty.
 * - `waiting_time`: Waiting at a well site: off duty.
 */
export type HosStatus =
  'off_duty' | 'sleeper_bed' | 'driving' | 'on_duty' | 'yard_move' | 'personal_conveyance' | 'waiting_time'

/** The time that a driver spent in each status on a day. */
export interface HosStatusDurations {
  /** On-duty time in whole milliseconds. */
  readonly onDuty?: number
  /** Off-duty time in whole milliseconds. */
  readonly offDuty?: number
  /** Driving time in whole milliseconds. */
  readonly driving?: number
  /** Waiting time in whole milliseconds. */
  readonly waiting?: number
  /** Sleeper-berth time in whole milliseconds. */
  readonly sleeperBed?: number
  /** Personal-conveyance time in whole milliseconds. */
  readonly personalConveyance?: number
  /** Yard-move time in whole milliseconds. */
  readonly yardMove?: number
}

/** A sum of distances for the International Fuel Tax Agreement (IFTA). */
export interface IftaSummary {
  /** The provider's code. */
  readonly provider: string
  /** The vehicle. Null unless distances are summed by vehicle. */
  readonly vehicle?: ExpandableVehicle
  /** The US state or Canadian province as two letters. Null if unknown, or unless distances are summed by jurisdiction. */
  readonly jurisdiction?: string
  /** The month. Null unless distances are summed by month. */
  readonly month?: string
  /** The distance in kilometers, rounded to the meter. */
  readonly distance: number
  /** The provider's records from which the sum was computed. */
  readonly raw?: readonly RawData[]
}

/** A problem with some data of a connection. Other data is not affected. */
export interface Issue {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: IssueId
  /** Whether the issue still occurs. */
  readonly status: IssueStatus
  /** The connection of the issue. */
  readonly connection: ExpandableConnection
  /** The error of the issue. */
  readonly error: IssueError
  /** When the issue was first reported. */
  readonly firstReportedAt: string
  /** When the issue was last reported. */
  readonly lastReportedAt: string
  /** How the issue is resolved. */
  readonly resolutionType?: IssueResolutionType
  /** The URL of a page about the issue. Null if there is none. */
  readonly documentationUrl?: string
}

/**
 * The kind of an issue.
 * - `permission_missing`: The account is not permitted to read these data. Extend its permissions at the provider.
 * - `oauth_scope_missing`: The consent lacks a scope. The account must be linked again.
 * - `subscription_required`: The account's plan at the provider does not include these data.
 * - `retention_window_exceeded`: The provider no longer has data this old.
 * - `provider_data_inaccessible`: The provider does not release the data.
 * - `invalid_source_identifier`: The provider does not recognize one of its own ids.
 * - `unsupported_device_type`: A device has a type that is not supported.
 * - `stream_disabled`: A data stream was disabled.
 * - `provider_provisioning_pending`: The provider has not set the account up yet.
 * - `provider_feature_not_enabled`: A feature is not enabled at the provider.
 * - `missing_vehicle_identifier`: A vehicle has no identifier.
 * - `missing_vehicle_assignment`: A device is not assigned to a vehicle.
 * - `provider_capability_not_supported`: The provider does not support this.
 * - `provider_source_data_invalid`: The provider sent records in an invalid format.
 * - `provider_partially_configured`: The account is only partially configured.
 * - `managed_poll_returned_no_data`: Managed polling returns no data.
 * - `managed_poll_failed`: Managed polling fails.
 * - `data_delayed`: The provider delivers its data late.
 * - `missing_permissions`: A deprecated synonym of PERMISSION_MISSING. Only filters accept it.
 * - `exceeded_retention_window`: A deprecated synonym of RETENTION_WINDOW_EXCEEDED. Only filters accept it.
 * - `invalid_source_id`: A deprecated synonym of INVALID_SOURCE_IDENTIFIER. Only filters accept it.
 * - `unknown_device_type`: A deprecated synonym of UNSUPPORTED_DEVICE_TYPE. Only filters accept it.
 * - `missing_safety_configuration`: A deprecated synonym of PROVIDER_FEATURE_NOT_ENABLED. Only filters accept it.
 * - `inaccessible_data`: A deprecated synonym of PROVIDER_DATA_INACCESSIBLE. Only filters accept it.
 * - `manually_disabled`: A deprecated synonym of STREAM_DISABLED. Only filters accept it.
 */
export type IssueCode =
  | 'permission_missing'
  | 'oauth_scope_missing'
  | 'subscription_required'
  | 'retention_window_exceeded'
  | 'provider_data_inaccessible'
  | 'invalid_source_identifier'
  | 'unsupported_device_type'
  | 'stream_disabled'
  | 'provider_provisioning_pending'
  | 'provider_feature_not_enabled'
  | 'missing_vehicle_identifier'
  | 'missing_vehicle_assignment'
  | 'provider_capability_not_supported'
  | 'provider_source_data_invalid'
  | 'provider_partially_configured'
  | 'managed_poll_returned_no_data'
  | 'managed_poll_failed'
  | 'data_delayed'
  | 'missing_permissions'
  | 'exceeded_retention_window'
  | 'invalid_source_id'
  | 'unknown_device_type'
  | 'missing_safety_configuration'
  | 'inaccessible_data'
  | 'manually_disabled'

/** The error of an issue. */
export interface IssueError {
  /** The code of the issue. */
  readonly code: IssueCode
  /** What is missing and how to resolve it. */
  readonly message: string
}

/** The id of a issue. */
export type IssueId = string

/** A sync or a poll could not read some data of a connection. */
export interface IssueReportedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'issue.reported'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly issue: IssueSnapshot }
}

/**
 * How an issue is resolved.
 * - `action_required`: A person must change something at the provider.
 * - `automatic_retry`: Odograph retries automatically.
 * - `known_limitation`: The issue stays: the provider or the device does not support this.
 * - `investigation_required`: A person must investigate first.
 */
export type IssueResolutionType =
  'action_required' | 'automatic_retry' | 'known_limitation' | 'investigation_required'

/** An issue no longer occurs, or was marked as resolved. */
export interface IssueResolvedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'issue.resolved'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly issue: IssueSnapshot }
}

/** A problem with some data of a connection. Other data is not affected. */
export interface IssueSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: IssueId
  /** Whether the issue still occurs. */
  readonly status: IssueStatus
  /** The connection of the issue. */
  readonly connection: ConnectionId
  /** The error of the issue. */
  readonly error: IssueError
  /** When the issue was first reported. */
  readonly firstReportedAt: string
  /** When the issue was last reported. */
  readonly lastReportedAt: string
  /** How the issue is resolved. */
  readonly resolutionType?: IssueResolutionType
  /** The URL of a page about the issue. Null if there is none. */
  readonly documentationUrl?: string
}

/**
 * Whether an issue still occurs.
 * - `ongoing`: It occurred in the last sync or poll that read these data.
 * - `resolved`: It did not occur in a later sync or poll, or it was marked as resolved.
 */
export type IssueStatus = 'ongoing' | 'resolved'

/** The parts of an SAE J1939 fault code. */
export interface J1939FaultCode {
  /** The suspect parameter number. */
  readonly spn: number
  /** The name of the suspect parameter. */
  readonly spnDescription?: string
  /** The failure mode identifier, 0 to 31. */
  readonly fmi?: number
  /** The failure mode in words. */
  readonly fmiDescription?: string
  /** The number of occurrences. */
  readonly occurrenceCount?: number
  /** The address of the control unit that reported the fault. */
  readonly sourceAddress?: number
}

/** A diagnostic trouble code of a heavy vehicle. */
export interface J1939FaultCodeEvent {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: FaultCodeEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The standard of the code. */
  readonly protocol: 'j1939'
  /** The vehicle that reported the code. */
  readonly vehicle: ExpandableVehicle
  /** The status of the fault. */
  readonly status: FaultCodeStatus
  /** The trouble code, such as P0087 or SPN100-FMI1. */
  readonly code: string
  /** The meaning of the code. */
  readonly description?: string
  /** When the vehicle reported the code. */
  readonly observedAt: string
  /** The state of the malfunction indicator lamp. */
  readonly milStatus?: MilStatus
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The parts of the code. */
  readonly j1939: J1939FaultCode
}

/** A diagnostic trouble code of a heavy vehicle. */
export interface J1939FaultCodeEventSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: FaultCodeEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The standard of the code. */
  readonly protocol: 'j1939'
  /** The vehicle that reported the code. */
  readonly vehicle: VehicleId
  /** The status of the fault. */
  readonly status: FaultCodeStatus
  /** The trouble code, such as P0087 or SPN100-FMI1. */
  readonly code: string
  /** The meaning of the code. */
  readonly description?: string
  /** When the vehicle reported the code. */
  readonly observedAt: string
  /** The state of the malfunction indicator lamp. */
  readonly milStatus?: MilStatus
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
  /** The parts of the code. */
  readonly j1939: J1939FaultCode
}

/** The latest location of a trailer. */
export interface LatestTrailerLocation {
  /** The provider's code. */
  readonly provider: string
  /** The trailer at this location. */
  readonly trailer: ExpandableTrailer
  /** When the trailer was at this location. */
  readonly locatedAt: string
  /** The position of the trailer. */
  readonly location: GeoPoint
  /** The address of the location. Null if the provider reports none. */
  readonly address?: Address
  /** Heading in degrees clockwise from north. */
  readonly heading?: number
  /** Speed in km/h. */
  readonly speed?: number
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The latest location of a vehicle, and its latest measurements. */
export interface LatestVehicleLocation {
  /** The provider's code. */
  readonly provider: string
  /** The vehicle at this location. */
  readonly vehicle: ExpandableVehicle
  /** The driver. Null if unknown or hidden. */
  readonly driver?: ExpandableDriver
  /** The position of the vehicle. */
  readonly location: GeoPoint
  /** The address of the location. Null if the provider reports none. */
  readonly address?: Address
  /** Heading in degrees clockwise from north. */
  readonly heading?: number
  /** Speed in km/h. */
  readonly speed?: number
  /** When the vehicle was at this location. */
  readonly locatedAt: string
  /** Odometer reading in kilometers. */
  readonly odometer?: number
  /** The fuel levels of the tanks. Null if the provider reports none. */
  readonly fuel?: FuelLevel
  /** The state of the engine. */
  readonly engineState?: EngineState
  /** Total running time of the engine in whole milliseconds. */
  readonly engineRuntime?: number
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The latest location of a vehicle, and its latest measurements. */
export interface LatestVehicleLocationSnapshot {
  /** The provider's code. */
  readonly provider: string
  /** The vehicle at this location. */
  readonly vehicle: VehicleId
  /** The driver. Null if unknown or hidden. */
  readonly driver?: DriverId
  /** The position of the vehicle. */
  readonly location: GeoPoint
  /** The address of the location. Null if the provider reports none. */
  readonly address?: Address
  /** Heading in degrees clockwise from north. */
  readonly heading?: number
  /** Speed in km/h. */
  readonly speed?: number
  /** When the vehicle was at this location. */
  readonly locatedAt: string
  /** Odometer reading in kilometers. */
  readonly odometer?: number
  /** The fuel levels of the tanks. Null if the provider reports none. */
  readonly fuel?: FuelLevel
  /** The state of the engine. */
  readonly engineState?: EngineState
  /** Total running time of the engine in whole milliseconds. */
  readonly engineRuntime?: number
}

/** A license plate of a US state or Canadian province. */
export interface LicensePlate {
  /** The state or province as two letters, such as TX or ON. */
  readonly state?: string
  /** The number on the plate. */
  readonly number?: string
}

/** The external id and the tags of a link run. Those of an existing connection may differ. */
export interface LinkMetadata {
  /** The caller's own identifier for the connection. */
  readonly externalId?: string
  /** The caller's own labels for the connection. */
  readonly tags: readonly string[]
}

/** A merchant that sells fuel. */
export interface Merchant {
  /** The name. */
  readonly name: string
  /** The merchant category code, such as 5542 for automated fuel dispensers. */
  readonly categoryCode: string
  /** Your own id of the site, as the purchase named it. */
  readonly siteId?: string
  /** The position of the pump. */
  readonly coordinates?: GeoPoint
  /** The address. */
  readonly address?: MerchantAddress
}

/** The address of a merchant, as the card network reports it. */
export interface MerchantAddress {
  /** Street and number. */
  readonly line1?: string
  /** The city. */
  readonly city?: string
  /** The state or province, such as TX. */
  readonly state?: string
  /** The postal code. */
  readonly postalCode?: string
  /** The country by ISO 3166, such as US. */
  readonly country: string
}

/**
 * What the place of a merchant is known from.
 * - `site`: From a site of your own.
 * - `coordinates`: The coordinates of the merchant.
 * - `learnt`: Confirmed purchases of the merchant.
 * - `postal_code`: The postal code of its address.
 * - `city`: The city and the state of its address.
 */
export type MerchantPlaceSource = 'site' | 'coordinates' | 'learnt' | 'postal_code' | 'city'

/**
 * The state of the malfunction indicator lamp.
 * - `on`: The malfunction indicator lamp is lit.
 * - `off`: The lamp is not lit.
 */
export type MilStatus = 'on' | 'off'

/** The parts of an OBD-II fault code. */
export interface ObdiiFaultCode {
  /** The trouble code, such as P0087. */
  readonly code: string
  /** The meaning of the code. */
  readonly description?: string
}

/** A diagnostic trouble code of a light vehicle. */
export interface ObdiiFaultCodeEvent {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: FaultCodeEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The standard of the code. */
  readonly protocol: 'obdii'
  /** The vehicle that reported the code. */
  readonly vehicle: ExpandableVehicle
  /** The status of the fault. */
  readonly status: FaultCodeStatus
  /** The trouble code, such as P0087 or SPN100-FMI1. */
  readonly code: string
  /** The meaning of the code. */
  readonly description?: string
  /** When the vehicle reported the code. */
  readonly observedAt: string
  /** The state of the malfunction indicator lamp. */
  readonly milStatus?: MilStatus
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The parts of the code. */
  readonly obdii: ObdiiFaultCode
}

/** A diagnostic trouble code of a light vehicle. */
export interface ObdiiFaultCodeEventSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: FaultCodeEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The standard of the code. */
  readonly protocol: 'obdii'
  /** The vehicle that reported the code. */
  readonly vehicle: VehicleId
  /** The status of the fault. */
  readonly status: FaultCodeStatus
  /** The trouble code, such as P0087 or SPN100-FMI1. */
  readonly code: string
  /** The meaning of the code. */
  readonly description?: string
  /** When the vehicle reported the code. */
  readonly observedAt: string
  /** The state of the malfunction indicator lamp. */
  readonly milStatus?: MilStatus
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
  /** The parts of the code. */
  readonly obdii: ObdiiFaultCode
}

/** The total distance of a vehicle. */
export interface OdometerStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'odometer'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The odometer reading in kilometers. */
  readonly odometer: number
}

/** A provider's response to a passthrough request. */
export interface PassthroughResponse {
  /** The HTTP method of the request. */
  readonly method: string
  /** The path of the request. */
  readonly path: string
  /** The provider's HTTP status, which may be an error such as 404. */
  readonly statusCode: number
  /** The response headers by lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>
  /** The response body: its value if the body is JSON, else its text. An empty string if there is no body. */
  readonly response: unknown
}

export interface Problem {
  /** The reason for the problem. */
  readonly message: string
  /** The location, such as `{requestQuery}.limit` or `{requestBody}.company.name`. */
  readonly path: string
  /** The likely intended name or value. */
  readonly suggestion?: string
}

/** A telematics provider. */
export interface Provider {
  /** The code that identifies the provider. */
  readonly code: string
  /** The display name. */
  readonly name: string
}

/** The fleet's account at its provider. */
export interface ProviderAccount {
  /** The name of the account at the provider. */
  readonly name?: string
  /** The US DOT numbers. */
  readonly dotNumbers: readonly string[]
  /** The person who linked the account. */
  readonly user?: AccountUser
}

/**
 * A manual step at the provider. The caller asks for it when it requests a sync.
 * - `historical_files`: Have older records delivered as files.
 * - `provision_credentials`: Have access set up.
 */
export type ProviderRequest = 'historical_files' | 'provision_credentials'

/** An amount of money. */
export interface PurchaseAmount {
  /** The value in the major unit of the currency, such as dollars. */
  readonly value: number
  /** The currency by ISO 4217, such as USD. */
  readonly currency: string
}

/** A check of a fuel purchase: the decision, what the rules found, and what was known. */
export interface PurchaseCheck {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: PurchaseCheckId
  /** The connection whose fleet the record belongs to. */
  readonly connection: ConnectionId
  /** The caller's key of the request. A repetition returns the same check. */
  readonly idempotencyKey: string
  /** The vehicle. */
  readonly vehicle: VehicleId
  /** The driver that the caller named. Null if none, or hidden. */
  readonly driver?: DriverId
  /** The caller's own id of the card. */
  readonly cardId?: string
  /** When the purchase happened. */
  readonly purchasedAt: string
  /** When Odograph checked the purchase. */
  readonly checkedAt: string
  /** When in its course the purchase was checked. */
  readonly phase: PurchasePhase
  /** The card network's id of the authorization. */
  readonly authorizationId?: string
  /** The check of the authorization that this purchase captures. Null if none is known. */
  readonly authorization?: PurchaseCheckId
  /** The merchant. */
  readonly merchant: Merchant
  /** The amount. */
  readonly amount: PurchaseAmount
  /** The fuel. */
  readonly fuel?: PurchasedFuel
  /** The caller's own data, unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The decision. */
  readonly decision: PurchaseDecision
  /** The stage that decided. */
  readonly stage: PurchaseStage
  /** The decision that each stage would have given. */
  readonly wouldBe: PurchaseDecisionByStage
  /** What each rule found. */
  readonly reasons: readonly PurchaseReason[]
  /** What was known about the vehicle. */
  readonly evidence: PurchaseEvidence
  /** What the fuel level showed after the capture of a purchase. Null until it is known, and for an authorization. */
  readonly reconciliation?: PurchaseReconciliation
  /** The number of the policy; 0 for the defaults. */
  readonly policyVersion: number
  /** Duration of the decision in milliseconds. */
  readonly milliseconds: number
}

/** The id of a purchase check. */
export type PurchaseCheckId = string

/** A check of a fuel purchase: the decision, what the rules found, and what was known. */
export interface PurchaseCheckSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: PurchaseCheckId
  /** The connection whose fleet the record belongs to. */
  readonly connection: ConnectionId
  /** The caller's key of the request. A repetition returns the same check. */
  readonly idempotencyKey: string
  /** The vehicle. */
  readonly vehicle: VehicleId
  /** The driver that the caller named. Null if none, or hidden. */
  readonly driver?: DriverId
  /** The caller's own id of the card. */
  readonly cardId?: string
  /** When the purchase happened. */
  readonly purchasedAt: string
  /** When Odograph checked the purchase. */
  readonly checkedAt: string
  /** When in its course the purchase was checked. */
  readonly phase: PurchasePhase
  /** The card network's id of the authorization. */
  readonly authorizationId?: string
  /** The check of the authorization that this purchase captures. Null if none is known. */
  readonly authorization?: PurchaseCheckId
  /** The merchant. */
  readonly merchant: Merchant
  /** The amount. */
  readonly amount: PurchaseAmount
  /** The fuel. */
  readonly fuel?: PurchasedFuel
  /** The caller's own data, unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The decision. */
  readonly decision: PurchaseDecision
  /** The stage that decided. */
  readonly stage: PurchaseStage
  /** The decision that each stage would have given. */
  readonly wouldBe: PurchaseDecisionByStage
  /** What each rule found. */
  readonly reasons: readonly PurchaseReason[]
  /** What was known about the vehicle. */
  readonly evidence: PurchaseEvidence
  /** What the fuel level showed after the capture of a purchase. Null until it is known, and for an authorization. */
  readonly reconciliation?: PurchaseReconciliation
  /** The number of the policy; 0 for the defaults. */
  readonly policyVersion: number
  /** Duration of the decision in milliseconds. */
  readonly milliseconds: number
}

/** A fuel purchase was checked. */
export interface PurchaseCheckedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'purchase.checked'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly purchaseCheck: PurchaseCheckSnapshot }
}

/**
 * Whether a purchase is approved.
 * - `approve`: No rule that decides speaks against the purchase, or the stage is V0.
 * - `decline`: A rule that declines has failed.
 * - `confirm`: Ask the cardholder: a rule that requires confirmation has failed.
 * - `unknown`: A rule that decides lacks facts. The caller's own default applies.
 */
export type PurchaseDecision = 'approve' | 'decline' | 'confirm' | 'unknown'

/** The decision that each stage would have given. */
export interface PurchaseDecisionByStage {
  /** The decision by location. */
  readonly v1: PurchaseDecision
  /** The decision by location, fuel and tank. */
  readonly v2: PurchaseDecision
  /** The decision by location, fuel, tank, and state or province. */
  readonly v3: PurchaseDecision
}

/** The check of a fuel purchase declined it. */
export interface PurchaseDeclinedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'purchase.declined'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly purchaseCheck: PurchaseCheckSnapshot }
}

/** What was known about the vehicle when the purchase was checked. It never changes afterwards. */
export interface PurchaseEvidence {
  /** The position of the vehicle. */
  readonly position?: GeoPoint
  /** When the vehicle was there. */
  readonly locatedAt?: string
  /** When Odograph stored the position. */
  readonly receivedAt?: string
  /** Seconds between the position and the purchase. */
  readonly ageSeconds?: number
  /** Meters between the vehicle and the merchant. */
  readonly distanceMeters?: number
  /** The place of the merchant. Null if it is unknown, and for checks of versions without this field. */
  readonly merchantPlace?: GeoPoint
  /** Your own id of the site whose place it is. Null if the place is not from a site. */
  readonly merchantSiteId?: string
  /** How far the merchant may be from its known place, in meters. */
  readonly merchantAccuracyMeters?: number
  /** What the place of the merchant is known from. Null if the place is unknown, and for checks of earlier versions. */
  readonly merchantPlaceSource?: MerchantPlaceSource
  /** How many confirmed purchases the place was learnt from. Null if the place is not learnt. */
  readonly merchantSightings?: number
  /** How far the vehicle can have driven between its position and the purchase, in meters. */
  readonly reachableMeters?: number
  /** The fuel level in percent, 0 to 100. Of two tanks, the mean. */
  readonly fuelPercent?: number
  /** When the fuel level was measured. */
  readonly fuelAt?: string
  /** The fuel capacity in liters. */
  readonly capacityLiters?: number
  /** Where the fuel capacity comes from. Null if it is unknown, and for checks of versions without this field. */
  readonly capacitySource?: CapacitySource
  /** The state of the engine. */
  readonly engineState?: EngineState
  /** The driver at that position. Null if unknown or hidden. */
  readonly driver?: DriverId
}

/** A rule failed that flags a fuel purchase, asks for confirmation or declines. */
export interface PurchaseFlaggedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'purchase.flagged'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly purchaseCheck: PurchaseCheckSnapshot }
}

/**
 * When in its course a purchase is checked.
 * - `authorization`: Before fuel flows. The liters are usually unknown.
 * - `capture`: After fuel has flowed.
 */
export type PurchasePhase = 'authorization' | 'capture'

/** What a rule found about a purchase. */
export interface PurchaseReason {
  /** The rule. */
  readonly rule: PurchaseRule
  /** The result of the rule. */
  readonly outcome: PurchaseRuleOutcome
  /** What follows if the rule fails. */
  readonly action: PurchaseRuleAction
  /** What the rule compared with its limit. */
  readonly measured?: number
  /** The limit: the rule fails above it. */
  readonly limit?: number
  /** The limit less what was measured. Negative if the rule fails. */
  readonly margin?: number
  /** The unit of `measured`, `limit` and `margin`. */
  readonly unit?: string
  /** The explanation, as a sentence. */
  readonly text: string
}

/** The liters of a captured fuel purchase were compared with the fuel level. */
export interface PurchaseReconciledEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'purchase.reconciled'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly purchaseCheck: PurchaseCheckSnapshot }
}

/** What the fuel level of the vehicle showed after the capture of a purchase. */
export interface PurchaseReconciliation {
  /** When Odograph compared the liters with the fuel level. */
  readonly reconciledAt: string
  /** What the rules found that need the later fuel levels. */
  readonly reasons: readonly PurchaseReason[]
}

/**
 * A rule of purchase checks, with the stage that it belongs to.
 * - `near_merchant`: The vehicle can have been at the merchant. V1.
 * - `fresh_position`: The position was measured close to the time of the purchase. V1.
 * - `standing`: The vehicle did not drive. V1.
 * - `connected`: The fleet uses the vehicle, and its data arrives. V1.
 * - `driver_matches`: The driver of the purchase drives the vehicle. V1.
 * - `one_card_two_places`: No other purchase is too far away for one vehicle. V1.
 * - `tank_fits`: The tank has room for the liters. V2.
 * - `product_matches`: The vehicle uses the product. V2.
 * - `working_hours`: The purchase is within the working hours of the policy. V2.
 * - `frequency`: The card or the vehicle has not been used too often. V2.
 * - `level_rose`: After a capture, the fuel level has risen by the liters. V2.
 * - `level_kept`: After a capture, the fuel level does not drop while the vehicle stands. V2.
 * - `jurisdiction`: The vehicle can have been in the state or province of the merchant. V3.
 */
export type PurchaseRule =
  | 'near_merchant'
  | 'fresh_position'
  | 'standing'
  | 'connected'
  | 'driver_matches'
  | 'one_card_two_places'
  | 'tank_fits'
  | 'product_matches'
  | 'working_hours'
  | 'frequency'
  | 'level_rose'
  | 'level_kept'
  | 'jurisdiction'

/**
 * What follows if a rule fails.
 * - `off`: The rule is not evaluated.
 * - `log`: The check records it.
 * - `flag`: The event purchase.flagged reports it.
 * - `confirm`: The decision is CONFIRM.
 * - `decline`: The decision is DECLINE.
 */
export type PurchaseRuleAction = 'off' | 'log' | 'flag' | 'confirm' | 'decline'

/**
 * The result of a rule.
 * - `pass`: The rule permits the purchase.
 * - `fail`: The rule speaks against the purchase.
 * - `unknown`: The rule lacks facts.
 */
export type PurchaseRuleOutcome = 'pass' | 'fail' | 'unknown'

/**
 * A stage of a roll-out. Each stage decides with its own rules and those of the stages before it.
 * - `v0`: Logs what the rules find, and approves every purchase.
 * - `v1`: Decides by location.
 * - `v2`: Decides by fuel and tank too.
 * - `v3`: Decides by state or province too.
 */
export type PurchaseStage = 'v0' | 'v1' | 'v2' | 'v3'

/** The fuel of a purchase. */
export interface PurchasedFuel {
  /** The product. */
  readonly product?: FuelProduct
  /** The liters. */
  readonly liters?: number
  /** The price of a liter in the currency of the amount. */
  readonly unitPrice?: number
}

/** The unchanged data of the provider for a record. */
export interface RawData {
  /** The provider's code. */
  readonly provider: string
  /** The provider's name for this kind of record. */
  readonly schema: string
  /** When Odograph read the data from the provider. */
  readonly extractedAt: string
  /** The record as the provider sent it. */
  readonly data: unknown
}

/** When Odograph stored and changed a record, and when the provider deleted it. */
export interface RecordMetadata {
  /** When the record was first stored. */
  readonly addedAt: string
  /** When Odograph last stored a change of the record. `modifiedAfter` and `modifiedBefore` filter by it. */
  readonly modifiedAt: string
  /** When the provider deleted the record or no longer listed it. Null while the provider has it. */
  readonly deletedAt?: string
}

/** A safety event was reported. */
export interface SafetyAddedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'safety.added' | 'safety_event.added'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly safetyEvent: SafetyEventSnapshot }
}

/** An event on the road that a device classified as unsafe. */
export interface SafetyEvent {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: SafetyEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The type of the event. */
  readonly type: SafetyEventType
  /** The vehicle of the event. */
  readonly vehicle: ExpandableVehicle
  /** The driver. Null if unknown or hidden. */
  readonly driver?: ExpandableDriver
  /** When the event started. */
  readonly startedAt: string
  /** When the event ended. Null while it lasts or if unknown. */
  readonly endedAt?: string
  /** Where the event started. */
  readonly startLocation?: GeoPoint
  /** Where the event ended. */
  readonly endLocation?: GeoPoint
  /** The cameras that recorded the event. Null if the vehicle has none. */
  readonly cameraMedia?: CameraMediaReference
  /** Data of enrichment providers, by provider name: speed limits in km/h, road attributes, and weather in °C, m/s, cm/h and km. */
  readonly extensions?: Readonly<Record<string, unknown>>
  /** The provider's own name of the event type. */
  readonly sourceType?: string
  /** Measurements during the event. */
  readonly stats: SafetyEventStats
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The id of a safety event. */
export type SafetyEventId = string

/** An event on the road that a device classified as unsafe. */
export interface SafetyEventSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: SafetyEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The type of the event. */
  readonly type: SafetyEventType
  /** The vehicle of the event. */
  readonly vehicle: VehicleId
  /** The driver. Null if unknown or hidden. */
  readonly driver?: DriverId
  /** When the event started. */
  readonly startedAt: string
  /** When the event ended. Null while it lasts or if unknown. */
  readonly endedAt?: string
  /** Where the event started. */
  readonly startLocation?: GeoPoint
  /** Where the event ended. */
  readonly endLocation?: GeoPoint
  /** The cameras that recorded the event. Null if the vehicle has none. */
  readonly cameraMedia?: CameraMediaReference
  /** Data of enrichment providers, by provider name: speed limits in km/h, road attributes, and weather in °C, m/s, cm/h and km. */
  readonly extensions?: Readonly<Record<string, unknown>>
  /** The provider's own name of the event type. */
  readonly sourceType?: string
  /** Measurements during the event. */
  readonly stats: SafetyEventStats
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
}

/** Measurements during a safety event. */
export interface SafetyEventStats {
  /** Maximum speed in km/h. */
  readonly maximumSpeed?: number
  /** Average speed in km/h. */
  readonly averageSpeed?: number
  /** Speed limit of the road in km/h. */
  readonly roadSpeedLimit?: number
  /** Longitudinal acceleration in g. Braking is negative. */
  readonly gForceForwardBackward?: number
  /** Lateral acceleration in g. To the left is negative. */
  readonly gForceSideToSide?: number
  /** Heading in degrees clockwise from north. */
  readonly heading?: number
}

/**
 * The type of a safety event, as the provider classified it.
 * - `harsh_brake`: The driver braked harder than the provider's threshold.
 * - `harsh_acceleration`: The vehicle accelerated harder than the provider's threshold.
 * - `harsh_turn`: The vehicle turned harder than the provider's threshold.
 * - `speeding`: The vehicle drove faster than the limit of the road or of the fleet.
 * - `crash`: The device measured an impact like that of a crash.
 * - `near_crash`: The driver avoided a crash by braking or swerving hard.
 * - `tailgating`: The vehicle followed another one too closely.
 * - `cell_phone`: The driver used a phone.
 * - `distracted`: The driver looked away from the road.
 * - `drowsiness`: The driver showed signs of sleepiness.
 * - `smoking`: The driver smoked.
 * - `seat_belt_violation`: The driver did not wear the seat belt.
 * - `stop_sign_violation`: The vehicle passed a stop sign without a stop.
 * - `red_light_violation`: The vehicle passed a red traffic light.
 * - `unsafe_lane_change`: The vehicle changed lanes in a dangerous way.
 * - `camera_obstruction`: The view of the camera was blocked.
 * - `eating_and_drinking`: The driver ate or drank.
 * - `rolling_stop`: The vehicle slowed down where it had to stop, but did not stop.
 * - `unsafe_parking`: The vehicle was parked in a dangerous place.
 */
export type SafetyEventType =
  | 'harsh_brake'
  | 'harsh_acceleration'
  | 'harsh_turn'
  | 'speeding'
  | 'crash'
  | 'near_crash'
  | 'tailgating'
  | 'cell_phone'
  | 'distracted'
  | 'drowsiness'
  | 'smoking'
  | 'seat_belt_violation'
  | 'stop_sign_violation'
  | 'red_light_violation'
  | 'unsafe_lane_change'
  | 'camera_obstruction'
  | 'eating_and_drinking'
  | 'rolling_stop'
  | 'unsafe_parking'

/** A safety event changed. */
export interface SafetyModifiedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'safety.modified' | 'safety_event.modified'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly safetyEvent: SafetyEventSnapshot }
}

/** The provider no longer has a safety event. */
export interface SafetyRemovedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'safety.removed' | 'safety_event.removed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly safetyEvent: SafetyEventSnapshot }
}

/** When a point of a series was stored. */
export interface SeriesMetadata {
  /** When Odograph last stored the point. */
  readonly modifiedAt: string
}

/** A short link to the link pages. Its URL contains only a code: it neither shows nor changes the settings. */
export interface ShortLink {
  /** The id, which begins with slk_. */
  readonly id: ShortLinkId
  /** The code at the end of its URL: eight of the characters a-h, j, k, m, n, p-z and 2-9. */
  readonly code: string
  /** The URL of the short link. */
  readonly url: string
  /** When the short link expires: a year after its creation. */
  readonly expiresAt: string
}

/** The id of a short link. */
export type ShortLinkId = string

/** One run of reading a connection's data from its provider. */
export interface Sync {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: SyncId
  /** The status of the sync. */
  readonly status: SyncStatus
  /** When the sync was requested. */
  readonly requestedAt: string
  /** When the sync completed or failed. */
  readonly completedAt?: string
  /** Why the sync failed. Null if it has not failed. */
  readonly failureReason?: string
  /** The percentage of the work that is done and stored, 0 to 100. */
  readonly progress: number
  /** The earliest record time that was requested. */
  readonly startFrom?: string
  /** Number of times that a worker has started the sync. */
  readonly attempts: number
  /** The manual steps at the provider that were requested with the sync. */
  readonly providerRequests: readonly ProviderRequest[]
  /** The issues of the sync: the data that it could not read. */
  readonly issues: readonly ExpandableIssue[]
}

/** A sync finished. */
export interface SyncCompletedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'sync.completed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly sync: SyncSnapshot }
}

/** A sync failed, or was cancelled. */
export interface SyncFailedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'sync.failed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly sync: SyncSnapshot }
}

/** The id of a sync. */
export type SyncId = string

/**
 * When a connection's data is read from its provider.
 * - `automatic`: In the background.
 * - `manual`: On request only.
 */
export type SyncMode = 'automatic' | 'manual'

/** A sync was requested. */
export interface SyncRequestedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'sync.requested'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly sync: SyncSnapshot }
}

/** One run of reading a connection's data from its provider. */
export interface SyncSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: SyncId
  /** The status of the sync. */
  readonly status: SyncStatus
  /** When the sync was requested. */
  readonly requestedAt: string
  /** When the sync completed or failed. */
  readonly completedAt?: string
  /** Why the sync failed. Null if it has not failed. */
  readonly failureReason?: string
  /** The percentage of the work that is done and stored, 0 to 100. */
  readonly progress: number
  /** The earliest record time that was requested. */
  readonly startFrom?: string
  /** Number of times that a worker has started the sync. */
  readonly attempts: number
  /** The manual steps at the provider that were requested with the sync. */
  readonly providerRequests: readonly ProviderRequest[]
  /** The issues of the sync: the data that it could not read. */
  readonly issues: readonly IssueId[]
}

/** A sync started. */
export interface SyncStartedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'sync.started'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly sync: SyncSnapshot }
}

/**
 * The status of a sync.
 * - `requested`: It waits for a worker.
 * - `in_progress`: It reads from the provider.
 * - `completed`: It has read all data that the account permits. `issues` name the rest.
 * - `failed`: It failed or was cancelled. `failureReason` contains the reason.
 */
export type SyncStatus = 'requested' | 'in_progress' | 'completed' | 'failed'

/** The total fuel consumption of a vehicle. */
export interface TotalFuelConsumptionStatLog {
  /** When the value was measured. */
  readonly timestamp: string
  /** The type of the measurement. */
  readonly type: 'total_fuel_consumption'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The provider's code. */
  readonly provider: string
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
  /** The consumed fuel in liters. */
  readonly fuelConsumed: number
}

/** A trailer or another asset without an engine of its own. */
export interface Trailer {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: TrailerId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The trailer's status in the provider's system. */
  readonly status: TrailerStatus
  /** The name of the trailer in the fleet. */
  readonly name?: string
  /** The vehicle identification number. */
  readonly vin?: string
  /** The manufacturer's serial number. */
  readonly serialNumber?: string
  /** The manufacturer. */
  readonly make?: string
  /** The manufacturer's model. */
  readonly model?: string
  /** The model year. */
  readonly year?: number
  /** The license plate. */
  readonly licensePlate?: LicensePlate
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The groups of the trailer. */
  readonly groups: readonly ExpandableGroup[]
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The id of a trailer. */
export type TrailerId = string

/**
 * A trailer's status in the provider's system.
 * - `active`: In service.
 * - `inactive`: Deactivated by the fleet.
 */
export type TrailerStatus = 'active' | 'inactive'

/** A trip of one vehicle from start to stop. */
export interface Trip {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: TripId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle of the trip. */
  readonly vehicle: ExpandableVehicle
  /** The driver. Null if unknown or hidden. */
  readonly driver?: ExpandableDriver
  /** When the trip started. */
  readonly startedAt: string
  /** When the trip ended. */
  readonly endedAt: string
  /** Where the trip started. */
  readonly startLocation?: GeoPoint
  /** Where the trip ended. */
  readonly endLocation?: GeoPoint
  /** The distance in kilometers. */
  readonly distance?: number
  /** The duration in whole milliseconds. */
  readonly duration: number
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The id of a trip. */
export type TripId = string

/** The provider no longer has a trip. */
export interface TripRemovedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'trip.removed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly trip: TripSnapshot }
}

/** A trip of one vehicle from start to stop. */
export interface TripSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: TripId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle of the trip. */
  readonly vehicle: VehicleId
  /** The driver. Null if unknown or hidden. */
  readonly driver?: DriverId
  /** When the trip started. */
  readonly startedAt: string
  /** When the trip ended. */
  readonly endedAt: string
  /** Where the trip started. */
  readonly startLocation?: GeoPoint
  /** Where the trip ended. */
  readonly endLocation?: GeoPoint
  /** The distance in kilometers. */
  readonly distance?: number
  /** The duration in whole milliseconds. */
  readonly duration: number
  /** When Odograph stored and changed the record. */
  readonly metadata: RecordMetadata
}

/** A fleet requested a provider that is not supported, and left an e-mail address. */
export interface UnsupportedProviderRequestedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'unsupported_provider.requested'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: {
    readonly provider: string
    readonly contactEmail: string
    readonly dotNumber?: string
    readonly externalId?: string
    readonly tags?: readonly string[]
  }
}

/** Engine times of a vehicle. */
export interface UtilizationDurations {
  /** Driving time in whole milliseconds. */
  readonly driving?: number
  /** Idling time in whole milliseconds. */
  readonly idling?: number
}

/** A vehicle of a fleet's account at its provider. */
export interface Vehicle {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: VehicleId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle's status in the provider's system. */
  readonly status: VehicleStatus
  /** The vehicle identification number (VIN). Since 1981, it has 17 characters. */
  readonly vin?: string
  /** The name of the vehicle in the fleet. */
  readonly name?: string
  /** The manufacturer. */
  readonly make?: string
  /** The manufacturer's model. */
  readonly model?: string
  /** The model year. */
  readonly year?: number
  /** The license plate. */
  readonly licensePlate?: LicensePlate
  /** The fuel type. */
  readonly fuelType?: FuelType
  /** Fuel consumption in liters per 100 km. */
  readonly fuelEfficiency?: number
  /** The fuel capacity of the tanks in liters. */
  readonly fuelTankCapacity?: number
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The groups of the vehicle. */
  readonly groups: readonly ExpandableGroup[]
  /** The devices in the vehicle. */
  readonly devices: readonly ExpandableDevice[]
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** A vehicle appeared. */
export interface VehicleAddedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'vehicle.added'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly vehicle: VehicleSnapshot }
}

/** Facts about a vehicle that the application has set. A sync does not change them. */
export interface VehicleFacts {
  /** The fuel capacity of all tanks together in liters. */
  readonly fuelTankCapacity?: number
  /** The number of fuel tanks. */
  readonly fuelTankCount?: number
  /** The fuel type. */
  readonly fuelType?: FuelType
  /** The expected fuel consumption in liters per 100 km. */
  readonly fuelConsumption?: number
  /** Whether the facts come before the provider's values. If not, they are used where the provider has none. */
  readonly overrules: boolean
  /** When the facts were set. */
  readonly modifiedAt: string
}

/** The id of a vehicle. */
export type VehicleId = string

/** A point of the track of a vehicle. */
export interface VehicleLocation {
  /** The provider's code. */
  readonly provider: string
  /** The vehicle at this location. */
  readonly vehicle: VehicleId
  /** The driver. Null if unknown or hidden. */
  readonly driver?: DriverId
  /** The position of the vehicle. */
  readonly location: GeoPoint
  /** The address of the location. Null if the provider reports none. */
  readonly address?: Address
  /** Heading in degrees clockwise from north. */
  readonly heading?: number
  /** Speed in km/h. */
  readonly speed?: number
  /** A prefixed ULID. */
  readonly id: VehicleLocationId
  /** The point's id in the provider's system. */
  readonly sourceId?: string
  /** When the vehicle was at this location. */
  readonly locatedAt: string
  /** When Odograph stored the record. */
  readonly metadata: SeriesMetadata
  /** The provider's records from which this record was mapped. */
  readonly raw?: readonly RawData[]
}

/** The id of a vehicle location. */
export type VehicleLocationId = string

/** A poll or a live request found a newer position of a vehicle. */
export interface VehicleLocationUpdatedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'vehicle.location_updated'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: {
    readonly connection: ConnectionReference
    readonly location: LatestVehicleLocationSnapshot
  }
}

/** A vehicle changed. */
export interface VehicleModifiedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'vehicle.modified'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly vehicle: VehicleSnapshot }
}

/** The provider no longer lists a vehicle. */
export interface VehicleRemovedEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'vehicle.removed'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly connection: ConnectionReference; readonly vehicle: VehicleSnapshot }
}

/** A vehicle of a fleet's account at its provider. */
export interface VehicleSnapshot {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
  readonly id: VehicleId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle's status in the provider's system. */
  readonly status: VehicleStatus
  /** The vehicle identification number (VIN). Since 1981, it has 17 characters. */
  readonly vin?: string
  /** The name of the vehicle in the fleet. */
  readonly name?: string
  /** The manufacturer. */
  readonly make?: string
  /** The manufacturer's model. */
  readonly model?: string
  /** The model year. */
  readonly year?: number
  /** The license plate. */
  readonly licensePlate?: LicensePlate
  /** The fuel type. */
  readonly fuelType?: FuelType
  /** Fuel consumption in liters per 100 km. */
  readonly fuelEfficiency?: number
  /** The fuel capacity of the tanks in liters. */
  readonly fuelTankCapacity?: number
  /** When the record was created in the provider's system. */
  readonly createdAt?: string
  /** When the record was last updated in the provider's system. */
  readonly updatedAt?: string
  /** When Odograph stored and changed the record, and whether lists include it; if not, why. */
  readonly metadata: EntityMetadata
  /** The groups of the vehicle. */
  readonly groups: readonly GroupId[]
  /** The devices in the vehicle. */
  readonly devices: readonly DeviceId[]
}

/** A measurement of a vehicle. Each implementing type has its own field for the value. */
export type VehicleStatLog =
  | EngineStateStatLog
  | OdometerStatLog
  | TotalFuelConsumptionStatLog
  | FuelLevelStatLog
  | EngineRuntimeStatLog
  | EngineRpmStatLog
  | EngineOilPercentageStatLog
  | EngineOilPressureStatLog
  | EngineOilTemperatureStatLog
  | EngineCoolantTemperatureStatLog
  | CoolantPercentageStatLog
  | BatteryVoltageStatLog

/** The id of a vehicle stat log. */
export type VehicleStatLogId = string

/**
 * A vehicle's status in the provider's system.
 * - `active`: In service.
 * - `inactive`: Deactivated by the fleet.
 */
export type VehicleStatus = 'active' | 'inactive'

/** The utilization of a vehicle over a range of days. A vehicle without any known distance is left out. */
export interface VehicleUtilization {
  /** The provider's code. */
  readonly provider: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** The start of the first day, in UTC. */
  readonly startAt: string
  /** The end of the last day, in UTC. */
  readonly endAt: string
  /** The distance in kilometers, rounded to the meter, of the days for which it is known. */
  readonly distance: number
  /** The consumed fuel in liters, rounded to the milliliter. */
  readonly fuelConsumed?: number
  /** The engine times. Null if the provider reports none. */
  readonly durations?: UtilizationDurations
  /** The provider's records from which the sum was computed. */
  readonly raw?: readonly RawData[]
}

/**
 * Whether lists include a record by default. The filters of its connection can hide it.
 * - `visible`: Lists include the record.
 * - `hidden_by_exclude_list`: The connection's filters exclude the id of the record.
 * - `hidden_by_include_list`: The connection's filters include only other ids.
 * - `hidden_by_status`: The connection's filters require another status.
 * - `deleted`: The record was deleted from the provider's system.
 */
export type Visibility =
  'visible' | 'hidden_by_exclude_list' | 'hidden_by_include_list' | 'hidden_by_status' | 'deleted'

/** The id of a webhook attempt. */
export type WebhookAttemptId = string

/**
 * Result of a request to an endpoint.
 * - `answered`: The endpoint responded, with any status.
 * - `timed_out`: There was no complete response in time.
 * - `unreachable`: The connection failed or broke.
 * - `blocked`: The address is not an allowed destination, so nothing was sent.
 */
export type WebhookAttemptOutcome = 'answered' | 'timed_out' | 'unreachable' | 'blocked'

/** The delivery of one event to one endpoint. */
export interface WebhookDelivery {
  /** The id of the delivery, with the prefix `whd_`. */
  readonly id: WebhookDeliveryId
  /** The id of the endpoint. */
  readonly endpointId: string
  /** The id of the event. It is the `webhook-id` of each message. */
  readonly eventId: string
  /** The event type, by the name or alias to which the endpoint subscribes. */
  readonly type: string
  /** Status of the delivery. */
  readonly status: WebhookDeliveryStatus
  /** Number of attempts so far. */
  readonly attemptCount: number
  /** When the next attempt is due. Null if none follows, or if the delivery waits for an earlier event of its record. */
  readonly nextAttemptAt?: string
  /** When the last attempt was made. Null before the first. */
  readonly lastAttemptAt?: string
  /** HTTP status of the last attempt. Null if it had no response, or before the first attempt. */
  readonly lastStatusCode?: number
  /** When the delivery was created. */
  readonly createdAt: string
  /** The attempts of the delivery, oldest first. */
  readonly attempts: readonly ExpandedWebhookAttempt[]
}

/** The id of a webhook delivery. */
export type WebhookDeliveryId = string

/**
 * Status of the delivery of an event to an endpoint.
 * - `pending`: The delivery is due, or waits for a retry or for an earlier event.
 * - `delivered`: The endpoint responded with a 2xx status.
 * - `failed`: All attempts failed. Only a replay or a recovery sends it again.
 * - `cancelled`: The event is no longer to be sent.
 */
export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

/**
 * The reason why an endpoint is disabled.
 * - `asked`: A caller disabled it.
 * - `failing`: It accepted no message for five days.
 * - `gone`: It responded with 410 Gone.
 */
export type WebhookDisabledReason = 'asked' | 'failing' | 'gone'

/** A webhook endpoint: a URL, and the events that are sent to it. */
export interface WebhookEndpoint {
  /** The id of the endpoint, with the prefix `whe_`. */
  readonly id: WebhookEndpointId
  /** The URL to which events are posted. */
  readonly url: string
  /** Free text of the caller. */
  readonly description?: string
  /** The requested event types or aliases. `*` stands for all types that are not opt-in. */
  readonly types: readonly string[]
  /** Only events of these connections. Null stands for all connections. */
  readonly connectionIds?: readonly string[]
  /** Only events of connections that have one of these tags. Null stands for all connections. */
  readonly tags?: readonly string[]
  /** The order in which events are sent. */
  readonly ordering: WebhookOrdering
  /** Maximum number of concurrent requests. */
  readonly concurrency: number
  /** Maximum number of requests per second. Null for no limit. */
  readonly ratePerSecond?: number
  /** The wait before each further attempt, in seconds. Null for the default schedule. */
  readonly retrySeconds?: readonly number[]
  /** The custom headers of the endpoint, without their values. Each request to the endpoint has them. */
  readonly headers: readonly WebhookHeader[]
  /** Whether events are sent to it. */
  readonly status: WebhookEndpointStatus
  /** The reason why the endpoint is disabled. Null while it is enabled. */
  readonly disabledReason?: WebhookDisabledReason
  /** When the endpoint was disabled. Null while it is enabled. */
  readonly disabledAt?: string
  /** Number of log events after the position of the endpoint, whether or not it subscribes to them. 0 if it is up to date. */
  readonly backlog: number
  /** Number of deliveries with the status PENDING. */
  readonly pendingDeliveries: number
  /** When the endpoint last accepted a message. Null if it never did. */
  readonly lastSuccessAt?: string
  /** When the first attempt since the last success failed. Null while the endpoint accepts messages. */
  readonly failingSince?: string
  /** The secrets of the endpoint, oldest first, without their values. */
  readonly secrets: readonly ExpandedWebhookSecret[]
  /** When the endpoint was created. */
  readonly createdAt: string
  /** When the endpoint was last changed. */
  readonly modifiedAt: string
}

/** An endpoint was disabled: it responded with 410, or failed for too long. */
export interface WebhookEndpointDisabledEvent {
  /** The id of the event. */
  readonly id: string
  /** The type of the event. */
  readonly type: 'webhook_endpoint.disabled'
  /** When the event was stored. */
  readonly timestamp: string
  /** The record at the time of the event, and its connection. */
  readonly detail: { readonly endpoint: DisabledEndpoint }
}

/** The id of a webhook endpoint. */
export type WebhookEndpointId = string

/**
 * Whether events are sent to an endpoint.
 * - `enabled`: Events are sent.
 * - `disabled`: No events are sent. They stay in the log until the endpoint is enabled.
 */
export type WebhookEndpointStatus = 'enabled' | 'disabled'

/** A custom header of an endpoint. Its value is never shown again. */
export interface WebhookHeader {
  /** The name of the header, as it was given. */
  readonly name: string
  /** Dots, and the last four characters of a value that has 16 or more. The value of basic authentication is dots only. */
  readonly maskedValue: string
}

/**
 * The order in which an endpoint receives events.
 * - `none`: Events are sent in log order, but a retried event can arrive after later ones.
 * - `resource`: An event waits until the previous event of the same record is delivered or has used up its attempts.
 */
export type WebhookOrdering = 'none' | 'resource'

/** The request of a delivery attempt. */
export interface WebhookRequest {
  /** The URL of the request. */
  readonly url: string
  /** The request headers by lower-case name, signatures included. The values of custom headers are redacted. */
  readonly headers: Readonly<Record<string, unknown>>
  /** The request body, built from the log. Null if the log no longer has the event. */
  readonly body?: string
}

/** The response to a delivery attempt. */
export interface WebhookResponse {
  /** The HTTP status. */
  readonly statusCode: number
  /** The response headers by lower-case name. */
  readonly headers?: Readonly<Record<string, unknown>>
  /** The first 16 KiB of the body. Secrets are redacted. */
  readonly body?: string
}

/** The id of a webhook secret. */
export type WebhookSecretId = string

/** An event of a type that this version of the client knows. */
export type KnownEvent =
  | ConnectionCreatedEvent
  | ConnectionCompletedEvent
  | ConnectionUpdatedEvent
  | ConnectionFirstSyncCompletedEvent
  | ConnectionDisconnectedEvent
  | ConnectionReconnectedEvent
  | ConnectionPendingDeletionEvent
  | ConnectionDeletedEvent
  | SyncRequestedEvent
  | SyncStartedEvent
  | SyncCompletedEvent
  | SyncFailedEvent
  | DriverAddedEvent
  | DriverModifiedEvent
  | DriverRemovedEvent
  | VehicleAddedEvent
  | VehicleModifiedEvent
  | VehicleRemovedEvent
  | TripRemovedEvent
  | SafetyAddedEvent
  | SafetyModifiedEvent
  | SafetyRemovedEvent
  | FaultCodeRemovedEvent
  | HosLogRemovedEvent
  | HosDailyLogRemovedEvent
  | VehicleLocationUpdatedEvent
  | IssueReportedEvent
  | IssueResolvedEvent
  | UnsupportedProviderRequestedEvent
  | PurchaseCheckedEvent
  | PurchaseDeclinedEvent
  | PurchaseFlaggedEvent
  | PurchaseReconciledEvent
  | WebhookEndpointDisabledEvent

/** A text that is none of the known types. */
declare enum UnknownEventType {
  unknown = '',
}

/** An event of a type that a newer service has and this version of the client does not know. */
export interface UnknownEvent {
  /** The id of the event, with the prefix `evt_`. Pass it as `after` to resume after this event. */
  readonly id: EventId
  /** The type, such as vehicle.added, by the name that the client requested. */
  readonly type: UnknownEventType
  /** When the event was stored. */
  readonly timestamp: string
  /** The detail that webhooks deliver: the record at the time of the event, and its connection. */
  readonly detail: unknown
}

/** An entry of the event log: a change of a connection or of its records. */
export type Event = KnownEvent | UnknownEvent

/** A page of a list. `next` is the cursor of the next page. */

export interface Page<Item> {
  readonly results: readonly Item[]
  readonly next?: string
}

/** Parameters and result of each operation. The parameters are those of its path, query and body. */

export interface Operations {
  /** Exchange a public token for its connection. */
  publicTokenExchange: {
    readonly params: {
      /** The public token from the end of the link run. It begins with pub_tkn_. */
      readonly publicToken: string
    }
    readonly result: Connection
  }
  /** List connections, oldest first. */
  listConnections: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only connections with this identifier of the caller. */
      readonly externalId?: string | undefined
      /** Only connections of the company with this US DOT number. */
      readonly dotNumber?: string | undefined
      /** Only connections with this label. */
      readonly tag?: string | undefined
      /** Only connections updated at or after this time. */
      readonly updatedAfter?: string | undefined
      /** Only connections updated at or before this time. */
      readonly updatedBefore?: string | undefined
      /** Only connections with this status. */
      readonly status?:
        'connected' | 'disconnected' | 'archived' | 'pending_deletion' | 'deleting' | 'deleted' | undefined
      /** Only connections of the provider with this code. */
      readonly provider?: string | undefined
      /** The order of the connections. */
      readonly order?: 'asc' | 'desc' | undefined
    }
    readonly result: Page<Connection>
  }
  /** Link an account with its credentials (an extension). */
  createConnection: {
    readonly params: {
      /** The code of the provider. */
      readonly provider: string
      /** The credentials that the provider requires, as an object of strings. They are never shown again. */
      readonly credentials: Readonly<Record<string, unknown>>
      /** The company. Default: the company of the account. */
      readonly company?: { readonly name?: string; readonly dotNumbers?: readonly string[] } | undefined
      /** Settings of the connection, as an object. */
      readonly options?: Readonly<Record<string, unknown>> | undefined
      /** The caller's own identifier for the connection. */
      readonly externalId?: string | undefined
      /** When data is read from the provider. Default: AUTOMATIC. */
      readonly syncMode?: 'automatic' | 'manual' | undefined
      /** How far back the first sync reads. Default: from the current time. */
      readonly backfill?: { readonly startFrom?: string; readonly days?: number } | undefined
      /** The caller's own labels for the connection. */
      readonly tags?: readonly string[] | undefined
      /** The agreements that the fleet has accepted. */
      readonly agreements?:
        | readonly {
            readonly type?: string
            readonly agreementUrl: string
            readonly ipAddress?: string
            readonly acceptedAt?: string
            readonly userAgent?: string
          }[]
        | undefined
      /** Filters of the visible vehicles and drivers: {"vehicles": {"status": "active", "includeIds": [], "excludeIds": []}, "drivers": …}. If `includeIds` is set, only it applies; else `status` and `excludeIds` apply. */
      readonly filters?:
        | {
            readonly vehicles?: {
              readonly status?: 'active' | 'inactive'
              readonly excludeIds?: readonly string[]
              readonly includeIds?: readonly string[]
            }
            readonly drivers?: {
              readonly status?: 'active' | 'inactive'
              readonly excludeIds?: readonly string[]
              readonly includeIds?: readonly string[]
            }
          }
        | undefined
    }
    readonly result: Connection
  }
  /** Get the connection of the token. */
  getCurrentConnection: {
    readonly params: {}
    readonly result: CurrentConnection
  }
  /** Change or archive the connection of the token. */
  updateCurrentConnection: {
    readonly params: {
      /** CONNECTED, DISCONNECTED or ARCHIVED. CONNECTED requires that the provider accepts the stored credentials. For a connection that is pending deletion, CONNECTED cancels the deletion and restores the previous status. */
      readonly status?: 'connected' | 'archived' | 'disconnected' | undefined
      /** The settings of the connection, as an object. They replace all previous settings. */
      readonly options?: Readonly<Record<string, unknown>> | undefined
      /** The company. Absent fields stay unchanged. */
      readonly company?: { readonly name?: string; readonly dotNumbers?: readonly string[] } | undefined
      /** The caller's own identifier for the connection. Null removes it. */
      readonly externalId?: string | null | undefined
      /** When data is read from the provider. */
      readonly syncMode?: 'automatic' | 'manual' | undefined
      /** The caller's own labels for the connection. They replace all previous labels. */
      readonly tags?: readonly string[] | undefined
      /** Filters of the visible vehicles and drivers: {"vehicles": {"status": "active", "includeIds": [], "excludeIds": []}, "drivers": …}. If `includeIds` is set, only it applies; else `status` and `excludeIds` apply. Null removes the filters. */
      readonly filters?:
        | {
            readonly vehicles?: {
              readonly status?: 'active' | 'inactive'
              readonly excludeIds?: readonly string[]
              readonly includeIds?: readonly string[]
            }
            readonly drivers?: {
              readonly status?: 'active' | 'inactive'
              readonly excludeIds?: readonly string[]
              readonly includeIds?: readonly string[]
            }
          }
        | null
        | undefined
    }
    readonly result: Connection
  }
  /** Mark the connection of the token for deletion. */
  deleteCurrentConnection: {
    readonly params: {}
    readonly result: Connection & { readonly message: string }
  }
  /** List providers. */
  listProviders: {
    readonly params: {}
    readonly result: readonly {
      readonly name: string
      /** The code that identifies the provider. */
      readonly code: string
      readonly status: 'live' | 'beta' | 'sandbox' | 'deprecated'
      readonly logo: string
      readonly icon: string
      readonly references: readonly { readonly type: string; readonly url: string; readonly label: string }[]
      /** Pages of the provider for its users, by language. Present only if there is one in each language. */
      readonly userGuides?: { readonly en: string; readonly fr: string; readonly es: string }
      /** Whether a fleet can link its account. If false, Odograph lists the provider only. */
      readonly isLinkable: boolean
      /** For each record type, whether Odograph reads it. All are `not_supported_by_terminal` if Odograph cannot read this provider. */
      readonly supportedModels: Readonly<Record<string, unknown>>
      /** The code of the provider whose platform this provider uses. Only requests with a secret key receive it. */
      readonly baseCode?: string
    }[]
  }
  /** Get one vehicle. */
  getVehicle: {
    readonly params: {
      readonly id: string
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly ('groups' | 'devices')[] | undefined
    }
    readonly result: Vehicle
  }
  /** List current locations of vehicles. */
  listLatestVehicleLocations: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Only records of these vehicles, at most 50. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Only records of these drivers, at most 50. */
      readonly driverIds?: readonly string[] | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly ('vehicle' | 'driver')[] | undefined
    }
    readonly result: Page<LatestVehicleLocation>
  }
  /** List drivers. */
  listDrivers: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that the filters of their connection hide. */
      readonly hidden?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'groups'[] | undefined
    }
    readonly result: Page<Driver>
  }
  /** List trips. */
  listTrips: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Only records that started at or after this time. */
      readonly startedAfter?: string | undefined
      /** Only records that started before this time. */
      readonly startedBefore?: string | undefined
      /** Only trips that ended at or after this time. */
      readonly endedAfter?: string | undefined
      /** Only trips that ended before this time. */
      readonly endedBefore?: string | undefined
      /** Only records of these drivers, at most 50. */
      readonly driverIds?: readonly string[] | undefined
      /** Only records of these vehicles, at most 50. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly ('vehicle' | 'driver')[] | undefined
    }
    readonly result: Page<Trip>
  }
  /** List changes of duty status. */
  listHOSLogs: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records that started at or after this time. */
      readonly startedAfter?: string | undefined
      /** Only records that started before this time. */
      readonly startedBefore?: string | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Only records of these drivers, at most 50. */
      readonly driverIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly ('driver' | 'vehicle' | 'codrivers')[] | undefined
    }
    readonly result: Page<HosLog>
  }
  /** List safety events. */
  listSafetyEvents: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Only records that started at or after this time. */
      readonly startedAfter?: string | undefined
      /** Only records that started before this time. */
      readonly startedBefore?: string | undefined
      /** Only records of these drivers, at most 50. */
      readonly driverIds?: readonly string[] | undefined
      /** Only records of these vehicles, at most 50. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly ('vehicle' | 'driver')[] | undefined
    }
    readonly result: Page<SafetyEvent>
  }
  /** List fault codes. */
  listFaultCodeEvents: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Only codes that were observed at or after this time. */
      readonly startAt?: string | undefined
      /** Only codes that were observed at or before this time. */
      readonly endAt?: string | undefined
      /** Only records of these vehicles, at most 50. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly result: Page<FaultCodeEvent>
  }
  /** Summarize distance by jurisdiction. */
  getIFTASummary: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** The first month of the sums. */
      readonly startMonth: string
      /** The last month of the sums, inclusive. */
      readonly endMonth: string
      /** The dimensions by which distances are summed. */
      readonly groupBy?: readonly ('vehicle' | 'jurisdiction' | 'month')[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly result: Page<IftaSummary>
  }
  /** List vehicles. */
  listVehicles: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that the filters of their connection hide. */
      readonly hidden?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly ('groups' | 'devices')[] | undefined
    }
    readonly result: Page<Vehicle>
  }
  /** List trailers. */
  listTrailers: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'groups'[] | undefined
    }
    readonly result: Page<Trailer>
  }
  /** List groups. */
  listGroups: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'parent'[] | undefined
    }
    readonly result: Page<Group>
  }
  /** List devices. */
  listDevices: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly result: Page<Device>
  }
  /** List daily logs of drivers. */
  listHOSDailyLogs: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only this day and later days. */
      readonly startDate?: string | undefined
      /** Only this day and earlier days. */
      readonly endDate?: string | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Only records of these drivers, at most 50. */
      readonly driverIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Whether to include records that were deleted from the provider's system. */
      readonly deleted?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'driver'[] | undefined
    }
    readonly result: Page<HosDailyLog>
  }
  /** List a vehicle's past locations. */
  listHistoricalVehicleLocations: {
    readonly params: {
      readonly id: string
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** The number of records: 500 by default, 10,000 at most. */
      readonly limit?: number | undefined
      /** Only points at or after this time. */
      readonly startAt?: string | undefined
      /** Only points at or before this time. */
      readonly endAt?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
    }
    readonly result: Page<VehicleLocation>
  }
  /** List a vehicle's past measurements. */
  listHistoricalVehicleStats: {
    readonly params: {
      readonly id: string
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** The number of records: 500 by default, 10,000 at most. */
      readonly limit?: number | undefined
      /** Only points at or after this time. */
      readonly startAt?: string | undefined
      /** Only points at or before this time. */
      readonly endAt?: string | undefined
      /** Only measurements of these types. */
      readonly types?:
        | readonly (
            | 'engine_state'
            | 'odometer'
            | 'total_fuel_consumption'
            | 'fuel_level'
            | 'engine_runtime'
            | 'engine_rpm'
            | 'engine_oil_percentage'
            | 'engine_oil_pressure'
            | 'engine_oil_temperature'
            | 'engine_coolant_temperature'
            | 'coolant_percentage'
            | 'battery_voltage'
          )[]
        | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly result: Page<VehicleStatLog>
  }
  /** Get one sync. */
  getSyncJobStatus: {
    readonly params: {
      readonly id: string
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'issues'[] | undefined
    }
    readonly result: Sync
  }
  /** Get one driver. */
  getDriver: {
    readonly params: {
      readonly id: string
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'groups'[] | undefined
    }
    readonly result: Driver
  }
  /** List the available time of drivers. */
  listHOSAvailableTime: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only records of these drivers, at most 50. */
      readonly driverIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'driver'[] | undefined
    }
    readonly result: Page<HosAvailableTime>
  }
  /** Get one safety event. */
  getSafetyEvent: {
    readonly params: {
      readonly id: string
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly ('vehicle' | 'driver')[] | undefined
    }
    readonly result: SafetyEvent
  }
  /** Get the recordings of a safety event. */
  getEventCameraMedia: {
    readonly params: {
      readonly id: string
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
    }
    readonly result: CameraMedia
  }
  /** List current locations of trailers. */
  listLatestTrailerLocations: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'trailer'[] | undefined
    }
    readonly result: Page<LatestTrailerLocation>
  }
  /** Sum distance, fuel and engine time of each vehicle over a period. */
  getVehicleUtilization: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** The first day of the sums. */
      readonly startDate?: string | undefined
      /** The last day of the sums, inclusive. */
      readonly endDate?: string | undefined
      /** Only records with `metadata.modifiedAt` at or after this time. */
      readonly modifiedAfter?: string | undefined
      /** Only records with `metadata.modifiedAt` before this time. */
      readonly modifiedBefore?: string | undefined
      /** Only records of these vehicles, at most 50. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly result: Page<VehicleUtilization>
  }
  /** Request a sync. */
  requestSync: {
    readonly params: {
      /** The earliest record time. */
      readonly startFrom?: string | undefined
      /** The start as a number of days before now. Takes precedence over `startFrom`. */
      readonly days?: number | undefined
      /** The manual steps at the provider to request. */
      readonly providerRequests?:
        | readonly (
            | 'historical_files'
            | 'provision_credentials'
            | { readonly type: 'historical_files' | 'provision_credentials' }
          )[]
        | undefined
    }
    readonly result: ExpandedSync
  }
  /** List syncs, newest first. */
  listSyncHistory: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only syncs with this status. */
      readonly status?: 'requested' | 'in_progress' | 'completed' | 'failed' | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'issues'[] | undefined
    }
    readonly result: Page<Sync>
  }
  /** Run a failed sync again. */
  retrySync: {
    readonly params: { readonly id: string }
    readonly result: { readonly id: string; readonly message: string }
  }
  /** Cancel a running sync. */
  cancelSync: {
    readonly params: { readonly id: string }
    readonly result: { readonly id: string; readonly message: string }
  }
  /** List issues. */
  listIssues: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only issues last reported at or after this time. */
      readonly lastReportedAfter?: string | undefined
      /** Only issues last reported before this time. */
      readonly lastReportedBefore?: string | undefined
      /** Only issues of this connection. */
      readonly connectionId?: string | undefined
      /** Only issues with this code. */
      readonly errorCode?:
        | 'permission_missing'
        | 'oauth_scope_missing'
        | 'subscription_required'
        | 'retention_window_exceeded'
        | 'provider_data_inaccessible'
        | 'invalid_source_identifier'
        | 'unsupported_device_type'
        | 'stream_disabled'
        | 'provider_provisioning_pending'
        | 'provider_feature_not_enabled'
        | 'missing_vehicle_identifier'
        | 'missing_vehicle_assignment'
        | 'provider_capability_not_supported'
        | 'provider_source_data_invalid'
        | 'provider_partially_configured'
        | 'managed_poll_returned_no_data'
        | 'managed_poll_failed'
        | 'data_delayed'
        | 'missing_permissions'
        | 'exceeded_retention_window'
        | 'invalid_source_id'
        | 'unknown_device_type'
        | 'missing_safety_configuration'
        | 'inaccessible_data'
        | 'manually_disabled'
        | undefined
      /** Only issues with this status. */
      readonly status?: 'ongoing' | 'resolved' | undefined
      /** References to return as whole records instead of ids, in any order. */
      readonly expand?: readonly 'connection'[] | undefined
    }
    readonly result: Page<Issue>
  }
  /** Mark an issue as resolved. */
  resolveIssue: {
    readonly params: { readonly id: string }
    readonly result: ExpandedIssue
  }
  /** List the event log, oldest first (an extension). */
  listEvents: {
    readonly params: {
      /** The id of the last event seen, or the `next` of a page. Without it, the list starts with the oldest event. */
      readonly after?: string | undefined
      /** Number of events from the start of the log. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only events of these types, such as vehicle.added. `*` stands for all types that are not opt-in, and is the default. */
      readonly types?: readonly string[] | undefined
      /** Only events of these connections. */
      readonly connectionIds?: readonly string[] | undefined
    }
    readonly result: Page<Event>
  }
  /** Create a short URL to the pages where a fleet links its account. A request with the same body returns the existing link. */
  createShortLink: {
    readonly params: {
      /** The name of the fleet's company. */
      readonly name?: string | undefined
      /** The code of the provider. If absent, the fleet chooses. */
      readonly provider?: string | undefined
      /** The codes of the providers that the link page lists first. */
      readonly providerHints?: readonly string[] | undefined
      /** The caller's own identifier for the connection. */
      readonly externalId?: string | undefined
      /** The caller's own labels for the connection. */
      readonly tags?: readonly string[] | undefined
      /** The URL to which the fleet returns after the run, with the query parameters `result` and, on success, `token`. Its origin must be a link origin of the application. */
      readonly redirectUrl?: string | undefined
      /** When data is read from the provider. Default: AUTOMATIC. */
      readonly syncMode?: 'automatic' | 'manual' | undefined
      /** How far back the first sync reads. Days count back from the creation of the connection. */
      readonly backfill?: { readonly startFrom?: string; readonly days?: number } | undefined
      /** Stored unchanged. It has no effect. */
      readonly template?: string | undefined
    }
    readonly result: ShortLink
  }
  /** Delete a short link. */
  deleteShortLink: {
    readonly params: { readonly id: string }
    readonly result: { readonly id: string }
  }
  /** List webhook endpoints (an extension). */
  listWebhookEndpoints: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
    }
    readonly result: Page<WebhookEndpoint>
  }
  /** Create a webhook endpoint; only this response contains its secret (an extension). */
  createWebhookEndpoint: {
    readonly params: {
      /** The URL to which events are posted: https:// and at most 2,048 characters. A user name and a password in it become the header `authorization` and are removed from it. */
      readonly url: string
      /** Free text, at most 255 characters. */
      readonly description?: string | null | undefined
      /** Event types: names, aliases, or `*` for all types that are not opt-in. At most 100. Default: `*`. */
      readonly types?: readonly string[] | undefined
      /** Only events of these connections, at most 100. Null stands for all connections. */
      readonly connectionIds?: readonly string[] | null | undefined
      /** Only events of connections that have one of these tags, at most 100. Null stands for all connections. */
      readonly tags?: readonly string[] | null | undefined
      /** The order in which events are sent. Default: NONE. */
      readonly ordering?: 'none' | 'resource' | undefined
      /** Maximum number of concurrent requests, 1 to 100. Default: 10. */
      readonly concurrency?: number | undefined
      /** Maximum number of requests per second: more than 0 and at most 10,000. Null for no limit. */
      readonly ratePerSecond?: number | null | undefined
      /** The wait before each further attempt, in seconds: at most 20 waits of 1 second to a week. Null stands for 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. An empty list disables retries. */
      readonly retrySeconds?: readonly number[] | null | undefined
      /** Custom headers of each request to the endpoint, for example an API key of a gateway in front of the receiver: at most 10. */
      readonly headers?: readonly { readonly name: string; readonly value: string }[] | null | undefined
      /** The signing secret: `whsec_` and the Base64 of 24 to 64 bytes. By default, a new one is generated. */
      readonly secret?: string | undefined
    }
    readonly result: WebhookEndpoint & { readonly secret: string }
  }
  /** Get one webhook endpoint (an extension). */
  getWebhookEndpoint: {
    readonly params: { readonly id: string }
    readonly result: WebhookEndpoint
  }
  /** Change a webhook endpoint (an extension). */
  updateWebhookEndpoint: {
    readonly params: {
      readonly id: string
      /** The URL to which events are posted. A user name and a password in it become the header `authorization` and are removed from it. */
      readonly url?: string | undefined
      /** Free text, at most 255 characters. Null removes it. */
      readonly description?: string | null | undefined
      /** Event types: names, aliases, or `*` for all types that are not opt-in. At most 100. */
      readonly types?: readonly string[] | undefined
      /** Only events of these connections, at most 100. Null stands for all connections. */
      readonly connectionIds?: readonly string[] | null | undefined
      /** Only events of connections that have one of these tags, at most 100. Null stands for all connections. */
      readonly tags?: readonly string[] | null | undefined
      /** The order in which events are sent. */
      readonly ordering?: 'none' | 'resource' | undefined
      /** Maximum number of concurrent requests, 1 to 100. */
      readonly concurrency?: number | undefined
      /** Maximum number of requests per second: more than 0 and at most 10,000. Null for no limit. */
      readonly ratePerSecond?: number | null | undefined
      /** The wait before each further attempt, in seconds: at most 20 waits of 1 second to a week. Null stands for 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. An empty list disables retries. */
      readonly retrySeconds?: readonly number[] | null | undefined
      /** Custom headers of each request to the endpoint, for example an API key of a gateway in front of the receiver: at most 10. They replace all earlier ones. Null or an empty list removes them. */
      readonly headers?: readonly { readonly name: string; readonly value: string }[] | null | undefined
    }
    readonly result: WebhookEndpoint
  }
  /** Delete a webhook endpoint (an extension). */
  deleteWebhookEndpoint: {
    readonly params: { readonly id: string }
    readonly result: { readonly id: string }
  }
  /** Rotate the secret of a webhook endpoint; only this response contains it (an extension). */
  rotateWebhookSecret: {
    readonly params: {
      readonly id: string
      /** How long messages are also signed with the earlier secrets, in seconds: 0 to 604,800 (a week). Default: 86,400 (a day). */
      readonly overlapSeconds?: number | undefined
      /** The new secret: `whsec_` and the Base64 of 24 to 64 bytes. By default, a new one is generated. */
      readonly secret?: string | undefined
    }
    readonly result: WebhookEndpoint & { readonly secret: string }
  }
  /** Send an example event of a type (an extension). */
  testWebhookEndpoint: {
    readonly params: {
      readonly id: string
      /** Any event type, whether or not the endpoint subscribes to it. */
      readonly type: string
    }
    readonly result: WebhookDelivery
  }
  /** Enable a webhook endpoint (an extension). */
  enableWebhookEndpoint: {
    readonly params: {
      readonly id: string
      /** Whether to skip the events from the time while the endpoint was disabled. By default, they are sent first, in order. */
      readonly skipMissed?: boolean | undefined
    }
    readonly result: WebhookEndpoint
  }
  /** Disable a webhook endpoint (an extension). */
  disableWebhookEndpoint: {
    readonly params: { readonly id: string }
    readonly result: WebhookEndpoint
  }
  /** Send missed events since a time (an extension). */
  recoverWebhookEndpoint: {
    readonly params: {
      readonly id: string
      /** Events at or after this time are sent. It must not be in the future. */
      readonly since: string
    }
    readonly result: WebhookEndpoint & { readonly events: number }
  }
  /** List deliveries of a webhook endpoint, newest first (an extension). */
  listWebhookDeliveries: {
    readonly params: {
      readonly id: string
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only deliveries with this status. */
      readonly status?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined
    }
    readonly result: Page<WebhookDelivery>
  }
  /** Replay a delivery (an extension). */
  replayWebhookDelivery: {
    readonly params: { readonly id: string; readonly deliveryId: string }
    readonly result: WebhookDelivery
  }
  /** Check a fuel purchase (an extension). */
  createPurchaseCheck: {
    readonly params: {
      /** A key that identifies the purchase: 1 to 255 printable ASCII characters. A repetition with the same key and input returns the same check; with another input it fails with IDEMPOTENCY_KEY_REUSED. */
      readonly idempotencyKey: string
      /** The vehicle. Without it, the vehicle that `cardId` is assigned to. */
      readonly vehicleId?: string | undefined
      /** The driver who buys. Without `vehicleId`, the default is the driver that the card is assigned to. */
      readonly driverId?: string | undefined
      /** Your own id of the card, at most 255 characters. The card's number is refused. */
      readonly cardId?: string | undefined
      /** The card network's id of the authorization, at most 255 characters. It must be unique in the application: `captureForCheck` finds the check by it. */
      readonly authorizationId?: string | undefined
      /** When the purchase happened. Default: now. Required for a capture. */
      readonly at?: string | undefined
      /** The merchant. */
      readonly merchant: {
        readonly name: string
        readonly siteId?: string
        readonly categoryCode: string
        readonly coordinates?: { readonly longitude: number; readonly latitude: number }
        readonly address?: {
          readonly line1?: string
          readonly city?: string
          readonly state?: string
          readonly postalCode?: string
          readonly country: string
        }
      }
      /** The amount. */
      readonly amount: { readonly value: number; readonly currency: string }
      /** The fuel, if known. */
      readonly fuel?:
        | {
            readonly product?:
              'gasoline' | 'diesel' | 'dyed_diesel' | 'def' | 'propane' | 'electricity' | 'other'
            readonly liters?: number
            readonly unitPrice?: number
          }
        | undefined
      /** When in its course the purchase is checked. */
      readonly phase?: 'authorization' | 'capture' | undefined
      /** Your own data: an object whose JSON has at most 4,000 characters. It is returned unchanged. */
      readonly metadata?: Readonly<Record<string, unknown>> | undefined
    }
    readonly result: PurchaseCheck & { readonly recorded: boolean }
  }
  /** List checks of fuel purchases by the time of the purchase (an extension). */
  listPurchaseChecks: {
    readonly params: {
      /** The `next` of the previous page. Send it with unchanged other parameters. */
      readonly cursor?: string | undefined
      /** Number of records from the start of the list. Default 100, maximum 1,000. */
      readonly limit?: number | undefined
      /** Only checks of these vehicles, at most 50. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Only records of these connections. Accepts at most 50 ids. */
      readonly connectionIds?: readonly string[] | undefined
      /** Only checks of the card with this id of yours. */
      readonly cardId?: string | undefined
      /** Only checks of the authorization with this id of the card network, with its captures. */
      readonly authorizationId?: string | undefined
      /** Only checks with this decision. */
      readonly decision?: 'approve' | 'decline' | 'confirm' | 'unknown' | undefined
      /** Only purchases at or after this time. */
      readonly purchasedAfter?: string | undefined
      /** Only purchases before this time. */
      readonly purchasedBefore?: string | undefined
    }
    readonly result: Page<PurchaseCheck>
  }
  /** Check the capture of a fuel purchase (an extension). */
  createPurchaseCapture: {
    readonly params: {
      /** A key that identifies the capture, like that of `checkPurchase`: 1 to 255 printable ASCII characters. */
      readonly idempotencyKey: string
      /** The check of the authorization. Give either this or `authorizationId`. */
      readonly checkId?: string | undefined
      /** The card network's id of the authorization, as `checkPurchase` got it. */
      readonly authorizationId?: string | undefined
      /** When the fuel was bought. Default: the time of the authorization. */
      readonly at?: string | undefined
      /** The amount. */
      readonly amount: { readonly value: number; readonly currency: string }
      /** The fuel, if known. */
      readonly fuel?:
        | {
            readonly product?:
              'gasoline' | 'diesel' | 'dyed_diesel' | 'def' | 'propane' | 'electricity' | 'other'
            readonly liters?: number
            readonly unitPrice?: number
          }
        | undefined
      /** Your own data: an object whose JSON has at most 4,000 characters. It is returned unchanged. */
      readonly metadata?: Readonly<Record<string, unknown>> | undefined
    }
    readonly result: PurchaseCheck & { readonly recorded: boolean }
  }
  /** Get one check of a fuel purchase (an extension). */
  getPurchaseCheck: {
    readonly params: { readonly id: string }
    readonly result: PurchaseCheck
  }
  /** Get your own facts about a vehicle (an extension). */
  getVehicleFacts: {
    readonly params: { readonly id: string }
    readonly result: {
      /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
      readonly id: VehicleId
      /** The fuel type. */
      readonly fuelType?: FuelType
      /** The fuel capacity of the tanks in liters. */
      readonly fuelTankCapacity?: number
      /** The application's own facts about the vehicle, which `setVehicleFacts` sets. Null if there are none. */
      readonly ownFacts?: VehicleFacts
    }
  }
  /** Replace your own facts about a vehicle (an extension). */
  setVehicleFacts: {
    readonly params: {
      readonly id: string
      /** The fuel capacity of all tanks together: more than 0, at most 10,000 liters. */
      readonly fuelTankCapacity?: number | null | undefined
      /** The number of fuel tanks: 1 to 10. */
      readonly fuelTankCount?: number | null | undefined
      /** The fuel type. */
      readonly fuelType?:
        | 'gasoline'
        | 'diesel'
        | 'propane'
        | 'electric'
        | 'hybrid_gasoline'
        | 'hybrid_diesel'
        | null
        | undefined
      /** The expected fuel consumption: more than 0, at most 1,000 liters per 100 km. */
      readonly fuelConsumption?: number | null | undefined
      /** Whether the facts come before the provider's values. Default: false. */
      readonly overrules?: boolean | null | undefined
    }
    readonly result: {
      /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique across all types. */
      readonly id: VehicleId
      /** The fuel type. */
      readonly fuelType?: FuelType
      /** The fuel capacity of the tanks in liters. */
      readonly fuelTankCapacity?: number
      /** The application's own facts about the vehicle, which `setVehicleFacts` sets. Null if there are none. */
      readonly ownFacts?: VehicleFacts
    }
  }
  /** Send a request to the provider's own API. */
  passthrough: {
    readonly params: {
      /** The HTTP method of the request. */
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /** The path at the provider's API, with the query string. It begins with /. */
      readonly path: string
      /** The request headers as an object of strings by name. The credentials are added; headers that would replace them are not sent. */
      readonly headers?: Readonly<Record<string, unknown>> | undefined
      /** The request body, sent unchanged. At most 1 MiB. */
      readonly body?: string | undefined
    }
    readonly result: PassthroughResponse
  }
  /** Send a request to the provider's own API and return the raw response. */
  passthroughRaw: {
    readonly params: {
      /** The HTTP method of the request. */
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /** The path at the provider's API, with the query string. It begins with /. */
      readonly path: string
      /** The request headers as an object of strings by name. The credentials are added; headers that would replace them are not sent. */
      readonly headers?: Readonly<Record<string, unknown>> | undefined
      /** The request body, sent unchanged. At most 1 MiB. */
      readonly body?: string | undefined
    }
    readonly result: PassthroughResponse | unknown
  }
}

/** Method, path, query parameters and result kind of each operation. Other parameters form the body. */

export const operations = {
  publicTokenExchange: { method: 'POST', path: '/public-token/exchange', query: [], result: 'record' },
  listConnections: {
    method: 'GET',
    path: '/connections',
    query: [
      'cursor',
      'limit',
      'externalId',
      'dotNumber',
      'tag',
      'updatedAfter',
      'updatedBefore',
      'status',
      'provider',
      'order',
    ],
    result: 'page',
  },
  createConnection: { method: 'POST', path: '/connections', query: [], result: 'record' },
  getCurrentConnection: { method: 'GET', path: '/connections/current', query: [], result: 'record' },
  updateCurrentConnection: { method: 'PATCH', path: '/connections/current', query: [], result: 'record' },
  deleteCurrentConnection: { method: 'DELETE', path: '/connections/current', query: [], result: 'record' },
  listProviders: { method: 'GET', path: '/providers', query: [], result: 'record' },
  getVehicle: { method: 'GET', path: '/vehicles/{id}', query: ['raw', 'expand'], result: 'record' },
  listLatestVehicleLocations: {
    method: 'GET',
    path: '/vehicles/locations',
    query: ['cursor', 'limit', 'raw', 'vehicleIds', 'driverIds', 'expand'],
    result: 'page',
  },
  listDrivers: {
    method: 'GET',
    path: '/drivers',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'hidden', 'deleted', 'expand'],
    result: 'page',
  },
  listTrips: {
    method: 'GET',
    path: '/trips',
    query: [
      'cursor',
      'limit',
      'modifiedAfter',
      'modifiedBefore',
      'startedAfter',
      'startedBefore',
      'endedAfter',
      'endedBefore',
      'driverIds',
      'vehicleIds',
      'raw',
      'deleted',
      'expand',
    ],
    result: 'page',
  },
  listHOSLogs: {
    method: 'GET',
    path: '/hos/logs',
    query: [
      'cursor',
      'limit',
      'startedAfter',
      'startedBefore',
      'modifiedAfter',
      'modifiedBefore',
      'driverIds',
      'raw',
      'deleted',
      'expand',
    ],
    result: 'page',
  },
  listSafetyEvents: {
    method: 'GET',
    path: '/safety/events',
    query: [
      'cursor',
      'limit',
      'modifiedAfter',
      'modifiedBefore',
      'startedAfter',
      'startedBefore',
      'driverIds',
      'vehicleIds',
      'raw',
      'deleted',
      'expand',
    ],
    result: 'page',
  },
  listFaultCodeEvents: {
    method: 'GET',
    path: '/fault-codes/events',
    query: [
      'cursor',
      'limit',
      'modifiedAfter',
      'modifiedBefore',
      'startAt',
      'endAt',
      'vehicleIds',
      'raw',
      'deleted',
      'expand',
    ],
    result: 'page',
  },
  getIFTASummary: {
    method: 'GET',
    path: '/ifta/summary',
    query: ['cursor', 'limit', 'startMonth', 'endMonth', 'groupBy', 'raw', 'expand'],
    result: 'page',
  },
  listVehicles: {
    method: 'GET',
    path: '/vehicles',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'hidden', 'deleted', 'expand'],
    result: 'page',
  },
  listTrailers: {
    method: 'GET',
    path: '/trailers',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'deleted', 'expand'],
    result: 'page',
  },
  listGroups: {
    method: 'GET',
    path: '/groups',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'deleted', 'expand'],
    result: 'page',
  },
  listDevices: {
    method: 'GET',
    path: '/devices',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'deleted', 'expand'],
    result: 'page',
  },
  listHOSDailyLogs: {
    method: 'GET',
    path: '/hos/daily-logs',
    query: [
      'cursor',
      'limit',
      'startDate',
      'endDate',
      'modifiedAfter',
      'modifiedBefore',
      'driverIds',
      'raw',
      'deleted',
      'expand',
    ],
    result: 'page',
  },
  listHistoricalVehicleLocations: {
    method: 'GET',
    path: '/vehicles/{id}/locations',
    query: ['cursor', 'limit', 'startAt', 'endAt', 'raw'],
    result: 'page',
  },
  listHistoricalVehicleStats: {
    method: 'GET',
    path: '/vehicles/{id}/stats/historical',
    query: ['cursor', 'limit', 'startAt', 'endAt', 'types', 'raw', 'expand'],
    result: 'page',
  },
  getSyncJobStatus: { method: 'GET', path: '/syncs/{id}', query: ['expand'], result: 'record' },
  getDriver: { method: 'GET', path: '/drivers/{id}', query: ['raw', 'expand'], result: 'record' },
  listHOSAvailableTime: {
    method: 'GET',
    path: '/hos/available-time',
    query: ['cursor', 'limit', 'driverIds', 'raw', 'expand'],
    result: 'page',
  },
  getSafetyEvent: { method: 'GET', path: '/safety/events/{id}', query: ['raw', 'expand'], result: 'record' },
  getEventCameraMedia: {
    method: 'GET',
    path: '/safety/events/{id}/camera-media',
    query: ['raw'],
    result: 'record',
  },
  listLatestTrailerLocations: {
    method: 'GET',
    path: '/trailers/locations',
    query: ['cursor', 'limit', 'raw', 'expand'],
    result: 'page',
  },
  getVehicleUtilization: {
    method: 'GET',
    path: '/vehicles/utilization',
    query: [
      'cursor',
      'limit',
      'startDate',
      'endDate',
      'modifiedAfter',
      'modifiedBefore',
      'vehicleIds',
      'raw',
      'expand',
    ],
    result: 'page',
  },
  requestSync: { method: 'POST', path: '/syncs', query: [], result: 'record' },
  listSyncHistory: {
    method: 'GET',
    path: '/syncs',
    query: ['cursor', 'limit', 'status', 'expand'],
    result: 'page',
  },
  retrySync: { method: 'POST', path: '/syncs/{id}/retry', query: [], result: 'record' },
  cancelSync: { method: 'POST', path: '/syncs/{id}/cancel', query: [], result: 'record' },
  listIssues: {
    method: 'GET',
    path: '/issues',
    query: [
      'cursor',
      'limit',
      'lastReportedAfter',
      'lastReportedBefore',
      'connectionId',
      'errorCode',
      'status',
      'expand',
    ],
    result: 'page',
  },
  resolveIssue: { method: 'POST', path: '/issues/{id}/resolve', query: [], result: 'record' },
  listEvents: {
    method: 'GET',
    path: '/events',
    query: ['after', 'limit', 'types', 'connectionIds'],
    result: 'page',
  },
  createShortLink: { method: 'POST', path: '/link/short', query: [], result: 'record' },
  deleteShortLink: { method: 'DELETE', path: '/link/short/{id}', query: [], result: 'record' },
  listWebhookEndpoints: {
    method: 'GET',
    path: '/webhook-endpoints',
    query: ['cursor', 'limit'],
    result: 'page',
  },
  createWebhookEndpoint: { method: 'POST', path: '/webhook-endpoints', query: [], result: 'record' },
  getWebhookEndpoint: { method: 'GET', path: '/webhook-endpoints/{id}', query: [], result: 'record' },
  updateWebhookEndpoint: { method: 'PATCH', path: '/webhook-endpoints/{id}', query: [], result: 'record' },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/webhook-endpoints/{id}', query: [], result: 'record' },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/rotate-secret',
    query: [],
    result: 'record',
  },
  testWebhookEndpoint: { method: 'POST', path: '/webhook-endpoints/{id}/test', query: [], result: 'record' },
  enableWebhookEndpoint: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/enable',
    query: [],
    result: 'record',
  },
  disableWebhookEndpoint: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/disable',
    query: [],
    result: 'record',
  },
  recoverWebhookEndpoint: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/recover',
    query: [],
    result: 'record',
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/webhook-endpoints/{id}/deliveries',
    query: ['cursor', 'limit', 'status'],
    result: 'page',
  },
  replayWebhookDelivery: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/deliveries/{deliveryId}/replay',
    query: [],
    result: 'record',
  },
  createPurchaseCheck: { method: 'POST', path: '/purchase-checks', query: [], result: 'record' },
  listPurchaseChecks: {
    method: 'GET',
    path: '/purchase-checks',
    query: [
      'cursor',
      'limit',
      'vehicleIds',
      'connectionIds',
      'cardId',
      'authorizationId',
      'decision',
      'purchasedAfter',
      'purchasedBefore',
    ],
    result: 'page',
  },
  createPurchaseCapture: { method: 'POST', path: '/purchase-captures', query: [], result: 'record' },
  getPurchaseCheck: { method: 'GET', path: '/purchase-checks/{id}', query: [], result: 'record' },
  getVehicleFacts: { method: 'GET', path: '/vehicles/{id}/facts', query: [], result: 'record' },
  setVehicleFacts: { method: 'PUT', path: '/vehicles/{id}/facts', query: [], result: 'record' },
  passthrough: { method: 'POST', path: '/passthrough', query: [], result: 'record' },
  passthroughRaw: { method: 'POST', path: '/passthrough/raw', query: [], result: 'bytes' },
} as const
