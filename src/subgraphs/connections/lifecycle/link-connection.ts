import { isObject } from '../../../platform/is-object.ts'
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
import { findApplication } from '../applications/lock-application.ts'
import type { Company, Connection, SyncMode } from '../connection.ts'
import { type ProviderPolicy, requireAvailable } from '../providers/available-providers.ts'
import type { AcceptedAgreement } from './accept-agreements.ts'
import { createConnection } from './create-connection.ts'
import type { NewConnectionInput, LinkedConnection } from './new-connection.ts'
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

/** Links an account to the application of a caller, with credentials that the caller submits. */
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
  const provider = providerOf(deps, await findApplication(deps.db, applicationId), input.provider)
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

function providerOf(
  { registry }: Pick<ConnectionCommandDeps, 'registry'>,
  application: ProviderPolicy,
  code: string,
): ProviderAdapter {
  const provider = registry.find(code)
  if (provider) {
    requireAvailable(provider.manifest, application)
    return provider
  }
  const isListed = findUnsupportedProvider(registry, code) !== null
  throw invalidMember(
    'provider',
    isListed ? 'Accounts at this provider cannot be linked yet.' : 'There is no provider with this code.',
  )
}

/** Creates or merges the connection of an account, and enqueues the jobs that follow. */
export async function linkAccount(
  deps: ConnectionCommandDeps,
  input: NewConnectionInput,
  inTransaction?: (tx: Transaction, connection: Connection) => Promise<void>,
): Promise<LinkedConnection> {
  const { db, secrets, clock } = deps
  const linked = await createConnection({ db, secrets, now: clock.now() }, input, inTransaction)
  // If the connection was archived, sessions can read it again: gateways drop their cached callers.
  if (!linked.isNew) deps.notifier.notify(accessTopic(input.applicationId))
  await enqueueJobsAfterLink(deps, linked)
  return linked
}

/** Enqueues the jobs after an account has been linked or signed in to again. */
export const enqueueJobsAfterLink = (
  deps: ConnectionCommandDeps,
  { connection, sync }: Pick<LinkedConnection, 'connection' | 'sync'>,
): Promise<void> =>
  afterCommit(deps, {
    async enqueue() {
      if (sync) {
        await enqueueSync(deps, sync)
        await enqueuePolls(deps.queue, connection.id)
      }
      await enqueueReconcile(deps)
    },
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
  for (const [index, { agreementUrl, ipAddress, userAgent }] of agreements.entries()) {
    validateText(`agreements.${index}.agreementUrl`, agreementUrl)
    validateText(`agreements.${index}.ipAddress`, ipAddress)
    validateText(`agreements.${index}.userAgent`, userAgent)
  }
}

const MAX_CREDENTIALS = 20
const MAX_CREDENTIAL_LENGTH = 4096

function validatedCredentials(credentials: unknown): ProviderCredentials {
  const entries = isObject(credentials) ? Object.entries(credentials) : []
  const isValid = (value: unknown) => typeof value === 'string' && value.length <= MAX_CREDENTIAL_LENGTH
  if (
    entries.length === 0 ||
    entries.length > MAX_CREDENTIALS ||
    !entries.every(([, value]) => isValid(value))
  )
    throw invalidMember(
      'credentials',
      '`credentials` must be an object of strings: the credentials that the provider requires.',
    )
  return Object.fromEntries(entries) as ProviderCredentials
}
