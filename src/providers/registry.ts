import type { ProviderAdapter } from './provider.ts'

/** Provider adapters by code. */
export interface Registry {
  readonly all: readonly ProviderAdapter[]
  find(code: string): ProviderAdapter | null
}

export function registry(adapters: readonly ProviderAdapter[]): Registry {
  const byCode = new Map(adapters.map((adapter) => [adapter.manifest.code, adapter]))
  return { all: adapters, find: (code) => byCode.get(code) ?? null }
}
