import { findUnsupported, unlisted, type UnsupportedProvider } from '../../../providers/unsupported.ts'
import { type Announcement, announce, present } from '../../../storage/outbox.ts'
import { type ConnectionWritesFrom, follow } from '../writes-from.ts'
import type { LinkRun } from './link-run.ts'
import { changeRunIn } from './link-runs.ts'
import { type LinkLimits, takeTurns } from './link-turns.ts'

type From = Pick<ConnectionWritesFrom, 'db' | 'registry' | 'clock' | 'doorbell'> & {
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
  { registry }: Pick<From, 'registry'>,
  { provider, isAgain }: Pick<LinkRun, 'provider' | 'isAgain'>,
): UnsupportedProvider | null {
  if (provider === null || isAgain === 1) return null
  return provider === unlisted.code ? unlisted : findUnsupported(registry, provider)
}

/**
 * Tells the integrator, by an event, that a fleet would connect a provider that there is no adapter for, and ends the
 * run: it is told once. Gives the fields that cannot be read; then nothing has happened.
 */
export async function requestProvider(
  { db, clock, doorbell, limits, registry }: From,
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
    await takeTurns(tx, limits, 'request', { remoteAddress, door: settings.door ?? applicationId }, now)
    const isFirst = await changeRunIn(tx, run, { status: 'open', provider }, { status: 'requested' })
    if (isFirst) await announce(tx, { applicationId, connectionId: '', at: now }, [requested(run, request)])
    return isFirst
  })
  if (isTold) await follow({ doorbell })
  return []
}

const requested = (
  { settings }: LinkRun,
  { provider, contactEmail, dotNumber }: ProviderRequest,
): Announcement => ({
  type: 'unsupported_provider.requested',
  subjectId: null,
  detail: present({
    provider,
    contactEmail,
    dotNumber: dotNumber === '' ? null : dotNumber,
    externalId: settings.externalId,
    tags: settings.tags,
  }),
})

const LONGEST_NAME = 100
const LONGEST_EMAIL = 254

/** One @, a domain of labels with a dot, and nothing that could be more than an address where it is shown. */
const EMAIL = /^[^\s@<>(),;:"\\\p{C}]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+$/u
const NAME = /^[^\p{C}]*[\p{L}\p{N}][^\p{C}]*$/u
const DOT_NUMBER = /^\d{1,8}$/

function wrongIn({ provider, contactEmail, dotNumber }: ProviderRequest): (keyof ProviderRequest)[] {
  const isRight: Record<keyof ProviderRequest, boolean> = {
    provider: provider.length <= LONGEST_NAME && NAME.test(provider),
    contactEmail: contactEmail.length <= LONGEST_EMAIL && EMAIL.test(contactEmail),
    dotNumber: dotNumber === '' || DOT_NUMBER.test(dotNumber),
  }
  return (['provider', 'contactEmail', 'dotNumber'] as const).filter((field) => !isRight[field])
}
