import type { LatestModel, ModelName, SyncedModel } from '../domain/record-models.ts'
import type { Instant } from '../domain/time.ts'
import type { PassedRequest, ProviderApi } from './provider-api.ts'
import type { Priority } from './rate-limit/rate-limit.ts'
import type {
  NormalizedCameraMedia,
  NormalizedRecords,
  NormalizedLatestRecords,
} from './normalized-records.ts'
import type { NotificationReader } from './webhook-notifications.ts'

export type ReadSupport = 'supported' | 'not_supported_by_provider' | 'not_supported'

export interface ModelSupport {
  readonly read: ReadSupport
  readonly sampleRate?: string
  readonly availableHistory?: string
  readonly types?: readonly string[]
}

/** A text that a fleet types in to sign in. Its name is that of the credential. */
export interface CredentialField {
  readonly name: string
  readonly kind: 'text' | 'password' | 'email' | 'url'
  /** What the pages call it, a word of theirs in every language. */
  readonly label: 'apiKey' | 'user' | 'password' | 'database' | 'serverUrl' | 'host' | 'code'
  readonly isOptional?: boolean
  /** Such as my1.geotab.com. */
  readonly example?: string
}

/** One way in which a fleet signs in at a provider. */
export type SignIn =
  | {
      readonly id: string
      readonly kind: 'form'
      readonly label: 'withKey' | 'withPassword'
      readonly fields: readonly CredentialField[]
    }
  | { readonly id: string; readonly kind: 'oauth'; readonly label: 'atProvider' }

/** What a provider is and supports: this is what `GET /providers` reports (interface 2.9). */
export interface Manifest {
  readonly code: string
  readonly name: string
  readonly status: 'live' | 'beta' | 'sandbox' | 'deprecated'
  readonly baseCode?: string
  readonly logo: string
  readonly icon: string
  readonly supportedModels: Readonly<Record<ModelName, ModelSupport>>
  readonly references: readonly { type: 'login-page' | 'developer-docs'; url: string; label: string }[]
  /** How a fleet can sign in, the usual way first; none where it cannot yet. */
  readonly signIns: readonly SignIn[]
}

/** A provider's OAuth 2 sign-in, with PKCE. What it gives are credentials like any others; `oauth.ts` makes one. */
export interface OAuthClient {
  /** Where the fleet signs in and comes back from. */
  authorizeUrl(asked: { state: string; challenge: string; redirectUri: string }): string
  /** A `ProviderError` of kind `revoked` where the code is no good. */
  exchange(
    given: { code: string; verifier: string; redirectUri: string },
    signal: AbortSignal,
  ): Promise<ProviderCredentials>
}

/** How credentials that end are renewed: OAuth's by their refresh token, those of a session by signing in again. */
export interface Renewal {
  /** When credentials end; null where they do not, 0 where they are to be exchanged before their first use. */
  endOf(credentials: ProviderCredentials): Instant | null
  /** New credentials for old, all of them. A `ProviderError` of kind `revoked` where the old are no good any more. */
  renew(credentials: ProviderCredentials, signal: AbortSignal): Promise<ProviderCredentials>
}

/** Keeps the credentials of one account good while it is asked. */
export interface RenewableCredentials {
  /** The same, or newer ones where these end soon. */
  fresh(credentials: ProviderCredentials): Promise<ProviderCredentials>
  /** Others, after the provider refused these; null where there are none. */
  instead(refused: ProviderCredentials): Promise<ProviderCredentials | null>
}

/** A fleet's account at a provider, as the provider tells it. */
export interface Account {
  readonly sourceId: string
  readonly name: string
  readonly dotNumbers: readonly string[]
  readonly user: { sourceId?: string; firstName?: string; lastName?: string; email?: string }
  /** IANA name of the zone in which its days and months begin; null where the provider does not tell. */
  readonly timeZone: string | null
}

/** Credentials are opaque to everything but the adapter; they are stored sealed. */
export type ProviderCredentials = Readonly<Record<string, string>>

/** The record times that a read covers, `from` inclusive and `to` exclusive. */
export interface TimeWindow {
  readonly from: Instant
  readonly to: Instant
}

/** A place in a provider's list, opaque to the engine and saved with the page that it follows. */
export type ReaderState = Readonly<Record<string, unknown>> | null

export interface ReadPage {
  readonly records: readonly unknown[]
  /** Where the next page starts; null after the last one. */
  readonly next: ReaderState
  /** Of a feed: there is nothing after this page yet. The next sync goes on at `next`. */
  readonly isCaughtUp?: boolean
  /**
   * By the provider's ids, what it has taken back: whatever of it is stored is marked as removed with the page. Of ids
   * that nothing is stored of, nothing comes. A full list says so by what it leaves out.
   */
  readonly removed?: readonly string[]
  /** What its records lack since the account may not read it, in words such as "driver and distance": an issue says so. */
  readonly lacks?: string
}

/** What is known of a connection's roster while a sync reads it. */
export interface Roster {
  /** The provider's ids after one of them, in an order of our own; '' begins. Removed records are left out. */
  sourceIdsAfter(kind: RosterKind, after: string, most: number): Promise<readonly string[]>
}

export type RosterKind = 'vehicle' | 'driver' | 'trailer'

/**
 * What a list tells whole. `driver`: of whichever driver all that began in the time. `vehicle`: of whichever vehicle all
 * that began after the first that is told of it. `vehicle_month`: of whichever vehicle and month all of both; a vehicle
 * that is not told of any more keeps its months.
 */
export type WholeBy = 'driver' | 'vehicle' | 'vehicle_month'

/**
 * Reads one model of a provider, page by page. `normalize` is pure: no I/O, no clock. Where a record tells when it ends,
 * it has ended if that is not after `asOf`, which is when the window ends.
 */
export interface Reader<Draft> {
  /**
   * `full` lists everything there is: what is missing was removed. `window` lists what happened in a time. `feed` lists
   * what the provider has learned since its place, whenever it happened: without a place, since the window began.
   */
  readonly mode: 'full' | 'window' | 'feed'
  /** Whether it asks for one vehicle or driver after another: what was read of the roster is stored before. */
  readonly needsRoster?: boolean
  /** Of a `window`: of what it tells all, where it tells something. What is stored of that and not told was removed. */
  readonly wholeBy?: WholeBy
  /** The provider's name of the record, kept with its raw form. */
  readonly schema: string
  /**
   * Of a `feed`: its place for a sync that leaves it to begin where the window does, with what stays known of before
   * then. Without it the sync has none.
   */
  readonly leaving?: (place: NonNullable<ReaderState>, window: TimeWindow) => ReaderState
  read(api: ProviderApi, state: ReaderState, window: TimeWindow, roster: Roster): Promise<ReadPage>
  normalize(record: unknown, asOf?: Instant): Draft
}

export interface ProviderAdapter {
  readonly manifest: Manifest
  /** Whether requests of callers may be passed to its API as they are. */
  readonly passthrough?: boolean
  /** Why one of them is not, in words for the caller; null where it is. */
  readonly whyNotPassed?: (request: PassedRequest) => string | null
  /**
   * Its API with an account's credentials. Whoever asks in a caller's request says so; else it is in the background.
   * `renewing` keeps credentials that are stored good; what a fleet has just typed in needs none.
   */
  api(
    credentials: ProviderCredentials,
    signal: AbortSignal,
    priority?: Priority,
    renewing?: RenewableCredentials,
  ): ProviderApi
  identify(api: ProviderApi, credentials: ProviderCredentials): Promise<Account>
  /** Absent where nobody signs in at the provider itself. */
  readonly oauth?: OAuthClient
  /** How its webhooks are read; absent where it has none. */
  readonly notifications?: NotificationReader
  /** Absent where no credentials end. */
  readonly renewal?: Renewal
  readonly readers: { readonly [M in SyncedModel]?: Reader<NormalizedRecords[M]> }
  /** What managed polling reads; `full` readers all. */
  readonly latest: { readonly [M in LatestModel]?: Reader<NormalizedLatestRecords[M]> }
  /** The files of a safety event, asked for when a caller does; absent where the provider has no cameras. */
  cameraMedia?(
    api: ProviderApi,
    eventSourceId: string,
    startedAt: Instant,
  ): Promise<{ raw: unknown; draft: NormalizedCameraMedia }>
}
