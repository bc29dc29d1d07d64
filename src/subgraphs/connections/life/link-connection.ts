import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../providers/provider.ts'
import { findUnsupported } from '../../../providers/unsupported.ts'
import { pollNow } from '../../../queue/polls.ts'
import type { Transaction } from '../../../storage/database.ts'
import { accessTopic } from '../../access.ts'
import { actorOf } from '../../audit.ts'
import {
  checkedFilters,
  checkedOptions,
  checkText,
  checkTexts,
  isObject,
  refused,
  startOf,
} from '../check-input.ts'
import type { Company, Connection, SyncMode } from '../connection.ts'
import type { AgreementWish } from './accept-agreements.ts'
import { type ConnectionWish, createConnection, type NewConnection } from './create-connection.ts'
import { enqueueSync } from '../syncs/request-sync.ts'
import { type ConnectionWritesFrom, follow, lookForWork } from '../writes-from.ts'

/** An account that a caller links by itself, without the hosted link pages. */
export interface ConnectionInput {
  readonly provider: string
  readonly credentials: unknown
  readonly company?: Partial<Company> | null
  readonly options?: unknown
  readonly externalId?: string | null
  readonly syncMode?: SyncMode | null
  readonly backfill?: { readonly startFrom?: number | null; readonly days?: number | null } | null
  readonly tags?: readonly string[] | null
  readonly agreements?: readonly AgreementWish[] | null
  readonly filters?: unknown
}

/** Makes a connection of a caller's application from credentials that it has. */
export async function linkConnection(
  from: ConnectionWritesFrom,
  caller: Caller,
  input: ConnectionInput,
): Promise<Connection> {
  const { applicationId, connectionIds } = caller
  if (connectionIds !== null)
    throw new PublicError('forbidden', 'A connection token opens one connection: it cannot make another.', {
      detail: 'Send the secret key alone.',
    })
  const provider = providerOf(from, input.provider)
  const now = from.clock.now()
  const wish = {
    ...wishOf(input),
    backfillFrom: input.backfill ? startOf(input.backfill, now, 'backfill.') : null,
  }
  const credentials = checkedCredentials(input.credentials)
  const actor = actorOf(caller)
  const { connection } = await linkAccount(from, { applicationId, provider, credentials, actor, ...wish })
  return connection
}

function providerOf({ registry }: Pick<ConnectionWritesFrom, 'registry'>, code: string): ProviderAdapter {
  const provider = registry.find(code)
  if (provider) return provider
  const isListed = findUnsupported(registry, code) !== null
  throw refused(
    'provider',
    isListed ? 'Accounts at this provider cannot be linked yet.' : 'There is no provider with this code.',
  )
}

/** Connects an account of an application, and leaves to the workers what follows. */
export async function linkAccount(
  from: ConnectionWritesFrom,
  wish: ConnectionWish,
  also?: (tx: Transaction, connection: Connection) => Promise<void>,
): Promise<NewConnection> {
  const { db, secrets, clock } = from
  const made = await createConnection({ db, secrets, now: clock.now() }, wish, also)
  if (!made.isNew) from.doorbell.ring(accessTopic(wish.applicationId))
  await followLink(from, made)
  return made
}

/** After an account has been linked or signed in to again: what it asked for is done at once. */
export const followLink = (
  from: ConnectionWritesFrom,
  { connection, sync }: Pick<NewConnection, 'connection' | 'sync'>,
): Promise<void> =>
  follow(from, async () => {
    if (sync) {
      await enqueueSync(from, sync)
      await pollNow(from.queue, connection.id)
    }
    await lookForWork(from)
  })

function wishOf({ company, options, externalId, syncMode, tags, agreements, filters }: ConnectionInput) {
  checkText('externalId', externalId)
  checkTexts('tags', tags)
  checkText('company.name', company?.name)
  checkTexts('company.dotNumbers', company?.dotNumbers)
  checkAgreements(agreements ?? [])
  return {
    ...(company ? { company } : {}),
    ...(options == null ? {} : { options: checkedOptions(options) }),
    ...(syncMode == null ? {} : { syncMode }),
    externalId: externalId ?? null,
    tags: tags ?? [],
    agreements: agreements ?? [],
    filters: checkedFilters(filters ?? null),
  }
}

function checkAgreements(agreements: readonly AgreementWish[]): void {
  for (const [at, { agreementUrl, ipAddress, userAgent }] of agreements.entries()) {
    checkText(`agreements.${at}.agreementUrl`, agreementUrl)
    checkText(`agreements.${at}.ipAddress`, ipAddress)
    checkText(`agreements.${at}.userAgent`, userAgent)
  }
}

const MOST_CREDENTIALS = 20
const LONGEST_CREDENTIAL = 4096

function checkedCredentials(credentials: unknown): ProviderCredentials {
  const given = isObject(credentials) ? Object.entries(credentials) : []
  const fits = (value: unknown) => typeof value === 'string' && value.length <= LONGEST_CREDENTIAL
  if (given.length === 0 || given.length > MOST_CREDENTIALS || !given.every(([, value]) => fits(value)))
    throw refused('credentials', '`credentials` must be an object of texts: what the provider asks for.')
  return Object.fromEntries(given) as ProviderCredentials
}
