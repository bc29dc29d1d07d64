import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { keyScopes } from '../../auth/key-scopes.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { ApiKey } from '../../subgraphs/connections/applications/application.ts'
import { createKey } from '../../subgraphs/connections/applications/keys/create-key.ts'
import { revokeKey } from '../../subgraphs/connections/applications/keys/revoke-key.ts'
import {
  DEFAULT_OVERLAP_SECONDS,
  rotateKey,
} from '../../subgraphs/connections/applications/keys/rotate-key.ts'
import { isActive } from '../../subgraphs/connections/applications/active-key.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import { findApplicationById } from '../find-application.ts'
import { lasting, listOf, oneOfWords } from '../arguments.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'

interface ApplicationOption {
  readonly application: string
}

interface Terms {
  readonly use: ApiKey['use']
  readonly name?: string
  readonly scopes?: string[]
  readonly expiresIn?: number
}

const table = tableOf(ApiKey)
const APPLICATION = 'app_01M7XZ3JF90H8EC8HYVB2R0P6F'

export const keys: CommandGroup = {
  addTo(group: Command) {
    const command = (name: string, description: string) =>
      group.command(name).description(description).requiredOption('--application <id>', 'whose keys')
    const example = (act: string, rest: string) =>
      `\nExample:\n  $ odograph keys ${act} --application ${APPLICATION} ${rest}`
    command('list', 'its keys with what they may do and when they were last used, without the keys').action(
      withCommandContext(list),
    )
    command('create', 'make a further key; the others stay good')
      .option('--use <word>', 'secret or publishable', oneOfWords(['secret', 'publishable']), 'secret')
      .option('--name <text>', 'what it is for, in your words')
      .option('--scopes <list>', 'what it may do, separated by commas', listOf)
      .option('--expires-in <time>', 'when it ends by itself, such as 90d', lasting)
      .addHelpText(
        'after',
        `\n${SCOPES}\n${example('create', '--scopes vehicles:read,hos:read --name Reports --expires-in 90d')}`,
      )
      .action(withCommandContext(create))
    command('rotate <key-id>', 'make a key like it, and let it end after a while')
      .option('--overlap <time>', 'how long both are good: 24h, 30m, 0', lasting, DEFAULT_OVERLAP_SECONDS)
      .option('--expires-in <time>', 'when the new key ends by itself', lasting)
      .addHelpText('after', example('rotate key_01M7XZ3JF90H8EC8HYVB2R0P6F', '--overlap 24h'))
      .action(withCommandContext(rotate))
    command('revoke <key-id>', 'end a key for good, with the sessions that it made').action(
      withCommandContext(revoke),
    )
  },
}

const SCOPES = `Scopes: without any, a secret key may do everything but administer its application. With some it may do
these alone; a 403 names the one that is missing. Whoever may write something may read it.
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
  { application, expiresIn, ...input }: ApplicationOption & Terms,
): Promise<void> {
  await findApplicationById({ db }, application)
  const expiresAt = expiresIn === undefined ? null : clock.now() + expiresIn * 1000
  const { key, value } = await createKey({ db, clock }, keyHolder(application), { ...input, expiresAt })
  output.one(madeCells(key, value))
  if (key.use === 'secret') output.say('The key is shown this once: keep it now.')
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
  output.one(madeCells(key, value))
  if (key.use === 'secret') output.say('The key is shown this once: keep it now.')
  output.say(
    `The old one, ${previous.id}, is good until ${toIso(previous.expiresAt ?? clock.now())}: change your servers over by then.`,
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
  output.say(
    'Requests with it and with the sessions that it made are refused, and what was opened with them is closed, within 3 seconds.',
  )
  const left = await keysOf({ db }, application)
  if (!left.some((one) => one.use === key.use && isActive(one, now)))
    output.say(`The application has no ${key.use} key left: make one with \`odograph keys create\`.`)
}

export async function keysOf({ db }: Pick<CommandContext, 'db'>, applicationId: string): Promise<ApiKey[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`api_keys\` WHERE \`applicationId\` = ? ORDER BY \`id\``,
    [applicationId],
  )
  return rows.map((row) => table.toRow(row))
}

const madeCells = ({ id, use, name, scopes, createdAt, expiresAt }: ApiKey, key: string): Cells => ({
  id,
  use,
  key,
  name,
  scopes: textOf(scopes, use),
  createdAt: toIso(createdAt),
  expiresAt: isoOf(expiresAt),
})

/** A key in a list: enough to tell it from the others. */
export const keyCells = (key: ApiKey, now: Instant): Cells => ({
  id: key.id,
  use: key.use,
  endsWith: key.hint,
  name: key.name,
  scopes: textOf(key.scopes, key.use),
  status: key.revokedAt !== null ? 'revoked' : isActive(key, now) ? 'live' : 'expired',
  lastUsedAt: isoOf(key.lastUsedAt),
  createdAt: toIso(key.createdAt),
  expiresAt: isoOf(key.expiresAt),
  revokedAt: isoOf(key.revokedAt),
})

const textOf = (scopes: ApiKey['scopes'], use: ApiKey['use']): string | null =>
  scopes?.join(',') ?? (use === 'secret' ? 'all but admin' : null)

const isoOf = (at: Instant | null): string | null => (at === null ? null : toIso(at))
