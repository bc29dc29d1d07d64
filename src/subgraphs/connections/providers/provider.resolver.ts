import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import type { Manifest } from '../../../providers/provider.ts'
import { Provider } from './provider.ts'
import type { ConnectionsContext } from '../reads.ts'

@Resolver(() => Provider)
export class ProviderResolver {
  @Query(() => [Provider], { description: 'The providers whose accounts can be linked.' })
  providers(@Ctx() { connections }: ConnectionsContext): Manifest[] {
    return connections.registry.all.map(({ manifest }) => manifest)
  }

  @Query(() => Provider, {
    nullable: true,
    description: 'One provider by its code; null where there is none.',
  })
  provider(
    @Arg('code', () => String, { description: "The provider's code." }) code: string,
    @Ctx() { connections }: ConnectionsContext,
  ): Manifest | null {
    return connections.registry.find(code)?.manifest ?? null
  }
}
