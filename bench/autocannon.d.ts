declare module 'autocannon' {
  interface Request {
    readonly body?: string
  }

  interface Options {
    readonly url: string
    readonly connections: number
    readonly duration: number
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    /** Requests per second over all connections. */
    readonly overallRate?: number
    readonly requests?: readonly { readonly setupRequest: (request: Request) => Request }[]
    /** Interval in milliseconds at which autocannon samples its counters. */
    readonly sampleInt?: number
  }

  export interface Result {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
    /** Duration of the measurement in seconds. */
    readonly duration: number
    /** Latency in milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number; readonly p99_9: number }
  }

  export default function autocannon(options: Options): Promise<Result>
}
