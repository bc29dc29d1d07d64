import { PublicError } from '../../../domain/errors.ts'
import type { Manifest } from '../../../providers/provider.ts'
import type { Registry } from '../../../providers/registry.ts'
import { type Application, isSandboxAllowed } from '../applications/application.ts'

/** The fields of an application that decide which providers it can use. */
export type ProviderPolicy = Pick<Application, 'environment' | 'allowsSandbox'>

/** Whether an application can list a provider, and link accounts at it. */
export const isAvailable = ({ status }: Pick<Manifest, 'status'>, application: ProviderPolicy): boolean =>
  status !== 'sandbox' || isSandboxAllowed(application)

/** Returns the providers that an application can use. */
export const availableProviders = (registry: Registry, application: ProviderPolicy): Registry => ({
  all: registry.all.filter(({ manifest }) => isAvailable(manifest, application)),
  find(code) {
    const provider = registry.find(code)
    return provider && isAvailable(provider.manifest, application) ? provider : null
  },
})

/** Throws unless an application can use a provider. `member` is the member of the input that requires the provider. */
export function requireAvailable(
  manifest: Pick<Manifest, 'status'>,
  application: ProviderPolicy,
  member = 'provider',
): void {
  if (!isAvailable(manifest, application)) throw new SandboxNotAllowed(member)
}

/** An application that does not allow sandbox providers uses one. */
export class SandboxNotAllowed extends PublicError {
  constructor(member: string) {
    super('bad_request', MESSAGE, { detail: [{ message: MESSAGE, path: `input.${member}` }] })
  }
}

const MESSAGE =
  'This provider has simulated data only, which the application does not allow. Use an application of the sandbox environment, or allow it with `odograph applications update <id> --allow-sandbox on`.'
