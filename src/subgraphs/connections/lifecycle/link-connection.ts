import { isObject } from '../../../providers/mapping/is-object.ts'
import type { Caller } from '../../../auth/caller.ts'
import { PublicError, invalidMember } from '../../../domain/errors.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../providers/provider.ts'
import { findUnsupportedProvider } from '../../../providers/unsupported-providers.ts'
import { enqueuePolls } from '../../../queue/poll-jobs.ts'
import type { Transaction } from '../../../storage/database.ts'
import { accessTopic } from '../../streams/topics.ts'
import { actorOf } from '../../tables/audit-log.ts'
import {
  validateFilters,
  validateOptions,
  validateText,
  validateTexts,
  backfillStart,
} from '../validate-input.ts'
import type { Company, Connection, SyncMode } from '../connection.ts'
import type { AcceptedAgreement } from './accept-agreements.ts'
import { createConnection } from './create-connection.ts'
import type { NewConnectionInput, NewConnection } from './new-connection.ts'
import { enqueueSync } from '../syncs/request-sync.ts'
import { type ConnectionCommandDeps, afterCommit, enqueueReconcile } from '../command-deps.ts'

/** Account that a caller links without the hosted link pages. */
export interface ConnectionInput {
  readonly provider: string
  readonly credentials: unknown
  readonly company?: Partial<Company> | null
  readonly options?: unknown
  readonly externalId?: string | null
  readonly syncMode?: SyncMode | null
  readonly backfill?: { readonly startFrom?: number | null; readonly days?: number | null } | null
  readonly tags?: readonly string[] | null
  readonly agreements?: readonly AcceptedAgreement[] | null
  readonly filters?: unknown
}

/** Creates a connection of the application of a caller from given credentials. */
export async function linkConnection(
  deps: ConnectionCommandDeps,
  caller: Caller,
  input: ConnectionInput,
): Promise<Connection> {
  const { applicationId, connectionIds } = caller
  if (connectionIds !== null)
    throw new PublicError(
      'forbidden',
      'A connection token gives access to one connection. It cannot create another.',
      {
        detail: 'Send the secret key without a connection token.',
      },
    )
  const provider = providerOf(deps, input.provider)
  const now = deps.clock.now()
  const settings = {
    ...validatedInput(input),
    backfillFrom: input.backfill ? backfillStart(input.backfill, now, 'backfill.') : null,
  }
  const credentials = validatedCredentials(input.credentials)
  const actor = actorOf(caller)
  const { connection } = await linkAccount(deps, { applicationId, provider, credentials, actor, ...settings })
  return connection
}

function providerOf({ registry }: Pick<ConnectionCommandDeps, 'registry'>, code: string): ProviderAdapter {
  const provider = registry.find(code)
  if (provider) return provider
  const isListed = findUnsupportedProvider(registry, code) !== null
  throw invalidMember(
    'provider',
    isListed ? 'Accounts at this provider cannot be linked yet.' : 'There is no provider with this code.',
  )
}

/** Connects an account of an application, and enqueues the jobs that follow. */
export async function linkAccount(
  deps: ConnectionCommandDeps,
  input: NewConnectionInput,
  inTransaction?: (tx: Transaction, connection: Connection) => Promise<void>,
): Promise<NewConnection> {
  const { db, secrets, clock } = deps
  const created = await createConnection({ db, secrets, now: clock.now() }, input, inTransaction)
  if (!created.isNew) deps.notifier.notify(accessTopic(input.applicationId))
  await afterLink(deps, created)
  return created
}

/** Enqueues the jobs after an account has been linked or signed in to again. */
export const afterLink = (
  deps: ConnectionCommandDeps,
  { connection, sync }: Pick<NewConnection, 'connection' | 'sync'>,
): Promise<void> =>
  afterCommit(deps, async () => {
    if (sync) {
      await enqueueSync(deps, sync)
      await enqueuePolls(deps.queue, connection.id)
    }
    await enqueueReconcile(deps)
  })

function validatedInput({
  company,
  options,
  externalId,
  syncMode,
  tags,
  agreements,
  filters,
}: ConnectionInput) {
  validateText('externalId', externalId)
  validateTexts('tags', tags)
  validateText('company.name', company?.name)
  validateTexts('company.dotNumbers', company?.dotNumbers)
  checkAgreements(agreements ?? [])
  return {
    ...(company ? { company } : {}),
    ...(options == null ? {} : { options: validateOptions(options) }),
    ...(syncMode == null ? {} : { syncMode }),
    externalId: externalId ?? null,
    tags: tags ?? [],
    agreements: agreements ?? [],
    filters: validateFilters(filters ?? null),
  }
}

function checkAgreements(agreements: readonly AcceptedAgreement[]): void {
  for (const [at, { agreementUrl, ipAddress, userAgent }] of agreements.entries()) {
    validateText(`agreements.${at}.agreementUrl`, agreementUrl)
    validateText(`agreements.${at}.ipAddress`, ipAddress)
    validateText(`agreements.${at}.userAgent`, userAgent)
  }
}

const MAX_CREDENTIALS = 20
const MAX_CREDENTIAL_LENGTH = 4096

function validatedCredentials(credentials: unknown): ProviderCredentials {
  const given = isObject(credentials) ? Object.entries(credentials) : []
  const fits = (value: unknown) => typeof value === 'string' && value.length <= MAX_CREDENTIAL_LENGTH
  if (given.length === 0 || given.length > MAX_CREDENTIALS || !given.every(([, value]) => fits(value)))
    throw invalidMember(
      'credentials',
      '`credentials` must be an object of strings: the credentials that the provider requires.',
    )
  return Object.fromEntries(given) as ProviderCredentials
}
