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

/** What an integrator asks a link run for, in the address of the link pages or in a short link. */
export interface LinkSettings {
  readonly syncMode?: SyncMode
  readonly tags?: readonly string[]
  readonly externalId?: string
  /** The company's name. */
  readonly name?: string
  /** The code of the provider, where the fleet is not to choose. */
  readonly provider?: string
  /** Codes of providers that stand first in the choice. */
  readonly providerHints?: readonly string[]
  readonly backfillDays?: number
  readonly backfillFrom?: Instant
  readonly redirectUrl?: string
  /** Handed back as it is. */
  readonly state?: string
  /** Taken and kept, for clients that send one; it changes nothing. */
  readonly template?: string
}

/** What a link run keeps beside what it was asked for. */
export interface RunSettings extends LinkSettings {
  /** The origin of the page that frames it; empty where the browser does not tell which. */
  readonly framedBy?: string
  /** The origin of the page that led here, which may have opened a window of its own for it; absent where not told. */
  readonly openedBy?: string
  /** The language that was asked for. */
  readonly language?: 'en' | 'fr' | 'es'
  /** The id of the publishable key, or of the short link, that it was begun with. */
  readonly door?: string
  /** What the fleet has agreed to. */
  readonly agreementUrl?: string
}

/** Why a link run has not got on, as the pages tell it. */
export type LinkProblem =
  /** A field was left empty. */
  | 'incomplete'
  | 'wrong_credentials'
  /** At the address that was typed in there is no server of the provider. */
  | 'wrong_server'
  /** The provider asks for the code of a two-step sign-in. */
  | 'code_missing'
  | 'missing_permission'
  | 'provider_down'
  | 'provider_slow'
  | 'other_account'
  | 'sign_in_cancelled'
  | 'sign_in_expired'
  | 'our_fault'

/** One visit of a fleet to the link pages, from the choice of the provider to the connection. */
@Entity('link_runs')
@Unique('tokenHash')
@Indexes(['oauthStateHash'], ['connectionId'], ['expiresAt'])
export class LinkRun {
  @KeyColumn()
  id: Id<'linkRun'>

  @IdColumn()
  applicationId: Id<'application'>

  /** The one to sign in to again; else the one that it has led to. */
  @IdColumn({ nullable: true })
  connectionId: Id<'connection'> | null

  /** 1 where it signs in again to a connection that there is. */
  @NumberColumn()
  isAgain: number

  /** Of the token in the addresses of its pages. */
  @IdColumn()
  tokenHash: string

  @JsonColumn()
  settings: RunSettings

  @IdColumn()
  status: 'open' | 'checking' | 'done' | 'cancelled' | 'requested'

  /** Its code; also of one that cannot be connected yet. */
  @IdColumn({ nullable: true })
  provider: string | null

  /** The id of the chosen way of signing in. */
  @IdColumn({ nullable: true })
  signIn: string | null

  /** What was signed in with, while it is needed; empty before and after. */
  @LongTextColumn()
  credentialsSealed: string

  /** What went wrong last. */
  @IdColumn({ nullable: true })
  problem: LinkProblem | null

  /** Since when the account is being looked at. */
  @InstantColumn({ nullable: true })
  checkedSince: Instant | null

  /** How many sign-ins were tried; null is none. */
  @NumberColumn({ nullable: true })
  signInsTried: number | null

  @InstantColumn({ nullable: true })
  agreedAt: Instant | null

  @TextColumn({ nullable: true })
  ipAddress: string | null

  @LongTextColumn({ nullable: true })
  userAgent: string | null

  /** Of the `state` that the provider hands back: good once. */
  @IdColumn({ nullable: true })
  oauthStateHash: string | null

  /** Of what the browser has that began: nobody else can end it. */
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
