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

@ObjectType({ simpleResolvers: true, description: 'The result of `updateApplication`.' })
export class UpdateApplicationPayload {
  @Field(() => Application, { description: 'The application after the change.' })
  application: Application
}

@ObjectType({ simpleResolvers: true, description: 'The result of `createKey`.' })
export class CreateKeyPayload implements NewKey {
  @Field(() => ApiKey, { description: 'The key, without its value.' })
  key: ApiKey

  @Field(() => String, { description: 'The value of the key. It is shown only here, so store it now.' })
  value: string
}

@ObjectType({ simpleResolvers: true, description: 'The result of `rotateKey`.' })
export class RotateKeyPayload implements RotatedKey {
  @Field(() => ApiKey, { description: 'The new key, with the same use, name, scopes and document mode.' })
  key: ApiKey

  @Field(() => String, { description: 'The value of the new key. It is shown only here, so store it now.' })
  value: string

  @Field(() => ApiKey, {
    description: 'The replaced key. It is valid until its `expiresAt`.',
  })
  previous: ApiKey
}

@ObjectType({ simpleResolvers: true, description: 'The result of `revokeKey`.' })
export class RevokeKeyPayload {
  @Field(() => ApiKey, { description: 'The revoked key.' })
  key: ApiKey
}

@Resolver()
export class ApplicationChangesResolver {
  @Mutation(() => UpdateApplicationPayload, {
    description:
      'Updates the settings of the application. Requires a secret key with the scope admin, without a connection token.',
  })
  async updateApplication(
    @Arg('input', () => UpdateApplicationInput, { description: 'The changes.' })
    input: UpdateApplicationInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<UpdateApplicationPayload> {
    return { application: await writes.updateApplication(input) }
  }

  @Mutation(() => CreateKeyPayload, {
    description:
      'Creates a key. The other keys stay valid. Requires a secret key with the scope admin, without a connection token.',
  })
  createKey(
    @Arg('input', () => CreateKeyInput, { description: 'The new key.' }) input: CreateKeyInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CreateKeyPayload> {
    return writes.createKey(input)
  }

  @Mutation(() => RotateKeyPayload, {
    description:
      'Creates a key that replaces another. The replaced key stays valid for the overlap, and its sessions end with it. Requires a secret key with the scope admin, without a connection token.',
  })
  rotateKey(
    @Arg('input', () => RotateKeyInput, { description: 'The key to replace.' }) input: RotateKeyInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RotateKeyPayload> {
    return writes.rotateKey(input)
  }

  @Mutation(() => RevokeKeyPayload, {
    description:
      'Revokes a key and the sessions that it created. Their open streams are closed at once. Requires a secret key with the scope admin, without a connection token.',
  })
  async revokeKey(
    @Arg('input', () => RevokeKeyInput, { description: 'The key to revoke.' }) input: RevokeKeyInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<RevokeKeyPayload> {
    return { key: await writes.revokeKey(input) }
  }
}
