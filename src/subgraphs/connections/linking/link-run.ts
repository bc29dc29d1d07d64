import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  LongTextColumn,
  NumberColumn,
  TextColumn,
  Unique,
} from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import type { SyncMode } from '../connection.ts'

/** Settings of a link run. The integrator passes them in the URL of the link pages or in a short link. */
export interface LinkSettings {
  readonly syncMode?: SyncMode
  readonly tags?: readonly string[]
  readonly externalId?: string
  /** Name of the fleet's company. */
  readonly name?: string
  /** Code of the provider; absent if the fleet chooses. */
  readonly provider?: string
  /** Codes of the providers that come first in the choice. */
  readonly providerHints?: readonly string[]
  readonly backfillDays?: number
  readonly backfillFrom?: Instant
  readonly redirectUrl?: string
  /** Returned unchanged in the redirect. */
  readonly state?: string
  /** Accepted and stored for compatible clients; it has no effect. */
  readonly template?: string
}

/** Settings of a stored link run. */
export interface RunSettings extends LinkSettings {
  /** Origin of the page that frames the run; empty if unknown or not allowed, absent if no page frames it. */
  readonly framedBy?: string
  /**
   * Origin of the page that linked to the run, which may have opened a window for it. Absent if unknown or not allowed,
   * or if a page frames the run.
   */
  readonly openedBy?: string
  /** Requested language. */
  readonly language?: 'en' | 'fr' | 'es'
  /** Id of the publishable key or the short link with which the run began. */
  readonly door?: string
  /** Whether the fleet of an existing connection has accepted the current agreement in an earlier run. */
  readonly hasAgreed?: boolean
  /** URL of the agreement that the fleet accepted in this run. */
  readonly agreementUrl?: string
}

/** Problem that keeps a link run from completing. The pages show it. */
export type LinkProblem =
  /** A field was left empty. */
  | 'incomplete'
  | 'wrong_credentials'
  /** The entered address has no server of the provider. */
  | 'wrong_server'
  /** The provider requires the code of a two-step sign-in. */
  | 'code_missing'
  | 'missing_permission'
  | 'provider_down'
  | 'provider_slow'
  | 'other_account'
  | 'sign_in_cancelled'
  | 'sign_in_expired'
  | 'our_fault'

/** Link run: one visit of a fleet to the link pages, from the choice of the provider to the connection. */
@Entity('link_runs')
@Unique('tokenHash')
@Indexes(['oauthStateHash'], ['connectionId'], ['expiresAt'])
export class LinkRun {
  @KeyColumn()
  id: Id<'linkRun'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Connection to sign in to again; otherwise the connection that the run has led to, null before its end. */
  @IdColumn({ nullable: true })
  connectionId: Id<'connection'> | null

  /** 1 if the run signs in to an existing connection again. */
  @NumberColumn()
  isAgain: number

  /** Hash of the token in the URLs of its pages. */
  @IdColumn()
  tokenHash: string

  @JsonColumn()
  settings: RunSettings

  /**
   * `checking`: the account is being checked. `done`: the account is connected. `requested`: the fleet has requested a
   * provider that cannot be connected yet.
   */
  @IdColumn()
  status: 'open' | 'checking' | 'done' | 'cancelled' | 'requested'

  /** Provider code; it may be the code of a provider that cannot be connected yet. */
  @IdColumn({ nullable: true })
  provider: string | null

  /** Id of the chosen sign-in method. */
  @IdColumn({ nullable: true })
  signIn: string | null

  /** Encrypted credentials while the run needs them; empty before and after. */
  @LongTextColumn()
  credentialsSealed: string

  /** Problem of the last step, which the pages show; null if there is none. */
  @IdColumn({ nullable: true })
  problem: LinkProblem | null

  /** Start of the current check of the account; null if none runs. */
  @InstantColumn({ nullable: true })
  checkedSince: Instant | null

  /** Number of sign-in attempts; null before the first. */
  @NumberColumn({ nullable: true })
  signInsTried: number | null

  /** Time of the fleet's consent to share its data; null before it. */
  @InstantColumn({ nullable: true })
  agreedAt: Instant | null

  /** Address of the client that gave the consent. */
  @TextColumn({ nullable: true })
  ipAddress: string | null

  /** User agent of the client that gave the consent. */
  @LongTextColumn({ nullable: true })
  userAgent: string | null

  /** Hash of the OAuth `state`, which is valid once. */
  @IdColumn({ nullable: true })
  oauthStateHash: string | null

  /** Hash of the binding cookie. Only the browser that began the sign-in can complete it. */
  @IdColumn({ nullable: true })
  oauthBindingHash: string | null

  /** The PKCE verifier, until the code is exchanged. */
  @LongTextColumn()
  oauthVerifierSealed: string

  @InstantColumn({ nullable: true })
  oauthExpiresAt: Instant | null

  @InstantColumn()
  createdAt: Instant

  @InstantColumn()
  expiresAt: Instant
}
