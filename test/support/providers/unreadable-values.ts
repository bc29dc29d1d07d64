import { isObject } from '../../../src/platform/is-object.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'

/** Values that no list of records contains. */
const UNREADABLE = [null, 5, true, ['y']]

/** Lists that get the values: those of a response, or those inside its records. */
export type Depth = 'outer' | 'inner'

/** Returns an API whose responses have unreadable values at the start and at the end of their lists of objects. */
export function withUnreadableValues(api: ProviderApi, depth: Depth): ProviderApi {
  const change = (value: unknown, isInside: boolean): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((item) => change(item, true))
      const isChanged = items.length > 0 && items.every(isObject) && isInside === (depth === 'inner')
      return isChanged ? [...UNREADABLE, ...items, ...UNREADABLE] : items
    }
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, isInside)]))
  }
  return {
    ...api,
    get: async (path, query) => change(await api.get(path, query), false),
    post: async (path, body) => change(await api.post(path, body), false),
    withSizeLimit: (maxBytes) => withUnreadableValues(api.withSizeLimit(maxBytes), depth),
  }
}
