import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { revokeSession } from '../../subgraphs/connections/sessions/revoke-session.ts'
import { Session } from '../../subgraphs/connections/sessions/session.ts'
import { toIso } from '../../domain/time.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { findApplicationById } from '../find-application.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'

const table = tableOf(Session)

export const sessions: CommandGroup = {
  addTo(group: Command) {
    const command = (name: string, description: string) => applicationCommand(group, name, description)
    command('list', 'list active sessions, oldest first').action(withCommandContext(list))
    command('revoke [session-id]', 'revoke a session and close its subscriptions')
      .option('--all', 'revoke all')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph sessions revoke --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --all',
      )
      .action(withCommandContext(revoke))
  },
}

async function list(
  { db, output, clock }: CommandContext,
  { application }: ApplicationOption,
): Promise<void> {
  await findApplicationById({ db }, application)
  output.list((await activeSessions({ db, clock }, application)).map(cells))
}

async function revoke(
  context: CommandContext,
  { application, all = false }: ApplicationOption & { readonly all?: boolean },
  sessionId?: string,
): Promise<void> {
  const { db, output, clock } = context
  await findApplicationById({ db }, application)
  if (all === (sessionId !== undefined)) throw new CliError('name a session, or give --all', 2)
  const ids =
    sessionId === undefined ? (await activeSessions(context, application)).map(({ id }) => id) : [sessionId]
  const notifier = await context.notifier()
  const revoked: Session[] = []
  for (const id of ids)
    revoked.push(await revokeSession({ db, clock, notifier }, keyHolder(application), { sessionId: id }))
  output.list(revoked.map(cells))
  output.say('Their subscriptions are closed within 3 seconds.')
}

async function activeSessions(
  { db, clock }: Pick<CommandContext, 'db' | 'clock'>,
  applicationId: string,
): Promise<Session[]> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`sessions\`
      WHERE \`applicationId\` = ? AND \`revokedAt\` IS NULL AND \`expiresAt\` > ? ORDER BY \`id\``,
    [applicationId, clock.now()],
  )
  return rows.map((row) => table.toRow(row))
}

const cells = ({
  id,
  name,
  role,
  signInCodeHash,
  connectionIds,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
}: Session): Cells => ({
  id,
  name,
  role,
  signIn: signInCodeHash === null ? null : 'link not used yet',
  connections: connectionIds,
  scopes,
  createdAt: toIso(createdAt),
  expiresAt: toIso(expiresAt),
  revokedAt: revokedAt === null ? null : toIso(revokedAt),
})
