import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import type { Manifest } from '../../../providers/provider.ts'
import { findUnsupportedProvider, unsupportedProviders } from '../../../providers/unsupported-providers.ts'
import { Provider } from './provider.ts'
import type { ConnectionsContext } from '../repository.ts'

@Resolver(() => Provider)
export class ProviderResolver {
  @Query(() => [Provider], {
    nullable: true,
    description: 'The providers whose accounts can be linked, followed by those that are only listed so far.',
  })
  providers(@Ctx() { connections: { registry } }: ConnectionsContext): Manifest[] {
    return [...registry.all.map(({ manifest }) => manifest), ...unsupportedProviders(registry)]
  }

  @Query(() => Provider, {
    nullable: true,
    description: 'The provider with a code. Null if there is none.',
  })
  provider(
    @Arg('code', () => String, { description: "The provider's code." }) code: string,
    @Ctx() { connections: { registry } }: ConnectionsContext,
  ): Manifest | null {
    return registry.find(code)?.manifest ?? findUnsupportedProvider(registry, code)
  }
}
