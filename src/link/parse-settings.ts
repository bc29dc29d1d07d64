import { isPublic } from '../domain/errors.ts'
import { SyncMode } from '../subgraphs/connections/connection.ts'
import {
  validateSettings,
  type LinkInput,
  refusedMember,
} from '../subgraphs/connections/linking/validate-settings.ts'
import type { LinkApplication } from '../subgraphs/connections/linking/link-application.ts'
import type { LinkSettings } from '../subgraphs/connections/linking/link-run.ts'
import { toInstant } from '../domain/time.ts'
import type { LinkDeps } from './link-deps.ts'
import type { LinkRefusal } from './view.ts'
import type { LinkRequestContext } from './request-context.ts'

interface Refusal {
  readonly why: LinkRefusal
  readonly parameter?: string
}

export const isRefusal = (settings: LinkSettings | Refusal): settings is Refusal => 'why' in settings

/** What the address of a run asks for, checked, or what of it cannot be. */
export function parseSettings(
  { registry, clock }: LinkDeps,
  { query }: LinkRequestContext,
  application: LinkApplication,
): LinkSettings | Refusal {
  try {
    return validateSettings(parseInput(query), { registry, application, now: clock.now() })
  } catch (error) {
    if (error instanceof BadParameter) return { why: 'bad_parameter', parameter: error.message }
    if (isPublic(error)) return refusalOf(refusedMember(error) ?? '')
    throw error
  }
}

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

/** That a parameter is not of its kind; the message is its name. */
class BadParameter extends Error {}

function parseInput(query: URLSearchParams): LinkInput {
  /** Given once, or not at all: an empty one is none. */
  const one = (name: string): string | null => {
    const all = query.getAll(name).filter((text) => text.trim() !== '')
    if (all.length > 1) throw new BadParameter(name)
    return all[0]?.trim() ?? null
  }
  if (one('backfill_days') !== null && one('backfill_start_from') !== null)
    throw new BadParameter('backfill_start_from')
  return {
    syncMode: syncModeIn(one('sync_mode')),
    tags: query.getAll('tags').flatMap((text) => text.split(',').flatMap((tag) => tag.trim() || [])),
    externalId: one('external_id'),
    name: one('name'),
    provider: one('provider'),
    backfill: {
      days: daysIn(one('backfill_days')),
      startFrom: momentIn(one('backfill_start_from')),
    },
    redirectUrl: one('redirect_url'),
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

/** A moment, or the day that it begins. */
function momentIn(text: string | null): number | null {
  if (text === null) return null
  const moment = toInstant(text) ?? toInstant(`${text}T00:00:00Z`)
  if (moment === null) throw new BadParameter('backfill_start_from')
  return moment
}
