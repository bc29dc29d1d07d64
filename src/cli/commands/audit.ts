import type { Command } from 'commander'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { and, equal, type Where } from '../../storage/sql/where.ts'
import { AuditEntry, auditedByOperator, recordAudit } from '../../subgraphs/tables/audit-log.ts'
import { type AuditFilter, auditConditions } from '../../subgraphs/connections/audit/audit-repository.ts'
import { type Instant, toIso } from '../../domain/time.ts'
import { parseTime, wholeNumberBetween } from '../arguments.ts'
import type { Cells } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'

const table = tableOf(AuditEntry)

export const audit: CommandGroup = {
  addTo(group: Command) {
    group
      .command('list')
      .description('list who did what, newest first')
      .option(
        '--application <id>',
        'only entries of this application; without it, entries of all applications and of the service',
      )
      .option('--action <name>', 'only this action, such as key.created')
      .option(
        '--actor <id>',
        'only by the key, session, link run (a visit of the link pages) or operator with this id',
      )
      .option('--target <id>', 'only on this object')
      .option('--since <time>', 'not before this time, such as 2026-01-31T12:00:00Z', parseTime)
      .option('--until <time>', 'before this time', parseTime)
      .option('--limit <n>', 'maximum number of entries', wholeNumberBetween(1, 10_000), 100)
      .addHelpText('after', '\nExample:\n  $ odograph audit list --action connection.token_shown')
      .action(withCommandContext(list))
    group
      .command('prune')
      .description('remove old entries; the service itself never removes entries')
      .requiredOption('--before <time>', 'remove entries before this time', parseTime)
      .addHelpText('after', '\nExample:\n  $ odograph audit prune --before 2020-01-01T00:00:00Z')
      .action(withCommandContext(prune))
  },
}

interface ListOptions extends Pick<AuditFilter, 'action' | 'since' | 'until'> {
  readonly application?: string
  readonly actor?: string
  readonly target?: string
  readonly limit: number
}

async function list({ db, output }: CommandContext, options: ListOptions): Promise<void> {
  const { application, actor, target, limit, ...rest } = options
  const everything: Where = { sql: '1 = 1', parameters: [] }
  const filter = { ...rest, actorId: actor ?? null, targetId: target ?? null }
  const where = and(everything, equal('applicationId', application), ...auditConditions(filter))
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`audit_log\` WHERE ${where.sql} ORDER BY \`at\` DESC, \`id\` DESC LIMIT ${limit}`,
    where.parameters,
  )
  output.list(rows.map((row) => cells(table.toRow(row))))
}

const ROWS_PER_BATCH = 1000

/** Removes old entries. The transaction of the first batch also records the removal, so no removal is unrecorded. */
async function prune(
  { db, output, clock }: CommandContext,
  { before }: { readonly before: Instant },
): Promise<void> {
  const now = clock.now()
  if (before > now) throw new CliError('--before must not be in the future', 2)
  let removed = 0
  for (let removedInBatch = ROWS_PER_BATCH; removedInBatch === ROWS_PER_BATCH; removed += removedInBatch)
    removedInBatch = await db.transaction(async (tx) => {
      const old = await tx.rows<{ id: string }>(
        `SELECT \`id\` FROM \`audit_log\` WHERE \`at\` < ? ORDER BY \`id\` LIMIT ${ROWS_PER_BATCH}`,
        [before],
      )
      if (old.length === 0) return 0
      const ids = old.map(({ id }) => id)
      await tx.run(`DELETE FROM \`audit_log\` WHERE \`id\` IN (${placeholders(ids.length)})`, ids)
      const detail = { before: toIso(before) }
      if (removed === 0)
        await recordAudit(tx, auditedByOperator(now), { action: 'audit_log.pruned', targetId: null, detail })
      return old.length
    })
  output.one({ removed, before: toIso(before) })
}

const cells = ({
  id,
  applicationId,
  at,
  actorKind,
  actorId,
  actorName,
  action,
  targetId,
  detail,
}: AuditEntry): Cells => ({
  at: toIso(at),
  application: applicationId || 'service',
  actor: [actorKind, actorId, actorName && `(${actorName})`].filter(Boolean).join(' '),
  action,
  target: targetId,
  detail: Object.keys(detail).length === 0 ? null : detail,
  id,
})
