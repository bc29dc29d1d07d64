import type { Command } from 'commander'
import type { Id } from '../../domain/ids.ts'
import { type RawRetainedModel, rawRetainedModels } from '../../domain/record-models.ts'
import { and, equal } from '../../storage/sql/where.ts'
import { statesSql } from '../../subgraphs/tables/connection-states.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { type RemapCounts, zeroCounts, type RemapResult, addCounts } from '../../sync/remap/remap-counts.ts'
import { oneOfWords } from '../arguments.ts'
import { CliError } from '../cli-error.ts'
import { auditAction } from '../audited-action.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findConnection } from '../find-connection.ts'

export function addRenormalizeCommand(group: Command): void {
  const oneModel = oneOfWords(rawRetainedModels)
  group
    .command('renormalize [id]')
    .description('map stored raw records again, after a change of an adapter')
    .option('--all', 'every connection, or those of --application and --provider')
    .option('--application <id>', 'refuse connections of other applications')
    .option('--provider <code>', 'with --all: only connections of this provider')
    .option(
      '--model <name>',
      'only this model; repeat it for several',
      (name, before: RawRetainedModel[] = []) => [...before, oneModel(name)],
    )
    .option('--dry-run', 'only count the changes')
    .addHelpText('after', HELP)
    .action(withCommandContext(runRenormalize))
}

const HELP = `
The command sends no requests to providers. It maps the latest raw data of each record and stores the result as a sync
does. A changed record gets its event; an unchanged one is not written. Records that no mapping could read are kept for
90 days, up to 1,000 of each model. If the mapping can read them now, they are stored. The service and its syncs can run
meanwhile. If the command is interrupted, run it again. The next sync computes distances by jurisdiction again. A field
of a latest location that the mapping no longer sets keeps its value: another raw record may have set it.

Example:
  $ odograph connections renormalize conn_01M7XZ3JF90H8EC8HYVB2R0P6F --model Vehicle --model Trip --dry-run
  $ odograph connections renormalize --all --provider samsara

Models: ${rawRetainedModels.join(', ')}`

interface RemapOptions {
  readonly all?: boolean
  readonly application?: string
  readonly provider?: string
  readonly model?: readonly RawRetainedModel[]
  readonly dryRun?: boolean
}

async function runRenormalize(context: CommandContext, options: RemapOptions, id?: string): Promise<void> {
  if ((id === undefined) === (options.all !== true))
    throw new CliError('give the id of a connection, or --all', 2)
  const ids = id === undefined ? await idsOf(context, options) : [id]
  const rows: (RemapResult & { readonly connection: string })[] = []
  const refused: string[] = []
  for (const connectionId of ids)
    try {
      const connection = await findConnection(context, connectionId, options.application)
      const done = await remapAndAudit(context, connection, options)
      rows.push(...done.map((counts) => ({ connection: connectionId, ...counts })))
    } catch (error) {
      // With `--all`, a connection may be deleted before its turn. It is skipped, and the others continue.
      if (id !== undefined || !(error instanceof CliError)) throw error
      refused.push(error.message)
    }
  context.output.list(rows.map((row) => ({ ...row })))
  context.output.say(summaryOf(rows, options))
  if (refused.length > 0) throw new CliError(`skipped: ${refused.join('; ')}`)
}

async function idsOf(
  { db }: CommandContext,
  { application, provider }: RemapOptions,
): Promise<Id<'connection'>[]> {
  const isThere = { sql: `\`status\` NOT IN (${statesSql('isDeleted')})`, parameters: [] }
  const { sql, parameters } = and(isThere, equal('applicationId', application), equal('provider', provider))
  const rows = await db.rows<Pick<Connection, 'id'>>(
    `SELECT \`id\` FROM \`connections\` WHERE ${sql} ORDER BY \`id\``,
    parameters,
  )
  return rows.map(({ id }) => id)
}

/** Remaps a connection and audits it, unless it is a dry run. */
async function remapAndAudit(
  context: CommandContext,
  connection: Connection,
  { model: models, dryRun }: RemapOptions,
): Promise<RemapResult[]> {
  let done: RemapResult[] = []
  const act = async () => {
    done = await remapConnection(context, connection, { models, dryRun })
    const { read, changed, unreadable } = done.reduce(addCounts, zeroCounts)
    return { read, changed, unreadable }
  }
  const { id: targetId, applicationId } = connection
  const detail = { models: models ?? 'all' }
  if (dryRun === true) await act()
  else
    await auditAction(context, {
      action: 'connection.renormalized',
      targetId,
      applicationId,
      detail,
      act,
    })
  return done
}

const PROGRESS_INTERVAL_MS = 2000

async function remapConnection(
  { db, clock, output, registry, notifier }: CommandContext,
  connection: Connection,
  {
    models,
    dryRun,
  }: { readonly models: readonly RawRetainedModel[] | undefined; readonly dryRun?: boolean | undefined },
): Promise<RemapResult[]> {
  const adapter = (await registry()).find(connection.provider)
  if (!adapter) throw new CliError(`there is no provider ${connection.provider}`)
  const { ConnectionDeleted, remap } = await import('../../sync/remap/remap.ts')
  let reportedAt = performance.now()
  const onPage = ({ model, ...counts }: RemapResult): void => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = performance.now()
    output.say(`${connection.id} ${model}: ${summaryOf([counts], { dryRun })}`)
  }
  const input = { connection, adapter, onPage, ...(models ? { models } : {}), ...(dryRun ? { dryRun } : {}) }
  const done: RemapResult[] = []
  const deps = { db: db.inBackground(), clock, notifier: await notifier() }
  try {
    for await (const counts of remap(deps, input)) done.push(counts)
  } catch (error) {
    if (!(error instanceof ConnectionDeleted)) throw error
    throw new CliError(error.message, 1, { cause: error })
  }
  return done
}

function summaryOf(rows: readonly RemapCounts[], { dryRun }: Pick<RemapOptions, 'dryRun'>): string {
  const { read, changed, unreadable, moved } = rows.reduce(addCounts, zeroCounts)
  const words = [
    `${counted(read)} records read`,
    `${counted(changed)} ${dryRun === true ? 'would change' : 'changed'}`,
    `${counted(unreadable)} still cannot be read`,
    ...(moved === 0
      ? []
      : [`${counted(moved)} have another id or time now and were skipped: sync them again`]),
  ]
  return words.join(', ')
}

const counted = (count: number): string => count.toLocaleString('en-US')
