import { Field, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import { type Instant, toIso } from '../../../domain/time.ts'
import type { Rows, Transaction } from '../../../storage/database.ts'
import { IdColumn, InstantColumn, KeyColumn, NumberColumn } from '../../../storage/sql/columns.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal } from '../../../storage/sql/where.ts'
import { DateTime } from '../../schema/scalars.ts'
import type { Connection } from '../connection.ts'
import { IssueCode } from '../issues/issue-code.ts'
import { issueIdOf, type IssueReport, reportIssue } from '../issues/report-issue.ts'

/** Value of `seenIn` of a record that was missing when the removal of its model became held. */
export const MISSING = 'missing'

export enum RemovalDecision {
  CONFIRMED = 'confirmed',
  DENIED = 'denied',
}

registerEnumType(RemovalDecision, {
  name: 'RemovalDecision',
  description: 'A decision about a held removal.',
  valuesConfig: {
    CONFIRMED: { description: 'The next sync removes the records that are still missing.' },
    DENIED: { description: 'The records are kept until they are back or the decision is lifted.' },
  },
})

/**
 * Removal of many records of a model that waits for a second sync or a decision. The row exists as long as the
 * removal is held.
 */
@Entity('held_removals')
@ObjectType({
  simpleResolvers: true,
  description:
    'A removal of many records that waits for a second sync or a decision. It ends when the records are removed or back.',
})
export class HeldRemoval {
  @KeyColumn()
  connectionId: Id<'connection'>

  @Field(() => String, { description: 'The type of the records, such as Vehicle.' })
  @KeyColumn()
  model: string

  @IdColumn()
  applicationId: Id<'application'>

  /** Sync whose list lacked the records first. */
  @IdColumn()
  syncId: Id<'sync'>

  @IdColumn()
  issueId: Id<'issue'>

  @Field(() => DateTime, { description: "When the provider's list lacked the records first." })
  @InstantColumn()
  since: Instant

  @Field(() => DateTime, {
    description:
      'From this time on, a sync whose list also lacks the records removes them, unless the removal is denied.',
  })
  @InstantColumn()
  dueAt: Instant

  @Field(() => Int, { description: 'The number of records that the last complete list lacked.' })
  @NumberColumn()
  missing: number

  @Field(() => Int, { description: 'The number of stored records, including the missing ones.' })
  @NumberColumn()
  total: number

  @Field(() => RemovalDecision, { nullable: true, description: 'The decision. Null if there is none.' })
  @IdColumn({ nullable: true })
  decision: RemovalDecision | null
}

const table = tableOf(HeldRemoval)

/** Returns the held removals of a connection, or only the one of a model. */
export async function heldRemovalsOf(
  db: Rows,
  { id, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
  model?: string | null,
): Promise<HeldRemoval[]> {
  const { sql, parameters } = and(
    { sql: '`connectionId` = ? AND `applicationId` = ?', parameters: [id, applicationId] },
    equal('model', model),
  )
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`held_removals\` WHERE ${sql} ORDER BY \`model\``,
    parameters,
  )
  return rows
    .map((row) => table.toRow(row))
    .map((held) => ({ ...held, since: Number(held.since), dueAt: Number(held.dueAt) }))
}

/** Saves a held removal, and reports its issue. */
export async function saveHeldRemoval(
  tx: Transaction,
  held: Omit<HeldRemoval, 'applicationId' | 'connectionId' | 'issueId'>,
  report: Pick<IssueReport, 'connection' | 'providerName' | 'syncId' | 'now'>,
): Promise<void> {
  const { id: connectionId, applicationId } = report.connection
  const issue = { code: IssueCode.PROVIDER_DATA_INACCESSIBLE, model: held.model, part: 'removals' }
  const issueId = issueIdOf({ ...issue, connection: report.connection })
  await tx.upsert(table, [{ ...held, connectionId, applicationId, issueId }])
  await reportIssue(tx, { ...report, ...issue, message: () => messageOf(held, report.providerName) })
}

type MessageFields = Pick<HeldRemoval, 'model' | 'missing' | 'total' | 'since' | 'dueAt' | 'decision'>

const messageOf = ({ model, missing, total, since, ...next }: MessageFields, providerName: string): string =>
  `${missing} of ${total} ${model} records have been missing from the list of ${providerName} since ${toIso(since)}. ` +
  `They are kept, because the account may have lost its access to them. ${nextStep(next, providerName)}`

function nextStep(
  { decision, dueAt }: Pick<HeldRemoval, 'decision' | 'dueAt'>,
  providerName: string,
): string {
  if (decision === RemovalDecision.DENIED)
    return 'The removal is denied: they are kept until the denial is lifted.'
  if (decision === RemovalDecision.CONFIRMED)
    return 'The removal is confirmed: the next sync removes those that are still missing.'
  return (
    `A sync after ${toIso(dueAt)} removes those that are still missing. ` +
    `To keep them, restore the permissions of the account at ${providerName}.`
  )
}
