import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { type DocumentMode, documentModes } from '../../auth/document-mode.ts'
import { keyScopes } from '../../auth/key-scopes.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { ApiKey } from '../../subgraphs/connections/applications/application.ts'
import { createKey } from '../../subgraphs/connections/applications/keys/create-key.ts'
import { revokeKey } from '../../subgraphs/connections/applications/keys/revoke-key.ts'
import {
  DEFAULT_KEY_OVERLAP_SECONDS,
  rotateKey,
} from '../../subgraphs/connections/applications/keys/rotate-key.ts'
import { isActiveKey } from '../../subgraphs/connections/applications/active-key.ts'
import { MAX_POINTS_PER_MINUTE, MIN_POINTS_PER_MINUTE } from '../../domain/rate-limit.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { findApplicationById } from '../find-application.ts'
import { parseDurationSeconds, parseCommaSeparated, oneOfWords, wholeNumberBetween } from '../arguments.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'

interface Terms {
  readonly use: ApiKey['use']
  readonly name?: string
  readonly scopes?: string[]
  readonly expiresIn?: number
  readonly documents?: DocumentMode
  readonly rate?: number
}

/** Description of the option that sets a document mode. */
export const DOCUMENTS_OPTION =
  'GraphQL documents that may run: allow (any), only (those of `odograph operations publish`), or off (any, none by its id)'

const table = tableOf(ApiKey)
const APPLICATION = 'app_01M7XZ3JF90H8EC8HYVB2R0P6F'

export const keys: CommandGroup = {
  addTo(group: Command) {
    const command = (name: string, description: string) => applicationCommand(group, name, description)
    const example = (act: string, rest: string) =>
      `\nExample:\n  $ odograph keys ${act} --application ${APPLICATION} ${rest}`
    command('list', 'list the keys with scopes and last use, without their values').action(
      withCommandContext(list),
    )
    command('create', 'create another key; the existing keys stay valid')
      .option('--use <word>', 'secret or publishable', oneOfWords(['secret', 'publishable']), 'secret')
      .option('--name <text>', 'name of the key')
      .option('--scopes <list>', 'scopes, separated by commas', parseCommaSeparated)
      .option('--expires-in <time>', 'lifetime, such as 90d', parseDurationSeconds)
      .option('--documents <word>', DOCUMENTS_OPTION, oneOfWords(documentModes))
      .option(
        '--rate <points>',
        'points that requests with the key may use in a minute; by default RATE_LIMIT_KEY',
        wholeNumberBetween(MIN_POINTS_PER_MINUTE, MAX_POINTS_PER_MINUTE),
      )
      .addHelpText(
        'after',
        `\n${SCOPES}\n${example('create', '--scopes vehicles:read,hos:read --name Reports --expires-in 90d')}`,
      )
      .action(withCommandContext(create))
    command('rotate <key-id>', 'create a key with the same scopes; the old one expires later')
      .option(
        '--overlap <time>',
        'how long both keys are valid: 24h, 30m, 0',
        parseDurationSeconds,
        DEFAULT_KEY_OVERLAP_SECONDS,
      )
      .option('--expires-in <time>', 'lifetime of the new key', parseDurationSeconds)
      .addHelpText('after', example('rotate key_01M7XZ3JF90H8EC8HYVB2R0P6F', '--overlap 24h'))
      .action(withCommandContext(rotate))
    command('revoke <key-id>', 'revoke a key and the sessions that it created').action(
      withCommandContext(revoke),
    )
  },
}

const SCOPES = `Scopes: a secret key without scopes may do everything except administer its application. A key with
scopes may do only what they permit; a 403 names the missing scope. A write scope includes reading.
  ${keyScopes.join(' ').replace(/(.{1,90}) /g, '$1\n  ')}`

async function list(
  { db, output, clock }: CommandContext,
  { application }: ApplicationOption,
): Promise<void> {
  await findApplicationById({ db }, application)
  output.list((await keysOf({ db }, application)).map((key) => keyCells(key, clock.now())))
}

async function create(
  { db, output, clock }: CommandContext,
  { application, expiresIn, documents, rate, ...input }: ApplicationOption & Terms,
): Promise<void> {
  await findApplicationById({ db }, application)
  const expiresAt = expiresIn === undefined ? null : clock.now() + expiresIn * 1000
  const { key, value } = await createKey({ db, clock }, keyHolder(application), {
    ...input,
    expiresAt,
    documentMode: documents ?? null,
    pointsPerMinute: rate ?? null,
  })
  output.one(createdCells(key, value))
  if (key.use === 'secret') output.say('The key is shown only once: store it now.')
}

async function rotate(
  context: CommandContext,
  {
    application,
    overlap,
    expiresIn,
  }: ApplicationOption & { readonly overlap: number; readonly expiresIn?: number },
  keyId: string,
): Promise<void> {
  const { db, output, clock } = context
  await findApplicationById({ db }, application)
  const expiresAt = expiresIn === undefined ? null : clock.now() + expiresIn * 1000
  const { key, value, previous } = await rotateKey(
    { db, clock, notifier: await context.notifier() },
    keyHolder(application),
    { keyId, overlapSeconds: overlap, expiresAt },
  )
  output.one(createdCells(key, value))
  if (key.use === 'secret') output.say('The key is shown only once: store it now.')
  output.say(
    `The old key ${previous.id} is valid until ${toIso(previous.expiresAt ?? clock.now())}: switch your servers by then.`,
  )
}

async function revoke(
  context: CommandContext,
  { application }: ApplicationOption,
  keyId: string,
): Promise<void> {
  const { db, output, clock } = context
  await findApplicationById({ db }, application)
  const key = await revokeKey({ db, clock, notifier: await context.notifier() }, keyHolder(application), {
    keyId,
  })
  const now = clock.now()
  output.one(keyCells(key, now))
  output.say('Within 3 seconds the service refuses the key and its sessions, and closes their subscriptions.')
  const left = await keysOf({ db }, application)
  if (!left.some((other) => other.use === key.use && isActiveKey(other, now)))
    output.say(`The application has no ${key.use} key left: create one with \`odograph keys create\`.`)
}

export async function keysOf({ db }: Pick<CommandContext, 'db'>, applicationId: string): Promise<ApiKey[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`api_keys\` WHERE \`applicationId\` = ? ORDER BY \`id\``,
    [applicationId],
  )
  return rows.map((row) => table.toRow(row))
}

const createdCells = (
  { id, use, name, scopes, documentMode, pointsPerMinute, createdAt, expiresAt }: ApiKey,
  key: string,
): Cells => ({
  id,
  use,
  key,
  name,
  scopes: textOf(scopes, use),
  documents: documentMode,
  rate: pointsPerMinute,
  createdAt: toIso(createdAt),
  expiresAt: isoOf(expiresAt),
})

/** Returns the columns of a key in a list. They identify the key without its value. */
export const keyCells = (key: ApiKey, now: Instant): Cells => ({
  id: key.id,
  use: key.use,
  endsWith: key.hint,
  name: key.name,
  scopes: textOf(key.scopes, key.use),
  documents: key.documentMode,
  rate: key.pointsPerMinute,
  status: key.revokedAt !== null ? 'revoked' : isActiveKey(key, now) ? 'live' : 'expired',
  lastUsedAt: isoOf(key.lastUsedAt),
  createdAt: toIso(key.createdAt),
  expiresAt: isoOf(key.expiresAt),
  revokedAt: isoOf(key.revokedAt),
})

const textOf = (scopes: ApiKey['scopes'], use: ApiKey['use']): string | null =>
  scopes?.join(',') ?? (use === 'secret' ? 'all but admin' : null)

const isoOf = (at: Instant | null): string | null => (at === null ? null : toIso(at))
