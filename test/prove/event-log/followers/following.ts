import type { ReceiptFile } from '../receipt-file.ts'

/** Arguments of a reader program. */
export interface ReaderOrders {
  readonly way: Way
  /** URLs of the gateways; a reader uses any of them. */
  readonly urls: readonly string[]
  readonly secretKey: string
  /** Its notebook; the webhook receiver has one for each endpoint, by its path. */
  readonly notebooks: Readonly<Record<string, string>>
  /** Event after which the reader starts. */
  readonly after: string
  readonly port: number
}

export const ways = ['websocket', 'sse', 'pull', 'webhook'] as const
export type Way = (typeof ways)[number]

/** Reads the log over one connection from the last event on; settles when the connection ends. */
export type Follow = (from: From, receiptFile: ReceiptFile, cut: AbortSignal) => Promise<void>

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

/** Records the events of a subscription response. A reader must not receive errors. */
export function noteAnswer(receiptFile: ReceiptFile, { data, errors }: Answer): void {
  if (errors || !data?.events) throw new Error(`subscription responded ${JSON.stringify({ data, errors })}`)
  receiptFile.note(data.events)
}
