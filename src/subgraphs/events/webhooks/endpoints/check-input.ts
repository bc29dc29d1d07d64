import { PublicError } from '../../../../errors.ts'
import { checkUrl, type OutgoingRules } from '../../../../outgoing/check-url.ts'
import type { Rows } from '../../../../storage/database.ts'
import { and, mine, oneOf, type Tenant } from '../../../../storage/where.ts'
import { checkTypes } from '../../event-types.ts'
import type { Ordering } from '../webhook-endpoint.ts'

/** What an endpoint is to be; what is absent is left to the verb. */
export interface EndpointWish {
  readonly url?: string | null
  readonly description?: string | null
  readonly types?: readonly string[] | null
  readonly connectionIds?: readonly string[] | null
  readonly tags?: readonly string[] | null
  readonly ordering?: Ordering | null
  readonly concurrency?: number | null
  readonly ratePerSecond?: number | null
  readonly retrySeconds?: readonly number[] | null
}

export const refused = (member: string, message: string): PublicError =>
  new PublicError('bad_request', message, { detail: [{ message, path: `input.${member}` }] })

const LONGEST_TEXT = 255
const LONGEST_LIST = 100
const MOST_AT_ONCE = 100
const HIGHEST_RATE = 10_000
const MOST_RETRIES = 20
const LONGEST_WAIT = 7 * 86_400

/** Where requests may go if the operator has not said. */
const STRICT: OutgoingRules = { allowPrivate: [], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' }

/** Refuses what cannot be, and names it. */
export function checkWish(wish: EndpointWish, rules: OutgoingRules = STRICT): void {
  if (wish.url != null) checkEndpointUrl(wish.url, rules)
  if (wish.description != null) checkText('description', wish.description)
  if (wish.types != null) checkAskedTypes(wish.types)
  checkList('connectionIds', wish.connectionIds)
  checkList('tags', wish.tags)
  checkNumber('concurrency', wish.concurrency, 1, MOST_AT_ONCE)
  checkRate(wish.ratePerSecond)
  checkWaits(wish.retrySeconds)
}

function checkEndpointUrl(url: string, rules: OutgoingRules): void {
  const reason = checkUrl(url, rules)
  if (reason !== null) throw refused('url', `Nothing is sent to this \`url\`: ${reason}.`)
}

function checkAskedTypes(types: readonly string[]): void {
  if (types.length === 0) throw refused('types', '`types` must not be empty; `*` is every type.')
  checkList('types', types)
  checkTypes(types, 'input.types')
}

function checkText(member: string, text: string): void {
  if (text.length > LONGEST_TEXT)
    throw refused(member, `\`${member}\` may have ${LONGEST_TEXT} characters at most.`)
}

function checkList(member: string, list: readonly string[] | null | undefined): void {
  if (list == null) return
  if (list.length === 0) throw refused(member, `\`${member}\` must not be empty: null stands for all.`)
  if (list.length > LONGEST_LIST)
    throw refused(member, `\`${member}\` may have ${LONGEST_LIST} items at most.`)
  if (list.includes('')) throw refused(member, `\`${member}\` may not hold empty text.`)
  for (const text of list) checkText(member, text)
}

export function checkNumber(
  member: string,
  value: number | null | undefined,
  least: number,
  most: number,
): void {
  if (value == null || (Number.isInteger(value) && value >= least && value <= most)) return
  throw refused(member, `\`${member}\` must be a whole number from ${least} to ${most}.`)
}

function checkRate(rate: number | null | undefined): void {
  if (rate == null || (rate > 0 && rate <= HIGHEST_RATE)) return
  throw refused('ratePerSecond', `\`ratePerSecond\` must be more than 0 and at most ${HIGHEST_RATE}.`)
}

function checkWaits(waits: readonly number[] | null | undefined): void {
  if (waits == null) return
  if (waits.length > MOST_RETRIES)
    throw refused('retrySeconds', `\`retrySeconds\` may have ${MOST_RETRIES} waits at most.`)
  if (!waits.every((wait) => Number.isInteger(wait) && wait >= 1 && wait <= LONGEST_WAIT))
    throw refused('retrySeconds', `\`retrySeconds\` must hold whole numbers from 1 to ${LONGEST_WAIT}.`)
}

/** Refuses connections that the application does not have: those of others are as if they did not exist. */
export async function checkConnections(
  db: Rows,
  tenant: Tenant,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  if (ids == null) return
  const { sql, parameters } = and(mine(tenant), oneOf('id', ids))
  const found = await db.rows<{ id: string }>(`SELECT \`id\` FROM \`connections\` WHERE ${sql}`, parameters)
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw refused('connectionIds', `There is no connection ${unknown}.`)
}
