import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { DEFAULT_DOCUMENT_MODE, type DocumentMode } from '../../../auth/document-mode.ts'
import type { KeyScope } from '../../../auth/key-scopes.ts'
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
import type { OwnQuotas } from '../../tables/application-quotas.ts'
import { KeyScopeEnum } from './keys/key-scope-enum.ts'

/** Names of the environments in the API. */
export const Environments = { PROD: 'prod', SANDBOX: 'sandbox' } as const satisfies Record<
  string,
  Environment
>

registerEnumType(Environments, {
  name: 'Environment',
  description: 'The environment of an application. Its keys begin with it: sk_prod_, sk_sandbox_.',
  valuesConfig: {
    PROD: { description: 'Production, with real fleets and their data.' },
    SANDBOX: { description: 'For tests and development.' },
  },
})

/** Names of the document modes in the API. */
export const DocumentModes = { OFF: 'off', ALLOW: 'allow', ONLY: 'only' } as const satisfies Record<
  string,
  DocumentMode
>

registerEnumType(DocumentModes, {
  name: 'DocumentMode',
  description: 'Which GraphQL documents may run: any, or those that the application has published.',
  valuesConfig: {
    OFF: { description: 'Any document. None is found by the id under which it was published.' },
    ALLOW: { description: 'Any document, and published ones also by their ids.' },
    ONLY: { description: 'Published documents alone, by their ids or their texts.' },
  },
})

export enum KeyUse {
  SECRET = 'secret',
  PUBLISHABLE = 'publishable',
}

registerEnumType(KeyUse, {
  name: 'KeyUse',
  description: 'The use of a key.',
  valuesConfig: {
    SECRET: { description: 'For servers: it authenticates API requests.' },
    PUBLISHABLE: { description: 'For links: it only lets fleets link their accounts.' },
  },
})

/** Application of an integrator: the tenant. */
@Entity('applications')
@ObjectType({ simpleResolvers: true, description: 'The application of an integrator.' })
export class Application {
  @Field(() => ID, { description: 'The id, which begins with app_.' })
  @KeyColumn()
  id: Id<'application'>

  @Field(() => String, { description: 'The name. Fleets see it when they link their accounts.' })
  @TextColumn()
  name: string

  @Field(() => Environments, { description: 'The environment of the application.' })
  @IdColumn()
  environment: Environment

  @Field(() => DateTime, { description: 'When the application was created.' })
  @InstantColumn()
  createdAt: number

  @Field(() => [String], {
    description:
      'The origins to which fleets may return after linking, and whose pages may frame the link pages.',
  })
  @Computed(({ linkOrigins }: Application) => linkOrigins ?? [])
  @JsonColumn({ nullable: true })
  linkOrigins: string[] | null

  /** URL of the agreement that its fleets accept; null for the default text. */
  @Field(() => String, {
    nullable: true,
    description:
      'The URL of the agreement that fleets accept when they link. Null for the default text of Odograph.',
  })
  @JsonColumn({ nullable: true })
  agreementUrl: string | null

  /**
   * Whether an account that is linked again keeps its connection: 1 or 0; null for the default of the
   * environment.
   */
  @NumberColumn({ nullable: true })
  mergesConnections: number | null

  /** Whether the application can use sandbox providers: 1 or 0; null for the default of the environment. */
  @NumberColumn({ nullable: true })
  allowsSandbox: number | null

  /** Documents that its callers may run; null for the default. */
  @Field(() => DocumentModes, {
    description: 'Which GraphQL documents the keys and sessions of the application may run.',
  })
  @Computed(({ documentMode }: Application) => documentMode ?? DEFAULT_DOCUMENT_MODE)
  @IdColumn({ nullable: true })
  documentMode: DocumentMode | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The points that all requests of the application may use in a minute. Null for the limit of the service, which is in the response header RateLimit-Policy.',
  })
  @NumberColumn({ nullable: true })
  pointsPerMinute: number | null

  /** Quotas that the operator has set; null for the default ones. */
  @JsonColumn({ nullable: true })
  quotas: OwnQuotas | null

  /** Newest stamp of a write to its connections; see `in-flight-writes.ts`. Null before the first write. */
  @InstantColumn({ nullable: true, hidden: true })
  clock?: number | null
}

/**
 * Whether the application merges connections: an account that is linked again keeps its connection. The default is true
 * in production, and false in a sandbox, where developers link the same account repeatedly.
 */
export const isMerging = ({
  environment,
  mergesConnections,
}: Pick<Application, 'environment' | 'mergesConnections'>): boolean =>
  mergesConnections === null ? environment === 'prod' : Number(mergesConnections) === 1

/**
 * Whether the application can use sandbox providers, which have simulated data only. The default is true in a sandbox,
 * and false in production, where simulated records would mix with those of real fleets.
 */
export const isSandboxAllowed = ({
  environment,
  allowsSandbox,
}: Pick<Application, 'environment' | 'allowsSandbox'>): boolean =>
  allowsSandbox === null ? environment === 'sandbox' : Number(allowsSandbox) === 1

/** Secret or publishable key of an application, which can have several. Requests find a key by its hash. */
@Entity('api_keys')
@Unique('hash')
@Indexes(['applicationId'])
@ObjectType({
  simpleResolvers: true,
  description: 'A key of the application. Its value is shown only once, when it is created.',
})
export class ApiKey {
  @Field(() => ID, { description: 'The id, which begins with key_.' })
  @KeyColumn()
  id: Id<'key'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => KeyUse, { description: 'The use of the key.' })
  @IdColumn()
  use: `${KeyUse}`

  @IdColumn()
  hash: string

  /** Last four characters, which distinguish keys in a list. */
  @Field(() => String, { description: 'The last four characters of the key.' })
  @IdColumn()
  hint: string

  /** Value of a publishable key, for links. Of a secret key only the hash is stored. */
  @TextColumn({ nullable: true })
  publishable: string | null

  @Field(() => DateTime, { description: 'When the key was created.' })
  @InstantColumn()
  createdAt: number

  @Field(() => DateTime, { nullable: true, description: 'When the key was revoked.' })
  @InstantColumn({ nullable: true })
  revokedAt: number | null

  @Field(() => String, { nullable: true, description: 'The name of the key.' })
  @TextColumn({ nullable: true })
  name: string | null

  /** Scopes of a secret key; null for everything that does not require `admin`. */
  @Field(() => [KeyScopeEnum], {
    nullable: true,
    description: 'The scopes of the key. Null permits everything that does not require ADMIN.',
  })
  @JsonColumn({ nullable: true })
  scopes: KeyScope[] | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key was last used, to the minute. Null if it was never used.',
  })
  @InstantColumn({ nullable: true })
  lastUsedAt: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key expires. Null if it never expires. A rotated key expires after the overlap.',
  })
  @InstantColumn({ nullable: true })
  expiresAt: number | null

  @Field(() => DocumentModes, {
    nullable: true,
    description: 'Which GraphQL documents the key may run. Null for the mode of the application.',
  })
  @IdColumn({ nullable: true })
  documentMode: DocumentMode | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The points that requests with the key may use in a minute; each session that it creates may use as many. Null for the limit of the service.',
  })
  @NumberColumn({ nullable: true })
  pointsPerMinute: number | null
}
