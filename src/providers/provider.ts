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

/** Text field of a sign-in form. Its name is the name of the credential. */
export interface CredentialField {
  readonly name: string
  readonly kind: 'text' | 'password' | 'email' | 'url'
  /** Key of the label; the pages translate it. */
  readonly label: 'apiKey' | 'user' | 'password' | 'database' | 'serverUrl' | 'host' | 'code'
  readonly isOptional?: boolean
  /** For example my1.geotab.com. */
  readonly example?: string
}

/** Method of signing in at a provider. */
export type SignIn =
  | {
      readonly id: string
      readonly kind: 'form'
      readonly label: 'withKey' | 'withPassword'
      readonly fields: readonly CredentialField[]
    }
  | { readonly id: string; readonly kind: 'oauth'; readonly label: 'atProvider' }

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
  /** Sign-in methods, most common first; empty if a fleet cannot connect yet. */
  readonly signIns: readonly SignIn[]
}

/** OAuth 2 sign-in of a provider, with PKCE. `oauth.ts` implements it. */
export interface OAuthClient {
  /** URL at which the fleet signs in; the provider then redirects to `redirectUri`. */
  authorizeUrl(request: { state: string; challenge: string; redirectUri: string }): string
  /** Exchanges a code for credentials. Throws a `revoked` error if the code is not valid. */
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
   * Returns new credentials in full. Throws a `revoked` error if the old credentials are not valid any more.
   */
  renew(credentials: ProviderCredentials, signal: AbortSignal): Promise<ProviderCredentials>
}

/** Keeps the credentials of an account valid during its requests. */
export interface RenewableCredentials {
  /** Returns the same credentials, or renewed ones if these expire soon. */
  fresh(credentials: ProviderCredentials): Promise<ProviderCredentials>
  /** Returns other credentials after the provider refused these; null if there are none. */
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

/** Position in a provider's list. It is opaque to the engine and saved together with the page before it. */
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
   * Fields that are missing because the account lacks a permission, for example "driver and distance". They
   * become an issue.
   */
  readonly missingFields?: string
  /** A sentence on data that a setting at the provider withholds, and one on what to change. They become an issue. */
  readonly withheldBySetting?: string
}

/** Stored roster of a connection, for readers that request one vehicle or driver at a time. */
export interface Roster {
  /**
   * Returns source ids after `after` in a fixed order; `''` starts at the beginning. Excludes removed
   * records.
   */
  sourceIdsAfter(kind: RosterKind, after: string, limit: number): Promise<readonly string[]>
}

export type RosterKind = 'vehicle' | 'driver' | 'trailer'

/**
 * Unit in which a list is complete, so that stored records missing from it count as removed. `driver`: all
 * records of a listed driver in the time range. `vehicle`: all records of a listed vehicle after its first
 * one. `vehicle_month`: all records of a listed vehicle and month; a vehicle that is not listed keeps its
 * months.
 */
export type CompleteBy = 'driver' | 'vehicle' | 'vehicle_month'

/**
 * Reads one model of a provider, page by page. `normalize` is pure: no I/O, no clock. A record counts as
 * ended if its end is not after `asOf`, the end of the window.
 */
export interface Reader<Normalized> {
  /**
   * `full` lists all records; missing records were removed. `window` lists the records of a time range.
   * `feed` lists changes since the saved position, whatever the record time; without a position, since the
   * start of the window.
   */
  readonly mode: 'full' | 'window' | 'feed'
  /** Whether it requests one vehicle or driver at a time. The roster is then stored first. */
  readonly needsRoster?: boolean
  /**
   * For a `window`: the unit in which the list is complete. Stored records of a listed unit that are missing
   * count as removed.
   */
  readonly completeBy?: CompleteBy
  /** Name of the record type at the provider, stored with the raw record. */
  readonly schema: string
  /**
   * For a `feed`: the state for a sync that must start at the window instead of the saved position. It keeps
   * what is known from before the window. Without this function such a sync starts without a state.
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
  /** Readers of managed polling; all of them are `full`. */
  readonly latest: { readonly [M in LatestModel]?: Reader<NormalizedLatestRecords[M]> }
  /** Files of a safety event, requested on demand; absent if the provider has no cameras. */
  cameraMedia?(
    api: ProviderApi,
    eventSourceId: string,
    startedAt: Instant,
  ): Promise<{ raw: unknown; files: NormalizedCameraMedia }>
}
