/** Query parameters of a request. A list repeats its name; null is left out. */
export type Query = Readonly<Record<string, string | number | readonly (string | number)[] | null>>

/** A request as a caller words it, for a provider's API of which the host and the credentials are given. */
export interface PassedRequest {
  readonly method: string
  /** Begins with a slash; may have a query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What a provider said to it, whatever it said. */
export interface PassedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A provider's HTTP API with one account's credentials. */
export interface ProviderApi {
  get(path: string, query?: Query): Promise<unknown>
  /** Asks with a body of JSON. Whatever is asked so may be asked again. */
  post(path: string, body: unknown): Promise<unknown>
  /** Sends a request as it is, once. A status of whatever kind is an answer; redirects are not followed. */
  send(request: PassedRequest): Promise<PassedResponse>
  /** Opens a file at an address that the provider gave; its credentials go to its own host alone. */
  file(address: string): Promise<Response>
}
