import type { Ready } from '../support/service-process.ts'

/**
 * Opens a connection for each request. The service may close an idle connection, and this process notices it too late
 * while a long scan blocks it.
 */
const CLOSE_AFTER_RESPONSE = { connection: 'close' } as const

/** A caller with the secret key alone, with a connection token too, or with a session. */
export class Caller {
  constructor(
    private readonly ready: Ready,
    private readonly headers: Readonly<Record<string, string>> = {
      authorization: `Bearer ${ready.secretKey}`,
    },
  ) {}

  withToken = (token: string): Caller =>
    new Caller(this.ready, { ...this.headers, 'connection-token': token })

  withSession = (token: string): Caller => new Caller(this.ready, { authorization: `Bearer ${token}` })

  /** Returns the whole response as text, including errors. */
  async graphqlText(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const response = await fetch(this.ready.graphqlUrl, {
      method: 'POST',
      headers: { ...this.headers, ...CLOSE_AFTER_RESPONSE, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return response.text()
  }

  async graphql<Data>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Data> {
    const text = await this.graphqlText(query, variables)
    const { data, errors } = JSON.parse(text) as { data: Data; errors?: unknown }
    if (errors) throw new Error(text)
    return data
  }

  async mutate<Payload>(name: string, input: object, selection: string): Promise<Payload> {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
    return (await this.graphql<Record<string, Payload>>(text, { input }))[name] as Payload
  }

  async restText(path: string): Promise<string> {
    return (
      await fetch(this.ready.restUrl + path, {
        headers: { ...this.headers, ...CLOSE_AFTER_RESPONSE },
      })
    ).text()
  }

  /** Subscribes to the event log over SSE until `close`. `received` returns the data so far. */
  subscribe(): { readonly received: () => string; readonly close: () => void } {
    const abort = new AbortController()
    let received = ''
    const read = async () => {
      const response = await fetch(this.ready.graphqlUrl, {
        method: 'POST',
        headers: { ...this.headers, accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'subscription { events { id type detail } }' }),
        signal: abort.signal,
      })
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) received += decoder.decode(chunk, { stream: true })
    }
    read().catch(() => undefined)
    return { received: () => received, close: () => abort.abort() }
  }
}
