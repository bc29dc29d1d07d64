import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql'
import type { ConnectionCommandsContext } from '../commands.ts'
import {
  CreateKeyInput,
  RevokeKeyInput,
  RotateKeyInput,
  UpdateApplicationInput,
} from './application-inputs.ts'
import { ApiKey, Application } from './application.ts'
import type { NewKey } from './keys/new-key.ts'
import type { RotatedKey } from './keys/rotate-key.ts'

@ObjectType({ simpleResolvers: true, description: 'What `updateApplication` gives.' })
export class UpdateApplicationPayload {
  @Field(() => Application, { description: 'The application as it is now.' })
  application: Application
}

@ObjectType({ simpleResolvers: true, description: 'What `createKey` gives.' })
export class CreateKeyPayload implements NewKey {
  @Field(() => ApiKey, { description: 'The key, without itself.' })
  key: ApiKey

  @Field(() => String, { description: 'The key itself, shown this once: keep it now.' })
  value: string
}

@ObjectType({ simpleResolvers: true, description: 'What `rotateKey` gives.' })
export class RotateKeyPayload implements RotatedKey {
  @Field(() => ApiKey, { description: 'The new key, of the same use, name and scopes.' })
  key: ApiKey

  @Field(() => String, { description: 'The new key itself, shown this once: keep it now.' })
  value: string

  @Field(() => ApiKey, {
    description: 'The key that it replaces; its `expiresAt` says until when that is good.',
  })
  previous: ApiKey
}

@ObjectType({ simpleResolvers: true, description: 'What `revokeKey` gives.' })
export class RevokeKeyPayload {
  @Field(() => ApiKey, { description: 'The key, ended.' })
  key: ApiKey
}

@Resolver()
export class ApplicationChangesResolver {
  @Mutation(() => UpdateApplicationPayload, {
    description: 'Changes the settings of the application. Takes a secret key alone, with the scope admin.',
  })
  async updateApplication(
    @Arg('input', () => UpdateApplicationInput, { description: 'What to change.' })
    input: UpdateApplicationInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<UpdateApplicationPayload> {
    return { application: await writes.updateApplication(input) }
  }

  @Mutation(() => CreateKeyPayload, {
    description: 'Makes a further key; the others stay good. Takes a secret key alone, with the scope admin.',
  })
  createKey(
    @Arg('input', () => CreateKeyInput, { description: 'What it is for.' }) input: CreateKeyInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CreateKeyPayload> {
    return writes.createKey(input)
  }

  @Mutation(() => RotateKeyPayload, {
    description:
      'Makes a key in place of another, which stays good for a while; sessions that it made end with it. Takes a secret key alone, with the scope admin.',
  })
  rotateKey(
    @Arg('input', () => RotateKeyInput, { description: 'Which key.' }) input: RotateKeyInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RotateKeyPayload> {
    return writes.rotateKey(input)
  }

  @Mutation(() => RevokeKeyPayload, {
    description:
      'Ends a key for good, with the sessions that it made: what they have open is closed at once. Takes a secret key alone, with the scope admin.',
  })
  async revokeKey(
    @Arg('input', () => RevokeKeyInput, { description: 'Which key to end.' }) input: RevokeKeyInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RevokeKeyPayload> {
    return { key: await writes.revokeKey(input) }
  }
}
