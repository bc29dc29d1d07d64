import type { Command } from 'commander'
import { toIso } from '../../domain/time.ts'
import { decideRemovals } from '../../subgraphs/connections/removals/decide-removals.ts'
import {
  type HeldRemoval,
  heldRemovalsOf,
  RemovalDecision,
} from '../../subgraphs/connections/removals/held-removal.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { callerOfConnection, findConnection } from '../find-connection.ts'
import type { Cells } from '../output.ts'

interface RemovalOptions {
  readonly application?: string
  readonly model?: string
  readonly lift?: boolean
}

type AddCommand = (name: string, description: string) => Command

/** Adds the commands for removals of many records, which wait for a second sync. */
export function addHeldRemovals(command: AddCommand): void {
  const MODEL = ['--model <name>', 'only this record type, such as Vehicle'] as const
  command('held-removals', 'list the removals that wait for a second sync').action(withCommandContext(list))
  command('confirm-removals', 'let the next sync remove the records that are still missing')
    .option(...MODEL)
    .addHelpText(
      'after',
      '\nExample:\n  $ odograph connections confirm-removals conn_01M7XZ3JF90H8EC8HYVB2R0P6F --model Vehicle',
    )
    .action(withCommandContext(confirm))
  command('deny-removals', 'keep the missing records until they are back or the denial is lifted')
    .option(...MODEL)
    .option('--lift', 'lift an earlier decision')
    .action(withCommandContext(deny))
}

async function list(
  context: CommandContext,
  { application }: RemovalOptions,
  connectionId: string,
): Promise<void> {
  const connection = await findConnection(context, connectionId, application)
  context.output.list((await heldRemovalsOf(context.db, connection)).map(cells))
}

const confirm = (context: CommandContext, options: RemovalOptions, connectionId: string): Promise<void> =>
  decide(context, options, connectionId, RemovalDecision.CONFIRMED)

const deny = (context: CommandContext, options: RemovalOptions, connectionId: string): Promise<void> =>
  decide(context, options, connectionId, options.lift ? null : RemovalDecision.DENIED)

async function decide(
  context: CommandContext,
  { application, model }: RemovalOptions,
  connectionId: string,
  decision: RemovalDecision | null,
): Promise<void> {
  const caller = await callerOfConnection(context, connectionId, application)
  const choice = { connectionId, model, decision }
  const { heldRemovals } = await decideRemovals(await context.writes(), caller, choice)
  context.output.list(heldRemovals.map(cells))
}

const cells = ({ model, missing, total, since, dueAt, decision }: HeldRemoval): Cells => ({
  model,
  missing,
  total,
  since: toIso(since),
  dueAt: toIso(dueAt),
  decision,
})
