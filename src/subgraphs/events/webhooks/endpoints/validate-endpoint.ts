import { invalidMember } from '../../../../domain/errors.ts'
import { urlRefusalReason, type OutboundRules } from '../../../../platform/outbound-http/ssrf-guard.ts'
import type { Rows } from '../../../../storage/database.ts'
import { and, tenantWhere, oneOf, type Tenant } from '../../../../storage/sql/where.ts'
import { checkTypes } from '../../event-types.ts'
import type { Ordering } from '../webhook-endpoint.ts'
import type { EndpointHeader } from '../webhook-header.ts'
import { validateHeaders } from './endpoint-headers.ts'

/** Settings of an endpoint. For an absent member, a new endpoint takes the default and an update keeps the value. */
export interface EndpointInput {
  readonly url?: string | null
  readonly description?: string | null
  readonly types?: readonly string[] | null
  readonly connectionIds?: readonly string[] | null
  readonly tags?: readonly string[] | null
  readonly ordering?: Ordering | null
  readonly concurrency?: number | null
  readonly ratePerSecond?: number | null
  readonly retrySeconds?: readonly number[] | null
  /** Custom headers of the endpoint, all of them. */
  readonly headers?: readonly EndpointHeader[] | null
}

const MAX_TEXT_LENGTH = 255
const MAX_LIST_LENGTH = 100
const MAX_CONCURRENCY = 100
const MAX_RATE = 10_000
const MAX_RETRIES = 20
const MAX_WAIT_SECONDS = 7 * 86_400

/** Default rules for the destinations of webhooks. */
const STRICT: OutboundRules = { allowPrivate: [], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' }

/** Throws an error that names the first invalid member. */
export function validateEndpoint(input: EndpointInput, rules: OutboundRules = STRICT): void {
  if (input.url != null) checkEndpointUrl(input.url, rules)
  if (input.description != null) checkText('description', input.description)
  if (input.types != null) checkRequestedTypes(input.types)
  checkList('connectionIds', input.connectionIds)
  checkList('tags', input.tags)
  validateNumber('concurrency', input.concurrency, 1, MAX_CONCURRENCY)
  checkRate(input.ratePerSecond)
  checkWaits(input.retrySeconds)
  validateHeaders(input.headers)
}

function checkEndpointUrl(url: string, rules: OutboundRules): void {
  const reason = urlRefusalReason(url, rules)
  if (reason !== null) throw invalidMember('url', `Webhooks cannot be sent to this \`url\`: ${reason}.`)
}

function checkRequestedTypes(types: readonly string[]): void {
  if (types.length === 0) throw invalidMember('types', '`types` must not be empty; `*` stands for all types.')
  checkList('types', types)
  checkTypes(types, 'input.types')
}

function checkText(member: string, text: string): void {
  if (text.length > MAX_TEXT_LENGTH)
    throw invalidMember(member, `\`${member}\` can have at most ${MAX_TEXT_LENGTH} characters.`)
}

function checkList(member: string, list: readonly string[] | null | undefined): void {
  if (list == null) return
  if (list.length === 0) throw invalidMember(member, `\`${member}\` must not be empty: null stands for all.`)
  if (list.length > MAX_LIST_LENGTH)
    throw invalidMember(member, `\`${member}\` can have at most ${MAX_LIST_LENGTH} items.`)
  if (list.includes('')) throw invalidMember(member, `\`${member}\` must not contain empty strings.`)
  for (const text of list) checkText(member, text)
}

export function validateNumber(
  member: string,
  value: number | null | undefined,
  minimum: number,
  maximum: number,
): void {
  if (value == null || (Number.isInteger(value) && value >= minimum && value <= maximum)) return
  throw invalidMember(member, `\`${member}\` must be a whole number from ${minimum} to ${maximum}.`)
}

function checkRate(rate: number | null | undefined): void {
  if (rate == null || (rate > 0 && rate <= MAX_RATE)) return
  throw invalidMember('ratePerSecond', `\`ratePerSecond\` must be more than 0 and at most ${MAX_RATE}.`)
}

function checkWaits(waits: readonly number[] | null | undefined): void {
  if (waits == null) return
  if (waits.length > MAX_RETRIES)
    throw invalidMember('retrySeconds', `\`retrySeconds\` can have at most ${MAX_RETRIES} waits.`)
  if (!waits.every((wait) => Number.isInteger(wait) && wait >= 1 && wait <= MAX_WAIT_SECONDS))
    throw invalidMember(
      'retrySeconds',
      `\`retrySeconds\` must contain whole numbers from 1 to ${MAX_WAIT_SECONDS}.`,
    )
}

/** Throws if a connection does not belong to the application. The error does not reveal connections of others. */
export async function validateConnections(
  db: Rows,
  tenant: Tenant,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  if (ids == null) return
  const { sql, parameters } = and(tenantWhere(tenant), oneOf('id', ids))
  const found = await db.rows<{ id: string }>(`SELECT \`id\` FROM \`connections\` WHERE ${sql}`, parameters)
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw invalidMember('connectionIds', `There is no connection ${unknown}.`)
}
