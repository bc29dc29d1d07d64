import { Field, ID, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../ids.ts'
import { IdColumn, InstantColumn, JsonColumn, KeyColumn, TextColumn } from '../../storage/columns.ts'
import { DateTime } from '../scalars.ts'
import { AccountUser } from './connection.ts'

@Entity('agreements')
@ObjectType({ simpleResolvers: true, description: "A fleet's consent: what was accepted, when and by whom." })
export class Agreement {
  @Field(() => ID)
  @KeyColumn()
  id: Id<'agreement'>

  @Field(() => ID)
  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => ID)
  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => String)
  @TextColumn()
  agreementUrl: string

  @Field(() => DateTime)
  @InstantColumn()
  acceptedAt: number

  @Field(() => AccountUser)
  @JsonColumn()
  acceptedBy: AccountUser

  @Field(() => String, { nullable: true })
  @TextColumn({ nullable: true })
  location: string | null

  @Field(() => String, { nullable: true })
  @TextColumn({ nullable: true })
  ipAddress: string | null

  @Field(() => String, { nullable: true })
  @TextColumn({ nullable: true })
  userAgent: string | null
}
