import { Directive, Field, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  LongTextColumn,
  NumberColumn,
} from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { Node } from '../../schema/node-interface.ts'
import { DateTime } from '../../schema/scalars.ts'
import { IssueCode, IssueResolutionType, resolutionOf } from './issue-code.ts'

export enum IssueStatus {
  ONGOING = 'ongoing',
  RESOLVED = 'resolved',
}

registerEnumType(IssueStatus, {
  name: 'IssueStatus',
  description: 'Whether an issue still occurs.',
  valuesConfig: {
    ONGOING: { description: 'It occurred in the last sync or poll that read these data.' },
    RESOLVED: { description: 'It did not occur in a later sync or poll, or it was marked as resolved.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'The error of an issue.' })
export class IssueError {
  @Field(() => IssueCode, { description: 'The code of the issue.' })
  code: IssueCode

  @Field(() => String, { description: 'What is missing and how to resolve it.' })
  message: string
}

/**
 * There is one issue for each set of connection, code, record type and `part` of the report. If a resolved issue occurs
 * again, it is reopened.
 */
@Directive('@key(fields: "id")')
@Entity('issues')
@Indexes(['applicationId', 'connectionId', 'id'], ['connectionId', 'status'])
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A problem with some data of a connection. Other data is not affected.',
})
export class Issue extends Node {
  @KeyColumn()
  override readonly id: Id<'issue'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => IssueStatus, { description: 'Whether the issue still occurs.' })
  @IdColumn()
  status: IssueStatus

  @IdColumn()
  code: IssueCode

  /** Record type that is missing; null if the issue concerns all types. */
  @IdColumn({ nullable: true })
  model: string | null

  @LongTextColumn()
  message: string

  @Field(() => IssueError, { description: 'The error of the issue.' })
  @Computed(({ code, message }: Issue): IssueError => ({ code, message }))
  error?: IssueError

  @Field(() => DateTime, { description: 'When the issue was first reported.' })
  @InstantColumn()
  firstReportedAt: number

  @Field(() => DateTime, { description: 'When the issue was last reported.' })
  @InstantColumn()
  lastReportedAt: number

  @Field(() => IssueResolutionType, { nullable: true, description: 'How the issue is resolved.' })
  @Computed(({ code }: Issue) => resolutionOf(code))
  resolutionType?: IssueResolutionType | null

  @Field(() => String, {
    nullable: true,
    description: 'The URL of a page about the issue. Null if there is none.',
  })
  @Computed(() => null)
  documentationUrl?: string | null
}

/** Occurrence of an issue in a sync. */
@Entity('sync_issues')
@Indexes(['connectionId'], ['issueId'])
export class SyncIssue {
  @KeyColumn()
  syncId: Id<'sync'>

  @KeyColumn()
  issueId: Id<'issue'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  /** Number of records that the sync left out because of the issue. */
  @NumberColumn()
  records: number

  /**
   * Start of the time window that the sync read. A later sync resolves the issue only if its window starts at this time
   * or earlier, because the records may still be invalid. Null if the issue does not depend on a window, and once the
   * issue is resolved or its records have been read.
   */
  @InstantColumn({ nullable: true })
  readFrom: number | null
}
