import type { Notebook } from './notebook.ts'

/** What a reader is told to do, as the argument of its program. */
export interface ReaderOrders {
  readonly way: Way
  /** Where the gateways are; it turns to any of them. */
  readonly urls: readonly string[]
  readonly secretKey: string
  /** Its notebook; the webhook receiver has one for each endpoint, by its path. */
  readonly notebooks: Readonly<Record<string, string>>
  /** The event that the log is read from. */
  readonly after: string
  readonly port: number
}

export const ways = ['websocket', 'sse', 'pull', 'webhook'] as const
export type Way = (typeof ways)[number]

/** One connection of a reader, from the last event it has; it ends when the connection does. */
export type Follow = (from: From, notebook: Notebook, cut: AbortSignal) => Promise<void>

export interface From {
  readonly url: string
  readonly secretKey: string
  readonly after: string
}

export const SUBSCRIPTION = 'subscription ($after: ID) { events(after: $after) { id detail } }'

interface Answer {
  readonly data?: { readonly events?: { readonly id: string; readonly detail: unknown } } | null
  readonly errors?: unknown
}

/** Notes what an answer of the subscription brings; errors are nothing that a reader should meet. */
export function noteAnswer(notebook: Notebook, { data, errors }: Answer): void {
  if (errors || !data?.events) throw new Error(`a subscription answered ${JSON.stringify({ data, errors })}`)
  notebook.note(data.events)
}
