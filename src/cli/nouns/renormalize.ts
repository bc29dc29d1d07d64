import type { Command } from 'commander'
import type { Id } from '../../ids.ts'
import { type KeptModel, keptModels } from '../../models.ts'
import { and, equal } from '../../storage/where.ts'
import { statesSql } from '../../subgraphs/connection-states.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { type Counts, nothing, type Renormalized, sum } from '../../sync/renormalizing/renormalized.ts'
import { oneOfWords } from '../arguments.ts'
import { Refused } from '../refused.ts'
import { remembered } from '../remember.ts'
import { type Tools, withTools } from '../tools.ts'
import { connectionOf } from './connection-of.ts'

export function addRenormalize(noun: Command): void {
  const oneModel = oneOfWords(keptModels)
  noun
    .command('renormalize [id]')
    .description('map again what its provider sent, after a mapping is mended')
    .option('--all', 'every connection, or those of --application and --provider')
    .option('--application <id>', 'refuse another application’s')
    .option('--provider <code>', 'with --all: of this provider')
    .option(
      '--model <name>',
      'of this model; may be given several times',
      (name, before: KeptModel[] = []) => [...before, oneModel(name)],
    )
    .option('--dry-run', 'only count what it would change')
    .addHelpText('after', HELP)
    .action(withTools(renormalizeAsked))
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

Models: ${keptModels.join(', ')}`

interface Asked {
  readonly all?: boolean
  readonly application?: string
  readonly provider?: string
  readonly model?: readonly KeptModel[]
  readonly dryRun?: boolean
}

async function renormalizeAsked(tools: Tools, asked: Asked, id?: string): Promise<void> {
  if ((id === undefined) === (asked.all !== true))
    throw new Refused('give the id of a connection, or --all', 2)
  const ids = id === undefined ? await idsOf(tools, asked) : [id]
  const rows: (Renormalized & { readonly connection: string })[] = []
  const refused: string[] = []
  for (const one of ids)
    try {
      const connection = await connectionOf(tools, one, asked.application)
      const done = await renormalized(tools, connection, asked)
      rows.push(...done.map((counts) => ({ connection: one, ...counts })))
    } catch (error) {
      // Of many, one may be deleted before its turn; what was done of the others is told.
      if (id !== undefined || !(error instanceof Refused)) throw error
      refused.push(error.message)
    }
  tools.output.list(rows.map((row) => ({ ...row })))
  tools.output.say(inWords(rows, asked))
  if (refused.length > 0) throw new Refused(`left alone: ${refused.join('; ')}`)
}

async function idsOf({ db }: Tools, { application, provider }: Asked): Promise<Id<'connection'>[]> {
  const isThere = { sql: `\`status\` NOT IN (${statesSql('isGone')})`, parameters: [] }
  const { sql, parameters } = and(isThere, equal('applicationId', application), equal('provider', provider))
  const rows = await db.rows<Pick<Connection, 'id'>>(
    `SELECT \`id\` FROM \`connections\` WHERE ${sql} ORDER BY \`id\``,
    parameters,
  )
  return rows.map(({ id }) => id)
}

/** Remembered as one act, unless it only looks. */
async function renormalized(
  tools: Tools,
  connection: Connection,
  { model: models, dryRun }: Asked,
): Promise<Renormalized[]> {
  let done: Renormalized[] = []
  const act = async () => {
    done = await mapped(tools, connection, { models, dryRun })
    const { read, changed, unreadable } = done.reduce(sum, nothing)
    return { read, changed, unreadable }
  }
  const { id: targetId, applicationId } = connection
  const detail = { models: models ?? 'all' }
  if (dryRun === true) await act()
  else
    await remembered(tools, {
      action: 'connection.renormalized',
      targetId,
      applicationId,
      detail,
      act,
    })
  return done
}

const TOLD_EVERY_MS = 2000

async function mapped(
  { db, clock, output, registry, doorbell }: Tools,
  connection: Connection,
  {
    models,
    dryRun,
  }: { readonly models: readonly KeptModel[] | undefined; readonly dryRun?: boolean | undefined },
): Promise<Renormalized[]> {
  const adapter = (await registry()).find(connection.provider)
  if (!adapter) throw new Refused(`there is no provider ${connection.provider}`)
  const { ConnectionGone, renormalize } = await import('../../sync/renormalizing/renormalize.ts')
  let told = performance.now()
  const onPage = ({ model, ...counts }: Renormalized): void => {
    if (performance.now() - told < TOLD_EVERY_MS) return
    told = performance.now()
    output.say(`${connection.id} ${model}: ${inWords([counts], { dryRun })}`)
  }
  const wish = { connection, adapter, onPage, ...(models ? { models } : {}), ...(dryRun ? { dryRun } : {}) }
  const done: Renormalized[] = []
  const given = { db: db.inBackground(), clock, doorbell: await doorbell() }
  try {
    for await (const counts of renormalize(given, wish)) done.push(counts)
  } catch (error) {
    if (!(error instanceof ConnectionGone)) throw error
    throw new Refused(error.message, 1, { cause: error })
  }
  return done
}

function inWords(rows: readonly Counts[], { dryRun }: Pick<Asked, 'dryRun'>): string {
  const { read, changed, unreadable, moved } = rows.reduce(sum, nothing)
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
