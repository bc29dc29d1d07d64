/**
 * State of a simulated fleet, independent of providers. Fakes convert it to the units and formats of their provider,
 * and derive from it the records that an adapter should read. Units are SI; times are unix milliseconds. A fake makes
 * its ids from the numbers.
 */

export type Ms = number

/** A roster member. It exists from `createdAt` until `removedAt`. */
interface Member {
  readonly number: number
  readonly createdAt: Ms
  readonly updatedAt: Ms
  readonly removedAt: Ms | null
}

export interface Account {
  readonly number: number
  readonly name: string
  readonly usdotNumber: number
  /** IANA. */
  readonly timeZone: string
}

export interface Group extends Member {
  readonly name: string
  readonly parent: number | null
}

export interface Driver extends Member {
  readonly firstName: string
  readonly lastName: string
  readonly username: string
  readonly email: string
  /** E.164. */
  readonly phone: string
  readonly licenseNumber: string
  /** Two letters. */
  readonly licenseState: string
  readonly isActive: boolean
  readonly groups: readonly number[]
}

export interface Vehicle extends Member {
  readonly name: string
  readonly vin: string
  readonly make: string
  readonly model: string
  readonly year: number
  readonly plate: string
  readonly plateState: string
  readonly fuel: 'diesel' | 'gasoline' | 'electric'
  readonly tankLiters: number
  readonly isActive: boolean
  readonly groups: readonly number[]
  readonly deviceSerial: string
}

export interface Trailer extends Member {
  readonly name: string
  readonly vin: string
  readonly make: string
  readonly model: string
  readonly year: number
  readonly plate: string
  readonly plateState: string
  readonly groups: readonly number[]
}

/** A record with a time. The provider has it from `arrivedAt` on, which can be much later. */
interface TimedRecord {
  /** Unique among the records of its kind. */
  readonly number: number
  readonly arrivedAt: Ms
  /** When the record last changed at the provider. */
  readonly updatedAt: Ms
}

export interface Place {
  readonly latitude: number
  readonly longitude: number
}

export interface Fix extends Place {
  readonly at: Ms
  readonly arrivedAt: Ms
  readonly metersPerSecond: number
  /** Clockwise from north, below 360. */
  readonly headingDegrees: number
  readonly odometerMeters: number
  readonly engine: 'on' | 'off' | 'idle'
  readonly engineRunMilliseconds: number
  /** 0 to 1. */
  readonly fuel: number
  readonly driver: number | null
}

export interface Trip extends TimedRecord {
  readonly vehicle: number
  readonly driver: number | null
  readonly startedAt: Ms
  /** Null for a running trip. */
  readonly endedAt: Ms | null
  readonly start: Place
  /** Current position of a running trip. */
  readonly end: Place
  readonly meters: number
  readonly drivingMilliseconds: number
  readonly idlingMilliseconds: number
  readonly maxMetersPerSecond: number
  readonly startOdometerMeters: number
  readonly fuelLiters: number
}

export interface SafetyEvent extends TimedRecord {
  readonly vehicle: number
  readonly driver: number | null
  readonly kind: 'harsh_brake' | 'harsh_acceleration' | 'harsh_turn' | 'speeding' | 'crash'
  readonly startedAt: Ms
  readonly endedAt: Ms
  readonly start: Place
  readonly end: Place
  readonly headingDegrees: number
  readonly maxMetersPerSecond: number
  readonly averageMetersPerSecond: number
  /** Only for speeding. */
  readonly limitMetersPerSecond: number | null
  readonly gForceForward: number | null
  readonly gForceSide: number | null
}

export interface Fault extends TimedRecord {
  readonly vehicle: number
  readonly openedAt: Ms
  readonly closedAt: Ms | null
  readonly code:
    | { readonly protocol: 'j1939'; readonly spn: number; readonly fmi: number; readonly source: number }
    | { readonly protocol: 'obdii'; readonly dtc: string }
  readonly description: string
  readonly isPending: boolean
  readonly lamp: boolean
}

export type Duty = 'off' | 'sleeper' | 'driving' | 'on' | 'yard' | 'personal' | 'waiting'

export interface DutyChange extends TimedRecord {
  readonly driver: number
  readonly vehicle: number | null
  readonly codriver: number | null
  readonly duty: Duty
  readonly startedAt: Ms
  /** Null for the current duty. */
  readonly endedAt: Ms | null
  readonly place: Place | null
  readonly remark: string | null
}

/** Remaining hours of a driver. */
export interface Clocks {
  readonly driver: number
  readonly duty: Duty
  readonly driveMilliseconds: number
  readonly shiftMilliseconds: number
  readonly cycleMilliseconds: number
  readonly breakMilliseconds: number
}

/** Distance of one vehicle in one jurisdiction in one calendar month of the fleet's time zone. */
export interface JurisdictionDistance {
  readonly vehicle: number
  /** YYYY-MM. */
  readonly month: string
  /** Two letters of a US state or Canadian province. */
  readonly jurisdiction: string
  readonly meters: number
}

/**
 * A simulated fleet. The same seed and time give the same results. Results exclude data that has not arrived by `now`.
 * Periods include `from` and exclude `to`.
 */
export interface World {
  readonly account: Account
  /** Time before which the fleet has no data. */
  readonly startsAt: Ms
  readonly now: Ms
  groups(): readonly Group[]
  drivers(): readonly Driver[]
  vehicles(): readonly Vehicle[]
  trailers(): readonly Trailer[]
  /** In order of time. */
  fixes(vehicle: number, from: Ms, to: Ms): readonly Fix[]
  trailerFixes(trailer: number, from: Ms, to: Ms): readonly Fix[]
  /** The newest arrived fix; null before the first. */
  lastFix(vehicle: number): Fix | null
  /** Trips that began in the period, in order of time. */
  trips(vehicle: number, from: Ms, to: Ms): readonly Trip[]
  safetyEvents(vehicle: number, from: Ms, to: Ms): readonly SafetyEvent[]
  faults(vehicle: number, from: Ms, to: Ms): readonly Fault[]
  dutyChanges(driver: number, from: Ms, to: Ms): readonly DutyChange[]
  clocks(driver: number): Clocks
  jurisdictionDistances(month: string): readonly JurisdictionDistance[]
}
