import { invalidMember } from '../../../domain/errors.ts'
import type { Caller } from '../../../auth/caller.ts'
import type { DocumentMode } from '../../../auth/document-mode.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { actorOf, recordAudit } from '../../tables/audit-log.ts'
import { validateText } from '../validate-input.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { Application } from './application.ts'
import { lockApplication } from './lock-application.ts'
import { requireAdmin } from './require-admin.ts'
import { isLoopback, parseUrl } from '../../../platform/parse-url.ts'

/**
 * Changes of an application. Absent members stay unchanged; null resets a member to its initial value, except `name`.
 */
export interface ApplicationChanges {
  readonly name?: string | null
  /** Origins of the sites that may embed the link pages and receive redirects from them. */
  readonly linkOrigins?: readonly string[] | null
  readonly agreementUrl?: string | null
  /** Whether linking an account again updates its existing connection instead of creating another one. */
  readonly merging?: boolean | null
  /** Whether sandbox providers can be used. */
  readonly allowsSandbox?: boolean | null
  /** Which documents its keys and sessions may run. */
  readonly documentMode?: DocumentMode | null
  /** Points that its requests may use in a minute. Only operators change it. */
  readonly pointsPerMinute?: number | null
}

const table = tableOf(Application)
const MAX_ORIGINS = 100
const MAX_URL_LENGTH = 2048

/** Updates the settings of an application. */
export async function updateApplication(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  caller: Caller,
  input: ApplicationChanges,
): Promise<Application> {
  requireAdmin(caller)
  const { applicationId } = caller
  const at = clock.now()
  return db.transaction(async (tx) => {
    const before = await lockApplication(tx, applicationId)
    const after: Application = { ...before, ...changesIn(input, before) }
    const [oldValues, newValues] = [table.toValues(before), table.toValues(after)]
    const changed = table.columns.filter((_, index) => oldValues[index] !== newValues[index])
    if (changed.length === 0) return before
    await tx.run(
      `UPDATE \`applications\` SET ${changed.map((column) => `\`${column}\` = ?`).join(', ')} WHERE \`id\` = ?`,
      [...changed.map((column) => newValues[table.columns.indexOf(column)]), applicationId],
    )
    await recordAudit(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'application.updated', targetId: applicationId, detail: { changed } },
    )
    return after
  })
}

function changesIn(
  {
    name,
    linkOrigins,
    agreementUrl,
    merging,
    allowsSandbox,
    documentMode,
    pointsPerMinute,
  }: ApplicationChanges,
  application: Application,
): Partial<Application> {
  return {
    ...(name === undefined ? {} : { name: validatedName(name) }),
    ...(linkOrigins === undefined ? {} : { linkOrigins: validatedOrigins(linkOrigins, application) }),
    ...(agreementUrl === undefined ? {} : { agreementUrl: validatedAgreement(agreementUrl) }),
    ...(merging === undefined ? {} : { mergesConnections: merging === null ? null : Number(merging) }),
    ...(allowsSandbox === undefined
      ? {}
      : { allowsSandbox: allowsSandbox === null ? null : Number(allowsSandbox) }),
    ...(documentMode === undefined ? {} : { documentMode }),
    ...(pointsPerMinute === undefined ? {} : { pointsPerMinute }),
  }
}

function validatedName(name: string | null): string {
  if (name === null || name.trim() === '') throw invalidMember('name', '`name` must not be empty.')
  validateText('name', name)
  return name
}

/** Returns the unique origins, as browsers write them in the header `Origin`. */
function validatedOrigins(
  origins: readonly string[] | null,
  { environment }: Pick<Application, 'environment'>,
): string[] | null {
  if (origins === null || origins.length === 0) return null
  if (origins.length > MAX_ORIGINS)
    throw invalidMember('linkOrigins', `\`linkOrigins\` may have ${MAX_ORIGINS} items at most.`)
  return [...new Set(origins.map((text) => originOf(text, environment)))]
}

function originOf(text: string, environment: Application['environment']): string {
  const url = text.length <= MAX_URL_LENGTH ? parseUrl(text) : null
  const isBare = url !== null && (url.href === `${url.origin}/` || url.href === url.origin)
  if (!isBare || !/^https?:$/.test(url.protocol) || url.hostname.includes('*'))
    throw invalidMember(
      'linkOrigins',
      'A link origin is like https://app.example.com: a scheme and a host, no path.',
    )
  if (url.protocol === 'https:' || (environment === 'sandbox' && isLoopback(url.hostname))) return url.origin
  throw invalidMember(
    'linkOrigins',
    environment === 'sandbox'
      ? 'A link origin begins with https://. An origin that begins with http:// must be on localhost, such as http://localhost:3000.'
      : 'A link origin begins with https://.',
  )
}

function validatedAgreement(url: string | null): string | null {
  if (url === null || url === '') return null
  const parsed = url.length <= MAX_URL_LENGTH ? parseUrl(url) : null
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '')
    throw invalidMember(
      'agreementUrl',
      `\`agreementUrl\` must be an address that begins with https://, of ${MAX_URL_LENGTH} characters at most.`,
    )
  return parsed.href
}
