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
    .description('map again what its provider sent, after a mapping is mended')
    .option('--all', 'every connection, or those of --application and --provider')
    .option('--application <id>', 'refuse another application’s')
    .option('--provider <code>', 'with --all: of this provider')
    .option(
      '--model <name>',
      'of this model; may be given several times',
      (name, before: RawRetainedModel[] = []) => [...before, oneModel(name)],
    )
    .option('--dry-run', 'only count what it would change')
    .addHelpText('after', HELP)
    .action(withCommandContext(runRenormalize))
}

const HELP = `
Nothing is fetched: each record's raw data as it was last sent is mapped by this program, and stored as by a sync.
What changes gets its event; what does not is not written. Records that could not be read when they came are kept up
to 90 days, 1,000 of each model, and appear once they can be read. It may run beside the service and its syncs. One
that was stopped is run again. Distances by jurisdiction are computed again by the next sync. What a place once had stays
where the mapping now tells nothing of it: it may have been told elsewhere.

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

async function runRenormalize(context: CommandContext, request: RemapOptions, id?: string): Promise<void> {
  if ((id === undefined) === (request.all !== true))
    throw new CliError('give the id of a connection, or --all', 2)
  const ids = id === undefined ? await idsOf(context, request) : [id]
  const rows: (RemapResult & { readonly connection: string })[] = []
  const refused: string[] = []
  for (const one of ids)
    try {
      const connection = await findConnection(context, one, request.application)
      const done = await remapAndAudit(context, connection, request)
      rows.push(...done.map((counts) => ({ connection: one, ...counts })))
    } catch (error) {
      // Of many, one may be deleted before its turn; what was done of the others is told.
      if (id !== undefined || !(error instanceof CliError)) throw error
      refused.push(error.message)
    }
  context.output.list(rows.map((row) => ({ ...row })))
  context.output.say(summaryOf(rows, request))
  if (refused.length > 0) throw new CliError(`left alone: ${refused.join('; ')}`)
}

async function idsOf(
  { db }: CommandContext,
  { application, provider }: RemapOptions,
): Promise<Id<'connection'>[]> {
  const isThere = { sql: `\`status\` NOT IN (${statesSql('isGone')})`, parameters: [] }
  const { sql, parameters } = and(isThere, equal('applicationId', application), equal('provider', provider))
  const rows = await db.rows<Pick<Connection, 'id'>>(
    `SELECT \`id\` FROM \`connections\` WHERE ${sql} ORDER BY \`id\``,
    parameters,
  )
  return rows.map(({ id }) => id)
}

/** Remembered as one act, unless it only looks. */
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
  let told = performance.now()
  const onPage = ({ model, ...counts }: RemapResult): void => {
    if (performance.now() - told < PROGRESS_INTERVAL_MS) return
    told = performance.now()
    output.say(`${connection.id} ${model}: ${summaryOf([counts], { dryRun })}`)
  }
  const input = { connection, adapter, onPage, ...(models ? { models } : {}), ...(dryRun ? { dryRun } : {}) }
  const done: RemapResult[] = []
  const given = { db: db.inBackground(), clock, notifier: await notifier() }
  try {
    for await (const counts of remap(given, input)) done.push(counts)
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
      : [`${counted(moved)} have another id or time now and are left alone: sync them anew`]),
  ]
  return words.join(', ')
}

const counted = (count: number): string => count.toLocaleString('en-US')
