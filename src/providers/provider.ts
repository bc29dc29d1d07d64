import type {
  LatestModel,
  ModelName,
  NormalizedLatestRecords,
  NormalizedRecords,
  SyncedModel,
} from '../domain/record-models.ts'
import type { Instant } from '../domain/time.ts'
import type { PassthroughRequest, ProviderApi } from './provider-api.ts'
import type { Priority } from './rate-limit/rate-limit.ts'
import type { NormalizedCameraMedia } from '../domain/models/camera-media.ts'
import type { NotificationReader } from './webhook-notifications.ts'

export type ReaderSupport = 'supported' | 'not_supported_by_provider' | 'not_supported'

export interface ModelSupport {
  readonly read: ReaderSupport
  readonly sampleRate?: string
  readonly availableHistory?: string
  readonly types?: readonly string[]
}

/** Text field of a sign-in form. The credentials contain its value under its name. */
export interface CredentialField {
  readonly name: string
  readonly kind: 'text' | 'password' | 'email' | 'url'
  /** Key of the label, which the link pages translate. */
  readonly label: 'apiKey' | 'user' | 'password' | 'database' | 'serverUrl' | 'host' | 'code'
  readonly isOptional?: boolean
  /** Input that the form shows as an example, such as my1.geotab.com. */
  readonly example?: string
}

/** Method of signing in at a provider. `label` is the key of a text that the link pages translate. */
export type SignIn =
  | {
      readonly id: string
      readonly kind: 'form'
      readonly label: 'withKey' | 'withPassword'
      readonly fields: readonly CredentialField[]
    }
  | { readonly id: string; readonly kind: 'oauth'; readonly label: 'atProvider' }

export type GuideLanguage = 'en' | 'fr' | 'es'

/** Description of a provider and of its supported models, the content of `GET /providers`. */
export interface Manifest {
  readonly code: string
  readonly name: string
  readonly status: 'live' | 'beta' | 'sandbox' | 'deprecated'
  readonly baseCode?: string
  readonly logo: string
  readonly icon: string
  readonly supportedModels: Readonly<Record<ModelName, ModelSupport>>
  readonly references: readonly { type: 'login-page' | 'developer-docs'; url: string; label: string }[]
  /** Provider's own page about creating what a fleet signs in with, by the page's language. */
  readonly userGuides?: Partial<Readonly<Record<GuideLanguage, string>>>
  /** Sign-in methods, most common first; empty if a fleet cannot connect yet. */
  readonly signIns: readonly SignIn[]
}

/** OAuth 2 sign-in of a provider, with PKCE. `oauth.ts` implements it. */
export interface OAuthClient {
  /** URL at which the fleet signs in; the provider then redirects to `redirectUri`. */
  authorizeUrl(request: { state: string; challenge: string; redirectUri: string }): string
  /** Exchanges a code for credentials. Throws an `invalid_credentials` error if the code is not valid. */
  exchange(
    grant: { code: string; verifier: string; redirectUri: string },
    signal: AbortSignal,
  ): Promise<ProviderCredentials>
}

/** Renewal of credentials that expire: OAuth uses the refresh token, a session signs in again. */
export interface Renewal {
  /**
   * Expiry of credentials; null if they do not expire, 0 if they must be exchanged before their first use.
   */
  expiryOf(credentials: ProviderCredentials): Instant | null
  /**
   * Returns complete new credentials. Throws an `invalid_credentials` error if the old ones are no longer valid.
   */
  renew(credentials: ProviderCredentials, signal: AbortSignal): Promise<ProviderCredentials>
}

/** Keeps the credentials of an account valid during its requests. */
export interface RenewableCredentials {
  /** Returns the given credentials, or renewed ones if they expire soon. */
  fresh(credentials: ProviderCredentials): Promise<ProviderCredentials>
  /** Returns other credentials after the provider refused the given ones; null if there are none. */
  replacementFor(refused: ProviderCredentials): Promise<ProviderCredentials | null>
}

/** A fleet's account, as the provider describes it. */
export interface FleetAccount {
  readonly sourceId: string
  readonly name: string
  readonly dotNumbers: readonly string[]
  readonly user: { sourceId?: string; firstName?: string; lastName?: string; email?: string }
  /** IANA time zone in which days and months of the account begin; null if the provider does not send one. */
  readonly timeZone: string | null
}

/** Credentials, opaque to everything except the adapter. They are stored encrypted. */
export type ProviderCredentials = Readonly<Record<string, string>>

/** Time range of a read: `from` is inclusive, `to` is exclusive. */
export interface TimeWindow {
  readonly from: Instant
  readonly to: Instant
}

/**
 * Position in a provider's list; null at the start. Only the reader interprets it. Each page is stored together
 * with the state after it, so that an interrupted read can resume.
 */
export type ReaderState = Readonly<Record<string, unknown>> | null

export interface ReadPage {
  readonly records: readonly unknown[]
  /** State of the next page; null after the last page. */
  readonly next: ReaderState
  /** For a feed: whether this is currently the last page. The next sync continues at `next`. */
  readonly isCaughtUp?: boolean
  /**
   * Source ids of records that the provider retracted. Stored records with these ids are marked as removed
   * together with the page; unknown ids are ignored. A full list marks removals by omission instead.
   */
  readonly removed?: readonly string[]
  /**
   * Fields that are missing because the account lacks a permission, for example "driver and distance". An issue
   * of the connection names them.
   */
  readonly missingFields?: string
  /**
   * Text of an issue about data that a setting at the provider withholds. The first sentence names the data,
   * the second one the setting to change.
   */
  readonly withheldBySetting?: string
}

/** Stored vehicles, drivers and trailers of a connection, for readers that request data per vehicle or driver. */
export interface Roster {
  /**
   * Returns the source ids that follow `after` in a fixed order; `''` starts at the beginning. Excludes removed
   * records.
   */
  sourceIdsAfter(kind: RosterKind, after: string, limit: number): Promise<readonly string[]>
}

export type RosterKind = 'vehicle' | 'driver' | 'trailer'

/**
 * Unit for which a list contains all records, so that stored records missing from it were removed.
 * - `driver`: a driver with at least one record in the list.
 * - `vehicle`: a vehicle, from its first record in the list on. Earlier records stay.
 * - `vehicle_month`: a vehicle and month. Months without a record in the list stay.
 */
export type CompleteBy = 'driver' | 'vehicle' | 'vehicle_month'

/**
 * Reads one model of a provider, page by page. `normalize` is pure: no I/O, no clock. `asOf` is the end of the
 * window, or the current time in a poll. A record counts as ended if its end is not after `asOf`.
 */
export interface Reader<Normalized> {
  /**
   * `full`: all records; stored ones that are missing were removed. `window`: the records of a time range.
   * `feed`: changes since the saved position, even of old records; without a position, since the start of the
   * window.
   */
  readonly mode: 'full' | 'window' | 'feed'
  /** Whether `read` uses the roster. Vehicles and drivers of the same sync must then be stored before. */
  readonly needsRoster?: boolean
  /**
   * For a `window`, and for a `feed` that is read from its window: the unit for which the list contains all records.
   * Without it, missing records are not removed.
   */
  readonly completeBy?: CompleteBy
  /** Name of the record type at the provider, stored with the raw record. */
  readonly schema: string
  /**
   * For a `feed`: whether a deep lookback reads the window again, from `stateForWindow`, because the saved position
   * misses late records or deletions.
   */
  readonly rereadsWindow?: boolean
  /**
   * For a `feed`: returns the state for a sync that must start at the window instead of the saved position. It
   * keeps knowledge from before the window. Without this function, such a sync starts without a state.
   */
  readonly stateForWindow?: (saved: NonNullable<ReaderState>, window: TimeWindow) => ReaderState
  read(api: ProviderApi, state: ReaderState, window: TimeWindow, roster: Roster): Promise<ReadPage>
  normalize(record: unknown, asOf?: Instant): Normalized
}

export interface ProviderAdapter {
  readonly manifest: Manifest
  /** Whether callers may send passthrough requests. */
  readonly passthrough?: boolean
  /** Returns why a passthrough request is refused, as a text for the caller; null if it is allowed. */
  readonly passthroughRefusal?: (request: PassthroughRequest) => string | null
  /**
   * Creates a client with an account's credentials. Requests on behalf of a waiting caller use the priority
   * `live`. `renewing` renews stored credentials; credentials that a fleet has just entered do not need it.
   */
  api(
    credentials: ProviderCredentials,
    signal: AbortSignal,
    priority?: Priority,
    renewing?: RenewableCredentials,
  ): ProviderApi
  identify(api: ProviderApi, credentials: ProviderCredentials): Promise<FleetAccount>
  /** Absent if the provider has no OAuth sign-in. */
  readonly oauth?: OAuthClient
  /** Webhook reader; absent if the provider has no webhooks. */
  readonly notifications?: NotificationReader
  /** Absent if credentials do not expire. */
  readonly renewal?: Renewal
  readonly readers: { readonly [M in SyncedModel]?: Reader<NormalizedRecords[M]> }
  /** Readers of current values, for polls and on-demand reads. All of them are `full`. */
  readonly latest: { readonly [M in LatestModel]?: Reader<NormalizedLatestRecords[M]> }
  /** Requests the camera files of a safety event, on demand; absent if the provider has no cameras. */
  cameraMedia?(
    api: ProviderApi,
    eventSourceId: string,
    startedAt: Instant,
  ): Promise<{ raw: unknown; files: NormalizedCameraMedia }>
}
