declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly connections: number
    readonly duration: number
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    /** Interval in milliseconds at which autocannon samples its counters. */
    readonly sampleInt?: number
  }

  interface Result {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
    /** Duration of the measurement in seconds. */
    readonly duration: number
  }

  export default function autocannon(options: Options): Promise<Result>
}
