import type { Command } from 'commander'
import { tableOf } from '../../storage/table.ts'
import { ApiKey } from '../../subgraphs/connections/applications/application.ts'
import { createKey } from '../../subgraphs/connections/applications/create-key.ts'
import { revokeKey } from '../../subgraphs/connections/applications/revoke-key.ts'
import { toIso } from '../../time.ts'
import { applicationOf } from './applications.ts'
import { oneOfWords } from '../arguments.ts'
import type { Cells } from '../output.ts'
import type { Noun } from '../program.ts'
import { type Tools, withTools } from '../tools.ts'

interface Whose {
  readonly application: string
}

const table = tableOf(ApiKey)

export const keys: Noun = {
  addTo(noun: Command) {
    const command = (name: string, says: string) =>
      noun.command(name).description(says).requiredOption('--application <id>', 'whose keys')
    command('list', 'its keys, without the keys themselves').action(withTools(list))
    command('create', 'make a further key; the others stay good')
      .option('--use <word>', 'secret or publishable', oneOfWords(['secret', 'publishable']), 'secret')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph keys create --application app_01M7XZ3JF90H8EC8HYVB2R0P6F',
      )
      .action(withTools(create))
    command('revoke <key-id>', 'end a key for good').action(withTools(revoke))
  },
}

async function list({ db, output }: Tools, { application }: Whose): Promise<void> {
  await applicationOf({ db }, application)
  output.list((await keysOf({ db }, application)).map(keyCells))
}

async function create(
  { db, output, clock }: Tools,
  { application, use }: Whose & { use: ApiKey['use'] },
): Promise<void> {
  await applicationOf({ db }, application)
  const { row, key } = await createKey(db, { applicationId: application, use, now: clock.now() })
  output.one({ id: row.id, use, key, createdAt: toIso(row.createdAt) })
  if (use === 'secret') output.say('The key is shown this once: keep it now.')
}

async function revoke(tools: Tools, { application }: Whose, keyId: string): Promise<void> {
  const { db, output, clock } = tools
  await applicationOf({ db }, application)
  const key = await revokeKey(
    { db, doorbell: await tools.doorbell() },
    { applicationId: application, keyId, now: clock.now() },
  )
  output.one(keyCells(key))
  output.say('Requests with it are refused, and what was opened with it is closed, within 3 seconds.')
  if (key.use === 'secret')
    output.say('Sessions made with it live on until they expire: `odograph sessions revoke --all` ends them.')
  const left = await keysOf({ db }, application)
  if (!left.some(({ use, revokedAt }) => use === key.use && revokedAt === null))
    output.say(`The application has no ${key.use} key left: make one with \`odograph keys create\`.`)
}

export async function keysOf({ db }: Pick<Tools, 'db'>, applicationId: string): Promise<ApiKey[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`api_keys\` WHERE \`applicationId\` = ? ORDER BY \`id\``,
    [applicationId],
  )
  return rows.map((row) => table.toRow(row))
}

/** A key in a list: enough to tell it from the others. */
export const keyCells = ({ id, use, hint, createdAt, revokedAt }: ApiKey): Cells => ({
  id,
  use,
  endsWith: hint,
  status: revokedAt === null ? 'live' : 'revoked',
  createdAt: toIso(createdAt),
  revokedAt: revokedAt === null ? null : toIso(revokedAt),
})
