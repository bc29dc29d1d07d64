import type { ProviderApi } from '../provider-api.ts'

/** Asks once for as long as an account is opened, which is for a sync or a poll. What failed is asked again. */
export function memoizePerAccount<Rest extends readonly unknown[], Told>(
  ask: (api: ProviderApi, ...rest: Rest) => Promise<Told>,
): (api: ProviderApi, ...rest: Rest) => Promise<Told> {
  const all = new WeakMap<ProviderApi, Promise<Told>>()
  return (api, ...rest) => {
    const known = all.get(api)
    if (known) return known
    const asked = ask(api, ...rest)
    all.set(api, asked)
    asked.catch(() => all.delete(api))
    return asked
  }
}
