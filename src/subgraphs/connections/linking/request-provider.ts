import {
  findUnsupportedProvider,
  unlistedProvider,
  type UnsupportedProvider,
} from '../../../providers/unsupported-providers.ts'
import { type NewEvent, appendEvents, withoutNulls } from '../../../storage/outbox.ts'
import { type ConnectionCommandDeps, afterCommit } from '../command-deps.ts'
import type { LinkRun } from './link-run.ts'
import { updateRunIn } from './link-run-repository.ts'
import { type LinkLimits, takeLinkPermits } from './rate-limit/link-rate-limiter.ts'

type ProviderRequestDeps = Pick<ConnectionCommandDeps, 'db' | 'registry' | 'clock' | 'notifier'> & {
  readonly limits: LinkLimits
}

/** Request of a fleet for a provider that cannot be connected yet. */
export interface LinkProviderRequest {
  /** Name of the provider as the fleet entered it. Used only if the chosen provider is not listed. */
  readonly provider: string
  readonly contactEmail: string
  /** Empty if not given. */
  readonly dotNumber: string
}

/** Returns the chosen provider of a run if it cannot be connected yet, else null. */
export function unsupportedProviderOf(
  { registry }: Pick<ProviderRequestDeps, 'registry'>,
  { provider, isAgain }: Pick<LinkRun, 'provider' | 'isAgain'>,
): UnsupportedProvider | null {
  if (provider === null || isAgain === 1) return null
  return provider === unlistedProvider.code ? unlistedProvider : findUnsupportedProvider(registry, provider)
}

/**
 * Appends an event that a fleet requests a provider without an adapter. The request also ends the run, so a run appends
 * at most one event. Returns the invalid fields; if there are any, nothing has happened.
 */
export async function requestProvider(
  { db, clock, notifier, limits, registry }: ProviderRequestDeps,
  run: LinkRun,
  input: LinkProviderRequest,
  remoteAddress: string,
): Promise<readonly (keyof LinkProviderRequest)[]> {
  const unsupported = unsupportedProviderOf({ registry }, run)
  if (!unsupported || run.status !== 'open') return []
  const request = { ...input, provider: unsupported.name || input.provider }
  const invalid = invalidFieldsOf(request)
  if (invalid.length > 0) return invalid
  const now = clock.now()
  const { applicationId, provider, settings } = run
  const isRequested = await db.transaction(async (tx) => {
    await takeLinkPermits(
      tx,
      limits,
      'request',
      { remoteAddress, entryPointId: settings.door ?? applicationId },
      now,
    )
    const isFirst = await updateRunIn(tx, run, { status: 'open', provider }, { status: 'requested' })
    if (isFirst)
      await appendEvents(tx, { applicationId, connectionId: '', at: now }, [requestedEvent(run, request)])
    return isFirst
  })
  if (isRequested) await afterCommit({ notifier })
  return []
}

const requestedEvent = (
  { settings }: LinkRun,
  { provider, contactEmail, dotNumber }: LinkProviderRequest,
): NewEvent => ({
  type: 'unsupported_provider.requested',
  subjectId: null,
  detail: withoutNulls({
    provider,
    contactEmail,
    dotNumber: dotNumber === '' ? null : dotNumber,
    externalId: settings.externalId,
    tags: settings.tags,
  }),
})

const MAX_NAME_LENGTH = 100
const MAX_EMAIL_LENGTH = 254

/**
 * One @ and a domain of labels with a dot. Excludes characters, such as < or a comma, that could make more of the text
 * than one address where it is displayed.
 */
const EMAIL = /^[^\s@<>(),;:"\\\p{C}]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+$/u
const NAME = /^[^\p{C}]*[\p{L}\p{N}][^\p{C}]*$/u
const DOT_NUMBER = /^\d{1,8}$/

function invalidFieldsOf({
  provider,
  contactEmail,
  dotNumber,
}: LinkProviderRequest): (keyof LinkProviderRequest)[] {
  const isValid: Record<keyof LinkProviderRequest, boolean> = {
    provider: provider.length <= MAX_NAME_LENGTH && NAME.test(provider),
    contactEmail: contactEmail.length <= MAX_EMAIL_LENGTH && EMAIL.test(contactEmail),
    dotNumber: dotNumber === '' || DOT_NUMBER.test(dotNumber),
  }
  return (['provider', 'contactEmail', 'dotNumber'] as const).filter((field) => !isValid[field])
}
