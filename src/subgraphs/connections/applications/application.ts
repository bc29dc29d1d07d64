import { Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { type KeyScope, keyScopes } from '../../../auth/key-scopes.ts'
import type { Environment } from '../../../auth/keys.ts'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
  Unique,
} from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'

/** The words of the API for the environments. */
export const Environments = { PROD: 'prod', SANDBOX: 'sandbox' } as const satisfies Record<
  string,
  Environment
>

registerEnumType(Environments, {
  name: 'Environment',
  description: 'What an application is for; its keys say it in front: sk_prod_, sk_sandbox_.',
  valuesConfig: {
    PROD: { description: 'Fleets and their data.' },
    SANDBOX: { description: 'Trying things out.' },
  },
})

export enum KeyUse {
  SECRET = 'secret',
  PUBLISHABLE = 'publishable',
}

registerEnumType(KeyUse, {
  name: 'KeyUse',
  description: 'Where a key is used.',
  valuesConfig: {
    SECRET: { description: 'On servers: it asks the API.' },
    PUBLISHABLE: { description: 'In links: with it fleets link their accounts, and no more.' },
  },
})

export const SCOPES = `Without scopes it may do everything but what takes \`admin\`. They are ${keyScopes.join(', ')}; whoever may write something may read it.`

/** The integrator's tenant. */
@Entity('applications')
@ObjectType({ simpleResolvers: true, description: "An integrator's application, whose keys these are." })
export class Application {
  @Field(() => ID, { description: 'Its app_ id.' })
  @KeyColumn()
  id: Id<'application'>

  @Field(() => String, { description: 'What it is called: fleets read it when they link.' })
  @TextColumn()
  name: string

  @Field(() => Environments, { description: 'Whether it is for real fleets.' })
  @IdColumn()
  environment: Environment

  @Field(() => DateTime, { description: 'When it was made.' })
  @InstantColumn()
  createdAt: number

  /** The origins that its fleets may be sent back to after linking, and that may frame the link pages. */
  @Field(() => [String], {
    description:
      'The origins that fleets may be sent back to after linking, and that may frame the link pages.',
  })
  @Computed(({ linkOrigins }: Application) => linkOrigins ?? [])
  @JsonColumn({ nullable: true })
  linkOrigins: string[] | null

  /** What its fleets agree to when they link; our own text where it has none. */
  @Field(() => String, {
    nullable: true,
    description: 'What fleets agree to when they link; the text of the service where it is null.',
  })
  @JsonColumn({ nullable: true })
  agreementUrl: string | null

  /** Whether an account that is linked once more finds its connection: 1 or 0; null is as its environment has it. */
  @NumberColumn({ nullable: true })
  mergesConnections: number | null

  /** The newest stamp that a record of its connections was given; see `in-flight-writes.ts`. */
  @InstantColumn({ nullable: true, hidden: true })
  clock?: number | null
}

/** Production merges unless told otherwise; a sandbox links the same account again and again. */
export const isMerging = ({
  environment,
  mergesConnections,
}: Pick<Application, 'environment' | 'mergesConnections'>): boolean =>
  mergesConnections === null ? environment === 'prod' : Number(mergesConnections) === 1

/** A secret or publishable key of an application; several live at once, each found by its hash. */
@Entity('api_keys')
@Unique('hash')
@Indexes(['applicationId'])
@ObjectType({
  simpleResolvers: true,
  description: 'A key of the application. The key itself is told once, when it is made.',
})
export class ApiKey {
  @Field(() => ID, { description: 'Its key_ id.' })
  @KeyColumn()
  id: Id<'key'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => KeyUse, { description: 'Where it is used.' })
  @IdColumn()
  use: `${KeyUse}`

  @IdColumn()
  hash: string

  /** The last four characters, to tell keys apart in a list. */
  @Field(() => String, { description: 'Its last four characters.' })
  @IdColumn()
  hint: string

  /** A publishable key itself, which stands in links; of a secret key nothing but the hash is stored. */
  @TextColumn({ nullable: true })
  publishable: string | null

  @Field(() => DateTime, { description: 'When it was made.' })
  @InstantColumn()
  createdAt: number

  @Field(() => DateTime, { nullable: true, description: 'When it was ended for good.' })
  @InstantColumn({ nullable: true })
  revokedAt: number | null

  /** What it is for, in its maker's words. */
  @Field(() => String, { nullable: true, description: "What it is for, in its maker's words." })
  @TextColumn({ nullable: true })
  name: string | null

  /** What a secret key may do; null is everything but what takes `admin`. */
  @Field(() => [String], {
    nullable: true,
    description: `What it may do, such as hos:read. ${SCOPES}`,
  })
  @JsonColumn({ nullable: true })
  scopes: KeyScope[] | null

  /** About when it was last used: it is noted once in a while. */
  @Field(() => DateTime, {
    nullable: true,
    description: 'About when it was last used: it is noted once a minute. Null where it never was.',
  })
  @InstantColumn({ nullable: true })
  lastUsedAt: number | null

  /** When it ends by itself: one that has been rotated stays good for a while. */
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it ends by itself; null is never. One that was rotated stays good for a while.',
  })
  @InstantColumn({ nullable: true })
  expiresAt: number | null
}
