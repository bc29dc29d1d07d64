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

/** A place in words. */
export interface Address {
  /** The place in one line. */
  readonly formatted: string
}

/** The id of a agreement. */
export type AgreementId = string

/** The voltage of the battery. */
export interface BatteryVoltageStatLog {
  /** What was measured. */
  readonly type: 'battery_voltage'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Volts. */
  readonly voltage: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** What a camera filmed of a safety event. */
export interface CameraFile {
  /** The file's id in the provider's system. */
  readonly sourceId?: string
  /** Whether it can be fetched now. */
  readonly available: boolean
}

/** The films of a safety event, as the provider has them now. */
export interface CameraMedia {
  /** Of the camera that looks at the road. */
  readonly frontFacing?: CameraMediaFile
  /** Of the camera that looks into the cab. */
  readonly rearFacing?: CameraMediaFile
  /** The provider's answer. */
  readonly raw?: readonly RawData[]
}

/** A film of a safety event. */
export interface CameraMediaFile {
  /** The file's id in the provider's system. */
  readonly sourceId?: string
  /** Where the film is served, for an hour. */
  readonly videoUrl: string
}

/** The cameras that filmed a safety event. */
export interface CameraMediaReference {
  /** The camera that looks at the road. */
  readonly frontFacing?: CameraFile
  /** The camera that looks into the cab. */
  readonly rearFacing?: CameraFile
}

/** The company that linked its account. */
export interface Company {
  /** What it is called. */
  readonly name?: string
  /** Its US DOT numbers. */
  readonly dotNumbers: readonly string[]
}

/** A fleet's link to a provider, made with its consent. */
export interface Connection {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: ConnectionId
  /** Where it is in its life. */
  readonly status: ConnectionStatus
  /** The provider that the account is with. */
  readonly provider: Provider
  /** The company that linked its account. */
  readonly company: Company
  /** The fleet's account at the provider. */
  readonly account: ProviderAccount
  /** When its data is read from the provider. */
  readonly syncMode: SyncMode
  /** The connection token: it narrows a request to this connection. */
  readonly token: string
  /** Settings of this connection. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Where the fleet signs in again. Null once the data of the connection is being deleted. */
  readonly linkUrl?: string
  /** The caller's own identifier. */
  readonly externalId?: string
  /** The account's id in the provider's system. */
  readonly sourceId?: string
  /** The caller's own labels. */
  readonly tags: readonly string[]
  /** Which vehicles and drivers are shown. */
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
  /** When it was made. */
  readonly createdAt: string
  /** When one of its own facts last changed. */
  readonly updatedAt: string
  /** When its data was gone. */
  readonly deletedAt?: string
}

/** The id of a connection. */
export type ConnectionId = string

/**
 * Where a connection is in its life.
 * - `connected`: Active and authenticated.
 * - `disconnected`: No longer authenticated; the fleet must link the account again.
 * - `archived`: Removed from view; nothing is synced or delivered.
 * - `pending_deletion`: Marked for deletion, within the grace period.
 * - `deleting`: Its data is being deleted.
 * - `deleted`: Its data is deleted; this stub remains.
 */
export type ConnectionStatus =
  'connected' | 'disconnected' | 'archived' | 'pending_deletion' | 'deleting' | 'deleted'

/** How much coolant there is. */
export interface CoolantPercentageStatLog {
  /** What was measured. */
  readonly type: 'coolant_percentage'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Percent, 0 to 100. */
  readonly percentage: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** A fleet's link to a provider, made with its consent. */
export interface CurrentConnection {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: ConnectionId
  /** Where it is in its life. */
  readonly status: ConnectionStatus
  /** The provider that the account is with. */
  readonly provider: Provider
  /** The company that linked its account. */
  readonly company: Company
  /** The fleet's account at the provider. */
  readonly account: ProviderAccount
  /** When its data is read from the provider. */
  readonly syncMode: SyncMode
  /** The connection token: it narrows a request to this connection. */
  readonly token: string
  /** Settings of this connection. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Where the fleet signs in again. Null once the data of the connection is being deleted. */
  readonly linkUrl?: string
  /** The caller's own identifier. */
  readonly externalId?: string
  /** The account's id in the provider's system. */
  readonly sourceId?: string
  /** The caller's own labels. */
  readonly tags: readonly string[]
  /** Which vehicles and drivers are shown. */
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
  /** When it was made. */
  readonly createdAt: string
  /** When one of its own facts last changed. */
  readonly updatedAt: string
  /** When its data was gone. */
  readonly deletedAt?: string
  /** The latest sync. */
  readonly lastSync?: ExpandedSync
  /** What the fleet has consented to. */
  readonly agreements: readonly ExpandedAgreement[]
}

/** Hardware in a vehicle that reports to the provider. */
export interface Device {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: DeviceId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** What it does. */
  readonly type: DeviceType
  /** The vehicle it is in. */
  readonly vehicle?: ExpandableVehicle
  /** What it is. */
  readonly description?: string
  /** The manufacturer's serial number. */
  readonly serialNumber?: string
  /** When it last reported. */
  readonly lastConnectedAt?: string
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a device. */
export type DeviceId = string

/**
 * What a device does.
 * - `tracker`: Reports positions and the engine.
 * - `camera`: Films the road or the cab.
 */
export type DeviceType = 'tracker' | 'camera'

/** A person who drives for the fleet. */
export interface Driver {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
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
  /** Digits, with a leading + where the country code is known. */
  readonly phone?: string
  /** The driver's sign-in name at the provider. */
  readonly username?: string
  /** The driver's license. */
  readonly license?: DriverLicense
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
  /** The groups the driver belongs to. */
  readonly groups: readonly ExpandableGroup[]
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a driver. */
export type DriverId = string

/** A driver's license. */
export interface DriverLicense {
  /** Two letters, such as TX or ON. */
  readonly state?: string
  /** The number of the license. */
  readonly number?: string
}

/**
 * A driver's status in the provider's system.
 * - `active`: Drives for the fleet.
 * - `inactive`: Switched off by the fleet.
 */
export type DriverStatus = 'active' | 'inactive'

/** How hot the coolant is. */
export interface EngineCoolantTemperatureStatLog {
  /** What was measured. */
  readonly type: 'engine_coolant_temperature'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Degrees Celsius. */
  readonly temperature: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** How much engine oil there is. */
export interface EngineOilPercentageStatLog {
  /** What was measured. */
  readonly type: 'engine_oil_percentage'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Percent, 0 to 100. */
  readonly percentage: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The pressure of the engine oil. */
export interface EngineOilPressureStatLog {
  /** What was measured. */
  readonly type: 'engine_oil_pressure'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** PSI. */
  readonly pressure: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** How hot the engine oil is. */
export interface EngineOilTemperatureStatLog {
  /** What was measured. */
  readonly type: 'engine_oil_temperature'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Degrees Celsius. */
  readonly temperature: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** How fast an engine turns. */
export interface EngineRpmStatLog {
  /** What was measured. */
  readonly type: 'engine_rpm'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Revolutions per minute. */
  readonly rpm: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** How long an engine has run in its life. */
export interface EngineRuntimeStatLog {
  /** What was measured. */
  readonly type: 'engine_runtime'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Whole milliseconds. */
  readonly duration: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/**
 * What an engine does.
 * - `on`: Runs and drives.
 * - `off`: Does not run.
 * - `idle`: Runs at a standstill.
 */
export type EngineState = 'on' | 'off' | 'idle'

/** What an engine did from then on. */
export interface EngineStateStatLog {
  /** What was measured. */
  readonly type: 'engine_state'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** On, off or idle. */
  readonly state: EngineState
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** When this service stored, changed and lost sight of a record. */
export interface EntityMetadata {
  /** When the record was first stored. */
  readonly addedAt: string
  /** When its content last changed here; lists filter by it. */
  readonly modifiedAt: string
  /** When the provider no longer listed it. */
  readonly deletedAt?: string
  /** Whether lists show it. */
  readonly visibility: Visibility
}

/** An entry of the log: something that happened to a connection or its records. */
export interface Event {
  /** Its evt_ id; pass the last one seen as `after` to go on from it. */
  readonly id: EventId
  /** What happened, such as vehicle.added, by the name that it was asked for. */
  readonly type: string
  /** When it was stored. */
  readonly timestamp: string
  /** What a webhook of it carries: the record as it was then, and its connection. */
  readonly detail: unknown
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

/** A fleet's consent: what was accepted, when and by whom. */
export interface ExpandedAgreement {
  /** A prefixed ULID. */
  readonly id: AgreementId
  /** The integrator that it was made with. */
  readonly applicationId: string
  /** The connection that it is about. */
  readonly connectionId: string
  /** The text that was accepted. */
  readonly agreementUrl: string
  /** When it was accepted. */
  readonly acceptedAt: string
  /** Who accepted it. */
  readonly acceptedBy: AccountUser
  /** From where, in words. */
  readonly location?: string
  /** From which address. */
  readonly ipAddress?: string
  /** With which browser. */
  readonly userAgent?: string
}

/** Hardware in a vehicle that reports to the provider. */
export interface ExpandedDevice {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: DeviceId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** What it does. */
  readonly type: DeviceType
  /** The vehicle it is in. */
  readonly vehicle?: VehicleId
  /** What it is. */
  readonly description?: string
  /** The manufacturer's serial number. */
  readonly serialNumber?: string
  /** When it last reported. */
  readonly lastConnectedAt?: string
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
}

/** A person who drives for the fleet. */
export interface ExpandedDriver {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
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
  /** Digits, with a leading + where the country code is known. */
  readonly phone?: string
  /** The driver's sign-in name at the provider. */
  readonly username?: string
  /** The driver's license. */
  readonly license?: DriverLicense
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
  /** The groups the driver belongs to. */
  readonly groups: readonly GroupId[]
}

/** A set of vehicles and drivers that the fleet keeps together, such as a region or a terminal. */
export interface ExpandedGroup {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: GroupId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** What the fleet calls it. */
  readonly name?: string
  /** What it is for. */
  readonly description?: string
  /** The group that this one is part of. */
  readonly parent?: GroupId
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
}

/** Data of a connection that cannot be had, while the rest of it can. */
export interface ExpandedIssue {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: IssueId
  /** Whether it is still met. */
  readonly status: IssueStatus
  /** The connection whose data it is about. */
  readonly connection: ConnectionId
  /** What it is about. */
  readonly error: IssueError
  /** When it was met for the first time. */
  readonly firstReportedAt: string
  /** When it was met for the last time. */
  readonly lastReportedAt: string
  /** How it comes to its end. */
  readonly resolutionType?: IssueResolutionType
  /** A page about it, where there is one. */
  readonly documentationUrl?: string
}

/** One run of reading a connection's data from its provider. */
export interface ExpandedSync {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: SyncId
  /** How far it is. */
  readonly status: SyncStatus
  /** When it was asked for. */
  readonly requestedAt: string
  /** When it ended, one way or the other. */
  readonly completedAt?: string
  /** Why it failed. */
  readonly failureReason?: string
  /** Percent of its work that is stored, 0 to 100. */
  readonly progress: number
  /** The earliest record time that was asked for. */
  readonly startFrom?: string
  /** How often a worker has taken it up. */
  readonly attempts: number
  /** Steps by hand at the provider that it waits for; it may be in progress for long then. */
  readonly providerRequests: readonly ProviderRequest[]
  /** What it could not read, while it read the rest. */
  readonly issues: readonly IssueId[]
}

/** A trailer or another asset without an engine of its own. */
export interface ExpandedTrailer {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: TrailerId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** Its status in the provider's system. */
  readonly status: TrailerStatus
  /** What the fleet calls it. */
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
  /** Its license plate. */
  readonly licensePlate?: LicensePlate
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
  /** The groups it belongs to. */
  readonly groups: readonly GroupId[]
}

/** A vehicle of the fleet's account at its provider. */
export interface ExpandedVehicle {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: VehicleId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** Its status in the provider's system. */
  readonly status: VehicleStatus
  /** The vehicle identification number, 17 characters since 1981. */
  readonly vin?: string
  /** What the fleet calls it. */
  readonly name?: string
  /** The manufacturer. */
  readonly make?: string
  /** The manufacturer's model. */
  readonly model?: string
  /** The model year. */
  readonly year?: number
  /** Its license plate. */
  readonly licensePlate?: LicensePlate
  /** What it runs on. */
  readonly fuelType?: FuelType
  /** Liters per 100 km. */
  readonly fuelEfficiency?: number
  /** The most fuel that the tanks hold, in liters. */
  readonly fuelTankCapacity?: number
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
  /** The groups it belongs to. */
  readonly groups: readonly GroupId[]
  /** The devices in it. */
  readonly devices: readonly DeviceId[]
}

/** One request of a delivery, and what came of it. */
export interface ExpandedWebhookAttempt {
  /** Its wha_ id. */
  readonly id: WebhookAttemptId
  /** 1 for the first. */
  readonly number: number
  /** When it was sent. */
  readonly attemptedAt: string
  /** How long it took, in milliseconds. */
  readonly durationMs: number
  /** How it ended. */
  readonly outcome: WebhookAttemptOutcome
  /** What went wrong, in a sentence. */
  readonly error?: string
  /** What was sent. */
  readonly request: WebhookRequest
  /** What was answered; null where there was no whole answer. */
  readonly response?: WebhookResponse
}

/** That there is a secret which messages of an endpoint are signed with. It is shown once only. */
export interface ExpandedWebhookSecret {
  /** Its whs_ id. */
  readonly id: WebhookSecretId
  /** When it was made. */
  readonly createdAt: string
  /** Until when messages are signed with it. */
  readonly expiresAt?: string
}

/** A diagnostic trouble code of a vehicle, by J1939 or OBD-II. */
export type FaultCodeEvent = J1939FaultCodeEvent | ObdiiFaultCodeEvent

/** The id of a fault code event. */
export type FaultCodeEventId = string

/**
 * Whether a fault is there.
 * - `open`: It is there.
 * - `pending`: It was seen, and is not confirmed yet.
 * - `closed`: It is gone.
 */
export type FaultCodeStatus = 'open' | 'pending' | 'closed'

/** How full the tanks are. */
export interface FuelLevel {
  /** Percent of the first tank, 0 to 100. */
  readonly primaryPercentage: number
  /** Percent of the second tank, 0 to 100. */
  readonly secondaryPercentage?: number
}

/** How full the tanks are. */
export interface FuelLevelStatLog {
  /** What was measured. */
  readonly type: 'fuel_level'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Percent, 0 to 100. */
  readonly fuelPercentage: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/**
 * What a vehicle runs on.
 * - `gasoline`: Gasoline.
 * - `diesel`: Diesel.
 * - `propane`: Propane.
 * - `electric`: A battery alone.
 * - `hybrid_gasoline`: Gasoline with a battery.
 * - `hybrid_diesel`: Diesel with a battery.
 */
export type FuelType = 'gasoline' | 'diesel' | 'propane' | 'electric' | 'hybrid_gasoline' | 'hybrid_diesel'

/** A place on earth, WGS 84. */
export interface GeoPoint {
  /** Degrees, east positive. */
  readonly longitude: number
  /** Degrees, north positive. */
  readonly latitude: number
}

/** A set of vehicles and drivers that the fleet keeps together, such as a region or a terminal. */
export interface Group {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: GroupId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** What the fleet calls it. */
  readonly name?: string
  /** What it is for. */
  readonly description?: string
  /** The group that this one is part of. */
  readonly parent?: ExpandableGroup
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a group. */
export type GroupId = string

/** A driver's hours-of-service clocks, as they run now. */
export interface HosAvailableTime {
  /** The provider's code. */
  readonly provider: string
  /** Whose clocks they are. */
  readonly driver: ExpandableDriver
  /** What is left on each clock. */
  readonly availableTime: HosClocks
  /** What the driver is doing now. */
  readonly currentStatus?: HosStatus
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** How much time the rules leave a driver now. */
export interface HosClocks {
  /** On duty in this cycle, in whole milliseconds. */
  readonly cycle?: number
  /** In this shift, in whole milliseconds. */
  readonly shift?: number
  /** At the wheel, in whole milliseconds. */
  readonly drive?: number
  /** Until a break is due, in whole milliseconds. */
  readonly break?: number
}

/** A day of a driver's hours of service. */
export interface HosDailyLog {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: HosDailyLogId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** Whose day it is. */
  readonly driver: ExpandableDriver
  /** The day, in the time zone of the driver's home terminal. */
  readonly date: string
  /** How long each status lasted. */
  readonly statusDurations: HosStatusDurations
  /** How far the driver drove in each status. */
  readonly distances?: HosDistances
  /** When it was stored and changed here. */
  readonly metadata: RecordMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a hos daily log. */
export type HosDailyLogId = string

/** How far a driver drove on a day, by status. */
export interface HosDistances {
  /** Kilometers. */
  readonly total?: number
  /** Kilometers. */
  readonly driving?: number
  /** Kilometers. */
  readonly personalConveyance?: number
  /** Kilometers. */
  readonly yardMove?: number
}

/** A stretch of time in which a driver had one hours-of-service status. */
export interface HosLog {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: HosLogId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The status from its start to its end. */
  readonly status: HosStatus
  /** Whose log it is. */
  readonly driver: ExpandableDriver
  /** The vehicle, where one is known. */
  readonly vehicle?: ExpandableVehicle
  /** Who else was logged in to the vehicle; null for one who is not known here. */
  readonly codrivers: readonly ExpandableDriver[]
  /** When the status began. */
  readonly startedAt: string
  /** When the next one began; null while it lasts. */
  readonly endedAt?: string
  /** Where the status began. */
  readonly location?: GeoPoint
  /** Notes on it. */
  readonly remarks: readonly HosRemark[]
  /** When it was stored and changed here. */
  readonly metadata: RecordMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a hos log. */
export type HosLogId = string

/** A driver's or carrier's note on a log. */
export interface HosRemark {
  /** What it says. */
  readonly notes: string
  /** The note's id in the provider's system. */
  readonly sourceId?: string
  /** When it was written. */
  readonly submittedAt?: string
}

/**
 * What a driver is doing, in the words of the hours-of-service rules.
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

/** How long a driver was in each status on a day. */
export interface HosStatusDurations {
  /** Whole milliseconds. */
  readonly onDuty?: number
  /** Whole milliseconds. */
  readonly offDuty?: number
  /** Whole milliseconds. */
  readonly driving?: number
  /** Whole milliseconds. */
  readonly waiting?: number
  /** Whole milliseconds. */
  readonly sleeperBed?: number
  /** Whole milliseconds. */
  readonly personalConveyance?: number
  /** Whole milliseconds. */
  readonly yardMove?: number
}

/** A distance driven, for the International Fuel Tax Agreement. */
export interface IftaSummary {
  /** The provider's code. */
  readonly provider: string
  /** The vehicle, where distances are summed by vehicle. */
  readonly vehicle?: ExpandableVehicle
  /** Two letters of a US state or Canadian province; null where it is not known or not summed by. */
  readonly jurisdiction?: string
  /** The month, where distances are summed by month. */
  readonly month?: string
  /** Kilometers. */
  readonly distance: number
  /** The provider's records that the sum was made from. */
  readonly raw?: readonly RawData[]
}

/** Data of a connection that cannot be had, while the rest of it can. */
export interface Issue {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: IssueId
  /** Whether it is still met. */
  readonly status: IssueStatus
  /** The connection whose data it is about. */
  readonly connection: ExpandableConnection
  /** What it is about. */
  readonly error: IssueError
  /** When it was met for the first time. */
  readonly firstReportedAt: string
  /** When it was met for the last time. */
  readonly lastReportedAt: string
  /** How it comes to its end. */
  readonly resolutionType?: IssueResolutionType
  /** A page about it, where there is one. */
  readonly documentationUrl?: string
}

/**
 * What is wrong with the data of a connection.
 * - `permission_missing`: The account may not read this; its permissions must be widened.
 * - `oauth_scope_missing`: The consent lacks a scope; the account must be linked again.
 * - `subscription_required`: The account's plan at the provider does not include this.
 * - `retention_window_exceeded`: The provider no longer has data this old.
 * - `provider_data_inaccessible`: The provider does not give its data out.
 * - `invalid_source_identifier`: The provider does not know one of its own ids.
 * - `unsupported_device_type`: A device is of a type that cannot be read.
 * - `stream_disabled`: A stream of data was switched off.
 * - `provider_provisioning_pending`: The provider has not set the account up yet.
 * - `provider_feature_not_enabled`: A feature is not switched on at the provider.
 * - `missing_vehicle_identifier`: A vehicle has nothing to know it by.
 * - `missing_vehicle_assignment`: A device belongs to no vehicle.
 * - `provider_capability_not_supported`: The provider cannot do this.
 * - `provider_source_data_invalid`: Records came in a form that cannot be read.
 * - `provider_partially_configured`: The account is set up only in part.
 * - `managed_poll_returned_no_data`: Managed polling finds no data.
 * - `managed_poll_failed`: Managed polling fails.
 * - `data_delayed`: The provider is late with its data.
 * - `missing_permissions`: An older word for PERMISSION_MISSING; a filter takes it.
 * - `exceeded_retention_window`: An older word for RETENTION_WINDOW_EXCEEDED; a filter takes it.
 * - `invalid_source_id`: An older word for INVALID_SOURCE_IDENTIFIER; a filter takes it.
 * - `unknown_device_type`: An older word for UNSUPPORTED_DEVICE_TYPE; a filter takes it.
 * - `missing_safety_configuration`: An older word for PROVIDER_FEATURE_NOT_ENABLED; a filter takes it.
 * - `inaccessible_data`: An older word for PROVIDER_DATA_INACCESSIBLE; a filter takes it.
 * - `manually_disabled`: An older word for STREAM_DISABLED; a filter takes it.
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

/** What an issue is about. */
export interface IssueError {
  /** Which kind of issue it is. */
  readonly code: IssueCode
  /** What is missing, and what to do about it. */
  readonly message: string
}

/** The id of a issue. */
export type IssueId = string

/**
 * How an issue comes to its end.
 * - `action_required`: Somebody must do something at the provider.
 * - `automatic_retry`: It is tried again by itself.
 * - `known_limitation`: It stays: the provider or the device cannot do it.
 * - `investigation_required`: Somebody must find out first.
 */
export type IssueResolutionType =
  'action_required' | 'automatic_retry' | 'known_limitation' | 'investigation_required'

/**
 * Whether an issue is still met.
 * - `ongoing`: The last sync or poll to read these data met it.
 * - `resolved`: A later sync or poll no longer met it, or somebody resolved it.
 */
export type IssueStatus = 'ongoing' | 'resolved'

/** A fault in the words of SAE J1939. */
export interface J1939FaultCode {
  /** The suspect parameter number. */
  readonly spn: number
  /** What the suspect parameter is. */
  readonly spnDescription?: string
  /** The failure mode identifier, 0 to 31. */
  readonly fmi?: number
  /** How it fails. */
  readonly fmiDescription?: string
  /** How often it has occurred. */
  readonly occurrenceCount?: number
  /** The address of the control unit that told it. */
  readonly sourceAddress?: number
}

/** A diagnostic trouble code of a heavy vehicle. */
export interface J1939FaultCodeEvent {
  /** The standard that the code is of. */
  readonly protocol: 'j1939'
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: FaultCodeEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle that told it. */
  readonly vehicle: ExpandableVehicle
  /** Whether the fault is there. */
  readonly status: FaultCodeStatus
  /** The trouble code: P0087, or SPN100-FMI1. */
  readonly code: string
  /** What the code means. */
  readonly description?: string
  /** When the vehicle told it. */
  readonly observedAt: string
  /** The lamp on the dashboard. */
  readonly milStatus?: MilStatus
  /** The code by its parts. */
  readonly j1939: J1939FaultCode
  /** When it was stored and changed here. */
  readonly metadata: RecordMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** Where a trailer was last. */
export interface LatestTrailerLocation {
  /** The provider's code. */
  readonly provider: string
  /** The trailer that was here. */
  readonly trailer: ExpandableTrailer
  /** When it was there. */
  readonly locatedAt: string
  /** Where it was. */
  readonly location: GeoPoint
  /** The place in words. */
  readonly address?: Address
  /** Degrees clockwise from north. */
  readonly heading?: number
  /** km/h. */
  readonly speed?: number
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** Where a vehicle was last, and what it last reported. */
export interface LatestVehicleLocation {
  /** The provider's code. */
  readonly provider: string
  /** The vehicle that was here. */
  readonly vehicle: ExpandableVehicle
  /** Who drove, where it is known. */
  readonly driver?: ExpandableDriver
  /** When it was there. */
  readonly locatedAt: string
  /** Where it was. */
  readonly location: GeoPoint
  /** The place in words. */
  readonly address?: Address
  /** Degrees clockwise from north. */
  readonly heading?: number
  /** km/h. */
  readonly speed?: number
  /** Kilometers. */
  readonly odometer?: number
  /** How full the tanks were. */
  readonly fuel?: FuelLevel
  /** What the engine did. */
  readonly engineState?: EngineState
  /** Whole milliseconds. */
  readonly engineRuntime?: number
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** A number that a US state or Canadian province gave out. */
export interface LicensePlate {
  /** Two letters, such as TX or ON. */
  readonly state?: string
  /** What stands on the plate. */
  readonly number?: string
}

/**
 * The malfunction indicator lamp.
 * - `on`: Lit.
 * - `off`: Not lit.
 */
export type MilStatus = 'on' | 'off'

/** A fault in the words of OBD-II. */
export interface ObdiiFaultCode {
  /** The trouble code, such as P0087. */
  readonly code: string
  /** What the code means. */
  readonly description?: string
}

/** A diagnostic trouble code of a light vehicle. */
export interface ObdiiFaultCodeEvent {
  /** The standard that the code is of. */
  readonly protocol: 'obdii'
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: FaultCodeEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle that told it. */
  readonly vehicle: ExpandableVehicle
  /** Whether the fault is there. */
  readonly status: FaultCodeStatus
  /** The trouble code: P0087, or SPN100-FMI1. */
  readonly code: string
  /** What the code means. */
  readonly description?: string
  /** When the vehicle told it. */
  readonly observedAt: string
  /** The lamp on the dashboard. */
  readonly milStatus?: MilStatus
  /** The code by its parts. */
  readonly obdii: ObdiiFaultCode
  /** When it was stored and changed here. */
  readonly metadata: RecordMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** How far a vehicle has gone. */
export interface OdometerStatLog {
  /** What was measured. */
  readonly type: 'odometer'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Kilometers. */
  readonly odometer: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** A provider's answer to a request that was passed to it. */
export interface PassthroughResponse {
  /** The method that was asked with. */
  readonly method: string
  /** The path that was asked for. */
  readonly path: string
  /** The provider's status, also where it is an error. */
  readonly statusCode: number
  /** Header names, in lower case, and their texts. */
  readonly headers: Readonly<Record<string, unknown>>
  /** The body: the value where it is JSON, else the text; empty text where there is none. */
  readonly response: unknown
}

export interface Problem {
  /** What is wrong. */
  readonly message: string
  /** Where: `{requestQuery}.limit`, `{requestBody}.company.name`. */
  readonly path: string
  /** What may have been meant. */
  readonly suggestion?: string
}

/** A telematics provider. */
export interface Provider {
  /** Identifies the provider across the service. */
  readonly code: string
  /** What people call it. */
  readonly name: string
}

/** The fleet's account at its provider. */
export interface ProviderAccount {
  /** What the provider calls it. */
  readonly name?: string
  /** Its US DOT numbers. */
  readonly dotNumbers: readonly string[]
  /** Who linked it. */
  readonly user?: AccountUser
}

/**
 * Something that a person must do at the provider before a sync can end.
 * - `historical_files`: Older records come as files.
 * - `provision_credentials`: Access has to be set up.
 */
export type ProviderRequest = 'historical_files' | 'provision_credentials'

/** What the provider sent, as it came. */
export interface RawData {
  /** The provider's code. */
  readonly provider: string
  /** The provider's name for this kind of record. */
  readonly schema: string
  /** When it was read from the provider. */
  readonly extractedAt: string
  /** The provider's record. */
  readonly data: unknown
}

/** When this service stored and changed a record. */
export interface RecordMetadata {
  /** When the record was first stored. */
  readonly addedAt: string
  /** When its content last changed here; lists filter by it. */
  readonly modifiedAt: string
}

/** Something on the road that a device judged unsafe. */
export interface SafetyEvent {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: SafetyEventId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** What happened. */
  readonly type: SafetyEventType
  /** The vehicle it happened to. */
  readonly vehicle: ExpandableVehicle
  /** Who drove, where it is known. */
  readonly driver?: ExpandableDriver
  /** When it began. */
  readonly startedAt: string
  /** When it ended; null while it lasts and where it is not known. */
  readonly endedAt?: string
  /** Where it began. */
  readonly startLocation?: GeoPoint
  /** Where it ended. */
  readonly endLocation?: GeoPoint
  /** The provider's own label. */
  readonly sourceType?: string
  /** What was measured. */
  readonly stats: SafetyEventStats
  /** Which cameras filmed it; null where the vehicle has none. */
  readonly cameraMedia?: CameraMediaReference
  /** What enrichment providers add, by their names: speed limits in km/h, road attributes, and the weather in °C, m/s, cm/h and km. */
  readonly extensions?: Readonly<Record<string, unknown>>
  /** When it was stored and changed here. */
  readonly metadata: RecordMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a safety event. */
export type SafetyEventId = string

/** What was measured during a safety event. */
export interface SafetyEventStats {
  /** km/h. */
  readonly maximumSpeed?: number
  /** km/h. */
  readonly averageSpeed?: number
  /** km/h. */
  readonly roadSpeedLimit?: number
  /** g; braking is negative. */
  readonly gForceForwardBackward?: number
  /** g; to the left is negative. */
  readonly gForceSideToSide?: number
  /** Degrees clockwise from north. */
  readonly heading?: number
}

/**
 * What happened.
 * - `harsh_brake`: harsh brake.
 * - `harsh_acceleration`: harsh acceleration.
 * - `harsh_turn`: harsh turn.
 * - `speeding`: speeding.
 * - `crash`: crash.
 * - `near_crash`: near crash.
 * - `tailgating`: tailgating.
 * - `cell_phone`: cell phone.
 * - `distracted`: distracted.
 * - `drowsiness`: drowsiness.
 * - `smoking`: smoking.
 * - `seat_belt_violation`: seat belt violation.
 * - `stop_sign_violation`: stop sign violation.
 * - `red_light_violation`: red light violation.
 * - `unsafe_lane_change`: unsafe lane change.
 * - `camera_obstruction`: camera obstruction.
 * - `eating_and_drinking`: eating and drinking.
 * - `rolling_stop`: rolling stop.
 * - `unsafe_parking`: unsafe parking.
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

/** When a point of a series was stored. */
export interface SeriesMetadata {
  /** When it was last stored here. */
  readonly modifiedAt: string
}

/** A short address of the link pages, whose settings nobody sees or changes on the way. */
export interface ShortLink {
  /** Its slk_ id. */
  readonly id: ShortLinkId
  /** What stands at the end of its address: eight of the characters a-h, j, k, m, n, p-z and 2-9. */
  readonly code: string
  /** Its address, for people. */
  readonly url: string
  /** When it ends by itself: a year after it was made. */
  readonly expiresAt: string
}

/** The id of a short link. */
export type ShortLinkId = string

/** One run of reading a connection's data from its provider. */
export interface Sync {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: SyncId
  /** How far it is. */
  readonly status: SyncStatus
  /** When it was asked for. */
  readonly requestedAt: string
  /** When it ended, one way or the other. */
  readonly completedAt?: string
  /** Why it failed. */
  readonly failureReason?: string
  /** Percent of its work that is stored, 0 to 100. */
  readonly progress: number
  /** The earliest record time that was asked for. */
  readonly startFrom?: string
  /** How often a worker has taken it up. */
  readonly attempts: number
  /** Steps by hand at the provider that it waits for; it may be in progress for long then. */
  readonly providerRequests: readonly ProviderRequest[]
  /** What it could not read, while it read the rest. */
  readonly issues: readonly ExpandableIssue[]
}

/** The id of a sync. */
export type SyncId = string

/**
 * When a connection's data is read from its provider.
 * - `automatic`: In the background.
 * - `manual`: On request only.
 */
export type SyncMode = 'automatic' | 'manual'

/**
 * How far a sync is.
 * - `requested`: Waiting for a worker.
 * - `in_progress`: Reading from the provider.
 * - `completed`: Everything was read.
 * - `failed`: Given up; `failureReason` says why.
 */
export type SyncStatus = 'requested' | 'in_progress' | 'completed' | 'failed'

/** How much fuel a vehicle has used in its life. */
export interface TotalFuelConsumptionStatLog {
  /** What was measured. */
  readonly type: 'total_fuel_consumption'
  /** A prefixed ULID. */
  readonly id: VehicleStatLogId
  /** The measurement's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** When it was measured. */
  readonly timestamp: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** Liters. */
  readonly fuelConsumed: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** A trailer or another asset without an engine of its own. */
export interface Trailer {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: TrailerId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** Its status in the provider's system. */
  readonly status: TrailerStatus
  /** What the fleet calls it. */
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
  /** Its license plate. */
  readonly licensePlate?: LicensePlate
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
  /** The groups it belongs to. */
  readonly groups: readonly ExpandableGroup[]
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a trailer. */
export type TrailerId = string

/**
 * A trailer's status in the provider's system.
 * - `active`: In service.
 * - `inactive`: Switched off by the fleet.
 */
export type TrailerStatus = 'active' | 'inactive'

/** A drive of one vehicle from start to stop. */
export interface Trip {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: TripId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle that drove. */
  readonly vehicle: ExpandableVehicle
  /** Who drove, where it is known. */
  readonly driver?: ExpandableDriver
  /** When it started. */
  readonly startedAt: string
  /** When it ended. */
  readonly endedAt: string
  /** Where it started. */
  readonly startLocation?: GeoPoint
  /** Where it ended. */
  readonly endLocation?: GeoPoint
  /** Kilometers. */
  readonly distance?: number
  /** Whole milliseconds. */
  readonly duration: number
  /** When it was stored and changed here. */
  readonly metadata: RecordMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a trip. */
export type TripId = string

/** How long an engine ran. */
export interface UtilizationDurations {
  /** Whole milliseconds. */
  readonly driving?: number
  /** Whole milliseconds. */
  readonly idling?: number
}

/** A vehicle of the fleet's account at its provider. */
export interface Vehicle {
  /** A prefixed ULID, such as vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0P. Unique over all kinds. */
  readonly id: VehicleId
  /** The record's id in the provider's system. */
  readonly sourceId: string
  /** The provider's code. */
  readonly provider: string
  /** Its status in the provider's system. */
  readonly status: VehicleStatus
  /** The vehicle identification number, 17 characters since 1981. */
  readonly vin?: string
  /** What the fleet calls it. */
  readonly name?: string
  /** The manufacturer. */
  readonly make?: string
  /** The manufacturer's model. */
  readonly model?: string
  /** The model year. */
  readonly year?: number
  /** Its license plate. */
  readonly licensePlate?: LicensePlate
  /** What it runs on. */
  readonly fuelType?: FuelType
  /** Liters per 100 km. */
  readonly fuelEfficiency?: number
  /** The most fuel that the tanks hold, in liters. */
  readonly fuelTankCapacity?: number
  /** In the provider's system. */
  readonly createdAt?: string
  /** In the provider's system. */
  readonly updatedAt?: string
  /** When it was stored and changed here, and whether lists show it. */
  readonly metadata: EntityMetadata
  /** The groups it belongs to. */
  readonly groups: readonly ExpandableGroup[]
  /** The devices in it. */
  readonly devices: readonly ExpandableDevice[]
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a vehicle. */
export type VehicleId = string

/** A point of the track of a vehicle. */
export interface VehicleLocation {
  /** A prefixed ULID. */
  readonly id: VehicleLocationId
  /** The point's id in the provider's system. */
  readonly sourceId?: string
  /** The provider's code. */
  readonly provider: string
  /** The vehicle that was here. */
  readonly vehicle: VehicleId
  /** Who drove, where it is known. */
  readonly driver?: DriverId
  /** When the vehicle was there. */
  readonly locatedAt: string
  /** Where it was. */
  readonly location: GeoPoint
  /** The place in words. */
  readonly address?: Address
  /** Degrees clockwise from north. */
  readonly heading?: number
  /** km/h. */
  readonly speed?: number
  /** When it was stored here. */
  readonly metadata: SeriesMetadata
  /** The provider's records that this one was made from. */
  readonly raw?: readonly RawData[]
}

/** The id of a vehicle location. */
export type VehicleLocationId = string

/** A measurement of a vehicle. Each type has a member of its own for its value. */
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
 * - `inactive`: Switched off by the fleet.
 */
export type VehicleStatus = 'active' | 'inactive'

/** What a vehicle did over a range of days. */
export interface VehicleUtilization {
  /** The provider's code. */
  readonly provider: string
  /** The vehicle. */
  readonly vehicle: ExpandableVehicle
  /** The beginning of the first day, in UTC. */
  readonly startAt: string
  /** The end of the last day, in UTC. */
  readonly endAt: string
  /** Kilometers. */
  readonly distance: number
  /** Liters. */
  readonly fuelConsumed?: number
  /** How long the engine ran. */
  readonly durations?: UtilizationDurations
  /** The provider's records that the sum was made from. */
  readonly raw?: readonly RawData[]
}

/**
 * Whether lists show a record, by the connection's filters and the source.
 * - `visible`: Lists show it.
 * - `hidden_by_exclude_list`: The connection's filters exclude its id.
 * - `hidden_by_include_list`: The connection's filters include others only.
 * - `hidden_by_status`: The connection's filters ask for another status.
 * - `deleted`: It is no longer in the provider's system.
 */
export type Visibility =
  'visible' | 'hidden_by_exclude_list' | 'hidden_by_include_list' | 'hidden_by_status' | 'deleted'

/** The id of a webhook attempt. */
export type WebhookAttemptId = string

/**
 * How a request to an endpoint ended.
 * - `answered`: With a status, whatever it is.
 * - `timed_out`: There was no whole answer within the time.
 * - `unreachable`: There was no connection, or it broke.
 * - `blocked`: It is an address that nothing is sent to.
 */
export type WebhookAttemptOutcome = 'answered' | 'timed_out' | 'unreachable' | 'blocked'

/** One event for one endpoint. */
export interface WebhookDelivery {
  /** Its whd_ id. */
  readonly id: WebhookDeliveryId
  /** The endpoint that it is for. */
  readonly endpointId: string
  /** The id of the event, which each of its messages carries. */
  readonly eventId: string
  /** What happened, by the name that the endpoint asked for. */
  readonly type: string
  /** How far it has come. */
  readonly status: WebhookDeliveryStatus
  /** How many attempts there were. */
  readonly attemptCount: number
  /** Null where none follows, or where an earlier event of the same record is waited for. */
  readonly nextAttemptAt?: string
  /** When it was last sent. */
  readonly lastAttemptAt?: string
  /** What the endpoint last answered. */
  readonly lastStatusCode?: number
  /** When it was first due. */
  readonly createdAt: string
  /** Each time that it was sent, in their order. */
  readonly attempts: readonly ExpandedWebhookAttempt[]
}

/** The id of a webhook delivery. */
export type WebhookDeliveryId = string

/**
 * How far an event has come on its way to an endpoint.
 * - `pending`: It is sent, or sent again, when its time comes.
 * - `delivered`: The endpoint has taken it.
 * - `failed`: No further attempt will be made by itself.
 * - `cancelled`: Nobody wants it any more.
 */
export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

/**
 * Why nothing is sent to an endpoint.
 * - `asked`: Somebody disabled it.
 * - `failing`: It took nothing for days.
 * - `gone`: It answered 410 Gone.
 */
export type WebhookDisabledReason = 'asked' | 'failing' | 'gone'

/** Where events are sent to, and which. */
export interface WebhookEndpoint {
  /** Its whe_ id. */
  readonly id: WebhookEndpointId
  /** Where events are posted to. */
  readonly url: string
  /** The caller's own words for it. */
  readonly description?: string
  /** Which types of event it wants, as they were asked for; `*` is every one that is not opt-in. */
  readonly types: readonly string[]
  /** Events of these connections only; of all where it is null. */
  readonly connectionIds?: readonly string[]
  /** Events of connections that have one of these tags only; of all where it is null. */
  readonly tags?: readonly string[]
  /** In which order events arrive. */
  readonly ordering: WebhookOrdering
  /** How many requests may be under way at once. */
  readonly concurrency: number
  /** How many requests a second at most. */
  readonly ratePerSecond?: number
  /** The waits before each further attempt, in seconds; the service's own where it is null. */
  readonly retrySeconds?: readonly number[]
  /** Whether events are sent to it. */
  readonly status: WebhookEndpointStatus
  /** Why nothing is sent to it. */
  readonly disabledReason?: WebhookDisabledReason
  /** Since when nothing is sent to it. */
  readonly disabledAt?: string
  /** How many events of the log it has not been offered yet, whether or not it wants them. 0 where it keeps up. */
  readonly backlog: number
  /** How many deliveries are sent, or sent again, later. */
  readonly pendingDeliveries: number
  /** When it last took an event. */
  readonly lastSuccessAt?: string
  /** Since when it has taken nothing that was sent; null while it takes what is sent. */
  readonly failingSince?: string
  /** Which secrets its messages are signed with, oldest first. None of them is shown. */
  readonly secrets: readonly ExpandedWebhookSecret[]
  /** When it was made. */
  readonly createdAt: string
  /** When it was last changed. */
  readonly modifiedAt: string
}

/** The id of a webhook endpoint. */
export type WebhookEndpointId = string

/**
 * Whether events are sent to an endpoint.
 * - `enabled`: They are.
 * - `disabled`: They are not; they wait until it is enabled again.
 */
export type WebhookEndpointStatus = 'enabled' | 'disabled'

/**
 * In which order the events of an endpoint arrive.
 * - `none`: As they happened, but an event that is tried again comes after later ones.
 * - `resource`: No event of a record is sent before the one before it has arrived or was given up.
 */
export type WebhookOrdering = 'none' | 'resource'

/** What was sent to an endpoint. */
export interface WebhookRequest {
  /** Where to. */
  readonly url: string
  /** Its headers, with the signatures, by their names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** Its body. It is made of the log: null once that no longer has the event. */
  readonly body?: string
}

/** What an endpoint answered. */
export interface WebhookResponse {
  /** The status. */
  readonly statusCode: number
  /** Its headers, by their names in lower case. */
  readonly headers?: Readonly<Record<string, unknown>>
  /** The beginning of its body. */
  readonly body?: string
}

/** The id of a webhook secret. */
export type WebhookSecretId = string

/** A page of a list: `next` is the cursor of the one that follows it. */

export interface Page<Item> {
  readonly results: readonly Item[]
  readonly next?: string
}

/** What each operation takes, by the names of its path, query and body together, and what it gives. */

export interface Operations {
  /** Exchange a public token for its connection. */
  publicTokenExchange: {
    readonly takes: {
      /** What the link flow ended in: pub_tkn_ and more. */
      readonly publicToken: string
    }
    readonly gives: Connection
  }
  /** List connections, oldest first. */
  listConnections: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only those with this identifier of the caller's own. */
      readonly externalId?: string | undefined
      /** Only those of the company with this US DOT number. */
      readonly dotNumber?: string | undefined
      /** Only those with this label. */
      readonly tag?: string | undefined
      /** Only those updated at or after this moment. */
      readonly updatedAfter?: string | undefined
      /** Only those updated at or before this moment. */
      readonly updatedBefore?: string | undefined
      /** Only those in this state. */
      readonly status?:
        'connected' | 'disconnected' | 'archived' | 'pending_deletion' | 'deleting' | 'deleted' | undefined
      /** Only those of the provider with this code. */
      readonly provider?: string | undefined
      /** Oldest or newest first. */
      readonly order?: 'asc' | 'desc' | undefined
    }
    readonly gives: Page<Connection>
  }
  /** Link an account with its credentials (an extension). */
  createConnection: {
    readonly takes: {
      /** The provider's code. */
      readonly provider: string
      /** What the provider asks for, as an object of texts. It is never shown again. */
      readonly credentials: Readonly<Record<string, unknown>>
      /** The account's own where it is absent. */
      readonly company?: { readonly name?: string; readonly dotNumbers?: readonly string[] } | undefined
      /** Settings, an object of any members. */
      readonly options?: Readonly<Record<string, unknown>> | undefined
      /** The caller's own identifier. */
      readonly externalId?: string | undefined
      /** AUTOMATIC where it is absent. */
      readonly syncMode?: 'automatic' | 'manual' | undefined
      /** From now on where it is absent. */
      readonly backfill?: { readonly startFrom?: string; readonly days?: number } | undefined
      /** The caller's own labels. */
      readonly tags?: readonly string[] | undefined
      /** What the fleet has agreed to. */
      readonly agreements?:
        | readonly {
            readonly type?: string
            readonly agreementUrl: string
            readonly ipAddress?: string
            readonly acceptedAt?: string
            readonly userAgent?: string
          }[]
        | undefined
      /** Which vehicles and drivers are shown, as {"vehicles": {"status": "active", "includeIds": [], "excludeIds": []}, "drivers": …}. Ids that are included decide alone; else the status, then the ids that are excluded. */
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
    readonly gives: Connection
  }
  /** Get the connection of the token. */
  getCurrentConnection: {
    readonly takes: {}
    readonly gives: CurrentConnection
  }
  /** Change or archive the connection of the token. */
  updateCurrentConnection: {
    readonly takes: {
      /** CONNECTED, DISCONNECTED or ARCHIVED. CONNECTED needs credentials that the provider accepts, and calls a deletion off: the connection then has the state of before. */
      readonly status?: 'connected' | 'archived' | 'disconnected' | undefined
      /** Settings, all of them: an object of any members. */
      readonly options?: Readonly<Record<string, unknown>> | undefined
      /** What is absent of it stays. */
      readonly company?: { readonly name?: string; readonly dotNumbers?: readonly string[] } | undefined
      /** The caller's own identifier; null takes it away. */
      readonly externalId?: string | null | undefined
      /** When its data is read. */
      readonly syncMode?: 'automatic' | 'manual' | undefined
      /** The caller's own labels, all of them. */
      readonly tags?: readonly string[] | undefined
      /** Which vehicles and drivers are shown, as {"vehicles": {"status": "active", "includeIds": [], "excludeIds": []}, "drivers": …}. Ids that are included decide alone; else the status, then the ids that are excluded. Null takes them away. */
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
    readonly gives: Connection
  }
  /** Mark the connection of the token for deletion. */
  deleteCurrentConnection: {
    readonly takes: {}
    readonly gives: Connection & { readonly message: string }
  }
  /** List providers. */
  listProviders: {
    readonly takes: {}
    readonly gives: readonly {
      readonly name: string
      /** Identifies the provider across the service. */
      readonly code: string
      readonly status: 'live' | 'beta' | 'sandbox' | 'deprecated'
      readonly logo: string
      readonly icon: string
      readonly references: readonly { readonly type: string; readonly url: string; readonly label: string }[]
      /** What is offered of each kind of record; nothing is supported where no account can be linked yet. */
      readonly supportedModels: Readonly<Record<string, unknown>>
      /** The platform it builds on. Only shown with a key. */
      readonly baseCode?: string
    }[]
  }
  /** Get one vehicle. */
  getVehicle: {
    readonly takes: {
      readonly id: string
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly ('groups' | 'devices')[] | undefined
    }
    readonly gives: Vehicle
  }
  /** List where vehicles are now. */
  listLatestVehicleLocations: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Only those of these vehicles, 50 at most. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Only those of these drivers, 50 at most. */
      readonly driverIds?: readonly string[] | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly ('vehicle' | 'driver')[] | undefined
    }
    readonly gives: Page<LatestVehicleLocation>
  }
  /** List drivers. */
  listDrivers: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Also what the connection's filters hide. */
      readonly hidden?: boolean | undefined
      /** Also what is no longer in the provider's system. */
      readonly deleted?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'groups'[] | undefined
    }
    readonly gives: Page<Driver>
  }
  /** List trips. */
  listTrips: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Only what started at or after this moment. */
      readonly startedAfter?: string | undefined
      /** Only what started before this moment. */
      readonly startedBefore?: string | undefined
      /** Only trips that ended at or after this moment. */
      readonly endedAfter?: string | undefined
      /** Only trips that ended before this moment. */
      readonly endedBefore?: string | undefined
      /** Only those of these drivers, 50 at most. */
      readonly driverIds?: readonly string[] | undefined
      /** Only those of these vehicles, 50 at most. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly ('vehicle' | 'driver')[] | undefined
    }
    readonly gives: Page<Trip>
  }
  /** List changes of duty status. */
  listHOSLogs: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what started at or after this moment. */
      readonly startedAfter?: string | undefined
      /** Only what started before this moment. */
      readonly startedBefore?: string | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Only those of these drivers, 50 at most. */
      readonly driverIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly ('driver' | 'vehicle' | 'codrivers')[] | undefined
    }
    readonly gives: Page<HosLog>
  }
  /** List safety events. */
  listSafetyEvents: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Only what started at or after this moment. */
      readonly startedAfter?: string | undefined
      /** Only what started before this moment. */
      readonly startedBefore?: string | undefined
      /** Only those of these drivers, 50 at most. */
      readonly driverIds?: readonly string[] | undefined
      /** Only those of these vehicles, 50 at most. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly ('vehicle' | 'driver')[] | undefined
    }
    readonly gives: Page<SafetyEvent>
  }
  /** List fault codes. */
  listFaultCodeEvents: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Only what was told at or after this moment. */
      readonly startAt?: string | undefined
      /** Only what was told at or before this moment. */
      readonly endAt?: string | undefined
      /** Only those of these vehicles, 50 at most. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly gives: Page<FaultCodeEvent>
  }
  /** Sum up distance by jurisdiction. */
  getIFTASummary: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Sums from this month on. */
      readonly startMonth: string
      /** Sums up to this month, and with it. */
      readonly endMonth: string
      /** By what distances are summed. */
      readonly groupBy?: readonly ('vehicle' | 'jurisdiction' | 'month')[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly gives: Page<IftaSummary>
  }
  /** List vehicles. */
  listVehicles: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Also what the connection's filters hide. */
      readonly hidden?: boolean | undefined
      /** Also what is no longer in the provider's system. */
      readonly deleted?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly ('groups' | 'devices')[] | undefined
    }
    readonly gives: Page<Vehicle>
  }
  /** List trailers. */
  listTrailers: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Also what is no longer in the provider's system. */
      readonly deleted?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'groups'[] | undefined
    }
    readonly gives: Page<Trailer>
  }
  /** List groups. */
  listGroups: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Also what is no longer in the provider's system. */
      readonly deleted?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'parent'[] | undefined
    }
    readonly gives: Page<Group>
  }
  /** List devices. */
  listDevices: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Also what is no longer in the provider's system. */
      readonly deleted?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly gives: Page<Device>
  }
  /** List drivers' days. */
  listHOSDailyLogs: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only this day and later ones. */
      readonly startDate?: string | undefined
      /** Only this day and earlier ones. */
      readonly endDate?: string | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Only those of these drivers, 50 at most. */
      readonly driverIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'driver'[] | undefined
    }
    readonly gives: Page<HosDailyLog>
  }
  /** List a vehicle's past locations. */
  listHistoricalVehicleLocations: {
    readonly takes: {
      readonly id: string
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records, 500 unless told; 10,000 at most. */
      readonly limit?: number | undefined
      /** Only points at or after this moment. */
      readonly startAt?: string | undefined
      /** Only points at or before this moment. */
      readonly endAt?: string | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
    }
    readonly gives: Page<VehicleLocation>
  }
  /** List what a vehicle reported in the past. */
  listHistoricalVehicleStats: {
    readonly takes: {
      readonly id: string
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records, 500 unless told; 10,000 at most. */
      readonly limit?: number | undefined
      /** Only points at or after this moment. */
      readonly startAt?: string | undefined
      /** Only points at or before this moment. */
      readonly endAt?: string | undefined
      /** Only these types. */
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
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly gives: Page<VehicleStatLog>
  }
  /** Get one sync. */
  getSyncJobStatus: {
    readonly takes: {
      readonly id: string
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'issues'[] | undefined
    }
    readonly gives: Sync
  }
  /** Get one driver. */
  getDriver: {
    readonly takes: {
      readonly id: string
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'groups'[] | undefined
    }
    readonly gives: Driver
  }
  /** List what time drivers have left. */
  listHOSAvailableTime: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only those of these drivers, 50 at most. */
      readonly driverIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'driver'[] | undefined
    }
    readonly gives: Page<HosAvailableTime>
  }
  /** Get one safety event. */
  getSafetyEvent: {
    readonly takes: {
      readonly id: string
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly ('vehicle' | 'driver')[] | undefined
    }
    readonly gives: SafetyEvent
  }
  /** Get the recordings of a safety event. */
  getEventCameraMedia: {
    readonly takes: {
      readonly id: string
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
    }
    readonly gives: CameraMedia
  }
  /** List where trailers are now. */
  listLatestTrailerLocations: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'trailer'[] | undefined
    }
    readonly gives: Page<LatestTrailerLocation>
  }
  /** Sum up what vehicles drove and used. */
  getVehicleUtilization: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Sums from this day on. */
      readonly startDate?: string | undefined
      /** Sums up to this day, and with it. */
      readonly endDate?: string | undefined
      /** Only what was modified here at or after this moment. */
      readonly modifiedAfter?: string | undefined
      /** Only what was modified here before this moment. */
      readonly modifiedBefore?: string | undefined
      /** Only those of these vehicles, 50 at most. */
      readonly vehicleIds?: readonly string[] | undefined
      /** Adds the provider's own records to each record, as `raw`. */
      readonly raw?: boolean | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'vehicle'[] | undefined
    }
    readonly gives: Page<VehicleUtilization>
  }
  /** Request a sync. */
  requestSync: {
    readonly takes: {
      /** The earliest record time. */
      readonly startFrom?: string | undefined
      /** So many days before now; wins over `startFrom`. */
      readonly days?: number | undefined
      /** Steps by hand at the provider to ask for. */
      readonly providerRequests?:
        | readonly (
            | 'historical_files'
            | 'provision_credentials'
            | { readonly type: 'historical_files' | 'provision_credentials' }
          )[]
        | undefined
    }
    readonly gives: ExpandedSync
  }
  /** List syncs, newest first. */
  listSyncHistory: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only those that are this far. */
      readonly status?: 'requested' | 'in_progress' | 'completed' | 'failed' | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'issues'[] | undefined
    }
    readonly gives: Page<Sync>
  }
  /** Run a failed sync again. */
  retrySync: {
    readonly takes: { readonly id: string }
    readonly gives: { readonly id: string; readonly message: string }
  }
  /** Cancel a running sync. */
  cancelSync: {
    readonly takes: { readonly id: string }
    readonly gives: { readonly id: string; readonly message: string }
  }
  /** List issues. */
  listIssues: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only those met at or after this moment. */
      readonly lastReportedAfter?: string | undefined
      /** Only those last met before this moment. */
      readonly lastReportedBefore?: string | undefined
      /** Only those of this connection. */
      readonly connectionId?: string | undefined
      /** Only those with this code. */
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
      /** Only those in this state. */
      readonly status?: 'ongoing' | 'resolved' | undefined
      /** Writes these references as whole records instead of ids. In any order. */
      readonly expand?: readonly 'connection'[] | undefined
    }
    readonly gives: Page<Issue>
  }
  /** Mark an issue as resolved. */
  resolveIssue: {
    readonly takes: { readonly id: string }
    readonly gives: ExpandedIssue
  }
  /** List the event log, oldest first (an extension). */
  listEvents: {
    readonly takes: {
      /** The id of the last event seen, or the `next` of a page: only those after it. From the oldest on where it is absent. */
      readonly after?: string | undefined
      /** How many, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only these types, such as vehicle.added. `*` is every type but those that must be named, as is leaving it out. */
      readonly types?: readonly string[] | undefined
      /** Only those of these connections. */
      readonly connectionIds?: readonly string[] | undefined
    }
    readonly gives: Page<Event>
  }
  /** Make a short address of the link pages; the same body gives the same one. */
  createShortLink: {
    readonly takes: {
      /** The company's name. */
      readonly name?: string | undefined
      /** The code of the provider, where the fleet is not to choose. */
      readonly provider?: string | undefined
      /** Codes of providers that stand first in the choice. */
      readonly providerHints?: readonly string[] | undefined
      /** The caller's own identifier of the connection. */
      readonly externalId?: string | undefined
      /** The caller's own labels of the connection. */
      readonly tags?: readonly string[] | undefined
      /** Where the fleet is sent afterwards, with `token` and `result`: an address of one of the link origins of the application. */
      readonly redirectUrl?: string | undefined
      /** AUTOMATIC where it is absent. */
      readonly syncMode?: 'automatic' | 'manual' | undefined
      /** How far back the first sync reads; days count from the link run. */
      readonly backfill?: { readonly startFrom?: string; readonly days?: number } | undefined
      /** Kept as it is; it changes nothing. */
      readonly template?: string | undefined
    }
    readonly gives: ShortLink
  }
  /** End a short link. */
  deleteShortLink: {
    readonly takes: { readonly id: string }
    readonly gives: { readonly id: string }
  }
  /** List where events are sent to (an extension). */
  listWebhookEndpoints: {
    readonly takes: {
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
    }
    readonly gives: Page<WebhookEndpoint>
  }
  /** Make a webhook endpoint; its secret is shown this once (an extension). */
  createWebhookEndpoint: {
    readonly takes: {
      /** Where to post them: https:// and 2,048 characters at most. */
      readonly url: string
      /** The caller's own words for it. */
      readonly description?: string | null | undefined
      /** Which types of event: names, aliases, or `*` for every one that is not opt-in. That is also what absence means. */
      readonly types?: readonly string[] | undefined
      /** Events of these connections only; null stands for all. */
      readonly connectionIds?: readonly string[] | null | undefined
      /** Events of connections that have one of these tags only; null stands for all. */
      readonly tags?: readonly string[] | null | undefined
      /** NONE where it is absent. */
      readonly ordering?: 'none' | 'resource' | undefined
      /** Requests under way at once, 1 to 100; 10 unless told. */
      readonly concurrency?: number | undefined
      /** How many requests a second at most; null for as many as it takes. */
      readonly ratePerSecond?: number | null | undefined
      /** The waits before each further attempt, in seconds: 20 at most, of a week each. Null stands for 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; an empty list for no further attempt. */
      readonly retrySeconds?: readonly number[] | null | undefined
      /** What messages are signed with: whsec_ and the Base64 of 24 to 64 bytes. A new one unless told. */
      readonly secret?: string | undefined
    }
    readonly gives: WebhookEndpoint & { readonly secret: string }
  }
  /** Get one webhook endpoint (an extension). */
  getWebhookEndpoint: {
    readonly takes: { readonly id: string }
    readonly gives: WebhookEndpoint
  }
  /** Change a webhook endpoint (an extension). */
  updateWebhookEndpoint: {
    readonly takes: {
      readonly id: string
      /** Where to post events. */
      readonly url?: string | undefined
      /** The caller's own words for it; null takes them away. */
      readonly description?: string | null | undefined
      /** Which types of event: names, aliases, or `*` for every one that is not opt-in. */
      readonly types?: readonly string[] | undefined
      /** Events of these connections only; null stands for all. */
      readonly connectionIds?: readonly string[] | null | undefined
      /** Events of connections that have one of these tags only; null stands for all. */
      readonly tags?: readonly string[] | null | undefined
      /** In which order events arrive. */
      readonly ordering?: 'none' | 'resource' | undefined
      /** Requests under way at once, 1 to 100. */
      readonly concurrency?: number | undefined
      /** How many requests a second at most; null for as many as it takes. */
      readonly ratePerSecond?: number | null | undefined
      /** The waits before each further attempt, in seconds: 20 at most, of a week each. Null stands for 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; an empty list for no further attempt. */
      readonly retrySeconds?: readonly number[] | null | undefined
    }
    readonly gives: WebhookEndpoint
  }
  /** Delete a webhook endpoint (an extension). */
  deleteWebhookEndpoint: {
    readonly takes: { readonly id: string }
    readonly gives: { readonly id: string }
  }
  /** Give a webhook endpoint a new secret, which is shown this once (an extension). */
  rotateWebhookSecret: {
    readonly takes: {
      readonly id: string
      /** For how long messages are signed with the secrets of before as well: 0 to 604,800 (a week), 86,400 (a day) unless told. */
      readonly overlapSeconds?: number | undefined
      /** The new one: whsec_ and the Base64 of 24 to 64 bytes. It is made up unless told. */
      readonly secret?: string | undefined
    }
    readonly gives: WebhookEndpoint & { readonly secret: string }
  }
  /** Send an example of a type of event (an extension). */
  testWebhookEndpoint: {
    readonly takes: {
      readonly id: string
      /** Of which type of event; any, whether or not the endpoint wants it. */
      readonly type: string
    }
    readonly gives: WebhookDelivery
  }
  /** Send to a webhook endpoint again (an extension). */
  enableWebhookEndpoint: {
    readonly takes: {
      readonly id: string
      /** Whether to leave out what happened while it was disabled; unless told, that is sent first, in order. */
      readonly skipMissed?: boolean | undefined
    }
    readonly gives: WebhookEndpoint
  }
  /** Send nothing more to a webhook endpoint (an extension). */
  disableWebhookEndpoint: {
    readonly takes: { readonly id: string }
    readonly gives: WebhookEndpoint
  }
  /** Send all since a moment that has not arrived (an extension). */
  recoverWebhookEndpoint: {
    readonly takes: {
      readonly id: string
      /** All that has happened at this moment or later. */
      readonly since: string
    }
    readonly gives: WebhookEndpoint & { readonly events: number }
  }
  /** List what was sent to a webhook endpoint, newest first (an extension). */
  listWebhookDeliveries: {
    readonly takes: {
      readonly id: string
      /** Goes on from a page: the `next` that came with it. The other parameters stay as they were. */
      readonly cursor?: string | undefined
      /** How many records from the start, 100 unless told; 1,000 at most. */
      readonly limit?: number | undefined
      /** Only those in this state. */
      readonly status?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined
    }
    readonly gives: Page<WebhookDelivery>
  }
  /** Make a delivery again (an extension). */
  replayWebhookDelivery: {
    readonly takes: { readonly id: string; readonly deliveryId: string }
    readonly gives: WebhookDelivery
  }
  /** Call the provider's own interface. */
  passthrough: {
    readonly takes: {
      /** The method of the request. */
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /** A path of the provider's API with its query, from / on. */
      readonly path: string
      /** Header names and their texts. The credentials are added; whatever is sent in their place is not. */
      readonly headers?: Readonly<Record<string, unknown>> | undefined
      /** The body as it is sent, 1 MiB at most. */
      readonly body?: string | undefined
    }
    readonly gives: PassthroughResponse
  }
  /** Call the provider's own interface for its bytes. */
  passthroughRaw: {
    readonly takes: {
      /** The method of the request. */
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /** A path of the provider's API with its query, from / on. */
      readonly path: string
      /** Header names and their texts. The credentials are added; whatever is sent in their place is not. */
      readonly headers?: Readonly<Record<string, unknown>> | undefined
      /** The body as it is sent, 1 MiB at most. */
      readonly body?: string | undefined
    }
    readonly gives: PassthroughResponse | unknown
  }
}

/** Where the members of an operation go: to the path, to the query, and the others to the body. */

export const operations = {
  publicTokenExchange: { method: 'POST', path: '/public-token/exchange', query: [], gives: 'record' },
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
    gives: 'page',
  },
  createConnection: { method: 'POST', path: '/connections', query: [], gives: 'record' },
  getCurrentConnection: { method: 'GET', path: '/connections/current', query: [], gives: 'record' },
  updateCurrentConnection: { method: 'PATCH', path: '/connections/current', query: [], gives: 'record' },
  deleteCurrentConnection: { method: 'DELETE', path: '/connections/current', query: [], gives: 'record' },
  listProviders: { method: 'GET', path: '/providers', query: [], gives: 'record' },
  getVehicle: { method: 'GET', path: '/vehicles/{id}', query: ['raw', 'expand'], gives: 'record' },
  listLatestVehicleLocations: {
    method: 'GET',
    path: '/vehicles/locations',
    query: ['cursor', 'limit', 'raw', 'vehicleIds', 'driverIds', 'expand'],
    gives: 'page',
  },
  listDrivers: {
    method: 'GET',
    path: '/drivers',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'hidden', 'deleted', 'expand'],
    gives: 'page',
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
      'expand',
    ],
    gives: 'page',
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
      'expand',
    ],
    gives: 'page',
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
      'expand',
    ],
    gives: 'page',
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
      'expand',
    ],
    gives: 'page',
  },
  getIFTASummary: {
    method: 'GET',
    path: '/ifta/summary',
    query: ['cursor', 'limit', 'startMonth', 'endMonth', 'groupBy', 'raw', 'expand'],
    gives: 'page',
  },
  listVehicles: {
    method: 'GET',
    path: '/vehicles',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'hidden', 'deleted', 'expand'],
    gives: 'page',
  },
  listTrailers: {
    method: 'GET',
    path: '/trailers',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'deleted', 'expand'],
    gives: 'page',
  },
  listGroups: {
    method: 'GET',
    path: '/groups',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'deleted', 'expand'],
    gives: 'page',
  },
  listDevices: {
    method: 'GET',
    path: '/devices',
    query: ['cursor', 'limit', 'modifiedAfter', 'modifiedBefore', 'raw', 'deleted', 'expand'],
    gives: 'page',
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
      'expand',
    ],
    gives: 'page',
  },
  listHistoricalVehicleLocations: {
    method: 'GET',
    path: '/vehicles/{id}/locations',
    query: ['cursor', 'limit', 'startAt', 'endAt', 'raw'],
    gives: 'page',
  },
  listHistoricalVehicleStats: {
    method: 'GET',
    path: '/vehicles/{id}/stats/historical',
    query: ['cursor', 'limit', 'startAt', 'endAt', 'types', 'raw', 'expand'],
    gives: 'page',
  },
  getSyncJobStatus: { method: 'GET', path: '/syncs/{id}', query: ['expand'], gives: 'record' },
  getDriver: { method: 'GET', path: '/drivers/{id}', query: ['raw', 'expand'], gives: 'record' },
  listHOSAvailableTime: {
    method: 'GET',
    path: '/hos/available-time',
    query: ['cursor', 'limit', 'driverIds', 'raw', 'expand'],
    gives: 'page',
  },
  getSafetyEvent: { method: 'GET', path: '/safety/events/{id}', query: ['raw', 'expand'], gives: 'record' },
  getEventCameraMedia: {
    method: 'GET',
    path: '/safety/events/{id}/camera-media',
    query: ['raw'],
    gives: 'record',
  },
  listLatestTrailerLocations: {
    method: 'GET',
    path: '/trailers/locations',
    query: ['cursor', 'limit', 'raw', 'expand'],
    gives: 'page',
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
    gives: 'page',
  },
  requestSync: { method: 'POST', path: '/syncs', query: [], gives: 'record' },
  listSyncHistory: {
    method: 'GET',
    path: '/syncs',
    query: ['cursor', 'limit', 'status', 'expand'],
    gives: 'page',
  },
  retrySync: { method: 'POST', path: '/syncs/{id}/retry', query: [], gives: 'record' },
  cancelSync: { method: 'POST', path: '/syncs/{id}/cancel', query: [], gives: 'record' },
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
    gives: 'page',
  },
  resolveIssue: { method: 'POST', path: '/issues/{id}/resolve', query: [], gives: 'record' },
  listEvents: {
    method: 'GET',
    path: '/events',
    query: ['after', 'limit', 'types', 'connectionIds'],
    gives: 'page',
  },
  createShortLink: { method: 'POST', path: '/link/short', query: [], gives: 'record' },
  deleteShortLink: { method: 'DELETE', path: '/link/short/{id}', query: [], gives: 'record' },
  listWebhookEndpoints: {
    method: 'GET',
    path: '/webhook-endpoints',
    query: ['cursor', 'limit'],
    gives: 'page',
  },
  createWebhookEndpoint: { method: 'POST', path: '/webhook-endpoints', query: [], gives: 'record' },
  getWebhookEndpoint: { method: 'GET', path: '/webhook-endpoints/{id}', query: [], gives: 'record' },
  updateWebhookEndpoint: { method: 'PATCH', path: '/webhook-endpoints/{id}', query: [], gives: 'record' },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/webhook-endpoints/{id}', query: [], gives: 'record' },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/rotate-secret',
    query: [],
    gives: 'record',
  },
  testWebhookEndpoint: { method: 'POST', path: '/webhook-endpoints/{id}/test', query: [], gives: 'record' },
  enableWebhookEndpoint: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/enable',
    query: [],
    gives: 'record',
  },
  disableWebhookEndpoint: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/disable',
    query: [],
    gives: 'record',
  },
  recoverWebhookEndpoint: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/recover',
    query: [],
    gives: 'record',
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/webhook-endpoints/{id}/deliveries',
    query: ['cursor', 'limit', 'status'],
    gives: 'page',
  },
  replayWebhookDelivery: {
    method: 'POST',
    path: '/webhook-endpoints/{id}/deliveries/{deliveryId}/replay',
    query: [],
    gives: 'record',
  },
  passthrough: { method: 'POST', path: '/passthrough', query: [], gives: 'record' },
  passthroughRaw: { method: 'POST', path: '/passthrough/raw', query: [], gives: 'bytes' },
} as const
