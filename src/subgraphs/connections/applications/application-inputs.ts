import { Field, ID, InputType, Int } from 'type-graphql'
import { DateTime } from '../../schema/scalars.ts'
import { KeyUse, SCOPES } from './application.ts'
import type { KeyInput } from './keys/create-key.ts'
import type { KeyRotationInput } from './keys/rotate-key.ts'
import type { ApplicationChanges } from './update-application.ts'

@InputType({ description: 'What to change of the application; what is left out stays as it is.' })
export class UpdateApplicationInput implements ApplicationChanges {
  @Field(() => String, { nullable: true, description: 'Its new name, 255 characters at most.' })
  name?: string | null

  @Field(() => [String], {
    nullable: true,
    description:
      'All the origins that fleets may be sent back to, such as https://app.example.com, 100 at most; of a sandbox also such as http://localhost:3000. None where it is null.',
  })
  linkOrigins?: string[] | null

  @Field(() => String, {
    nullable: true,
    description:
      'The address of what fleets agree to, https:// only; the text of the service where it is null.',
  })
  agreementUrl?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether an account that is linked once more finds its connection. Null is as is usual: in production it does, in a sandbox it does not.',
  })
  merging?: boolean | null
}

@InputType({ description: 'What the new key is for.' })
export class CreateKeyInput implements KeyInput {
  @Field(() => KeyUse, { nullable: true, description: 'Where it is used; SECRET where it is absent.' })
  use?: KeyUse | null

  @Field(() => String, {
    nullable: true,
    description: 'What it is for, in your words; 255 characters at most.',
  })
  name?: string | null

  @Field(() => [String], {
    nullable: true,
    description: `What a secret key may do, such as ["vehicles:read", "hos:read"]. ${SCOPES}`,
  })
  scopes?: string[] | null

  @Field(() => DateTime, { nullable: true, description: 'When it ends by itself; never where it is absent.' })
  expiresAt?: number | null
}

@InputType({ description: 'A key to replace.' })
export class RotateKeyInput implements KeyRotationInput {
  @Field(() => ID, { description: 'Which key; it must be good still.' })
  keyId: string

  @Field(() => Int, {
    nullable: true,
    description:
      'How long it stays good beside the new one: 0 to 2,592,000 seconds; 86,400, a day, where it is absent.',
  })
  overlapSeconds?: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the new key ends by itself; where it is absent it lasts as long as the other was to.',
  })
  expiresAt?: number | null
}

@InputType({ description: 'A key to end.' })
export class RevokeKeyInput {
  @Field(() => ID, { description: 'Which key.' })
  keyId: string

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Revokes also the last key with the scope admin, after which only an operator can make another.',
  })
  force?: boolean | null
}
