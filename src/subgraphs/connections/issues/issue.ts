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
  description: 'Whether an issue is still met.',
  valuesConfig: {
    ONGOING: { description: 'The last sync or poll to read these data met it.' },
    RESOLVED: { description: 'A later sync or poll no longer met it, or somebody resolved it.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'What an issue is about.' })
export class IssueError {
  @Field(() => IssueCode, { description: 'Which kind of issue it is.' })
  code: IssueCode

  @Field(() => String, { description: 'What is missing, and what to do about it.' })
  message: string
}

/** There is one for each connection, code and kind of record; what is met again opens it again. */
@Directive('@key(fields: "id")')
@Entity('issues')
@Indexes(['applicationId', 'connectionId', 'id'], ['connectionId', 'status'])
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Data of a connection that cannot be had, while the rest of it can.',
})
export class Issue extends Node {
  @KeyColumn()
  override readonly id: Id<'issue'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => IssueStatus, { description: 'Whether it is still met.' })
  @IdColumn()
  status: IssueStatus

  @IdColumn()
  code: IssueCode

  /** The kind of record that is missing; null where it is about all. */
  @IdColumn({ nullable: true })
  model: string | null

  @LongTextColumn()
  message: string

  @Field(() => IssueError, { description: 'What it is about.' })
  @Computed(({ code, message }: Issue): IssueError => ({ code, message }))
  error?: IssueError

  @Field(() => DateTime, { description: 'When it was met for the first time.' })
  @InstantColumn()
  firstReportedAt: number

  @Field(() => DateTime, { description: 'When it was met for the last time.' })
  @InstantColumn()
  lastReportedAt: number

  @Field(() => IssueResolutionType, { nullable: true, description: 'How it comes to its end.' })
  @Computed(({ code }: Issue) => resolutionOf(code))
  resolutionType?: IssueResolutionType | null

  @Field(() => String, { nullable: true, description: 'A page about it, where there is one.' })
  @Computed(() => null)
  documentationUrl?: string | null
}

/** That a sync met an issue. */
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

  /** How many records that sync left out because of it. */
  @NumberColumn()
  records: number

  /**
   * Start of the window that the sync read. A later window that starts after it may no longer contain the
   * records. Null if the issue does not depend on a window, or was resolved since.
   */
  @InstantColumn({ nullable: true })
  readFrom: number | null
}
