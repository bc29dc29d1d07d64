import type { ProviderAdapter } from './provider.ts'

/** The providers there are, by their codes. */
export interface Registry {
  readonly all: readonly ProviderAdapter[]
  find(code: string): ProviderAdapter | null
}

export function registry(adapters: readonly ProviderAdapter[]): Registry {
  const byCode = new Map(adapters.map((adapter) => [adapter.manifest.code, adapter]))
  return { all: adapters, find: (code) => byCode.get(code) ?? null }
}
