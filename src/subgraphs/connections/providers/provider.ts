import { Field, ObjectType, registerEnumType } from 'type-graphql'
import type { Manifest } from '../../../providers/provider.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { isLinkable } from '../linking/validate-settings.ts'

export enum ProviderStatus {
  LIVE = 'live',
  BETA = 'beta',
  SANDBOX = 'sandbox',
  DEPRECATED = 'deprecated',
}

registerEnumType(ProviderStatus, {
  name: 'ProviderStatus',
  description: 'How ready a provider is for use.',
  valuesConfig: {
    LIVE: { description: 'In use.' },
    BETA: { description: 'Usable, and may change; where `isLinkable` is false, not usable yet.' },
    SANDBOX: { description: 'Simulated data only.' },
    DEPRECATED: { description: 'Will be removed.' },
  },
})

export enum ReadSupport {
  SUPPORTED = 'supported',
  NOT_SUPPORTED_BY_PROVIDER = 'not_supported_by_provider',
  NOT_SUPPORTED = 'not_supported',
}

registerEnumType(ReadSupport, {
  name: 'ReadSupport',
  description: 'Whether a kind of record can be read.',
  valuesConfig: {
    SUPPORTED: { description: 'It is read.' },
    NOT_SUPPORTED_BY_PROVIDER: { description: 'The provider does not offer it.' },
    NOT_SUPPORTED: { description: 'This service does not read it yet.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'What a provider offers of one kind of record.' })
export class ProviderModel {
  @Field(() => String, { description: 'The kind of record, such as VehicleLocation.' })
  name: string

  @Field(() => ReadSupport, { description: 'Whether it can be read.' })
  read: ReadSupport

  @Field(() => String, { nullable: true, description: 'How dense a series is.' })
  sampleRate: string | null

  @Field(() => String, { nullable: true, description: 'How far back it can be read.' })
  availableHistory: string | null

  @Field(() => [String], { nullable: true, description: 'The types of record that occur.' })
  types: string[] | null
}

@ObjectType({ simpleResolvers: true, description: 'A page about a provider.' })
export class ProviderReference {
  @Field(() => String, { description: 'login-page or developer-docs.' })
  type: string

  @Field(() => String, { description: 'The address of the page.' })
  url: string

  @Field(() => String, { description: 'What the page is called.' })
  label: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'A telematics provider.',
})
export class Provider {
  @Field(() => String, { description: 'Identifies the provider across the service.' })
  code: string

  @Field(() => String, { description: 'What people call it.' })
  name: string

  @Field(() => ProviderStatus, { description: 'How ready it is for use.' })
  status: ProviderStatus

  @Field(() => Boolean, {
    description:
      'Whether a fleet can link its account. What is only listed yet it can ask for on the link pages.',
  })
  @Computed(isLinkable)
  isLinkable?: boolean

  @Field(() => String, { nullable: true, description: 'The shared platform that it builds on.' })
  baseCode: string | null

  @Field(() => String, { description: 'The address of its logo.' })
  logo: string

  @Field(() => String, { description: 'The address of its icon.' })
  icon: string

  @Field(() => [ProviderModel], {
    description: 'Every kind of record, with what this provider offers of it.',
  })
  @Computed(({ supportedModels }: Manifest) =>
    Object.entries(supportedModels).map(([name, support]) => ({ name, ...support })),
  )
  models?: ProviderModel[]

  @Field(() => [ProviderReference], { description: 'Pages about it.' })
  references: ProviderReference[]
}
