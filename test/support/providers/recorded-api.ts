import { isObject } from '../../../src/platform/is-object.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'

/** Maximum length of a list in a recorded response. Few records suffice, and the replays are then fast. */
const MAX_ITEMS = 12

const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}

/** Responses of an API by request. A replay of the same requests gets them without the provider. */
export class RecordedApi {
  private readonly responses = new Map<string, unknown>()

  constructor(private readonly api: ProviderApi) {}

  /** Requests with a response, as JSON. */
  get requests(): readonly string[] {
    return [...this.responses.keys()]
  }

  responseTo = (request: string): unknown => this.responses.get(request)

  /** Returns an API that gives one request another response. */
  replay(changedRequest?: string, changedResponse?: unknown): ProviderApi {
    const answer = async (key: string, send: () => Promise<unknown>): Promise<unknown> => {
      if (key === changedRequest) return changedResponse
      if (!this.responses.has(key)) this.responses.set(key, shortened(await send()))
      return this.responses.get(key)
    }
    const replayed: ProviderApi = {
      ...this.api,
      get: (path, query) => answer(JSON.stringify([path, query ?? {}]), () => this.api.get(path, query)),
      post: (path, body) => answer(JSON.stringify([path, body]), () => this.api.post(path, body)),
      withSizeLimit: () => replayed,
    }
    return replayed
  }
}
