import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { toIso } from '../../../domain/time.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import { Json } from '../../schema/scalars.ts'
import { BackfillInput } from '../connection-inputs.ts'
import { SyncMode } from '../connection.ts'
import type { ConnectionsContext } from '../repository.ts'
import type { ConnectionCommandsContext } from '../commands.ts'
import type { ShortLinkInput } from './create-short-link.ts'
import { ShortLink } from './short-link.ts'

export const ShortLinkPage = pageType('ShortLink', () => ShortLink)

@InputType({
  description:
    'What the link runs of a short link are like. All of it may be absent: the fleet then chooses.',
})
export class CreateShortLinkInput implements ShortLinkInput {
  @Field(() => String, { nullable: true, description: "The company's name." })
  name?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The code of the provider, where the fleet is not to choose.',
  })
  provider?: string | null

  @Field(() => [String], {
    nullable: true,
    description: 'Codes of providers that stand first in the choice.',
  })
  providerHints?: string[] | null

  @Field(() => ID, { nullable: true, description: "The caller's own identifier of the connection." })
  externalId?: string | null

  @Field(() => [String], { nullable: true, description: "The caller's own labels of the connection." })
  tags?: string[] | null

  @Field(() => String, {
    nullable: true,
    description:
      'Where the fleet is sent afterwards, with `token` and `result`: an address of one of the link origins of the application.',
  })
  redirectUrl?: string | null

  @Field(() => SyncMode, { nullable: true, description: 'AUTOMATIC where it is absent.' })
  syncMode?: SyncMode | null

  @Field(() => BackfillInput, {
    nullable: true,
    description: 'How far back the first sync reads; days count from the link run.',
  })
  backfill?: BackfillInput | null

  @Field(() => String, { nullable: true, description: 'Kept as it is; it changes nothing.' })
  template?: string | null
}

@InputType({ description: 'A short link to end.' })
export class DeleteShortLinkInput {
  @Field(() => ID, { description: 'Which short link.' })
  shortLinkId: string
}

@ObjectType({ simpleResolvers: true, description: 'What `createShortLink` gives.' })
export class CreateShortLinkPayload {
  @Field(() => ShortLink, { description: 'The short link.' })
  shortLink: ShortLink

  @Field(() => Boolean, { description: 'Whether there was one for the same settings already: this is it.' })
  replayed: boolean
}

@ObjectType({ simpleResolvers: true, description: 'What `deleteShortLink` gives.' })
export class DeleteShortLinkPayload {
  @Field(() => ID, { description: 'The id that it had.' })
  shortLinkId: string
}

@Resolver(() => ShortLink)
export class ShortLinkResolver {
  @FieldResolver(() => String, { description: 'Its address, for people.' })
  url(@Root() { code }: ShortLink, @Ctx() { connections }: ConnectionsContext): string {
    return connections.shortUrlOf(code)
  }

  @FieldResolver(() => Json, { description: 'What its link runs are like, by the names of the input.' })
  settings(@Root() { settings }: ShortLink): unknown {
    const { backfillDays, backfillFrom, ...others } = settings
    if (backfillDays !== undefined) return { ...others, backfill: { days: backfillDays } }
    return backfillFrom === undefined ? others : { ...others, backfill: { startFrom: toIso(backfillFrom) } }
  }

  @Query(() => ShortLinkPage, {
    description: 'The short links that can be followed, oldest first. Takes the secret key alone.',
  })
  shortLinks(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<ShortLink>> {
    return connections.shortLinks(args)
  }

  @Mutation(() => CreateShortLinkPayload, {
    description:
      'Makes a short address of the link pages; for the same settings it gives the same one as long as that is good. Takes the secret key alone.',
  })
  createShortLink(
    @Arg('input', () => CreateShortLinkInput, { description: 'What its link runs are like.' })
    input: CreateShortLinkInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CreateShortLinkPayload> {
    return writes.createShortLink(input)
  }

  @Mutation(() => DeleteShortLinkPayload, {
    description:
      'Ends a short link: its address answers with a page that says so. Takes the secret key alone.',
  })
  deleteShortLink(
    @Arg('input', () => DeleteShortLinkInput, { description: 'Which short link.' })
    input: DeleteShortLinkInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<DeleteShortLinkPayload> {
    return writes.deleteShortLink(input)
  }
}
