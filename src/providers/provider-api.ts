/** Query parameters. A list repeats its name; null is left out. */
export type QueryParams = Readonly<Record<string, string | number | readonly (string | number)[] | null>>

/** Passthrough request of a caller. The service adds the host and the credentials. */
export interface PassthroughRequest {
  readonly method: string
  /** Begins with a slash; may have a query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Response to a passthrough request, of any status. */
export interface ProviderResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Client of a provider's HTTP API with one account's credentials. */
export interface ProviderApi {
  get(path: string, query?: QueryParams): Promise<unknown>
  /** Sends a JSON body. It is sent again after some errors, so the request must have the same effect every time. */
  post(path: string, body: unknown): Promise<unknown>
  /** Sends a passthrough request once. Returns a response of any status and does not follow redirects. */
  send(request: PassthroughRequest): Promise<ProviderResponse>
  /** Opens a file at a URL that the provider sent. Credentials are sent only to the provider's own host. */
  file(address: string): Promise<Response>
  /** Returns this client with a smaller size limit of the responses of `get` and `post`. */
  withSizeLimit(maxBytes: number): ProviderApi
}
