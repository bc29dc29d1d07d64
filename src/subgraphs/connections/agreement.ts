import { Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  TextColumn,
} from '../../storage/sql/columns.ts'
import { DateTime } from '../schema/scalars.ts'
import { AccountUser } from './connection.ts'

@Entity('agreements')
@Indexes(['connectionId'])
@ObjectType({ simpleResolvers: true, description: "A fleet's consent: what was accepted, when and by whom." })
export class Agreement {
  @Field(() => ID, { description: 'A prefixed ULID.' })
  @KeyColumn()
  id: Id<'agreement'>

  @Field(() => ID, { description: 'The integrator that it was made with.' })
  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => ID, { description: 'The connection that it is about.' })
  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => String, { nullable: true, description: 'The kind of agreement, such as end-user-agreement.' })
  @IdColumn({ nullable: true })
  type: string | null

  @Field(() => String, { description: 'The text that was accepted.' })
  @TextColumn()
  agreementUrl: string

  @Field(() => DateTime, { description: 'When it was accepted.' })
  @InstantColumn()
  acceptedAt: number

  @Field(() => AccountUser, { description: 'Who accepted it.' })
  @JsonColumn()
  acceptedBy: AccountUser

  @Field(() => String, { nullable: true, description: 'From where, in words.' })
  @TextColumn({ nullable: true })
  location: string | null

  @Field(() => String, { nullable: true, description: 'From which address.' })
  @TextColumn({ nullable: true })
  ipAddress: string | null

  @Field(() => String, { nullable: true, description: 'With which browser.' })
  @TextColumn({ nullable: true })
  userAgent: string | null
}
