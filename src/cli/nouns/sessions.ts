import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { tableOf } from '../../storage/table.ts'
import { revokeSession } from '../../subgraphs/connections/sessions/revoke-session.ts'
import { Session } from '../../subgraphs/connections/sessions/session.ts'
import { toIso } from '../../time.ts'
import { applicationOf } from './applications.ts'
import type { Cells } from '../output.ts'
import type { Noun } from '../program.ts'
import { Refused } from '../refused.ts'
import { type Tools, withTools } from '../tools.ts'

interface Whose {
  readonly application: string
}

const table = tableOf(Session)

export const sessions: Noun = {
  addTo(noun: Command) {
    const command = (name: string, says: string) =>
      noun.command(name).description(says).requiredOption('--application <id>', 'whose sessions')
    command('list', 'those that live, the oldest first').action(withTools(list))
    command('revoke [session-id]', 'end one, and close what it has open')
      .option('--all', 'end every one')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph sessions revoke --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --all',
      )
      .action(withTools(revoke))
  },
}

async function list({ db, output, clock }: Tools, { application }: Whose): Promise<void> {
  await applicationOf({ db }, application)
  output.list((await liveSessions({ db, clock }, application)).map(cells))
}

async function revoke(
  tools: Tools,
  { application, all = false }: Whose & { readonly all?: boolean },
  sessionId?: string,
): Promise<void> {
  const { db, output, clock } = tools
  await applicationOf({ db }, application)
  if (all === (sessionId !== undefined)) throw new Refused('name a session, or give --all', 2)
  const ids =
    sessionId === undefined ? (await liveSessions(tools, application)).map(({ id }) => id) : [sessionId]
  const doorbell = await tools.doorbell()
  const revoked: Session[] = []
  for (const id of ids)
    revoked.push(await revokeSession({ db, clock, doorbell }, keyHolder(application), { sessionId: id }))
  output.list(revoked.map(cells))
  output.say('What they had open is closed within 3 seconds.')
}

async function liveSessions(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  applicationId: string,
): Promise<Session[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`sessions\`
      WHERE \`applicationId\` = ? AND \`revokedAt\` IS NULL AND \`expiresAt\` > ? ORDER BY \`id\``,
    [applicationId, clock.now()],
  )
  return rows.map((row) => table.toRow(row))
}

const cells = ({ id, connectionIds, scopes, createdAt, expiresAt, revokedAt }: Session): Cells => ({
  id,
  connections: connectionIds,
  scopes,
  createdAt: toIso(createdAt),
  expiresAt: toIso(expiresAt),
  revokedAt: revokedAt === null ? null : toIso(revokedAt),
})
