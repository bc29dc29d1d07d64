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
@ObjectType({
  simpleResolvers: true,
  description: 'The consent of a fleet: the accepted agreement, the time and the person.',
})
export class Agreement {
  @Field(() => ID, { description: 'A prefixed ULID.' })
  @KeyColumn()
  id: Id<'agreement'>

  @Field(() => ID, { description: 'The id of the application of the integrator.' })
  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => ID, { description: 'The id of the connection.' })
  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => String, {
    nullable: true,
    description: 'The type of the agreement, such as end-user-agreement.',
  })
  @IdColumn({ nullable: true })
  type: string | null

  @Field(() => String, { description: 'The URL of the accepted agreement.' })
  @TextColumn()
  agreementUrl: string

  @Field(() => DateTime, { description: 'When the agreement was accepted.' })
  @InstantColumn()
  acceptedAt: number

  @Field(() => AccountUser, { description: 'The person who accepted the agreement.' })
  @JsonColumn()
  acceptedBy: AccountUser

  @Field(() => String, { nullable: true, description: 'A description of the location of the person.' })
  @TextColumn({ nullable: true })
  location: string | null

  @Field(() => String, { nullable: true, description: 'The IP address of the browser.' })
  @TextColumn({ nullable: true })
  ipAddress: string | null

  @Field(() => String, { nullable: true, description: 'The user agent of the browser.' })
  @TextColumn({ nullable: true })
  userAgent: string | null
}
