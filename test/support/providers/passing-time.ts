import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'

/** Has time pass before every page that is read of a model. */
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
        async read(...asked: Parameters<typeof reader.read>) {
          await pass(model)
          return reader.read(...asked)
        },
      },
    ]),
  ),
})
