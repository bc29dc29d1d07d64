import type { LatestModel, ModelName, SyncedModel } from '../models.ts'
import type { Instant } from '../time.ts'
import type { ProviderApi } from './api.ts'
import type { Priority } from './budgets/budget.ts'
import type { CameraMediaDraft, Drafts, LatestDrafts } from './drafts.ts'

export type ReadSupport = 'supported' | 'not_supported_by_provider' | 'not_supported'

export interface ModelSupport {
  readonly read: ReadSupport
  readonly sampleRate?: string
  readonly availableHistory?: string
  readonly types?: readonly string[]
}

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
export interface Window {
  readonly from: Instant
  readonly to: Instant
}

/** A place in a provider's list, opaque to the engine and saved with the page that it follows. */
export type ReaderState = Readonly<Record<string, unknown>> | null

export interface ReadPage {
  readonly records: readonly unknown[]
  /** Where the next page starts; null after the last one. */
  readonly next: ReaderState
}

/** Reads one model of a provider, page by page. `toDraft` is pure: no I/O, no clock. */
export interface Reader<Draft> {
  /** `full` lists everything there is: what is missing was removed. `window` lists what happened in a time. */
  readonly mode: 'full' | 'window'
  /** The provider's name of the record, kept with its raw form. */
  readonly schema: string
  read(api: ProviderApi, state: ReaderState, window: Window): Promise<ReadPage>
  toDraft(record: unknown): Draft
}

export interface ProviderAdapter {
  readonly manifest: Manifest
  /** Whether requests of callers may be passed to its API as they are. */
  readonly passthrough?: boolean
  /** Its API with an account's credentials. Whoever asks in a caller's request says so; else it is in the background. */
  api(credentials: ProviderCredentials, signal: AbortSignal, priority?: Priority): ProviderApi
  identify(api: ProviderApi): Promise<Account>
  readonly readers: { readonly [M in SyncedModel]?: Reader<Drafts[M]> }
  /** What managed polling reads; `full` readers all. */
  readonly latest: { readonly [M in LatestModel]?: Reader<LatestDrafts[M]> }
  /** The files of a safety event, asked for when a caller does; absent where the provider has no cameras. */
  cameraMedia?(api: ProviderApi, eventSourceId: string): Promise<{ raw: unknown; draft: CameraMediaDraft }>
}
