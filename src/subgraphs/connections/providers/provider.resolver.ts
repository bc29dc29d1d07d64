import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import type { Manifest } from '../../../providers/provider.ts'
import { findUnsupportedProvider, unsupportedProviders } from '../../../providers/unsupported-providers.ts'
import { Provider } from './provider.ts'
import type { ConnectionsContext } from '../repository.ts'

@Resolver(() => Provider)
export class ProviderResolver {
  @Query(() => [Provider], {
    nullable: true,
    description:
      'The providers whose accounts can be linked, followed by those that are only listed so far. Providers with the status SANDBOX are listed if the application allows them.',
  })
  async providers(@Ctx() { connections }: ConnectionsContext): Promise<Manifest[]> {
    const registry = await connections.availableProviders()
    return [...registry.all.map(({ manifest }) => manifest), ...unsupportedProviders(registry)]
  }

  @Query(() => Provider, {
    nullable: true,
    description: 'The provider with a code. Null if `providers` does not list it.',
  })
  async provider(
    @Arg('code', () => String, { description: "The provider's code." }) code: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Manifest | null> {
    const registry = await connections.availableProviders()
    return registry.find(code)?.manifest ?? findUnsupportedProvider(registry, code)
  }
}
