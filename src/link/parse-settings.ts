import { isPublic } from '../domain/errors.ts'
import { SyncMode } from '../subgraphs/connections/connection.ts'
import {
  validateSettings,
  type LinkInput,
  invalidPathOf,
} from '../subgraphs/connections/linking/validate-settings.ts'
import type { LinkApplication } from '../subgraphs/connections/linking/link-application.ts'
import type { LinkSettings } from '../subgraphs/connections/linking/link-run.ts'
import { toInstant } from '../domain/time.ts'
import { SandboxNotAllowed } from '../subgraphs/connections/providers/available-providers.ts'
import type { LinkDeps } from './link-deps.ts'
import type { LinkRefusal } from './view.ts'
import type { LinkRequestContext } from './request-context.ts'

/** Reason why the settings of a run are refused, and the name of the invalid query parameter. */
interface Refusal {
  readonly why: LinkRefusal
  readonly parameter?: string
}

export const isSettingsRefusal = (settings: LinkSettings | Refusal): settings is Refusal => 'why' in settings

/** Parses and validates the settings in the URL of a run, or returns a refusal. */
export function parseSettings(
  { registry, clock }: LinkDeps,
  { query }: LinkRequestContext,
  application: LinkApplication,
): LinkSettings | Refusal {
  try {
    return validateSettings(parseInput(query), { registry, application, now: clock.now() })
  } catch (error) {
    if (error instanceof SandboxNotAllowed) return { why: 'sandbox_provider', parameter: 'provider' }
    if (error instanceof BadParameter) return { why: 'bad_parameter', parameter: error.message }
    if (isPublic(error)) return refusalOf(invalidPathOf(error) ?? '')
    throw error
  }
}

/** Names of query parameters by setting, where the two names differ. */
const parameterOf: Readonly<Record<string, string>> = {
  externalId: 'external_id',
  'backfill.days': 'backfill_days',
  'backfill.startFrom': 'backfill_start_from',
}

function refusalOf(member: string): Refusal {
  if (member === 'provider') return { why: 'unknown_provider', parameter: 'provider' }
  if (member === 'redirectUrl') return { why: 'redirect_not_allowed', parameter: 'redirect_url' }
  return { why: 'bad_parameter', parameter: parameterOf[member] ?? member }
}

/** Error for a parameter with an invalid format. Its message is the name of the parameter. */
class BadParameter extends Error {}

function parseInput(query: URLSearchParams): LinkInput {
  /** Returns the value of a parameter that may occur once. An empty value counts as absent. */
  const single = (name: string): string | null => {
    const all = query.getAll(name).filter((text) => text.trim() !== '')
    if (all.length > 1) throw new BadParameter(name)
    return all[0]?.trim() ?? null
  }
  if (single('backfill_days') !== null && single('backfill_start_from') !== null)
    throw new BadParameter('backfill_start_from')
  return {
    syncMode: syncModeIn(single('sync_mode')),
    tags: query.getAll('tags').flatMap((text) => text.split(',').flatMap((tag) => tag.trim() || [])),
    externalId: single('external_id'),
    name: single('name'),
    provider: single('provider'),
    backfill: {
      days: daysIn(single('backfill_days')),
      startFrom: instantIn(single('backfill_start_from')),
    },
    redirectUrl: single('redirect_url'),
    state: query.get('state'),
  }
}

function syncModeIn(text: string | null): SyncMode | null {
  if (text === null || text === SyncMode.AUTOMATIC || text === SyncMode.MANUAL) return text
  throw new BadParameter('sync_mode')
}

function daysIn(text: string | null): number | null {
  if (text === null) return null
  if (!/^\d{1,6}$/.test(text)) throw new BadParameter('backfill_days')
  return Number(text)
}

/** Parses a time, or a date as the start of its day in UTC. */
function instantIn(text: string | null): number | null {
  if (text === null) return null
  const instant = toInstant(text) ?? toInstant(`${text}T00:00:00Z`)
  if (instant === null) throw new BadParameter('backfill_start_from')
  return instant
}
