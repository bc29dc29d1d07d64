import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'

/** Returns an adapter that calls `pass` before every page of a model, so that time can pass. */
export const whileTimePasses = (
  adapter: ProviderAdapter,
  pass: (model: string) => Promise<void>,
): ProviderAdapter => ({
  ...adapter,
  readers: Object.fromEntries(
    Object.entries(adapter.readers as Record<string, Reader<object>>).map(([model, reader]) => [
      model,
      {
        ...reader,
        async read(...requested: Parameters<typeof reader.read>) {
          await pass(model)
          return reader.read(...requested)
        },
      },
    ]),
  ),
})
