import { Field, ID, InputType, Int } from 'type-graphql'
import type { DocumentMode } from '../../../auth/document-mode.ts'
import type { KeyScope } from '../../../auth/key-scopes.ts'
import { DateTime } from '../../schema/scalars.ts'
import { DocumentModes, KeyUse } from './application.ts'
import type { KeyInput } from './keys/create-key.ts'
import { KeyScopeEnum } from './keys/key-scope-enum.ts'
import type { KeyRotationInput } from './keys/rotate-key.ts'
import type { ApplicationChanges } from './update-application.ts'

@InputType({ description: 'The changes of the application. Absent fields stay unchanged.' })
export class UpdateApplicationInput implements ApplicationChanges {
  @Field(() => String, { nullable: true, description: 'The new name, at most 255 characters.' })
  name?: string | null

  @Field(() => [String], {
    nullable: true,
    description:
      'All origins to which fleets may return, such as https://app.example.com. At most 100. A sandbox also accepts origins such as http://localhost:3000. Null removes all origins.',
  })
  linkOrigins?: string[] | null

  @Field(() => String, {
    nullable: true,
    description:
      'The https:// URL of the agreement that fleets accept. Null for the default text of Odograph.',
  })
  agreementUrl?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether an account that is linked again keeps its connection. Null for the default: true in production, false in a sandbox.',
  })
  merging?: boolean | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether fleets can be linked at providers with the status SANDBOX, which have simulated data only. Null for the default: false in production, true in a sandbox.',
  })
  allowsSandbox?: boolean | null

  @Field(() => DocumentModes, {
    nullable: true,
    description:
      'Which GraphQL documents the keys and sessions of the application may run. Null for the default, ALLOW.',
  })
  documentMode?: DocumentMode | null
}

@InputType({ description: 'The new key.' })
export class CreateKeyInput implements KeyInput {
  @Field(() => KeyUse, { nullable: true, description: 'The use of the key. Default: SECRET.' })
  use?: KeyUse | null

  @Field(() => String, {
    nullable: true,
    description: 'A name for the key, at most 255 characters.',
  })
  name?: string | null

  @Field(() => [KeyScopeEnum], {
    nullable: true,
    description: 'The scopes of a secret key. Null permits everything that does not require ADMIN.',
  })
  scopes?: KeyScope[] | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key expires. If absent, it never expires.',
  })
  expiresAt?: number | null

  @Field(() => DocumentModes, {
    nullable: true,
    description:
      'Which GraphQL documents a secret key may run. Null for the mode of the application. Sessions that the key creates may run no more.',
  })
  documentMode?: DocumentMode | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The points that requests with a secret key may use in a minute, from 100 to 1,000,000,000. Each session that the key creates may use as many. Null for the limit of the service.',
  })
  pointsPerMinute?: number | null
}

@InputType({ description: 'The key to replace.' })
export class RotateKeyInput implements KeyRotationInput {
  @Field(() => ID, { description: 'The id of the key. It must still be valid.' })
  keyId: string

  @Field(() => Int, {
    nullable: true,
    description:
      'How long the replaced key stays valid, in seconds: 0 to 2,592,000. Default: 86,400 (a day).',
  })
  overlapSeconds?: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the new key expires. Default: the same lifetime as that of the replaced key.',
  })
  expiresAt?: number | null
}

@InputType({ description: 'The key to revoke.' })
export class RevokeKeyInput {
  @Field(() => ID, { description: 'The id of the key.' })
  keyId: string

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Allows to revoke the last key with the scope admin. Afterwards only an operator can create another.',
  })
  force?: boolean | null
}
