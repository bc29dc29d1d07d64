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

/** What a fleet types in to ask for a provider that cannot be connected yet. */
export interface ProviderRequest {
  /** What the fleet calls it, where it is not listed. */
  readonly provider: string
  readonly contactEmail: string
  /** Empty where it gives none. */
  readonly dotNumber: string
}

/** What a run has chosen that cannot be connected yet; null where it can be, or nothing is chosen. */
export function unsupportedIn(
  { registry }: Pick<ProviderRequestDeps, 'registry'>,
  { provider, isAgain }: Pick<LinkRun, 'provider' | 'isAgain'>,
): UnsupportedProvider | null {
  if (provider === null || isAgain === 1) return null
  return provider === unlistedProvider.code ? unlistedProvider : findUnsupportedProvider(registry, provider)
}

/**
 * Tells the integrator, by an event, that a fleet would connect a provider that there is no adapter for, and ends the
 * run: it is told once. Gives the fields that cannot be read; then nothing has happened.
 */
export async function requestProvider(
  { db, clock, notifier, limits, registry }: ProviderRequestDeps,
  run: LinkRun,
  typed: ProviderRequest,
  remoteAddress: string,
): Promise<readonly (keyof ProviderRequest)[]> {
  const wanted = unsupportedIn({ registry }, run)
  if (!wanted || run.status !== 'open') return []
  const request = { ...typed, provider: wanted.name || typed.provider }
  const wrong = wrongIn(request)
  if (wrong.length > 0) return wrong
  const now = clock.now()
  const { applicationId, provider, settings } = run
  const isTold = await db.transaction(async (tx) => {
    await takeLinkPermits(tx, limits, 'request', { remoteAddress, door: settings.door ?? applicationId }, now)
    const isFirst = await updateRunIn(tx, run, { status: 'open', provider }, { status: 'requested' })
    if (isFirst)
      await appendEvents(tx, { applicationId, connectionId: '', at: now }, [requested(run, request)])
    return isFirst
  })
  if (isTold) await afterCommit({ notifier })
  return []
}

const requested = (
  { settings }: LinkRun,
  { provider, contactEmail, dotNumber }: ProviderRequest,
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

/** One @, a domain of labels with a dot, and nothing that could be more than an address where it is shown. */
const EMAIL = /^[^\s@<>(),;:"\\\p{C}]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+$/u
const NAME = /^[^\p{C}]*[\p{L}\p{N}][^\p{C}]*$/u
const DOT_NUMBER = /^\d{1,8}$/

function wrongIn({ provider, contactEmail, dotNumber }: ProviderRequest): (keyof ProviderRequest)[] {
  const isRight: Record<keyof ProviderRequest, boolean> = {
    provider: provider.length <= MAX_NAME_LENGTH && NAME.test(provider),
    contactEmail: contactEmail.length <= MAX_EMAIL_LENGTH && EMAIL.test(contactEmail),
    dotNumber: dotNumber === '' || DOT_NUMBER.test(dotNumber),
  }
  return (['provider', 'contactEmail', 'dotNumber'] as const).filter((field) => !isRight[field])
}
